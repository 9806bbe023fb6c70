// The mean of the samples that were not dropped.
// input: stdin "\x05\x02\x0a\x0b\x0c\x0d\x0e"
// witness: stdin "\x05\x05\x0a\x0b\x0c\x0d\x0e"
#include "../include/records.h"

struct report {
    unsigned char samples;
    unsigned char dropped;
    unsigned char values[5];
};

static int mean(const struct report *report) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += report->values[i];
    return sum / (report->samples - report->dropped); //~ div-by-zero
}

int main(void) {
    struct report report;
    take(&report, sizeof report);
    if (report.samples > 5 || report.dropped > report.samples)
        return 1;
    KEEP(mean(&report));
    return 0;
}
