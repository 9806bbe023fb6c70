// A patch whose offset is masked to the record.
// input: stdin "\x03\x41"
//~ verified
#include "../include/records.h"

__attribute__((noinline)) static int patch(unsigned at, unsigned char what) {
    unsigned char record[16] = {0};
    record[at & 15] = what;
    return record[3];
}

int main(void) {
    unsigned char request[2];
    take(request, sizeof request);
    KEEP(patch(request[0], request[1]));
    return 0;
}
