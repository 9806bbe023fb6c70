// Reading by formats, from strings and from a stream.
#include "random.h"

static const char *const formats[] = {
    "%d",          "%d %d",       "%i,%i",     "%x%n",         "%u-%u",   "%s",         "%3s%s",      "%c%c",  "%5c",
    "%[ab0-9]%s",  "%[^ ,]%n",    "%2d%3d",    "%*d%d",        "a%db",    "%%%d",       "%ld %lld",   "%hhd%hd", "%o %X",
    " %1[abAB] %d", "%d%*[ ,]%d", "%s %n%d",   "%10s",         "%1d%1d%1d", "%i%c",
};

int main(void) {
  read_input();
  for (int round = 0; round < 4; round++) {
    char text[24];
    next_string(text, 20);
    const char *format = formats[next_byte() % (sizeof formats / sizeof *formats)];
    union {
      long number;
      char bytes[32];
    } a, b, c;
    memset(&a, 0x55, sizeof a);
    memset(&b, 0x55, sizeof b);
    memset(&c, 0x55, sizeof c);
    int done = sscanf(text, format, &a, &b, &c);
    printf("%s %d\n", format, done);
    show("a", &a, sizeof a);
    show("b", &b, sizeof b);
    show("c", &c, sizeof c);
    FILE *stream = fmemopen(text, strlen(text) + 1, "r");
    memset(&a, 0x55, sizeof a);
    done = fscanf(stream, format, &a, &b, &c);
    printf("fscanf %d then %d\n", done, getc(stream));
    show("a", &a, sizeof a);
    fclose(stream);
  }
  // What stands behind so many digits still counts.
  static char text[3000];
  memset(text, '0', 1500 + next_byte() * 4);
  next_string(text + strlen(text), 20);
  double number = -1;
  int integer = -1, hexadecimal = -1;
  int done = sscanf(text, "%d", &integer) + sscanf(text, "%lf", &number) + sscanf(text, "%x", &hexadecimal);
  printf("%d: %d %g %x\n", done, integer, number, hexadecimal);
  void *place = text;
  char word[] = "(NiL)";
  word[1 + next_byte() % 5] ^= next_byte() % 2;
  int end = -1;
  done = sscanf(word, "%p%n", &place, &end);
  printf("%d %d %d\n", done, end, place == NULL);
  return 0;
}
