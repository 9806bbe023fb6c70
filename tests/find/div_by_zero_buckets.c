// A hash table in a file says itself how many buckets it has.
// input: file "HASH\x10\x00\xde\xad\xbe\xef"
// args: @@
// witness: file "HASH\x00\x00\xde\xad\xbe\xef"
#include "../include/records.h"

int main(int argc, char **argv) {
    unsigned char head[10];
    FILE *table = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (table == NULL)
        return 1;
    if (fread(head, 1, sizeof head, table) != sizeof head || memcmp(head, "HASH", 4) != 0) {
        fclose(table);
        return 1;
    }
    fclose(table);
    uint32_t buckets = le16(head + 4), hash = be32(head + 6);
    KEEP(hash % buckets); //~ div-by-zero
    return 0;
}
