/* A main function for LLVMFuzzerTestOneInput: its input is the file that is named first, or else standard input. Compiled along
 * with a source file that has such a function and no main; in a build of your own, include it in one of your files.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern int LLVMFuzzerInitialize(int *count, char ***arguments) __attribute__((__weak__));

int main(int count, char **arguments)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &arguments);
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : stdin;
    if (!file) {
        perror(arguments[1]);
        return 1;
    }
    size_t room = 4096, size = 0, got;
    uint8_t *data = (uint8_t *)malloc(room);
    while (data && (got = fread(data + size, 1, room - size, file)) > 0) {
        size += got;
        if (size == room)
            data = (uint8_t *)realloc(data, room *= 2);
    }
    /* Exactly as large as the input, so that what is read behind its end is seen. */
    uint8_t *exact = (uint8_t *)malloc(size ? size : 1);
    if (!data || !exact)
        return 1;
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

#ifdef __cplusplus
}
#endif
