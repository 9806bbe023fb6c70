// A char becomes an unsigned char and an index into a table of all bytes: no bit of it is lost.
// input: stdin "a"
//~ verified
#include "../include/records.h"

int main(void) {
    static const int starts_a_word[256] = {['a'] = 1};
    char text[1];
    take(text, sizeof text);
    unsigned char first = *text;
    KEEP(starts_a_word[first]);
    return 0;
}
