// A temperature below zero is scaled to thousandths.
// input: stdin "\xf0\xff\xff\xff"
// witness: stdin "\x00\x00\x00\xf0"
#include "../include/records.h"

int main(void) {
    int kelvins;
    take(&kelvins, sizeof kelvins);
    if (kelvins > 0)
        return 1;
    int scaled = kelvins * 1000; //~ integer-underflow
    KEEP(scaled);
    return 0;
}
