// A word is compared with what begins as an empty string: whether it is the word is one decision.
// input: stdin "\x00\x00\x00\x00\x00"
// paths: 3
//~ verified
#include "bytes.h"
#include <string.h>

int main(void) {
    char b[6] = "";
    if (!get((unsigned char *)b, 5)) return 1;
    if (strcmp(b, "stop") == 0) mark();
    else if (strncmp(b, "go on", 2) == 0) mark();
    return 0;
}
