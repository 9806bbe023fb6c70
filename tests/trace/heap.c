// The malloc family: realloc moves labels, fresh and zeroed blocks have none, freed labels do not come back.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08"
#define _GNU_SOURCE
#include "observe.h"

static unsigned char *volatile keep;

int main(void) {
    take_input();
    unsigned char *block = malloc(8);
    keep = block;
    memcpy(block, in, 8);
    unsigned char *second = malloc(16);
    keep = second;
    block = realloc(block, 100000);
    keep = block;
    OBSERVE(block[7] == 8); //~ branch taken stdin[7]
    block[7] = 0;
    OBSERVE(block[7] == 0); //~ no event
    memcpy(block + 200, in, 8);
    free(block);
    unsigned char *zeroed = calloc(1, 100000);
    keep = zeroed;
    OBSERVE(zeroed[207] == 0); //~ no event
    zeroed[5] = in[5];
    unsigned char *array = reallocarray(zeroed, 1000, 400);
    keep = array;
    OBSERVE(array[5] == 6); //~ branch taken stdin[5]
    void *aligned = NULL;
    OBSERVE(posix_memalign(&aligned, 64, 128) == 0); //~ no event
    memset(aligned, in[3], 4);
    OBSERVE(((unsigned char *)aligned)[3] == 4); //~ branch taken stdin[3]
    free(aligned);
    unsigned char *sized = malloc(in[2]); //~ size stdin[2]
    keep = sized;
    keep[1] = 7; //~ bounds stdin[2]
    keep[0] = 7;
    OBSERVE(in[2] > 1); //~ no event
    free(sized);
    // The library makes its blocks of what others gave back.
    unsigned char *shrunk = malloc(8000);
    keep = shrunk;
    for (int i = 0; i < 8000; i += 8)
        memcpy(shrunk + i, in, 8);
    shrunk = realloc(shrunk, 16);
    keep = shrunk;
    OBSERVE(shrunk[4] == 5); //~ branch taken stdin[4]
    char *folder = getcwd(NULL, 0);
    OBSERVE(folder[0] == '/'); //~ no event
    OBSERVE(strlen(folder) > 0); //~ no event
    free(folder);
    free(shrunk);
    free(array);
    free(second);
    return 0;
}
