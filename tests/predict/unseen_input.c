// Input that comes into the program without labels: nothing is verified of a test that reads some in such a way, wherever it does.
// test open: "\x05\x01\x03"
// test verified: "\x05\x02\x03"
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>

static int table[10];
static volatile int sink;

int main(void) {
    unsigned char in[2], more = 0;
    if (read(0, in, 2) != 2) {
        return 2;
    }
    sink = table[in[0] & 7];
    if (in[1] == 1) {
        struct iovec piece = {&more, 1};
        if (preadv2(0, &piece, 1, -1, 0) != 1) {
            return 2;
        }
    }
    sink = more;
    return 0;
}
