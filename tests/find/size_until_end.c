// A file is read piece by piece until there is nothing more, and then a pair is looked for that may be cut off.
// input: stdin "key=value"
// witness: stdin "key="
#include "../include/records.h"

int main(void) {
    size_t room = 32, length = 0, got;
    char *text = malloc(room);
    while (text && (got = fread(text + length, 1, room - length, stdin)) > 0) {
        length += got;
        if (length == room)
            text = realloc(text, room *= 2);
    }
    if (!text || length < 4)
        return 1;
    char *exact = malloc(length);
    if (!exact)
        return 1;
    memcpy(exact, text, length);
    if (memcmp(exact, "key=", 4) == 0)
        KEEP(exact[4] == 'v'); //~ heap-buffer-overflow
    free(exact);
    free(text);
    return 0;
}
