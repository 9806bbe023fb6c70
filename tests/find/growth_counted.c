// A table whose length stands in the file: more entries than there is room for need a longer file, too.
// input: file "PAL\x03\x00red.blu.grn."
// args: @@
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t palette[256][4];

int main(int count, char **words) {
    uint8_t head[5];
    if (count != 2)
        return 2;
    FILE *file = fopen(words[1], "rb");
    if (!file || fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "PAL", 3) != 0)
        return 1;
    unsigned entries = head[3] | head[4] << 8;
    for (unsigned i = 0; i < entries; i++)
        if (fread(palette[i], 1, 4, file) != 4) //~ array-index | global-buffer-overflow | string-overflow
            return 1;
    printf("%u colours, the first %d\n", entries, palette[0][0]);
    return 0;
}
