// The third x is one too many.
// input: stdin "abcdef"
#include "../../include/records.h"

int main(void) {
    char text[6];
    take(text, sizeof text);
    int count = 0;
    for (int i = 0; i < 6 && text[i] != '.'; i++)
        if (text[i] == 'x' && ++count == 3)
            abort();
    return 0;
}
