// Lines of any length.

#include "model.h"

ssize_t MODEL(getdelim)(char **line, size_t *room, int delimiter, FILE *stream) {
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  if (!*line || *room == 0) {
    char *first = realloc(*line, 120);
    if (!first)
      return -1;
    *line = first;
    *room = 120;
  }
  size_t length = 0;
  for (;;) {
    int c = getc(stream);
    if (c == EOF)
      break;
    if (length + 2 > *room) {
      size_t larger = 2 * *room;
      char *moved = realloc(*line, larger);
      if (!moved)
        return -1;
      *line = moved;
      *room = larger;
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
