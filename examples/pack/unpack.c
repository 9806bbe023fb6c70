/* Lists what is in a pack: a small container of named records.
 *
 *   header   "PACK", version, number of records
 *   record   type, length (little-endian, 16 bits), payload, checksum of the payload
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1, NUMBER = 2, LINK = 3, END = 0xff };

struct pack {
    const uint8_t *data;
    size_t size;
    size_t at;
};

static int next_byte(struct pack *pack) {
    return pack->at < pack->size ? pack->data[pack->at++] : -1;
}

/* Rotates, so that the order of the bytes matters. */
static uint8_t checksum(const uint8_t *data, size_t size) {
    uint32_t sum = 0x9e3779b9;
    for (size_t i = 0; i < size; i++)
        sum = ((sum << 5) | (sum >> 27)) ^ data[i];
    return (uint8_t)(sum ^ sum >> 16);
}

static int read_header(struct pack *pack) {
    if (pack->size < 6 || memcmp(pack->data, "PACK", 4) != 0) {
        puts("not a pack");
        return -1;
    }
    pack->at = 4;
    if (next_byte(pack) > 2) {
        puts("made by a newer version");
        return -1;
    }
    return next_byte(pack);
}

static int read_record(struct pack *pack) {
    char name[16];
    unsigned value, scale;
    int type = next_byte(pack);
    if (type < 0 || type == END)
        return 0;
    int low = next_byte(pack), high = next_byte(pack);
    if (high < 0)
        return -1;
    size_t length = (size_t)low | (size_t)high << 8;
    if (length >= pack->size - pack->at)
        return -1;
    const uint8_t *payload = pack->data + pack->at;
    pack->at += length;
    if (next_byte(pack) != checksum(payload, length)) {
        puts("  damaged record");
        return 1;
    }
    switch (type) {
    case NAME:
        if (length > sizeof name)
            return -1;
        memcpy(name, payload, length);
        name[length] = 0; /* one too far when the name fills its buffer */
        printf("  name    %s\n", name);
        break;
    case NUMBER:
        if (length != 4)
            return -1;
        /* a value and what it is to be divided by, 16 bits each */
        value = payload[0] | payload[1] << 8;
        scale = payload[2] | payload[3] << 8;
        printf("  number  %u.%02u\n", value / scale, 100 * (value % scale) / scale);
        break;
    case LINK:
        if (length < 2)
            return -1;
        printf("  link    %s\n", payload[0] == '/' ? "absolute" : "relative");
        break;
    default:
        printf("  unknown type %d, %zu bytes\n", type, length);
    }
    return 1;
}

int main(void) {
    static uint8_t buffer[4096];
    struct pack pack = {.data = buffer};
    pack.size = fread(buffer, 1, sizeof buffer, stdin);
    int count = read_header(&pack);
    if (count < 0)
        return 1;
    printf("%d records\n", count);
    for (int i = 0; i < count; i++) {
        int state = read_record(&pack);
        if (state < 0) {
            puts("  cut short");
            return 1;
        }
        if (state == 0)
            break;
    }
    return 0;
}
