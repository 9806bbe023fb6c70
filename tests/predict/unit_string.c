// The length of a string.
// unit: name
// unit args: unit
// unit test: "abc"
// precondition: s == 0 || strlen(s) <= 31
// test verified: "\x00"
#include <string.h>
#include <unistd.h>

static volatile char sink;

static void name(const char *s) {
    char own[32];
    strcpy(own, s);
    sink = own[0];
}

int main(int count, char **arguments) {
    (void)arguments;
    char in[100];
    ssize_t length = read(0, in, sizeof in - 1);
    if (length < 0) {
        return 2;
    }
    if (count > 1) {
        in[length] = 0;
        name(in);
    } else {
        name("a constant");
    }
    return 0;
}
