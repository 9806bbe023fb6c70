// Between bytes and wide characters: ASCII is itself in every locale there is here, everything else the library converts.
// Modelled: summary

#include "model.h"
#include <wchar.h>

extern size_t real_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *) REAL(mbrtowc);
extern int real_mbtowc(wchar_t *, const char *, size_t) REAL(mbtowc);
extern size_t real_wcrtomb(char *, wchar_t, mbstate_t *) REAL(wcrtomb);
extern int real_wctomb(char *, wchar_t) REAL(wctomb);
extern wint_t real_btowc(int) REAL(btowc);
extern int real_wctob(wint_t) REAL(wctob);

#define ASCII 128

size_t MODEL(mbrtowc)(wchar_t *to, const char *from, size_t size, mbstate_t *state) {
  // Without a state of the caller's, nobody can see whether a character has begun.
  if (!from || size == 0 || !state || !mbsinit(state) || (unsigned char)*from >= ASCII)
    return real_mbrtowc(to, from, size, state);
  char byte = *from;
  if (to)
    *to = byte;
  return byte != '\0';
}

size_t MODEL(mbrlen)(const char *from, size_t size, mbstate_t *state) {
  static mbstate_t own;
  return mbrtowc(NULL, from, size, state ? state : &own);
}

int MODEL(mbtowc)(wchar_t *to, const char *from, size_t size) {
  if (!from || size == 0 || (unsigned char)*from >= ASCII)
    return real_mbtowc(to, from, size);
  char byte = *from;
  if (to)
    *to = byte;
  return byte != '\0';
}

int MODEL(mblen)(const char *from, size_t size) { return mbtowc(NULL, from, size); }

size_t MODEL(mbstowcs)(wchar_t *to, const char *from, size_t count) {
  mbstate_t state;
  memset(&state, 0, sizeof state);
  for (size_t done = 0;; done++) {
    wchar_t character = 0;
    if (to && done == count)
      return done;
    size_t used = mbrtowc(&character, from, MB_LEN_MAX, &state);
    if (used == (size_t)-1 || used == (size_t)-2)
      return (size_t)-1;
    if (to)
      to[done] = character;
    if (used == 0)
      return done;
    from += used;
  }
}

size_t MODEL(wcrtomb)(char *to, wchar_t character, mbstate_t *state) {
  if (!to || !state || !mbsinit(state) || character < 0 || character >= ASCII)
    return real_wcrtomb(to, character, state);
  *to = (char)character;
  return 1;
}

int MODEL(wctomb)(char *to, wchar_t character) {
  if (!to || character < 0 || character >= ASCII)
    return real_wctomb(to, character);
  *to = (char)character;
  return 1;
}

wint_t MODEL(btowc)(int byte) { return byte >= 0 && byte < ASCII ? (wint_t)byte : real_btowc(byte); }

int MODEL(wctob)(wint_t character) { return character < ASCII ? (int)character : real_wctob(character); }
