// Floating-point numbers in strings, with what they leave in errno and where they end, and written to strings.
// cflags: -lm
#include "random.h"

int main(void) {
  read_input();
  static const char *const starts[] = {"", "", "", "-", "+", " \t", "0x", "-0X1.", "1e", "inf", "-INFINITE", "nan", "NaN(a_1)", "nan(",
                                       "1e400", "0x1p-2000", "."};
  for (int round = 0; round < 12; round++) {
    static const char letters[] = "0123456789..eEpPxXfa+-";
    char text[160];
    strcpy(text, starts[next_byte() % (sizeof starts / sizeof *starts)]);
    size_t start = strlen(text), length = next_byte() % 12;
    // At times more digits than anybody needs.
    if (next_byte() % 8 == 0)
      length = 100;
    for (size_t i = 0; i < length; i++)
      text[start + i] = letters[next_byte() % (i < 6 ? sizeof letters - 1 : 11)];
    text[start + length] = '\0';
    char *end;
#define TRY(call, form)                                                                                             \
  errno = 0;                                                                                                        \
  end = text;                                                                                                       \
  printf(#call " %" form, call);                                                                                    \
  printf(" errno %d end %td\n", errno, end - text);
    TRY(strtod(text, &end), "a")
    TRY(strtof(text, &end), "a")
    TRY(strtold(text, &end), "La")
    TRY(strtod(text, NULL), "g")
    TRY(atof(text), "g")
    double number = strtod(text, NULL), other = (double)(next_byte() % 50) / 8 - 1;
    char written[400];
    int count = snprintf(written, sizeof written, "%g|%.3f|%12.4e|%-9.2G|%+.0f|% 08.1f|%.17g", number, other, number, other,
                          other, other, number);
    printf("%d %s\n", count, written);
    number = 0;
    count = sscanf(text, "%lf", &number);
    printf("scanned %d %a\n", count, number);
    TRY(__builtin_sqrt(other), "a")
    TRY(__builtin_floor(number) + __builtin_fabs(other) / 3, "a")
    TRY((long)(other * 100), "ld")
    TRY((unsigned char)(int)other, "d")
  }
  return 0;
}
