// The input is a file that the program opens.
// input: file "\x00\x00"
// args: @@
// paths: 3
//~ verified
#include "bytes.h"

int main(int argc, char **argv) {
    unsigned char b[2];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file || fread(b, 1, 2, file) != 2) return 1;
    fclose(file);
    if (b[0] != 'P') return 0;
    mark();
    if (b[1] == 'K') puts("found");
    return 0;
}
