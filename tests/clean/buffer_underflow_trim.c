// Blanks at the end of a word are cut off, but not beyond its start.
// input: stdin "a "
//~ verified
#include "../include/records.h"

int main(void) {
    char *word = malloc(2);
    if (word == NULL)
        return 1;
    take(word, 2);
    const char *end = word + 2;
    while (end > word && end[-1] == ' ')
        end--;
    KEEP(end - word);
    free(word);
    return 0;
}
