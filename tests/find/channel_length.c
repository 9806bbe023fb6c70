// A file that is shorter than its header promises: the promise itself is checked, the length of the file is not.
// input: stdin "P4abcd"
// options: --lengths
// witness: stdin "P4a"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char bytes[16];
    ssize_t got = read(0, bytes, sizeof bytes);
    if (got < 2 || bytes[0] != 'P' || bytes[1] != '4')
        return 1;
    char *body = malloc(got - 2 + 1);
    memcpy(body, bytes + 2, got - 2);
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += body[i]; //~ heap-buffer-overflow
    free(body);
    return sum == 1;
}
