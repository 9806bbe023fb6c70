// A function that promises a name has one for everything.
// input: stdin "\x11"
//~ verified
#include "../include/records.h"

__attribute__((returns_nonnull)) static const char *protocol(unsigned char number) {
    const char *name = NULL;
    if (number == 6)
        name = "tcp";
    if (number == 17)
        name = "udp";
    if (name == NULL)
        name = "unknown";
    return name;
}

int main(void) {
    unsigned char number;
    take(&number, sizeof number);
    KEEP(protocol(number)[0]);
    return 0;
}
