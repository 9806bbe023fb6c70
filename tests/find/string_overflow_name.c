// A name in a record ends at its zero byte, behind which lies what was there before.
// input: stdin "bob\x00AAAAAAAAAAAAAAAAAAAAAAAAAAA\x00"
// witness: stdin "bobbAAAAAAAAAAAAAAAAAAAAAAAAAAA\x00"
#include "../include/records.h"

int main(void) {
    char record[32], name[16];
    take(record, sizeof record);
    record[31] = '\0';
    KEEP(strlen(record));
    strcpy(name, record); //~ string-overflow | stack-buffer-overflow
    KEEP(name[0]);
    return 0;
}
