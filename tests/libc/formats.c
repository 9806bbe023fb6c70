// Formats and sets that are made by chance: every way of writing a directive that there is.
#include "random.h"
#include <stdint.h>

static char *next_directive(char *to, int is_input) {
  static const char flags[] = "-+ #0", numbers[] = "0123459";
  *to++ = '%';
  if (is_input) {
    if (next_byte() % 5 == 0)
      *to++ = '*';
  } else {
    for (unsigned i = next_byte() % 3; i > 0; i--)
      *to++ = flags[next_byte() % 5];
  }
  if (next_byte() % 2)
    *to++ = numbers[next_byte() % 7];
  if (!is_input && next_byte() % 2) {
    *to++ = '.';
    if (next_byte() % 4)
      *to++ = numbers[next_byte() % 7];
  }
  return to;
}

static char *next_set(char *to) {
  static const char letters[] = "ab01-A]zx,. ";
  *to++ = '[';
  if (next_byte() % 3 == 0)
    *to++ = '^';
  if (next_byte() % 5 == 0)
    *to++ = ']';
  for (unsigned i = next_byte() % 5 + 1; i > 0; i--) {
    char c = letters[next_byte() % 12];
    *to++ = c == ']' ? '-' : c;
  }
  *to++ = ']';
  return to;
}

static void print(void) {
  static const char integers[] = "diuxXoc", sizes[] = "hlqjzt";
  char format[40], text[20], out[24];
  char *at = next_directive(format, 0);
  long number = (long)(int)(next_byte() << 24 | next_byte() << 16 | next_byte()) >> next_byte() % 24;
  unsigned room = next_byte() % 20;
  int length;
  memset(out, '#', sizeof out);
  next_string(text, 12);
  switch (next_byte() % 5) {
  case 0:
    *at++ = 's';
    *at = '\0';
    length = snprintf(out, room, format, next_byte() % 8 ? text : NULL);
    break;
  case 1:
    *at++ = 'p';
    *at = '\0';
    length = snprintf(out, room, format, (void *)(intptr_t)number);
    break;
  case 2:
    *at++ = '%';
    *at = '\0';
    length = snprintf(out, room, format);
    break;
  default: {
    unsigned size = next_byte() % 12;
    char kind = integers[next_byte() % 7];
    if (size < 6 && kind != 'c') {
      *at++ = sizes[size];
      if (size < 2 && next_byte() % 2)
        *at++ = sizes[size];
    }
    *at++ = kind;
    *at = '\0';
    length = snprintf(out, room, format, number);
  }
  }
  printf("%s %d ", format, length);
  show("", out, sizeof out);
}

static void scan(void) {
  static const char kinds[] = "diuxXocspi";
  char format[60], text[24];
  char *at = format;
  for (unsigned i = next_byte() % 3 + 1; i > 0; i--) {
    at = next_directive(at, 1);
    if (next_byte() % 3 == 0)
      at = next_set(at);
    else
      *at++ = kinds[next_byte() % 10];
    if (next_byte() % 4 == 0)
      *at++ = " ,a%"[next_byte() % 3];
  }
  strcpy(at, "%n");
  next_string(text, 20);
  union {
    long number;
    char bytes[32];
  } places[4];
  memset(places, 0x55, sizeof places);
  int done = sscanf(text, format, &places[0], &places[1], &places[2], &places[3]);
  printf("%s %s %d", format, text, done);
  for (int i = 0; i < 4; i++)
    printf(" %lx", places[i].number);
  printf("\n");
}

int main(void) {
  read_input();
  while (used + 40 < input_length) {
    print();
    scan();
  }
  return 0;
}
