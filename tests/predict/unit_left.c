// A unit that calls itself, and one that is left by a jump: neither is there for what comes later.
// unit: down
// unit args: unit
// unit test: "\x03\x02"
// precondition: depth < 0 || depth > 0 || at <= 9
// test verified: "\x05\x03"
#include <setjmp.h>
#include <unistd.h>

static int table[10];
static jmp_buf out;
static volatile int sink;

static void down(int depth, unsigned at) {
    if (depth > 0) {
        down(depth - 1, at);
        sink = 1;
        return;
    }
    if (depth == 0) {
        sink = table[at];
        longjmp(out, 1);
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (setjmp(out) == 0) {
        down(count > 1 ? in[0] & 3 : -1, in[1]);
    } else {
        sink = 10 / (in[0] - 20);
    }
    return 0;
}
