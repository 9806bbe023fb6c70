// Splits a line into words, however many there are: the room is for eight.
// input: stdin "copy from 'a b' to\n"
// witness: stdin "copy to to to to to to to to to to\n"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct command {
    const char *words[8];
    int count;
};

static int split(char *line, struct command *command) {
    char *word = NULL, quote = 0;
    for (char *at = line;; at++) {
        char c = *at;
        if (c == '\0' || (!quote && isspace((unsigned char)c))) {
            if (quote)
                return -1;
            *at = '\0';
            if (word)
                command->words[command->count++] = word; //~ array-index | stack-buffer-overflow
            word = NULL;
            if (c == '\0')
                return 0;
            continue;
        }
        if (!word)
            word = at;
        if (c == quote)
            quote = 0;
        else if (!quote && (c == '\'' || c == '"'))
            quote = c;
    }
}

int main(void) {
    char line[200];
    struct command command = {{0}, 0};
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (split(line, &command) < 0 || command.count == 0)
        return 1;
    printf("%s with %d arguments\n", command.words[0], command.count - 1);
    return 0;
}
