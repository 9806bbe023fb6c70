/* The input of a kernel: the file named by the first argument. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_input(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t capacity = 1 << 16, used = 0;
    uint8_t *data = malloc(capacity);
    while (data) {
        size_t got = fread(data + used, 1, capacity - used, file);
        used += got;
        if (got == 0)
            break;
        if (used == capacity)
            data = realloc(data, capacity *= 2);
    }
    fclose(file);
    if (!data) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    *len = used;
    return data;
}
