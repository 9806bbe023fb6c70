// As many bytes are read as were announced.
// input: stdin "\x08AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
// witness: stdin "\x30AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#include "../include/records.h"

int main(void) {
    unsigned char announced;
    char body[32] = {0};
    take(&announced, sizeof announced);
    ssize_t got = read(0, body, announced); //~ string-overflow | stack-buffer-overflow
    if (got < 0)
        return 1;
    KEEP(body[0]);
    return 0;
}
