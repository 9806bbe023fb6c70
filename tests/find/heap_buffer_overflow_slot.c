// A slot is compared with the number of slots, with the wrong operator.
// input: stdin "\x03\x2a"
// witness: stdin "\x08\x2a"
#include "../include/records.h"

int main(void) {
    unsigned char request[2];
    take(request, sizeof request);
    int *slots = calloc(8, sizeof *slots);
    if (slots == NULL)
        return 1;
    if (request[0] <= 8)
        slots[request[0]] = request[1]; //~ heap-buffer-overflow
    KEEP(slots[0]);
    free(slots);
    return 0;
}
