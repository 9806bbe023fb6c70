// A field is copied up to the separator behind it, wherever that is.
// input: stdin "id:ab\0cdefghijklm"
// witness: stdin "identifier:abcde"
#include "../include/records.h"

int main(void) {
    char record[16], name[8];
    take(record, sizeof record);
    char *end = memccpy(name, record, ':', sizeof record); //~ heap-buffer-overflow | stack-buffer-overflow | string-overflow
    if (!end)
        return 1;
    KEEP(end - name);
    return 0;
}
