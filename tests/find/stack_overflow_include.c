// A file that includes itself.
// input: stdin "t@@"
// witness: stdin "@@@"
// anywhere: stack-overflow
#include "../include/records.h"

struct file {
    const struct file *includer;
    char name[512];
};

static int lines;

static int read_file(const char *text, const struct file *includer);

__attribute__((noinline)) static int include(const char *text, const struct file *file) {
    lines++;
    return read_file(text, file) + 1;
}

__attribute__((noinline)) static int read_file(const char *text, const struct file *includer) {
    struct file file = {includer, {0}};
    file.name[0] = text[0];
    if (text[0] == '@')
        return include(text, &file) + file.name[0];
    return lines;
}

int main(void) {
    char text[3];
    take(text, sizeof text);
    KEEP(read_file(text, NULL));
    return 0;
}
