// A function that promises a name has none for an unknown protocol.
// input: stdin "\x11"
// witness: stdin "\x12"
// anywhere: nonnull-arg
#include "../include/records.h"

__attribute__((returns_nonnull)) static const char *protocol(unsigned char number) {
    const char *name = NULL;
    if (number == 1)
        name = "icmp";
    if (number == 6)
        name = "tcp";
    if (number == 17)
        name = "udp";
    return name;
}

int main(void) {
    unsigned char number;
    take(&number, sizeof number);
    const char *volatile name = protocol(number);
    KEEP(name != NULL);
    return 0;
}
