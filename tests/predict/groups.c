// Several tests come close to the same defect: it is one finding. One test shows a defect itself.
// test predicted: "a\x04"
// test predicted: "a\x07"
// test predicted: "b\x02"
// test verified: "c\x0b"
// test failing: "d\x00"
#include <unistd.h>

static volatile int sink;

static void share(unsigned char whole) {
    sink = 1000 / (whole - 9); //~ div-by-zero
}

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    switch (in[0]) {
    case 'a':
        share(in[1]);
        break;
    case 'b': {
        static const char table[4] = {1, 2, 3, 4};
        if (in[1] < 5) {
            sink = table[in[1]]; //~ array-index | global-buffer-overflow
        }
        break;
    }
    case 'c':
        if (in[1] * in[1] == 121) {
            sink = 100 / in[1];
        }
        break;
    default:
        sink = 7 % in[1]; //~ div-by-zero
    }
    return 0;
}
