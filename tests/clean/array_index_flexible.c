// An array at the end of a structure that is as long as what was allocated.
// input: stdin "\x05"
//~ verified
#include "../include/records.h"

struct message {
    unsigned char length;
    unsigned char body[];
};

int main(void) {
    unsigned char at;
    take(&at, sizeof at);
    struct message *message = calloc(1, sizeof *message + 16);
    if (message == NULL)
        return 1;
    message->length = 16;
    if (at < message->length)
        KEEP(message->body[at]);
    free(message);
    return 0;
}
