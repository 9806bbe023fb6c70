// Blanks at the end of a word are cut off, all of them.
// input: stdin "a "
// witness: stdin "  "
#include "../include/records.h"

int main(void) {
    char *word = malloc(2);
    if (word == NULL)
        return 1;
    take(word, 2);
    char *end = word + 2;
    while (end[-1] == ' ') //~ buffer-underflow
        end--;
    KEEP(end - word);
    free(word);
    return 0;
}
