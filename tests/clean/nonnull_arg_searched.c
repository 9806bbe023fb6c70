// What comes behind a colon is measured if there is a colon.
// input: stdin "host:80"
//~ verified
#include "../include/records.h"

int main(void) {
    char address[8];
    take(address, 7);
    address[7] = '\0';
    const char *port = strchr(address, ':');
    if (port != NULL)
        KEEP(strlen(port));
    return 0;
}
