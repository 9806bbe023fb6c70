/* CRC-32 by table and a rotate-based hash over the input, which then fills a hash table: table lookups, rotates. */
#include "input.h"

static uint32_t crc_table[256];

static void fill_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        crc_table[i] = crc;
    }
}

static uint32_t rotate(uint32_t word, int by) { return word << by | word >> (32 - by); }

static uint32_t block_hash(const uint8_t *block, size_t len, uint32_t seed) {
    uint32_t hash = seed;
    for (size_t i = 0; i < len; i++) {
        hash = rotate(hash ^ block[i] * 0xcc9e2d51u, 15) * 0x1b873593u;
        hash = rotate(hash, 13) * 5 + 0xe6546b64u;
    }
    return hash ^ hash >> 16;
}

/* Few buckets, so that many blocks meet an earlier one. */
enum { BLOCK = 64, BUCKETS = 1 << 6 };

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    size_t len;
    uint8_t *data = read_input(argv[1], &len);
    fill_table();
    uint32_t crc = ~0u;
    for (size_t i = 0; i < len; i++)
        crc = crc >> 8 ^ crc_table[(crc ^ data[i]) & 0xff];
    static uint32_t buckets[BUCKETS];
    unsigned collisions = 0;
    for (size_t at = 0; at + BLOCK <= len; at += BLOCK) {
        uint32_t hash = block_hash(data + at, BLOCK, (uint32_t)len);
        uint32_t *bucket = &buckets[hash % BUCKETS];
        if (*bucket != 0 && *bucket != hash)
            collisions++;
        *bucket = hash;
    }
    printf("%08x %u\n", ~crc, collisions);
    return 0;
}
