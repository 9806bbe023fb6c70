// A pool of strings has as many bytes as the header says; each function looks at one that lies further behind.
// input: stdin "\x40"
// witness: stdin "\x04"
#include "../include/records.h"

int main(void) {
    unsigned char size;
    char copy[8] = "";
    take(&size, 1);
    if (size < 2)
        return 1;
    char *pool = calloc(size, 1);
    if (pool == NULL)
        return 1;
    KEEP(strlen(pool + 4)); //~ heap-buffer-overflow
    KEEP(strnlen(pool + 8, 3)); //~ heap-buffer-overflow
    KEEP(strchr(pool + 12, 'x') != NULL); //~ heap-buffer-overflow
    KEEP(strcmp(pool + 16, copy)); //~ heap-buffer-overflow
    KEEP(strncmp(copy, pool + 20, 4)); //~ heap-buffer-overflow
    strcpy(copy, pool + 24); //~ heap-buffer-overflow
    KEEP(snprintf(copy, sizeof copy, "%s", pool + 28)); //~ string-overflow | heap-buffer-overflow
    KEEP(snprintf(pool + 32, 6, "ab")); //~ string-overflow | heap-buffer-overflow
    char *second = strdup(pool + 36); //~ heap-buffer-overflow
    KEEP(second != NULL);
    free(second);
    free(pool);
    return 0;
}
