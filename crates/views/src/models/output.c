// Writing out: how much is checked against the memory it comes from, and what is written makes no difference to the program.

#include "model.h"

extern size_t real_fwrite(const void *, size_t, size_t, FILE *) REAL(fwrite);
extern ssize_t real_write(int, const void *, size_t) REAL(write);

// Where it is has been said already.
static const void *place(const void *memory) { return (const void *)__provoke_x_provoke_concrete((size_t)memory); }

size_t MODEL(fwrite)(const void *memory, size_t size, size_t count, FILE *stream) {
  __provoke_x_provoke_read(memory, size * count);
  size_t wanted = __provoke_x_provoke_concrete(count);
  size_t done = real_fwrite(place(memory), __provoke_x_provoke_concrete(size), wanted, stream);
  return done == wanted ? count : done;
}

ssize_t MODEL(write)(int descriptor, const void *memory, size_t size) {
  __provoke_x_provoke_read(memory, size);
  size_t wanted = __provoke_x_provoke_concrete(size);
  ssize_t done = real_write(descriptor, place(memory), wanted);
  return done == (ssize_t)wanted ? (ssize_t)size : done;
}
