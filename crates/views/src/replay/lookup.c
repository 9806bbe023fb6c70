// While AddressSanitizer sets itself up it asks for hundreds of functions by name, and the C library here does not have all of them.
// To say so takes the C library a message, the message memory, and the memory an allocator of the sanitizer's that nothing else needs: a
// quarter of the time in which a small program runs. So until constructors of the program run, a name that nothing loaded has is answered
// here. Views are linked with `--wrap` for both functions. Nothing of the C library is used: the sanitizer's stand-ins are not ready.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

// Of a symbol's version: that it is none for new programs; the first number that is one of a version.
#define HIDDEN 0x8000
#define FIRST_VERSION 2

extern void *__real_dlsym(void *, const char *);
extern void *__real_dlvsym(void *, const char *, const char *);

// Whether the program itself may ask, which is told by the C library what went wrong. Volatile, or the compiler evaluates the constructor.
static volatile int is_set_up;

__attribute__((constructor(101))) static void set_up(void) { is_set_up = 1; }

static int is_same(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

// Of the kernel's own library nobody has added where it lies.
static const void *address(const struct link_map *map, uint64_t value) {
  return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

// Whether an object may have a symbol of this name: what is only there for old programs counts where a version is asked for.
static int may_have(const struct link_map *map, const char *name, uint32_t hash, int is_versioned) {
  const uint32_t *table = NULL;
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  const ElfW(Versym) *versions = NULL;
  for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_GNU_HASH)
      table = address(map, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_SYMTAB)
      symbols = address(map, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_STRTAB)
      strings = address(map, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_VERSYM)
      versions = address(map, entry->d_un.d_ptr);
  }
  if (!table || !symbols || !strings)
    return 1;
  uint32_t buckets = table[0], first = table[1], words = table[2], shift = table[3];
  const uint64_t *filter = (const uint64_t *)(table + 4);
  if (!buckets || !words)
    return 1;
  uint64_t word = filter[hash / 64 % words];
  if (!(word >> hash % 64 & word >> (hash >> shift) % 64 & 1))
    return 0;
  const uint32_t *bucket = (const uint32_t *)(filter + words);
  const uint32_t *chain = bucket + buckets;
  uint32_t symbol = bucket[hash % buckets];
  if (symbol < first)
    return 0;
  for (;; symbol++) {
    uint32_t other = chain[symbol - first];
    int is_old = versions && !is_versioned && versions[symbol] & HIDDEN && (versions[symbol] & ~HIDDEN) >= FIRST_VERSION;
    if ((other | 1) == (hash | 1) && !is_old && is_same(strings + symbols[symbol].st_name, name))
      return 1;
    if (other & 1)
      return 0;
  }
}

// Whether nothing that is loaded behind the program has a symbol of this name. The program itself has the sanitizer's stand-in for it.
static int is_nowhere(void *handle, const char *name, int is_versioned) {
  const struct link_map *program = _r_debug.r_map;
  if (is_set_up || handle != RTLD_NEXT || !program)
    return 0;
  uint32_t hash = 5381;
  for (const char *next = name; *next; next++)
    hash = hash * 33 + (uint8_t)*next;
  for (const struct link_map *map = program->l_next; map; map = map->l_next)
    if (may_have(map, name, hash, is_versioned))
      return 0;
  return 1;
}

// Weak: the program may have functions of these names.
__attribute__((weak)) void *__wrap_dlsym(void *handle, const char *name) {
  if (is_nowhere(handle, name, 0))
    return NULL;
  return __real_dlsym(handle, name);
}

__attribute__((weak)) void *__wrap_dlvsym(void *handle, const char *name, const char *version) {
  if (is_nowhere(handle, name, 1))
    return NULL;
  return __real_dlvsym(handle, name, version);
}
