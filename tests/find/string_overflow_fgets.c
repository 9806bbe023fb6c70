// The size of a buffer is configured by the first byte of the file.
// input: file "\x10AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"
// args: @@
// witness: file "\x40AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"
#include "../include/records.h"

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 1;
    char *line = malloc(32);
    int size = fgetc(file);
    if (line == NULL || size < 2 || size > 96)
        return 1;
    if (fgets(line, size, file) != NULL) //~ string-overflow | heap-buffer-overflow
        KEEP(line[0]);
    free(line);
    fclose(file);
    return 0;
}
