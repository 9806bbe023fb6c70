// Kinds of characters: the tables that <ctype.h> looks into, in memory whose bounds are known, and the functions.

#include "model.h"
#include <ctype.h>

#define FIRST 128
#define COUNT 384

extern const unsigned short **real_b(void) REAL(__ctype_b_loc);
extern const int32_t **real_lower(void) REAL(__ctype_tolower_loc);
extern const int32_t **real_upper(void) REAL(__ctype_toupper_loc);

static unsigned short kinds[COUNT];
static int32_t lower[COUNT], upper[COUNT];

// Those of the locale that is set, which may be another one at the next call.
const unsigned short **MODEL(__ctype_b_loc)(void) {
  static const unsigned short *place = kinds + FIRST, *known;
  const unsigned short *now = *real_b();
  if (known != now)
    for (int i = 0; i < COUNT; i++)
      kinds[i] = now[i - FIRST];
  known = now;
  return &place;
}

static const int32_t *copied(int32_t *table, const int32_t **known, const int32_t *now) {
  if (*known != now)
    for (int i = 0; i < COUNT; i++)
      table[i] = now[i - FIRST];
  *known = now;
  return table + FIRST;
}

const int32_t **MODEL(__ctype_tolower_loc)(void) {
  static const int32_t *place, *known;
  place = copied(lower, &known, *real_lower());
  return &place;
}

const int32_t **MODEL(__ctype_toupper_loc)(void) {
  static const int32_t *place, *known;
  place = copied(upper, &known, *real_upper());
  return &place;
}

// In the form that the header has for them.
#define KIND(name, bit)                                                                                             \
  int MODEL(name)(int c) { return (*__ctype_b_loc())[c] & (unsigned short)(bit); }

KIND(isalnum, _ISalnum)
KIND(isalpha, _ISalpha)
KIND(isblank, _ISblank)
KIND(iscntrl, _IScntrl)
KIND(isdigit, _ISdigit)
KIND(isgraph, _ISgraph)
KIND(islower, _ISlower)
KIND(isprint, _ISprint)
KIND(ispunct, _ISpunct)
KIND(isspace, _ISspace)
KIND(isupper, _ISupper)
KIND(isxdigit, _ISxdigit)

int MODEL(tolower)(int c) { return c >= -128 && c < 256 ? (*__ctype_tolower_loc())[c] : c; }

int MODEL(toupper)(int c) { return c >= -128 && c < 256 ? (*__ctype_toupper_loc())[c] : c; }
