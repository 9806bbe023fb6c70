// A slot of an array from new is compared with the number of slots, with the wrong operator.
// input: stdin "\x03\x2a"
// witness: stdin "\x08\x2a"
#include "../include/records.h"

int main() {
    unsigned char request[2];
    take(request, sizeof request);
    int *slots = new int[8]();
    if (request[0] <= 8)
        slots[request[0]] = request[1]; //~ heap-buffer-overflow
    KEEP(slots[0]);
    delete[] slots;
    return 0;
}
