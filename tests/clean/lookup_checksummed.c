// A header with a checksum, a version and a table of offsets, all of them looked at before they are used.
// input: stdin "PK\x01\x03\x08\x0c\x10\x28"
//~ verified
#include "../include/records.h"

#define BODY 32

int main(void) {
    unsigned char head[8], body[BODY] = {0};
    take(head, sizeof head);
    if (head[0] != 'P' || head[1] != 'K' || head[2] != 1)
        return 1;
    unsigned sum = 0;
    for (int i = 2; i < 7; i++)
        sum += head[i];
    unsigned count = head[3];
    if ((sum & 0xff) != head[7])
        return 1;
    if (count > 3)
        return 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned at = head[4 + i];
        if (at >= BODY)
            return 1;
        body[at] = 1;
    }
    KEEP(body[8]);
    return 0;
}
