// Switches: dense, sparse, 64 bits wide, signed, default taken, on a range.
// input: stdin "\x02\x63\x09\xff\x00\x00\x00\x00\x01\x00\x00\x00\x05"
#include "observe.h"

__attribute__((noinline)) static void done(int id) { printf("%d ", id); }

int main(void) {
    take_input();
    switch (in[0]) { //~ switch 0x2 stdin[0]
    case 0: done(10); break;
    case 1: done(11); observe_yes(); break;
    case 2: done(12); observe_no(); break;
    case 3: done(13); abort();
    }
    switch (in[1] * 1000) { //~ switch 0x182b8 stdin[1]
    case 1: done(20); break;
    case 99000: done(21); observe_yes(); break;
    case -5000: done(22); abort();
    case 123456: done(23); observe_no(); break;
    }
    switch (in[2]) { //~ switch 0x9 stdin[2]
    case 0: done(30); break;
    case 1: done(31); observe_yes(); break;
    case 7: done(32); observe_no(); break;
    default: done(39); getpid(); break;
    }
    switch ((int8_t)in[3]) { //~ switch stdin[3]
    case -1: done(40); break;
    case 1: done(41); observe_yes(); break;
    case 100: done(42); observe_no(); break;
    }
    switch (TAKE(uint64_t, 4)) { //~ switch 0x100000000 stdin[4-11]
    case 1: done(50); break;
    case 0x100000000: done(51); observe_yes(); break;
    case 0xffffffffffffffff: done(52); observe_no(); break;
    }
    return 0;
}
