// Input that is read ahead, skipped, or not read at all is no input that was read unseen.
// input: stdin "abcdefghijklmnopqrstuvwxyz"
#include <fcntl.h>

#include "observe.h"

int main(void) {
    OBSERVE(getchar() == 'a'); //~ branch taken stdin[0]
    OBSERVE(lseek(0, 0, SEEK_CUR) == 26); //~ no event
    OBSERVE(fseek(stdin, 9, SEEK_SET) == 0); //~ no event
    OBSERVE(getchar() == 'j'); //~ branch taken stdin[9]
    rewind(stdin);
    OBSERVE(getchar() == 'a' && getchar() == 'b'); //~ branch taken stdin[1]
    OBSERVE(lseek(0, -3, SEEK_END) == 23); //~ no event
    char byte = 0;
    OBSERVE(read(0, &byte, 1) == 1); //~ no event
    OBSERVE(byte == 'x'); //~ branch taken stdin[23]
    int again = dup(0);
    OBSERVE(lseek(again, 2, SEEK_SET) == 2); //~ no event
    OBSERVE(read(again, &byte, 1) == 1); //~ no event
    OBSERVE(byte == 'c'); //~ branch taken stdin[2]
    OBSERVE(close(again) == 0); //~ no event
    return 0;
}
