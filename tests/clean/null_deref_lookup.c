// A command that is not in the table is answered without looking at it.
// input: stdin "\x30\x05"
//~ verified
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
    if (command == NULL)
        return 1;
    KEEP(command->cost * packet[1]);
    return 0;
}
