// Options on the command line: what the library looks at in them is decided here, the library does the rest.

#include "model.h"
#include <getopt.h>

extern int real_getopt(int, char *const *, const char *) REAL(getopt);
extern int real_getopt_long(int, char *const *, const char *, const struct option *, int *) REAL(getopt_long);
extern int real_getopt_long_only(int, char *const *, const char *, const struct option *, int *) REAL(getopt_long_only);

// All others first: each is another way that the program can go, which what it is would hide.
static void look_at_letters(const char *letters, const char *known) {
  for (; *letters; letters++) {
    char actual = (char)__provoke_x_provoke_concrete((unsigned char)*letters);
    for (const char *other = known; *other; other++)
      if (*other != ':' && *other != actual && *letters == *other)
        return;
    const char *found = strchr(known, *letters);
    // What comes behind it in the same word belongs to it.
    if (!found || found[1] == ':')
      return;
  }
}

static int is_name(const char *name, const struct option *known) {
  size_t length = strlen(known->name);
  return strncmp(name, known->name, length) == 0 && (name[length] == '\0' || name[length] == '=');
}

static void look_at_name(const char *name, const struct option *known) {
  const struct option *actual = NULL;
  for (; known->name; known++) {
    if (!actual && __provoke_x_provoke_begins_with(name, known->name))
      actual = known;
    else if (is_name(name, known))
      return;
  }
  if (actual)
    is_name(name, actual);
}

// The words up to the first option, as the next call of the library is going to look at them.
static void look_at(int count, char *const *words, const char *known, const struct option *long_known) {
  static int looked_at;
  int at = optind == 0 ? 1 : optind;
  if (at == 1)
    looked_at = 0;
  for (; at < count && words[at]; at++) {
    const char *word = words[at];
    // The library is in the middle of this word.
    if (at < looked_at)
      continue;
    looked_at = at + 1;
    if (word[0] != '-' || word[1] == '\0')
      continue;
    if (word[1] == '-' && long_known)
      look_at_name(word + 2, long_known);
    else
      look_at_letters(word + 1, known);
    return;
  }
}

int MODEL(getopt)(int count, char *const *words, const char *known) {
  look_at(count, words, known, NULL);
  return real_getopt(count, words, known);
}

int MODEL(getopt_long)(int count, char *const *words, const char *known, const struct option *long_known, int *index) {
  look_at(count, words, known, long_known);
  return real_getopt_long(count, words, known, long_known, index);
}

int MODEL(getopt_long_only)(int count, char *const *words, const char *known, const struct option *long_known, int *index) {
  look_at(count, words, known, long_known);
  return real_getopt_long_only(count, words, known, long_known, index);
}
