// A block that leaves its member but not the structure: its length is checked against all of it.
// input: stdin "\x03abcdefghijklmnopqrs"
// witness: stdin "\x09abcdefghijklmnopqrs"
#include "../include/records.h"

struct label {
    char name[8];
    char rest[64];
};

int main(void) {
    unsigned char record[20];
    struct label label = {"", ""};
    take(record, sizeof record);
    if (record[0] >= sizeof record)
        return 1;
    memcpy(label.name, record + 1, record[0]); //~ string-overflow
    KEEP(label.name[0] + label.rest[0]);
    return 0;
}
