// While AddressSanitizer sets itself up it asks for hundreds of functions by name, and the C library here does not have all of them.
// To say so takes the C library a message, the message memory, and the memory an allocator of the sanitizer's that is hardly needed
// otherwise: a third of the time in which a small program runs. So until constructors of the program run, a name that nothing loaded has
// is answered here. Views are linked with `--wrap` for both functions. Nothing of the C library is used: the sanitizer's stand-ins are
// not ready.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

// Of a symbol's version: that it is none for new programs; the first number that is one of a version.
#define HIDDEN 0x8000u
#define FIRST_VERSION 2u

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

// What is loaded behind the program: its symbols, and how they are found by their hashes.
struct object {
  const uint32_t *table;
  const ElfW(Sym) *symbols;
  const char *strings;
  const ElfW(Versym) *versions;
};

// More than nearly any program has.
#define MOST_OBJECTS 64

static struct object objects[MOST_OBJECTS];
static uint32_t object_count;

// Of the kernel's own library nobody has added where it lies.
static const void *address(const struct link_map *map, uint64_t value) {
  return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

// Whether the object of a map can be asked.
static int read_object(const struct link_map *map, struct object *object) {
  for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
    const void *value = address(map, entry->d_un.d_ptr);
    if (entry->d_tag == DT_GNU_HASH)
      object->table = value;
    else if (entry->d_tag == DT_SYMTAB)
      object->symbols = value;
    else if (entry->d_tag == DT_STRTAB)
      object->strings = value;
    else if (entry->d_tag == DT_VERSYM)
      object->versions = value;
  }
  // The first and the third number of the table are sizes.
  return object->table && object->symbols && object->strings && object->table[0] && object->table[2];
}

// Whether all objects behind the program can be asked. Until the program's constructors run there are no others.
static int can_ask(void) {
  static enum { NOT_KNOWN, YES, NO } known;
  if (known == NOT_KNOWN) {
    const struct link_map *program = _r_debug.r_map;
    const struct link_map *map = program ? program->l_next : NULL;
    for (; map && object_count < MOST_OBJECTS && read_object(map, &objects[object_count]); map = map->l_next)
      object_count++;
    known = program && !map ? YES : NO;
  }
  return known == YES;
}

// Whether an object has a symbol of this name: what is only there for old programs counts where a version is asked for.
static int has(const struct object *object, const char *name, uint32_t hash, int is_versioned) {
  const uint32_t *table = object->table;
  uint32_t buckets = table[0], first = table[1], words = table[2], shift = table[3];
  const uint64_t *filter = (const uint64_t *)(table + 4);
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
    uint32_t version = object->versions && !is_versioned ? object->versions[symbol] : 0;
    int is_old = version & HIDDEN && (version & ~HIDDEN) >= FIRST_VERSION;
    if ((other | 1) == (hash | 1) && !is_old && is_same(object->strings + object->symbols[symbol].st_name, name))
      return 1;
    if (other & 1)
      return 0;
  }
}

// Whether nothing that is loaded behind the program has a symbol of this name. The program itself has the sanitizer's stand-in for it.
static int is_nowhere(void *handle, const char *name, int is_versioned) {
  if (is_set_up || handle != RTLD_NEXT || !can_ask())
    return 0;
  uint32_t hash = 5381;
  for (const char *next = name; *next; next++)
    hash = hash * 33 + (uint8_t)*next;
  for (uint32_t index = 0; index < object_count; index++)
    if (has(&objects[index], name, hash, is_versioned))
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
