// A word that is too long is turned away, but one that leaves no room for its end is not.
// input: stdin "hello\n"
// witness: stdin "hellohellohe\n"
#include <stdio.h>

#define LONGEST 12

static int take_word(const char *from, char *to) {
    int length = 0;
    for (; from[length] && from[length] != ' ' && from[length] != '\n'; length++) {
        if (length + 1 > LONGEST)
            return -1;
        to[length] = from[length];
    }
    to[length] = 0; //~ stack-buffer-overflow
    return length;
}

int main(void) {
    char line[1024], word[LONGEST];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (take_word(line, word) < 0)
        return 1;
    puts(word);
    return 0;
}
