// Lines of any length.

#include "model.h"

// How many bytes a stream's buffer has up to a delimiter, in this run.
extern size_t __provoke_x_provoke_buffered(FILE *stream, int delimiter);

// Makes room for so many bytes, as the library does, which takes out of the stream's buffer what is there.
static int reserve(char **line, size_t *room, size_t needed) {
  if (needed <= *room)
    return 1;
  if (needed < 2 * *room)
    needed = 2 * *room;
  char *moved = realloc(*line, needed);
  if (!moved)
    return 0;
  *line = moved;
  *room = needed;
  return 1;
}

ssize_t MODEL(getdelim)(char **line, size_t *room, int delimiter, FILE *stream) {
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  // What is there without a size is the caller's own.
  if (!*line || *room == 0) {
    *room = 120;
    *line = malloc(*room);
    if (!*line)
      return -1;
  }
  size_t length = 0, taken = 0;
  for (;;) {
    int c = getc(stream);
    if (c == EOF)
      break;
    if (length == taken) {
      int is_end = (int)__provoke_x_provoke_concrete((unsigned)c) == delimiter;
      taken += 1 + (is_end ? 0 : __provoke_x_provoke_buffered(stream, delimiter));
      if (!reserve(line, room, taken + 1))
        return -1;
    }
    (*line)[length++] = (char)c;
    if (c == delimiter)
      break;
  }
  if (length == 0)
    return -1;
  (*line)[length] = '\0';
  return (ssize_t)length;
}

ssize_t MODEL(__getdelim)(char **line, size_t *room, int delimiter, FILE *stream) {
  return getdelim(line, room, delimiter, stream);
}

ssize_t MODEL(getline)(char **line, size_t *room, FILE *stream) { return getdelim(line, room, '\n', stream); }
