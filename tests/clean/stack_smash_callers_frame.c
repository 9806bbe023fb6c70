// A function writes into its caller's frame, where it was told to.
// input: stdin "\x01\x09"
//~ verified
#include "../include/records.h"

struct pair {
    int first;
    int second;
};

__attribute__((noinline)) static void set(struct pair *pairs, unsigned which, int value) {
    if (which < 4)
        pairs[which].second = value;
}

int main(void) {
    unsigned char request[2];
    struct pair pairs[4] = {{0, 0}};
    take(request, sizeof request);
    set(pairs, request[0], request[1]);
    KEEP(pairs[1].second);
    return 0;
}
