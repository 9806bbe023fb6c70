// A byte becomes the next one for a while, and is what it was before when it is an index: seen in SQLite.
// input: stdin "x1"
#include "../../include/records.h"
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int is_number(const char *text, int length) {
    __asm__ volatile("" ::: "memory");
    for (int i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return 0;
    return 1;
}

int main(void) {
    static const unsigned char classes[256] = {['a'] = 1, ['1'] = 2};
    char *text = malloc(2);
    int c = getchar();
    if (!text || c == EOF)
        return 1;
    text[0] = (char)c;
    int last = 1;
    __asm__ volatile("" : "+r"(last));
    text[last - 1]++;
    int is = is_number(text, last);
    text[last - 1]--;
    KEEP(is + classes[(unsigned char)text[0]]);
    free(text);
    return 0;
}
