// Taking strings apart: tokens, words, spans and needles, one function after the other on the same text; lines with buffers of one's own.
#include "random.h"

static void tokens(void) {
  char text[40] = "", set[8], *rest = text, *word;
  next_string(text, 30);
  next_string(set, 4);
  char copy[40] = "";
  strcpy(copy, text);
  for (int i = 0; (word = strsep(&rest, set)) && i < 8; i++) {
    show_place("strsep", text, word);
    show_place("rest", text, rest);
  }
  for (word = strtok_r(copy, set, &rest); word; word = strtok_r(NULL, next_byte() % 2 ? set : " ", &rest))
    show_place("strtok_r", copy, word);
  show_place("rest", copy, rest);
  for (word = strtok(text, ","); word; word = strtok(NULL, set))
    show_place("strtok", text, word);
  show("text", text, sizeof text);
}

static void needles(void) {
  char hay[24] = "", needle[4] = "";
  next_string(hay, 20);
  next_string(needle, 3);
  size_t length = next_byte() % 21, size = next_byte() % 4;
  show_place("memmem", hay, memmem(hay, length, needle, size));
  show_place("strstr", hay, strstr(hay, needle));
  show_place("strcasestr", hay, strcasestr(hay, needle));
  show_place("memrchr", hay, memrchr(hay, needle[0], length));
  show_place("strpbrk", hay, strpbrk(hay, needle));
  show_place("strchrnul", hay, strchrnul(hay, needle[0]));
  printf("%zu %zu\n", strspn(hay, needle), strcspn(hay, needle));
}

static void lines(void) {
  char text[40];
  char own[] = "own";
  size_t room = next_byte() % 4 * 8;
  char *line = room ? malloc(room) : own;
  for (unsigned i = 0; i < sizeof text; i++)
    text[i] = "ab\n\0"[next_byte() % 16 / 4];
  FILE *stream = fmemopen(text, sizeof text, "r");
  ssize_t got;
  while ((got = next_byte() % 3 ? getline(&line, &room, stream) : getdelim(&line, &room, 'b', stream)) >= 0) {
    printf("%zd %zu ", got, room);
    show("", line, (size_t)got + 1);
  }
  printf("%d\n", feof(stream));
  fclose(stream);
  if (line != own)
    free(line);
  printf("%s\n", own);
}

// How much room there is depends on how much the stream has read at a time.
static void long_lines(void) {
  FILE *stream = tmpfile();
  char *line = NULL;
  size_t room = 0;
  for (int i = 0; i < 3; i++)
    fprintf(stream, "%0*d\n", (int)(next_byte() * 30), 1);
  rewind(stream);
  setvbuf(stream, NULL, _IOFBF, 512);
  while (getline(&line, &room, stream) >= 0)
    printf("%zu %zu\n", strlen(line), room);
  fclose(stream);
  free(line);
}

static int by_byte(const void *a, const void *b, void *times) {
  ++*(int *)times;
  return (*(const unsigned char *)a >> 4) - (*(const unsigned char *)b >> 4);
}

static int plain(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }

static void sorted(void) {
  unsigned char bytes[60];
  int times = 0;
  size_t size = next_byte() % 5 + 1, count = next_byte() % 12;
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i < 20 ? next_byte() : i * 7);
  qsort_r(bytes, count, size, by_byte, &times);
  show("qsort_r", bytes, count * size);
  qsort(bytes, count, size, plain);
  unsigned char key = (unsigned char)next_byte();
  void *found = bsearch(&key, bytes, count, size, plain);
  printf("%d %td\n", times, found ? (unsigned char *)found - bytes : -1);
}

int main(void) {
  read_input();
  while (used + 60 < input_length) {
    tokens();
    needles();
    lines();
    sorted();
  }
  long_lines();
  return 0;
}
