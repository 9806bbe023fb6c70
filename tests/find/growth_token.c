// Letters are gathered up to the next blank, however many there are; the second word is compared with nothing.
// input: stdin "say hello 12\n"
// witness: stdin "say hellohellohellohellohellohellohellohello 12\n"
#include <ctype.h>
#include <stdio.h>

int main(void) {
    char word[24];
    unsigned count = 0;
    int c;
    while ((c = getchar()) != EOF) {
        if (isalpha(c)) {
            word[count++] = (char)c; //~ stack-buffer-overflow | array-index
            continue;
        }
        word[count] = '\0'; //~? stack-buffer-overflow
        if (count > 0)
            puts(word);
        count = 0;
    }
    return 0;
}
