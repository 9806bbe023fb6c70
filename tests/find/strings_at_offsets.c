// Records refer to names in a pool by their offsets, which nobody compares with its size.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08"
// witness: stdin "\x40\x02\x03\x04\x05\x06\x07\x08"
#include "../include/records.h"

int main(void) {
    unsigned char at[8];
    take(at, sizeof at);
    char *pool = calloc(64, 1), *text = calloc(64, 1);
    if (!pool || !text)
        return 1;
    memcpy(pool, "0123456789", 10);
    memcpy(text, "names", 5);
    int number = 0;
    KEEP(strchr(pool + at[0], '9'));             //~ heap-buffer-overflow
    KEEP(strrchr(pool + at[1], '9'));            //~ heap-buffer-overflow
    KEEP(strdup(pool + at[2]));                  //~ heap-buffer-overflow
    KEEP(sscanf(pool + at[3], "%d", &number));   //~ heap-buffer-overflow
    KEEP(memcmp(pool + at[4], "abcdefg", 7));    //~ heap-buffer-overflow
    KEEP(stpcpy(text + at[5], pool));            //~ string-overflow
    KEEP(strncat(text + at[6], pool, 3));        //~ string-overflow //~? heap-buffer-overflow
    KEEP(strcpy(text, pool + at[7]));            //~ heap-buffer-overflow
    return 0;
}
