// Streams over the input, over memory and over a file of its own: reading in all ways, pushing back, going to and fro.
#include "random.h"
#include <fcntl.h>

static void step(FILE *stream, char **line, size_t *room) {
  char bytes[40] = "", word[40] = "";
  unsigned op = next_byte() % 20, amount = next_byte() % 24;
  long result = 0;
  int number = -1, end = -1;
  switch (op) {
  case 0:
  case 1:
    result = getc(stream);
    break;
  case 2:
    result = getc_unlocked(stream);
    break;
  case 3: {
    int c = fgetc(stream);
    result = c == EOF ? -5 : ungetc(c, stream);
    break;
  }
  case 4:
    result = ungetc((int)next_byte(), stream);
    break;
  case 5: {
    int c = getc(stream);
    if (c != EOF)
      result = ungetc(c ^ (int)(amount & 1), stream);
    result = result * 1000 + getc(stream);
    break;
  }
  case 6:
    result = (long)fread(bytes, 1, amount, stream);
    break;
  case 7:
    result = (long)fread(bytes, 3, amount / 3, stream);
    break;
  case 8:
  case 9:
    result = fgets(bytes, (int)amount, stream) != NULL;
    break;
  case 10:
    result = fseek(stream, (long)amount * 9, SEEK_SET);
    break;
  case 11:
    result = fseek(stream, (long)amount - 12, SEEK_CUR);
    break;
  case 12:
    result = fseek(stream, -(long)amount * 4, SEEK_END);
    break;
  case 13:
    rewind(stream);
    break;
  case 14:
    result = getline(line, room, stream);
    if (result >= 0)
      snprintf(bytes, sizeof bytes, "%s", *line);
    break;
  case 15:
    result = getdelim(line, room, (int)next_byte(), stream);
    break;
  case 16:
    result = fscanf(stream, "%d%n", &number, &end);
    break;
  case 17:
    result = fscanf(stream, "%20s%n", word, &end);
    break;
  case 18:
    result = fscanf(stream, "%20[^a-q]%n", word, &end);
    break;
  case 19:
    clearerr(stream);
    break;
  }
  printf("%u: %ld at %ld, %d %d, %d %d ", op, result, ftell(stream), feof(stream), ferror(stream), number, end);
  show(word, bytes, sizeof bytes);
}

int main(void) {
  read_input();
  char *line = NULL;
  size_t room = 0;
  char memory[100];
  for (unsigned i = 0; i < sizeof memory; i++)
    memory[i] = "ab 12\n-x"[next_byte() % 8];
  FILE *streams[3];
  streams[0] = stdin;
  streams[1] = fmemopen(memory, sizeof memory, "r");
  streams[2] = tmpfile();
  fwrite(memory, 1, sizeof memory, streams[2]);
  rewind(streams[2]);
  lseek(0, 100, SEEK_SET);
  while (used + 3 < input_length)
    step(streams[next_byte() % 3], &line, &room);
  free(line);
  return 0;
}
