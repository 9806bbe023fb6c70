// Universal checks, Figure 21: an n*n matrix; both sizes are validated before they are allocated.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* As wide as on the machines of the time, where such products overflowed. */
#define SIZE(type) ((uint32_t)sizeof(type))

#ifndef LENGTH
#define LENGTH 10
#endif

int main(void) {
    int n;
    if (read(0, &n, sizeof n) != sizeof n || n <= 0 || n > LENGTH)
        return 1;
    int **a = NULL;
    if (n < INT32_MAX / (int)sizeof(int *))
        a = malloc(n * SIZE(int *));
    if (a == NULL)
        return 1;
    for (int i = 0; i < n; i++) {
        a[i] = NULL;
        if (n < INT32_MAX / (int)sizeof(int))
            a[i] = malloc(n * SIZE(int));
        if (a[i] == NULL)
            return 1;
    }
    return 0;
}
