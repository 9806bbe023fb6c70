// A date keeps its fields in range, says its type.
// input: stdin "\x0b\x1e"
// witness: stdin "\x0d\x1e"
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
    date.month = record[0]; //~ refinement
    date.day = record[1];
    KEEP(date.month * 31 + date.day);
    return 0;
}
