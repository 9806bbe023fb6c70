// A structure behind a pointer, with a test that takes the unit's other way.
// unit: put
// unit args: unit
// unit test: "\x03\x01"
// precondition: r == 0 || value == 0 || r->head <= 7
// test predicted: "\x02\x00"
#include <unistd.h>

struct ring {
    int items[8];
    unsigned head;
};

static struct ring ring;

static void put(struct ring *r, int value) {
    if (value != 0) {
        r->items[r->head] = value; //~ array-index | global-buffer-overflow | stack-buffer-overflow
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        struct ring own = {{0}, in[0]};
        put(&own, in[1]);
    } else {
        ring.head = in[0] & 15;
        put(&ring, in[1]);
    }
    return 0;
}
