// One of two formats is chosen by the input.
// input: stdin "x\x2a"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char request[2];
    take(request, sizeof request);
    const char *format = request[0] == 'x' ? "%x\n" : "%u\n";
    printf(format, (unsigned)request[1]);
    return 0;
}
