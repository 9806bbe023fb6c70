// Brackets in brackets: each is a call that needs little, and nobody counts them.
// input: stdin "((a))"
// anywhere: stack-overflow
#include <stdio.h>

__attribute__((noinline)) static int value(void) {
    char word[64];
    unsigned length = 0;
    int next = getchar();
    if (next == '(') {
        int inner = value();
        return getchar() == ')' ? inner + 1 : -1;
    }
    for (; next >= 'a' && length < sizeof word - 1; next = getchar())
        word[length++] = (char)next;
    word[length] = '\0';
    ungetc(next, stdin);
    return puts(word);
}

int main(void) {
    return value() < 0;
}
