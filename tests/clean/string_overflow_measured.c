// A string is measured, with a limit, before it is copied.
// input: stdin "bob\x00AAAAAAAAAAAAAAAAAAAAAAAAAAAA"
//~ verified
#include "../include/records.h"

int main(void) {
    char record[32], name[16];
    take(record, sizeof record);
    size_t length = strnlen(record, sizeof record);
    if (length >= sizeof name)
        return 1;
    memcpy(name, record, length);
    name[length] = '\0';
    KEEP(name[0]);
    return 0;
}
