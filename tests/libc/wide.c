// Strings of wide characters, and the ways from bytes to them and back.
#include "random.h"
#include <locale.h>
#include <wchar.h>

static wchar_t *next_wide(wchar_t *to, unsigned most) {
  unsigned length = next_byte() % (most + 1);
  for (unsigned i = 0; i < length; i++)
    to[i] = (wchar_t)(next_byte() % 5 == 0 ? 0x263a : 'a' + next_byte() % 3);
  to[length] = 0;
  return to;
}

// How far they are apart is the implementation's, and depends on where strings lie.
static int sign(int x) { return (x > 0) - (x < 0); }

static long place(const wchar_t *base, const wchar_t *found) { return found ? found - base : -1; }

int main(void) {
  read_input();
  setlocale(LC_ALL, next_byte() % 2 ? "C.UTF-8" : "C");
  for (int round = 0; round < 4; round++) {
    wchar_t a[12], b[12], c[32];
    char bytes[32];
    next_wide(a, 8);
    next_wide(b, 8);
    size_t limit = next_byte() % 9;
    wmemset(c, L'z', 32);
    printf("%zu %zu %d %d %d\n", wcslen(a), wcsnlen(a, limit), sign(wcscmp(a, b)), sign(wcsncmp(a, b, limit)),
           sign(wmemcmp(a, b, 1)));
    printf("%ld %ld %ld\n", place(a, wcschr(a, L'b')), place(a, wcsrchr(a, L'c')), place(a, wmemchr(a, L'b', wcslen(a))));
    show("wcscpy", wcscpy(c, a), sizeof c);
    show("wcscat", wcscat(c, b), sizeof c);
    show("wcsncpy", wcsncpy(c, a, limit), sizeof c);
    wmemmove(c + 1, c, limit);
    show("wmemmove", c, sizeof c);
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (int i = 0; i < 6; i++)
      bytes[i] = (char)(next_byte() % 3 ? 'a' + next_byte() % 26 : next_byte());
    bytes[6] = '\0';
    wchar_t one = 0;
    size_t used = mbrtowc(&one, bytes, 6, &state);
    printf("mbrtowc %zd %d\n", (ssize_t)used, (int)one);
    one = 0;
    int result = mbtowc(&one, bytes + 1, 5);
    printf("mbtowc %d %d mblen %d\n", result, (int)one, mblen(bytes + 2, 4));
    wmemset(c, L'z', 32);
    errno = 0;
    used = mbstowcs(c, bytes, limit);
    printf("mbstowcs %zd errno %d none %zd\n", (ssize_t)used, errno, (ssize_t)mbstowcs(NULL, bytes, 0));
    show("mbstowcs", c, (used < limit ? used : 0) * sizeof *c);
    memset(bytes, 'z', sizeof bytes);
    memset(&state, 0, sizeof state);
    used = wcrtomb(bytes, a[0], &state);
    printf("wcrtomb %zd wctomb %d\n", (ssize_t)used, wctomb(bytes + 16, a[0]));
    show("wcrtomb", bytes, sizeof bytes);
    int byte = (int)next_byte() - 1;
    printf("btowc %d wctob %d\n", (int)btowc(byte), wctob((wint_t)a[0]));
  }
  return 0;
}
