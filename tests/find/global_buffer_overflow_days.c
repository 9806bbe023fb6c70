// Months are numbered from 1; December is beyond the end of the table.
// input: stdin "\x02\x1c"
// witness: stdin "\x0c\x1c"
#include "../include/records.h"

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int days_of(const int *table, unsigned month) { return table[month]; } //~ global-buffer-overflow

int main(void) {
    unsigned char date[2];
    take(date, sizeof date);
    if (date[0] < 1 || date[0] > 12)
        return 1;
    KEEP(days_of(days, date[0]) - date[1]);
    return 0;
}
