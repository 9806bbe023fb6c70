// Reading into several places at once: what comes is read as a whole, and handed out.

#include "model.h"
#include <sys/uio.h>
#include <unistd.h>

extern ssize_t real_readv(int, const struct iovec *, int) REAL(readv);
extern ssize_t real_preadv(int, const struct iovec *, int, off_t) REAL(preadv);

// How much there is room for; 0 if there is none, or if it is for the system to refuse.
static size_t room(const struct iovec *places, int count) {
  size_t total = 0;
  if (count < 0 || count > IOV_MAX)
    return 0;
  for (int i = 0; i < count; i++) {
    if (places[i].iov_len > SSIZE_MAX - total || (!places[i].iov_base && places[i].iov_len > 0))
      return 0;
    total += places[i].iov_len;
  }
  return total;
}

static void hand_out(const struct iovec *places, const char *from, size_t size) {
  for (; size > 0; places++) {
    size_t part = places->iov_len < size ? places->iov_len : size;
    memcpy(places->iov_base, from, part);
    from += part;
    size -= part;
  }
}

// One call for all of it: who asks a pipe a second time may wait forever.
#define READ(whole, places, how)                                                                                    \
  char small[1024];                                                                                                 \
  char *memory = (whole) <= sizeof small ? small : malloc(whole);                                                   \
  if (!memory)                                                                                                      \
    return -1;                                                                                                      \
  ssize_t got = how;                                                                                                \
  if (got > 0)                                                                                                      \
    hand_out(places, memory, (size_t)got);                                                                          \
  if (memory != small) {                                                                                            \
    int error = errno;                                                                                              \
    free(memory);                                                                                                   \
    errno = error;                                                                                                  \
  }                                                                                                                 \
  return got

ssize_t MODEL(readv)(int descriptor, const struct iovec *places, int count) {
  size_t whole = room(places, count);
  if (whole == 0)
    return real_readv(descriptor, places, count);
  READ(whole, places, read(descriptor, memory, whole));
}

static ssize_t read_at(int descriptor, const struct iovec *places, int count, off_t offset) {
  size_t whole = room(places, count);
  if (whole == 0)
    return real_preadv(descriptor, places, count, offset);
  READ(whole, places, pread(descriptor, memory, whole, offset));
}

ssize_t MODEL(preadv)(int descriptor, const struct iovec *places, int count, off_t offset) {
  return read_at(descriptor, places, count, offset);
}

ssize_t MODEL(preadv64)(int descriptor, const struct iovec *places, int count, off64_t offset) {
  return read_at(descriptor, places, count, offset);
}
