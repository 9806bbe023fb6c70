// Allocators refuse what there is no room for, and the program handles that.
// input: stdin "\x04\x00\x00\x00\x03\x00\x00\x00"
#include "../include/records.h"

int main(void) {
    unsigned char head[8];
    take(head, sizeof head);
    size_t count = le32(head), each = le32(head + 4);
    char *block = malloc(count * 400);
    if (block == NULL)
        return 1;
    char *table = calloc(count << 20, each << 20);
    if (table == NULL) {
        free(block);
        return 1;
    }
    free(table);
    free(block);
    return 0;
}
