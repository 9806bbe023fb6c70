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
/* Waits for another input where one process may have several, and says whether there is one. */
extern int __provoke_again(void) __attribute__((__weak__));

static int provoke_test_file(const char *name)
{
    FILE *file = name ? fopen(name, "rb") : stdin;
    if (!file) {
        perror(name);
        return 1;
    }
    size_t room = 4096, size = 0, got;
    uint8_t *data = (uint8_t *)malloc(room);
    while (data && (got = fread(data + size, 1, room - size, file)) > 0) {
        size += got;
        if (size == room)
            data = (uint8_t *)realloc(data, room *= 2);
    }
    if (name)
        fclose(file);
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

int main(int count, char **arguments)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &arguments);
    const char *name = count > 1 ? arguments[1] : NULL;
    int status = provoke_test_file(name);
    /* What stdin has read already it would give again, but the file has other contents then. */
    while (status == 0 && __provoke_again && __provoke_again())
        status = provoke_test_file(name ? name : "/dev/stdin");
    return status;
}

#ifdef __cplusplus
}
#endif
