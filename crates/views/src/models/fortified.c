// What fortified programs call: the size of the destination is the last argument.

#include "model.h"

extern _Noreturn void __chk_fail(void);

static void require(size_t size, size_t room) {
  if (size > room)
    __chk_fail();
}

void *MODEL(__memcpy_chk)(void *to, const void *from, size_t size, size_t room) {
  require(size, room);
  return memcpy(to, from, size);
}

void *MODEL(__mempcpy_chk)(void *to, const void *from, size_t size, size_t room) {
  require(size, room);
  return (char *)memcpy(to, from, size) + size;
}

void *MODEL(__memmove_chk)(void *to, const void *from, size_t size, size_t room) {
  require(size, room);
  return memmove(to, from, size);
}

void *MODEL(__memset_chk)(void *to, int byte, size_t size, size_t room) {
  require(size, room);
  return memset(to, byte, size);
}

char *MODEL(__strcpy_chk)(char *to, const char *from, size_t room) {
  require(strlen(from) + 1, room);
  return strcpy(to, from);
}

char *MODEL(__stpcpy_chk)(char *to, const char *from, size_t room) {
  require(strlen(from) + 1, room);
  return stpcpy(to, from);
}

char *MODEL(__strcat_chk)(char *to, const char *from, size_t room) {
  require(strlen(to) + strlen(from) + 1, room);
  return strcat(to, from);
}

char *MODEL(__strncat_chk)(char *to, const char *from, size_t size, size_t room) {
  require(strlen(to) + strnlen(from, size) + 1, room);
  return strncat(to, from, size);
}

char *MODEL(__strncpy_chk)(char *to, const char *from, size_t size, size_t room) {
  require(size, room);
  return strncpy(to, from, size);
}

char *MODEL(__stpncpy_chk)(char *to, const char *from, size_t size, size_t room) {
  require(size, room);
  return stpncpy(to, from, size);
}

extern ssize_t read(int, void *, size_t);
extern ssize_t pread(int, void *, size_t, off_t);

ssize_t MODEL(__read_chk)(int descriptor, void *memory, size_t size, size_t room) {
  require(size, room);
  return read(descriptor, memory, size);
}

ssize_t MODEL(__pread_chk)(int descriptor, void *memory, size_t size, off_t offset, size_t room) {
  require(size, room);
  return pread(descriptor, memory, size, offset);
}

size_t MODEL(__fread_chk)(void *memory, size_t room, size_t size, size_t count, FILE *stream) {
  require(size * count, room);
  return fread(memory, size, count, stream);
}

char *MODEL(__fgets_chk)(char *memory, size_t room, int size, FILE *stream) {
  require((size_t)size, room);
  return fgets(memory, size, stream);
}
