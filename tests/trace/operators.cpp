// C++: what new and delete do is known as malloc and free are, in all of their forms.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08"
#include <new>

#include "observe.h"

static unsigned char *volatile keep;

struct alignas(64) Wide {
    unsigned char bytes[64];
};

int main() {
    take_input();
    unsigned char *block = new unsigned char[10];
    keep = block;
    keep[in[0] & 7] = 1; //~ write stdin[0]
    OBSERVE(keep[0] == 1); //~ branch stdin[0]
    delete[] block;
    unsigned char *sized = new unsigned char[in[2]]; //~ size stdin[2]
    keep = sized;
    keep[1] = 7; //~ bounds stdin[2]
    keep[0] = in[3];
    delete[] sized;
    Wide *wide = new (std::nothrow) Wide;
    keep = wide->bytes;
    keep[in[4] & 63] = 2; //~ write stdin[4]
    OBSERVE(reinterpret_cast<size_t>(keep) % 64 == 0); //~ no event
    delete wide;
    int *one = new int(in[5]);
    keep = reinterpret_cast<unsigned char *>(one);
    OBSERVE(*reinterpret_cast<int *>(keep) == 6); //~ branch taken stdin[5]
    delete one;
    try {
        keep = new unsigned char[~static_cast<size_t>(0) / 4 + in[6]]; //~ size stdin[6] //~ branch taken stdin[6] //~ pin size stdin[6]
        OBSERVE(in[6] == 7);
    } catch (const std::bad_alloc &) {
        OBSERVE(in[6] > 5); //~ branch taken stdin[6]
    }
    return 0;
}
