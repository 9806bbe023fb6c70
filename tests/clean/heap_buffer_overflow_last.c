// The last slot, and not the one behind it.
// input: stdin "\x03\x2a"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char request[2];
    take(request, sizeof request);
    int *slots = calloc(8, sizeof *slots);
    if (slots == NULL)
        return 1;
    if (request[0] <= 7)
        slots[request[0]] = request[1];
    free(slots);
    return 0;
}
