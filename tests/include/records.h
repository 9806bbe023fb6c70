/* What programs that read records have in common. */
#ifndef RECORDS_H
#define RECORDS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The next bytes of standard input. Without them there is nothing to do. */
__attribute__((unused)) static void take(void *bytes, size_t count) {
    if (read(0, bytes, count) != (ssize_t)count)
        exit(1);
}

__attribute__((unused)) static uint32_t be16(const unsigned char *p) { return (uint32_t)p[0] << 8 | p[1]; }
__attribute__((unused)) static uint32_t le16(const unsigned char *p) { return (uint32_t)p[1] << 8 | p[0]; }
__attribute__((unused)) static uint32_t be32(const unsigned char *p) { return be16(p) << 16 | be16(p + 2); }
__attribute__((unused)) static uint32_t le32(const unsigned char *p) { return le16(p + 2) << 16 | le16(p); }
__attribute__((unused)) static uint64_t le64(const unsigned char *p) { return (uint64_t)le32(p + 4) << 32 | le32(p); }

/* Results that somebody is interested in, so that no optimisation can drop what leads to them. */
__attribute__((unused)) static volatile long long kept;
#define KEEP(value) (kept = (long long)(value))

#endif
