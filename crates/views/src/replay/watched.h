// What functions have in common that stand in for those of the C library whose reads and writes AddressSanitizer does not see.
//
// Each lets the sanitizer look at what its call reads and writes, before it if that is known, and at no more than it certainly does.

#pragma once

#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

// The name under which the program calls a stand-in.
#define WATCHED(name) __provoke_watched_##name

// There are none in a view without the sanitizer.
__attribute__((weak)) extern void __asan_loadN(uintptr_t, size_t);
__attribute__((weak)) extern void __asan_storeN(uintptr_t, size_t);

// Part of the stand-in that it is in, whose caller is the program.
#define WITHIN static inline __attribute__((always_inline, unused))

WITHIN void reads(const void *memory, size_t size) {
  if (__asan_loadN && size > 0)
    __asan_loadN((uintptr_t)memory, size);
}

WITHIN void writes(void *memory, size_t size) {
  if (__asan_storeN && size > 0)
    __asan_storeN((uintptr_t)memory, size);
}

// The lengths of strings, `most` at most. The C library's functions for it are the sanitizer's here, which would take what was written too
// far for read too far.
WITHIN size_t text_length(const char *text, size_t most) {
  size_t count = 0;
  while (count < most && text[count])
    count++;
  return count;
}

WITHIN size_t wide_length(const wchar_t *text, size_t most) {
  size_t count = 0;
  while (count < most && text[count])
    count++;
  return count;
}
