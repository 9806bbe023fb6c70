// Records with their lengths in front; the third one must be of kind 5.
// input: stdin "\x00\x00\x00\x00\x00\x00"
// paths: 93
//~ verified
#include <assert.h>
#include "bytes.h"

int main(void) {
    unsigned char b[6];
    if (!get(b, 6)) return 1;
    int at = 0, records = 0;
    while (at < 6) {
        int length = b[at];
        if (length == 0 || length > 6 - at) return 0;
        // Only lengths of up to three are known.
        int kind;
        switch (length) {
        case 1: kind = 0; at += 1; break;
        case 2: kind = b[at + 1]; at += 2; break;
        case 3: kind = b[at + 1] ^ b[at + 2]; at += 3; break;
        default: return 0;
        }
        records++;
        assert(records != 3 || kind != 5); //~ assertion
    }
    return 0;
}
