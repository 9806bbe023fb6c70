// Divisions ask whether a product fits, before it is computed and afterwards; but it may be one too large for the table.
// input: stdin "\x00\x00\x00\x03\x00\x00\x00\x05\x00\x00\x00\x02\x00\x00\x00\x07"
#include <limits.h>

#include "../include/records.h"

int main(void) {
    unsigned char bytes[16];
    take(bytes, sizeof bytes);
    uint32_t rows = be32(bytes), columns = be32(bytes + 4);
    if (rows == 0 || columns == 0 || rows > INT_MAX / sizeof(int) / columns)
        return 1;
    int signed_rows = (int)rows, signed_columns = (int)columns;
    int cells = signed_rows * signed_columns * (int)sizeof(int);
    uint32_t size = be32(bytes + 8), count = be32(bytes + 12), all = size * count;
    if (size == 0 || all / size != count || all > 1000)
        return 2;
    unsigned char used[1000] = {0};
    used[all - size * (count - (count > 0))] = 1; //~ stack-buffer-overflow
    KEEP(cells);
    KEEP(used[0]);
    return 0;
}
