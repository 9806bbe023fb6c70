// A heartbeat is answered with as many bytes as it says that it has.
// input: stdin "\x01\x00\x04ping"
// witness: stdin "\x01\x40\x00ping"
#include "../include/records.h"

int main(void) {
    unsigned char *request = malloc(7), *reply = malloc(65536);
    if (request == NULL || reply == NULL)
        return 1;
    take(request, 7);
    if (request[0] == 1) {
        unsigned length = be16(request + 1);
        memcpy(reply, request + 3, length); //~ heap-buffer-overflow
        KEEP(length);
    }
    free(request);
    free(reply);
    return 0;
}
