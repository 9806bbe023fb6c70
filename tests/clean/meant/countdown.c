// What counts down below 0 is not used any more.
// input: stdin "\x05"
#include "../../include/records.h"

int main(void) {
    unsigned char buffer[256] = {0}, count;
    take(&count, sizeof count);
    size_t left = count;
    while (left-- > 0)
        buffer[left] = 1;
    KEEP(buffer[0]);
    return 0;
}
