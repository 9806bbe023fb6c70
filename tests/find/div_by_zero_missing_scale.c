// A scale is set by one kind of record only, and used with all of them.
// input: stdin "S\x08\x64"
// witness: stdin "T\x08\x64"
#include "../include/records.h"

int main(void) {
    unsigned char record[3];
    int scale = 0;
    take(record, sizeof record);
    if (record[0] == 'S')
        scale = 4;
    KEEP(record[2] / scale + record[1]); //~ div-by-zero
    return 0;
}
