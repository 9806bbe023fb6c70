// A table with room for eight names, each of which is in it once: the same line over and over makes one entry.
// input: stdin "put a 1\nput b 2\nget a\n"
// witness: stdin "put a 1\nput b 2\nput c 3\nput d 4\nput e 5\nput f 6\nput g 7\nput h 8\nput i 9\n"
#include "../include/records.h"

static char names[8][8];
static int count;

static int find(const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        char *end = strpbrk(line + 1, " \n"), *name = end && *end ? end + 1 : NULL;
        if (!name)
            continue;
        name[strcspn(name, " \n")] = '\0';
        if (strlen(name) > 7)
            continue;
        if (line[0] == 'p' && find(name) < 0)
            strcpy(names[count++], name); //~ string-overflow
        else if (line[0] == 'g')
            KEEP(find(name));
    }
    return 0;
}
