// Reading into several places at once: one after the other, until a file has no more.

#include "model.h"
#include <sys/uio.h>
#include <unistd.h>

extern ssize_t real_readv(int, const struct iovec *, int) REAL(readv);
extern ssize_t real_preadv(int, const struct iovec *, int, off_t) REAL(preadv);

// What the system refuses it refuses as a whole.
static int is_usual(int count) { return count > 0 && count <= IOV_MAX; }

ssize_t MODEL(readv)(int descriptor, const struct iovec *places, int count) {
  if (!is_usual(count))
    return real_readv(descriptor, places, count);
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t got = read(descriptor, places[i].iov_base, places[i].iov_len);
    if (got < 0)
      return total > 0 ? total : got;
    total += got;
    if ((size_t)got < places[i].iov_len)
      break;
  }
  return total;
}

ssize_t MODEL(preadv)(int descriptor, const struct iovec *places, int count, off_t offset) {
  if (!is_usual(count))
    return real_preadv(descriptor, places, count, offset);
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t got = pread(descriptor, places[i].iov_base, places[i].iov_len, offset + total);
    if (got < 0)
      return total > 0 ? total : got;
    total += got;
    if ((size_t)got < places[i].iov_len)
      break;
  }
  return total;
}
