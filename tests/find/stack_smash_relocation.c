// Relocations are applied to a page on the stack, at whatever offset they name.
// input: stdin "\x02\x00\x34\x12"
// witness: stdin "\x24\x00\x34\x12"
#include "../include/records.h"

__attribute__((noinline)) static void relocate(uint16_t *page, unsigned at, uint16_t value) {
    uint16_t *place = page + at;
    *place ^= value; //~ stack-smash | stack-buffer-overflow
}

__attribute__((noinline)) static int load(const unsigned char *record) {
    uint16_t page[32] = {0};
    relocate(page, record[0] & 0x7f, (uint16_t)le16(record + 2));
    return page[2];
}

int main(void) {
    unsigned char record[4];
    take(record, sizeof record);
    KEEP(load(record));
    return 0;
}
