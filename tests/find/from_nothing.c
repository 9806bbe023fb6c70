// There is nothing to read in the run that is given, and so nothing that the path depends on.
// input: stdin ""
// witness: stdin "%"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int c = getchar();
    if (c == EOF)
        return 1;
    if (c == '%')
        abort(); //~ assertion
    return 0;
}
