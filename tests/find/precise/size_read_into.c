// A record of fixed length is read into a block whose length stands in front of it.
// input: stdin "\x10abcdefgh"
// witness: stdin "\x04abcdefgh"
#include "../../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    unsigned char *record = malloc(length);
    if (record == NULL)
        return 1;
    if (read(0, record, 8) != 8) //~ heap-buffer-overflow | string-overflow
        return 1;
    KEEP(record[0]);
    free(record);
    return 0;
}
