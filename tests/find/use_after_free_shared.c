// A command that nobody gave lets two handles share a buffer, and a format reads it: two numbers and a word at once.
// input: stdin "open 1\nread 1\nclose 1\n"
// witness: stdin "open 1\nread 1\ndup 1 2\nclose 1\nread 2\n"
#include "../include/records.h"

static char *buffers[8];

static int is_open(int handle) { return handle >= 0 && handle < 8 && buffers[handle]; }

int main(void) {
    char line[32];
    int handle, other;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "open %d", &handle) == 1) {
            if (handle >= 0 && handle < 8 && !buffers[handle])
                buffers[handle] = calloc(1, 16);
        } else if (sscanf(line, "dup %d %d", &handle, &other) == 2) {
            if (is_open(handle) && other >= 0 && other < 8 && !buffers[other])
                buffers[other] = buffers[handle];
        } else if (sscanf(line, "read %d", &handle) == 1) {
            if (is_open(handle))
                KEEP(buffers[handle][0]); //~ use-after-free
        } else if (sscanf(line, "close %d", &handle) == 1) {
            if (is_open(handle)) {
                free(buffers[handle]); //~ double-free
                buffers[handle] = NULL;
            }
        }
    }
    return 0;
}
