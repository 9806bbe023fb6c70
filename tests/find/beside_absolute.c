// Two decisions away from the run: the negative way, and there the one number that has no opposite.
// input: stdin "\x05\x00\x00\x00"
// witness: stdin "\x00\x00\x00\x80"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int height;
    if (read(0, &height, sizeof height) != sizeof height)
        return 1;
    int rows = height < 0 ? -height : height; //~ integer-overflow
    printf("%d rows\n", rows < 0 ? 0 : rows);
    return 0;
}
