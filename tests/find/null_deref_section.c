// One flag says that there is a section, another that it is compressed; nobody says that they go together.
// input: stdin "\x05\x10"
// witness: stdin "\x04\x10"
#include "../include/records.h"

struct section {
    int length;
};

int main(void) {
    unsigned char head[2];
    struct section text = {0}, *section = NULL;
    take(head, sizeof head);
    if (!(head[0] & 4))
        return 0;
    text.length = head[1];
    if (head[0] & 1)
        section = &text;
    KEEP(section->length); //~ null-deref
    return 0;
}
