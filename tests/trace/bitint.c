// Odd widths.
// cflags: -std=c23
// input: stdin "\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c"
#include "observe.h"

int main(void) {
    take_input();
    unsigned _BitInt(3) three = (unsigned _BitInt(3))in[0];
    unsigned _BitInt(7) seven = (unsigned _BitInt(7))in[1];
    _BitInt(13) thirteen = (_BitInt(13))TAKE(uint16_t, 2);
    unsigned _BitInt(37) thirty_seven = (unsigned _BitInt(37))TAKE(uint64_t, 4);
    _BitInt(65) sixty_five = (_BitInt(65))TAKE(uint64_t, 4) * 3;
    unsigned _BitInt(100) hundred = (unsigned _BitInt(100))TAKE(unsigned __int128, 4);
    OBSERVE(three == 5); //~ branch taken stdin[0]
    OBSERVE((unsigned _BitInt(3))(three * 3) > 6); //~ branch stdin[0]
    OBSERVE((unsigned _BitInt(7))(seven * 40) == 112); //~ branch taken stdin[1]
    OBSERVE(thirteen < 0); //~ branch stdin[2-3]
    OBSERVE(thirty_seven > 7); //~ branch
    OBSERVE(sixty_five > ((_BitInt(65))1 << 40)); //~ branch stdin[4-11]
    OBSERVE(hundred * 5 > 1000); //~ branch
    unsigned _BitInt(37) stored[2] = {thirty_seven, 1};
    OBSERVE(stored[in[0] != 5] != 1234567); //~ branch not-taken stdin[0,4-11] //~ read stdin[0]
    return 0;
}
