// A text that is longer than the room for it: data decides when the loop ends.
// input: stdin "ab\0aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#include "../../include/records.h"

int main(void) {
    char text[32], name[12] = {0};
    take(text, sizeof text);
    for (int i = 0; i < 32 && text[i] != 0; i++)
        name[i] = text[i];
    return name[0] == 'x';
}
