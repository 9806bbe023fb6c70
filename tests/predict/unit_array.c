// An element of an array behind a pointer, and a pointer that the unit compares with null.
// unit: look
// unit args: unit
// unit test: "\x03\x01\x00\x02"
// precondition: index == 0 || index[3] <= 9
// test verified: "\x02\x00\x00\x11"
#include <stddef.h>
#include <unistd.h>

static int table[10];
static volatile int sink;

static void look(const unsigned char *index) {
    if (index == NULL) {
        return;
    }
    sink = table[index[3]];
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[4];
    if (read(0, in, 4) != 4) {
        return 2;
    }
    if (count > 1) {
        look(in);
    } else {
        look(NULL);
    }
    return 0;
}
