// A command is looked up in a table; there is no answer for a command that is not in it.
// input: stdin "\x30\x05"
// witness: stdin "\x31\x05"
#include "../include/records.h"

struct command {
    unsigned char code;
    unsigned char cost;
};

static const struct command commands[] = {{0x10, 1}, {0x20, 4}, {0x30, 9}};

static const struct command *find(unsigned char code) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].code == code)
            return &commands[i];
    return NULL;
}

int main(void) {
    unsigned char packet[2];
    take(packet, sizeof packet);
    const struct command *command = find(packet[0]);
    int cost = command->cost * packet[1]; //~ null-deref
    KEEP(cost);
    return 0;
}
