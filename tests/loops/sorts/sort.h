/* What the sorting programs have in common: an array and how much of it is sorted come from standard input. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef LENGTH
#define LENGTH 5
#endif

static void sort(char *ary, int *len);

static void testme(char *ary, int len) {
    if (len < LENGTH + 1 && len > 0) {
        int k = len;
        sort(ary, &k);
        char *dest = malloc(k);
        if (dest == NULL)
            return;
        memcpy(dest, ary, k);
        free(dest);
    }
}

int main(void) {
    char ary[LENGTH];
    int len;
    if (read(0, &len, sizeof len) != sizeof len || read(0, ary, sizeof ary) != sizeof ary)
        return 1;
    testme(ary, len);
    return 0;
}
