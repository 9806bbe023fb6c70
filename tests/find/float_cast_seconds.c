// A time in seconds as text becomes milliseconds.
// input: stdin "2.50\n"
// witness: stdin "2147484.0\n"
#include "../include/records.h"

int main(void) {
    char text[16];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    double seconds = strtod(text, NULL);
    if (seconds < 0)
        return 1;
    int milliseconds = (int)(seconds * 1000); //~ float-cast
    KEEP(milliseconds);
    return 0;
}
