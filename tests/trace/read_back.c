// What the program reads of what it wrote itself has no labels, and this is said: files, files without a name, pipes, memory.
// input: stdin "\x01\x02\x03\x04"
#include <fcntl.h>

#include "observe.h"

int main(void) {
    take_input();
    char name[] = "/tmp/provoke-test-XXXXXX", byte = 0;
    int written = mkstemp(name);
    (void)!write(written, in, 4);
    int fd = open(name, O_RDONLY);
    (void)!read(fd, &byte, 1); //~ loss input-lost
    OBSERVE(byte == 1); //~ no event
    FILE *file = fdopen(fd, "rb");
    OBSERVE(getc(file) == 2); //~ loss input-lost
    unlink(name);
    FILE *nameless = tmpfile();
    fwrite(in, 1, 4, nameless);
    rewind(nameless);
    OBSERVE(fgetc(nameless) == 1); //~ loss input-lost
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    (void)!write(ends[1], in, 2);
    (void)!read(ends[0], &byte, 1); //~ loss input-lost
    int other = open("/dev/zero", O_RDONLY);
    (void)!read(other, &byte, 1);
    OBSERVE(byte == 0); //~ no event
    FILE *own = fopen("/proc/self/exe", "rb");
    OBSERVE(getc(own) == 0x7f); //~ no event
    return 0;
}
