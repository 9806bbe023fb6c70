// How large the buffer for tokens is, is a setting; the length of a token is not compared with it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int next_token(char *token) {
    int length = 0, c = getchar();
    while (isspace(c)) {
        c = getchar();
    }
    while (c != EOF && !isspace(c)) {
        token[length++] = (char)c;
        c = getchar();
    }
    token[length] = 0;
    return length;
}

int main(void) {
    int size = getchar() - '0';
    if (size < 1 || size > 9) {
        return 2;
    }
    char *token = malloc((size_t)size * 2);
    int tokens = 0;
    while (token && next_token(token) > 0) {
        tokens++;
    }
    printf("%d\n", tokens);
    free(token);
    return 0;
}
