// Words go into the rows of a table, whatever their length: one goes on in the next row.
// input: stdin "one two\n"
// witness: stdin "onetwothree two\n"
#include "../include/records.h"

int main(void) {
    char line[64], words[4][8] = {"", "", "", ""};
    int count = 0;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    for (char *word = strtok(line, " \n"); word && count < 3; word = strtok(NULL, " \n"))
        if (strlen(word) < 20)
            sprintf(words[count++], "%s", word); //~ string-overflow
    KEEP(words[0][0]);
    return 0;
}
