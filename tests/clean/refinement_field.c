// A date keeps its fields in range.
// input: stdin "\x0b\x1e"
//~ verified
#include <provoke.h>

#include "../include/records.h"

struct date {
    PROVOKE_REFINE("1 <= month && month <= 12") int month;
    int day;
};

int main(void) {
    unsigned char record[2];
    struct date date;
    take(record, sizeof record);
    if (record[0] < 1 || record[0] > 12)
        return 1;
    date.month = record[0];
    date.day = record[1];
    KEEP(date.month * 31 + date.day);
    return 0;
}
