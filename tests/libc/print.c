// Writing by formats into memory.
#include "random.h"

int main(void) {
  read_input();
  for (int round = 0; round < 4; round++) {
    char text[64], word[12];
    next_string(word, 8);
    int number = (int)(next_byte() | next_byte() << 8 | next_byte() << 16 | next_byte() << 24);
    if (next_byte() % 2)
      number %= 300;
    size_t room = next_byte() % 40;
    long large = (long)number * 1000003;
    memset(text, 'z', sizeof text);
#define TRY(...)                                                                                                    \
  printf("%d\n", snprintf(text, room, __VA_ARGS__));                                                                \
  show("snprintf", text, sizeof text);                                                                              \
  printf("%d\n", sprintf(text, __VA_ARGS__));                                                                       \
  show("sprintf", text, sizeof text);
    TRY("%d|%u", number, (unsigned)number)
    TRY("%5d|%-6d|%06d", number % 1000, number % 1000, number % 1000)
    TRY("%+d|% d|%.3d", number % 1000, number % 1000, number % 100)
    TRY("%x|%X|%#x|%o|%#o", (unsigned)number, (unsigned)number, (unsigned)number, (unsigned)number, (unsigned)number)
    TRY("%ld|%lx", large, (unsigned long)large)
    TRY("%hhd|%hu|%zu", (signed char)number, (unsigned short)number, (size_t)number % 77)
    TRY("%s|%8s|%-4s|%.2s|%c%%", word, word, word, word, 'a' + (number & 7))
    TRY("%*d|%.*s|%-*d.", (int)(room % 7), number % 100, (int)(room % 4), word, 4, number % 10)
    TRY("%.2f|%g", (double)room / 3, 1e10)
    TRY("%s", word)
    TRY("%p|%14p|%-14p|%8p", (void *)(size_t)(unsigned)number, (void *)(size_t)(number & 4095), (void *)(size_t)(number & 255), NULL)
    char *made = NULL;
    printf("%d\n", asprintf(&made, "<%s:%d>", word, number));
    show("asprintf", made, strlen(made) + 1);
    free(made);
    // Nothing is written where there is no room, and what the library writes may be long.
    memset(text, 'z', sizeof text);
    printf("%d %d\n", snprintf(text, 0, "%s", ""), snprintf(text, 0, "%s", word));
    show("no room", text, sizeof text);
    char wide[2048];
    errno = ENOENT;
    printf("%d\n", snprintf(wide, sizeof wide, "%2000m|%-3s", word));
    show("wide", wide + 1960, strlen(wide) - 1960);
  }
  return 0;
}
