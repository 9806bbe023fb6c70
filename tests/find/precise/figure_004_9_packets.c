// Precise pointers, Figure 9: packets come out of order, and one may lie where none is expected.
// input: stdin "\x03\x00ABCD\x01EFGH\x02IJKL"
// witness: stdin "\x03\x00ABCD\x01EFGH\x03IJKL"
#include "../../include/records.h"

#define MAX_PACKET 10
#define PACKET_SIZE 4

static void decode_packets(const signed char *buffer) {
    signed char **packets = malloc(MAX_PACKET * sizeof *packets);
    for (int i = 0; i < MAX_PACKET; i++)
        packets[i] = calloc(PACKET_SIZE, 1);
    int count = buffer[0];
    if (count > 3 || count < 0)
        return;
    for (int i = 0; i < count; i++) {
        int id = buffer[i * (PACKET_SIZE + 1) + 1];
        if (id >= MAX_PACKET || id < 0)
            return;
        for (int j = 0; j < PACKET_SIZE; j++)
            packets[id][j] = buffer[i * (PACKET_SIZE + 1) + j + 2];
    }
    if (count < MAX_PACKET && packets[count][0] != 0)
        assert(0); //~ assertion
    for (int i = 0; i < MAX_PACKET; i++)
        free(packets[i]);
    free(packets);
}

int main(void) {
    signed char buffer[16];
    take(buffer, sizeof buffer);
    decode_packets(buffer);
    return 0;
}
