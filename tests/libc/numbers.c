// Numbers in strings, with what they leave in errno and where they end; kinds of characters.
#include "random.h"
#include <ctype.h>
#include <inttypes.h>

int main(void) {
  read_input();
  for (int round = 0; round < 4; round++) {
    static const char digits[] = "0123456789990axXfF-+ z";
    static const int bases[] = {0, 10, 16, 8, 2, 36, 1, 10, 10};
    char text[32];
    unsigned length = next_byte() % 28;
    for (unsigned i = 0; i < length; i++)
      text[i] = digits[next_byte() % (i < 2 ? sizeof digits - 1 : 11)];
    text[length] = '\0';
    int base = bases[next_byte() % 9];
    char *end;
#define TRY(call, form)                                                                                             \
  errno = 0;                                                                                                        \
  end = text - 1;                                                                                                   \
  printf(#call " %" form, call);                                                                                    \
  printf(" errno %d end %td\n", errno, end - text);
    TRY(strtol(text, &end, base), "ld")
    TRY(strtoul(text, &end, base), "lu")
    TRY(strtoll(text, &end, base), "lld")
    TRY(strtoull(text, &end, base), "llu")
    TRY(strtoimax(text, &end, base), PRIdMAX)
    TRY(strtoumax(text, &end, base), PRIuMAX)
    TRY(strtol(text, NULL, 10), "ld")
    TRY(atol(text), "ld")
    TRY(atoll(text), "lld")
    if (length < 10)
      printf("atoi %d\n", atoi(text));
    int c = (int)next_byte();
    printf("kinds %d%d%d%d%d%d%d%d%d%d%d%d to %d %d\n", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c),
           !!isdigit(c), !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c),
           tolower(c), toupper(c));
    printf("functions %d %d %d %d\n", !!(isalpha)(c), !!(isspace)(c), (tolower)(c), (toupper)(c));
  }
  return 0;
}
