// Arguments of library functions out of the bytes of standard input.

#ifndef RANDOM_H
#define RANDOM_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static unsigned char input[512];
static size_t input_length, used;

static void read_input(void) { input_length = (size_t)read(0, input, sizeof input); }

// The next byte; without input left, 0.
static unsigned next_byte(void) { return used < input_length ? input[used++] : 0; }

// A string of a few letters that make functions do different things; at most `most` bytes.
static char *next_string(char *to, unsigned most) {
  static const char letters[] = "aabbAB01279xX-+ ,.;/%\t";
  unsigned length = next_byte() % (most + 1);
  for (unsigned i = 0; i < length; i++)
    to[i] = letters[next_byte() % (sizeof letters - 1)];
  to[length] = '\0';
  return to;
}

static void show(const char *name, const void *memory, size_t size) {
  printf("%s", name);
  for (size_t i = 0; i < size; i++)
    printf(" %02x", ((const unsigned char *)memory)[i]);
  printf("\n");
}

// Where a pointer points to, relative to a string.
static void show_place(const char *name, const char *base, const char *place) {
  printf("%s %td\n", name, place ? place - base : -1);
}

#endif
