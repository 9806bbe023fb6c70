// What comes behind a colon is measured, whether or not there is a colon.
// input: stdin "host:80"
// witness: stdin "host.80"
#include "../include/records.h"

int main(void) {
    char address[8];
    take(address, 7);
    address[7] = '\0';
    const char *port = strchr(address, ':');
    size_t length = strlen(port); //~ nonnull-arg | null-deref
    KEEP(length);
    return 0;
}
