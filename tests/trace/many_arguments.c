// More arguments and results than labels travel for: the rest is pinned.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08"
#include "observe.h"

#define EIGHT(x) x, x, x, x, x, x, x, x
#define SIXTY_FOUR EIGHT(EIGHT(0))
#define TAKE_EIGHT(n) int n##0, int n##1, int n##2, int n##3, int n##4, int n##5, int n##6, int n##7

__attribute__((noinline)) int last_two(TAKE_EIGHT(a), TAKE_EIGHT(b), TAKE_EIGHT(c), TAKE_EIGHT(d), TAKE_EIGHT(e),
                                       TAKE_EIGHT(f), TAKE_EIGHT(g), TAKE_EIGHT(h), int last) {
    return h7 * 2 + last + (a0 ^ g3);
}

struct large { unsigned char bytes[24]; };
__attribute__((noinline)) static int all_of(struct large a, struct large b, struct large c, struct large d, struct large e,
                                            struct large f, struct large g, struct large h, struct large last) {
    return (a.bytes[0] ^ b.bytes[1] ^ c.bytes[2] ^ d.bytes[3] ^ e.bytes[4] ^ f.bytes[5] ^ g.bytes[6]) + h.bytes[7] * 2 +
           last.bytes[8];
}

int main(void) {
    take_input();
    OBSERVE(last_two(SIXTY_FOUR, in[0]) == 1); //~ pin representation stdin[0]
    OBSERVE(last_two(EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), 0, 0, 0, 0, 0, 0, 0, in[1], 5) == 9); //~ branch taken stdin[1]
    struct large none = {{0}}, eighth = {{0}}, ninth = {{0}};
    eighth.bytes[7] = in[2];
    ninth.bytes[8] = in[3];
    OBSERVE(all_of(none, none, none, none, none, none, none, eighth, none) == 6); //~ branch taken stdin[2]
    OBSERVE(all_of(none, none, none, none, none, none, none, none, ninth) == 4); //~ loss representation
    return 0;
}
