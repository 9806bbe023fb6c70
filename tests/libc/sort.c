// Sorting and searching with functions of the program; lines of any length.
#include "random.h"

struct item {
  unsigned char key, number;
};

static int compare(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }

int main(void) {
  read_input();
  struct item items[12];
  size_t count = next_byte() % 13;
  for (size_t i = 0; i < count; i++) {
    items[i].key = (unsigned char)(next_byte() % 6);
    items[i].number = (unsigned char)i;
  }
  qsort(items, count, sizeof *items, compare);
  show("qsort", items, count * sizeof *items);
  struct item wanted = {(unsigned char)(next_byte() % 6), 0};
  struct item *found = bsearch(&wanted, items, count, sizeof *items, compare);
  printf("bsearch %d\n", found ? found->key : -1);
  char text[200];
  for (size_t i = 0; i < sizeof text - 1; i++)
    text[i] = "abc\n;"[next_byte() % (i % 3 ? 3 : 5)];
  text[sizeof text - 1] = '\0';
  FILE *stream = fmemopen(text, sizeof text - 1, "r");
  char *line = NULL;
  size_t room = 0;
  for (int i = 0; i < 6; i++) {
    ssize_t length = i % 2 ? getdelim(&line, &room, ';', stream) : getline(&line, &room, stream);
    printf("line %zd %s\n", length, length < 0 ? "" : line);
  }
  free(line);
  fclose(stream);
  return 0;
}
