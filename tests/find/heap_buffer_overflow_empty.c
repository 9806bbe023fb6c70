// A record's payload is copied and its first byte looked at; a record may have no payload.
// input: stdin "\x02ab"
// witness: stdin "\x00ab"
#include "../include/records.h"

int main(void) {
    unsigned char record[3];
    take(record, sizeof record);
    if (record[0] > 2)
        return 0;
    char *payload = malloc(record[0]);
    if (payload == NULL)
        return 1;
    memcpy(payload, record + 1, record[0]);
    KEEP(payload[0]); //~ heap-buffer-overflow
    free(payload);
    return 0;
}
