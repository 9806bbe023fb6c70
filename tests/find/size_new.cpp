// As many elements as the input says come from new; one more is written.
// input: stdin "\x09\x03"
// witness: stdin "\x04\x04"
#include "../include/records.h"

int main() {
    unsigned char request[2];
    take(request, sizeof request);
    unsigned count = request[0] % 16 + 1;
    short *slots = new short[count]();
    if (request[1] < 16)
        slots[request[1]] = 1; //~ heap-buffer-overflow
    KEEP(slots[0]);
    delete[] slots;
    return 0;
}
