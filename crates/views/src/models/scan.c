// Reading by a format: from strings and from streams, a byte at a time.

#include "model.h"

extern int real_vsscanf(const char *, const char *, va_list) REAL(__isoc99_vsscanf);
extern int real_vfscanf(FILE *, const char *, va_list) REAL(__isoc99_vfscanf);
extern size_t real_strlen(const char *) REAL(strlen);
extern long double real_strtold(const char *, char **) REAL(strtold);

// Where bytes come from: a stream, or a string.
struct in {
  FILE *stream;
  const char *string;
  long count;
  // Whether integers may begin with 0b, as C23 says.
  int knows_binary;
};

static int next(struct in *in) {
  int c = in->stream ? getc(in->stream) : *in->string ? (unsigned char)*in->string++ : EOF;
  if (c != EOF)
    in->count++;
  return c;
}

static void back(struct in *in, int c) {
  if (c == EOF)
    return;
  in->count--;
  if (in->stream)
    ungetc(c, in->stream);
  else
    in->string--;
}

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space(struct in *in) {
  int c = next(in);
  while (is_space(c))
    c = next(in);
  back(in, c);
}

static int is_one_of(int c, const char *set) {
  for (; *set; set++)
    if ((unsigned char)*set == c)
      return 1;
  return 0;
}

static int is_digit(int c, int base) {
  if (c >= '0' && c <= '9')
    return c - '0' < base;
  return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

struct directive {
  int is_dropped;
  // Largest number of bytes, or INT_MAX.
  int width;
  // Of integers in bytes; of other numbers: 8 for double, 0 for long double.
  int size;
  char kind;
};

// The text of a number, of any length.
struct text {
  char *bytes;
  size_t length, room;
  char small[1100];
};

static void begin(struct text *text) {
  text->bytes = text->small;
  text->length = 0;
  text->room = sizeof text->small;
  text->bytes[0] = '\0';
}

static void end(struct text *text) {
  if (text->bytes != text->small)
    free(text->bytes);
}

// Without memory for it the rest of a number is left out.
static void keep(struct text *text, int c) {
  if (text->length + 1 == text->room) {
    char *larger = malloc(2 * text->room);
    if (!larger)
      return;
    memcpy(larger, text->bytes, text->length);
    end(text);
    text->bytes = larger;
    text->room *= 2;
  }
  text->bytes[text->length++] = (char)c;
  text->bytes[text->length] = '\0';
}

// 1 if there is an integer; it is in the text then.
static int read_integer(struct in *in, struct text *text, int *base, int width) {
  int c = next(in), digits = 0;
  if (width > 0 && (c == '+' || c == '-')) {
    keep(text, c);
    width--;
    c = width > 0 ? next(in) : EOF;
  }
  // Asked about the character only where it matters: a number that must begin with 0 is never a large one.
  if (width > 0 && (*base == 0 || *base == 16) && c == '0') {
    keep(text, c);
    width--;
    digits++;
    c = width > 0 ? next(in) : EOF;
    if (width > 0 && (c == 'x' || c == 'X')) {
      *base = 16;
      keep(text, c);
      width--;
      c = width > 0 ? next(in) : EOF;
    } else if (width > 0 && *base == 0 && in->knows_binary && (c == 'b' || c == 'B')) {
      // Left out of the text: its base says it.
      *base = 2;
      width--;
      c = width > 0 ? next(in) : EOF;
    } else if (*base == 0) {
      *base = 8;
    }
  }
  if (*base == 0)
    *base = 10;
  while (width > 0 && is_digit(c, *base)) {
    keep(text, c);
    digits++;
    width--;
    c = width > 0 ? next(in) : EOF;
  }
  if (width > 0)
    back(in, c);
  return digits > 0;
}

// Whether one of the words for what is no number of digits stands here. Of the longer one all of it, or no more than three letters.
static int read_word(struct in *in, struct text *text, int c, int width) {
  const char *word = c == 'i' || c == 'I' ? "infinity" : "nan";
  int place = 0;
  while (width > 0 && word[place] && (c == word[place] || c == word[place] - ('a' - 'A'))) {
    keep(text, c);
    place++;
    c = --width > 0 ? next(in) : EOF;
  }
  if (width > 0)
    back(in, c);
  return place == 3 || place == 8;
}

static int read_float(struct in *in, struct text *text, int width) {
  int c = next(in), digits = 0, points = 0, base = 10;
  if (width > 0 && (c == '+' || c == '-')) {
    keep(text, c);
    c = --width > 0 ? next(in) : EOF;
  }
  if (width > 0 && is_one_of(c, "iInN"))
    return read_word(in, text, c, width);
  if (width > 0 && is_digit(c, 10)) {
    int first = c;
    keep(text, c);
    digits++;
    c = --width > 0 ? next(in) : EOF;
    if (width > 0 && (c == 'x' || c == 'X') && first == '0') {
      base = 16;
      digits = 0;
      keep(text, c);
      c = --width > 0 ? next(in) : EOF;
    }
  }
  while (width > 0 && (is_digit(c, base) || (c == '.' && points == 0))) {
    points += c == '.';
    digits += c != '.';
    keep(text, c);
    c = --width > 0 ? next(in) : EOF;
  }
  if (width > 0 && digits > 0 && is_one_of(c, base == 16 ? "pP" : "eE")) {
    keep(text, c);
    c = --width > 0 ? next(in) : EOF;
    if (width > 0 && (c == '+' || c == '-')) {
      keep(text, c);
      c = --width > 0 ? next(in) : EOF;
    }
    while (width > 0 && is_digit(c, 10)) {
      keep(text, c);
      c = --width > 0 ? next(in) : EOF;
    }
  }
  if (width > 0)
    back(in, c);
  // A prefix alone is nothing, but one with a point is the 0 that it begins with.
  return digits > 0 || (base == 16 && points > 0);
}

static void store(void *to, int size, unsigned long value) {
  if (size == 8)
    *(unsigned long *)to = value;
  else if (size == 4)
    *(unsigned *)to = (unsigned)value;
  else if (size == 2)
    *(unsigned short *)to = (unsigned short)value;
  else
    *(unsigned char *)to = (unsigned char)value;
}

// A set of bytes between brackets; the format stands behind its bracket.
struct set {
  unsigned char has[256];
};

static const char *parse_set(const char *format, struct set *set) {
  int is_inverted = *format == '^';
  if (is_inverted)
    format++;
  for (int i = 0; i < 256; i++)
    set->has[i] = (unsigned char)is_inverted;
  const char *first = format;
  for (; *format && (*format != ']' || format == first); format++) {
    int from = (unsigned char)*format, to = from;
    // A range goes up from the byte before to the one behind, which may be where the next one begins.
    if (from == '-' && format != first && format[1] && format[1] != ']' &&
        (unsigned char)format[-1] <= (unsigned char)format[1]) {
      from = (unsigned char)format[-1];
      to = (unsigned char)format[1];
    }
    for (int i = from; i <= to; i++)
      set->has[i] = (unsigned char)!is_inverted;
  }
  return *format ? format + 1 : format;
}

// Bytes as long as they are in the set, no set being everything but space.
static int read_text(struct in *in, const struct set *set, char *to, int width) {
  int count = 0;
  for (; width > 0; width--) {
    int c = next(in);
    if (c == EOF)
      break;
    // Which bytes are in a set does not depend on the input; which one this is does, and is decided here.
    if (set ? !set->has[(unsigned char)c] : is_space(c)) {
      back(in, c);
      break;
    }
    if (to)
      to[count] = (char)c;
    count++;
  }
  if (to && count > 0)
    to[count] = '\0';
  return count;
}

static const char *parse(const char *format, struct directive *d) {
  *d = (struct directive){0, INT_MAX, 4, 0};
  if (*format == '*') {
    d->is_dropped = 1;
    format++;
  }
  if (*format >= '0' && *format <= '9') {
    d->width = 0;
    while (*format >= '0' && *format <= '9')
      d->width = d->width * 10 + (*format++ - '0');
    if (d->width == 0)
      d->width = INT_MAX;
  }
  if (*format == 'h') {
    d->size = 2;
    if (*++format == 'h') {
      d->size = 1;
      format++;
    }
  } else if (*format == 'l') {
    d->size = 8;
    if (*++format == 'l')
      format++;
  } else if (is_one_of(*format, "jztq")) {
    d->size = 8;
    format++;
  } else if (*format == 'L') {
    d->size = 0;
    format++;
  }
  d->kind = *format;
  return *format ? format + 1 : format;
}

static int is_for_library(const char *format) {
  for (; *format; format++) {
    if (*format != '%')
      continue;
    format++;
    while (is_one_of(*format, "*0123456789"))
      format++;
    int is_long = *format == 'l';
    while (is_one_of(*format, "hljztqL"))
      format++;
    if (!is_one_of(*format, "diouxXpcsn[%eEfFgGaA") || (is_long && is_one_of(*format, "cs[")))
      return 1;
    if (*format == '[') {
      format++;
      if (*format == '^')
        format++;
      if (*format == ']')
        format++;
      while (*format && *format != ']')
        format++;
      if (*format == '\0')
        return 1;
    }
  }
  return 0;
}

enum outcome { MATCHED, NO_MATCH, NO_INPUT };

// Whether the word stands here that is written for a null pointer; what is read of another one is gone.
static int read_nil(struct in *in) {
  for (const char *word = "(nil)"; *word; word++) {
    int c = next(in);
    if (c != *word && !(*word >= 'a' && c == *word - ('a' - 'A'))) {
      back(in, c);
      return 0;
    }
  }
  return 1;
}

// Whether the text has a number of the directive's kind; it is stored then.
static int store_number(const struct text *text, const struct directive *d, int base, void *to) {
  char *end;
  if (is_one_of(d->kind, "eEfFgGaA")) {
    if (d->size == 0)
      *(long double *)to = real_strtold(text->bytes, &end);
    else if (d->size == 8)
      *(double *)to = strtod(text->bytes, &end);
    else
      *(float *)to = strtof(text->bytes, &end);
    return end != text->bytes;
  }
  int is_signed = is_one_of(d->kind, "di");
  unsigned long value = is_signed ? (unsigned long)strtol(text->bytes, &end, base) : strtoul(text->bytes, &end, base);
  store(to, d->kind == 'p' || d->size == 0 ? 8 : d->size, value);
  return 1;
}

static enum outcome convert_number(struct in *in, const struct directive *d, void *to) {
  struct text text;
  begin(&text);
  int is_float = is_one_of(d->kind, "eEfFgGaA");
  int base = d->kind == 'i' ? 0 : d->kind == 'o' ? 8 : is_one_of(d->kind, "xXp") ? 16 : 10;
  int is_number = is_float ? read_float(in, &text, d->width) : read_integer(in, &text, &base, d->width);
  if (!is_number && d->kind == 'p' && text.length == 0 && d->width >= 5 && read_nil(in)) {
    keep(&text, '0');
    is_number = 1;
  }
  if (is_number && to)
    is_number = store_number(&text, d, base, to);
  end(&text);
  return is_number ? MATCHED : NO_MATCH;
}

static enum outcome convert(struct in *in, const struct directive *d, const struct set *set, void *to) {
  if (d->kind == 'c') {
    int width = d->width == INT_MAX ? 1 : d->width, count = 0;
    for (; count < width; count++) {
      int c = next(in);
      if (c == EOF)
        break;
      if (to)
        ((char *)to)[count] = (char)c;
    }
    return count == 0 ? NO_INPUT : MATCHED;
  }
  if (d->kind != '[')
    skip_space(in);
  int first = next(in);
  back(in, first);
  if (first == EOF)
    return NO_INPUT;
  if (d->kind == 's' || d->kind == '[')
    return read_text(in, d->kind == 's' ? NULL : set, to, d->width) > 0 ? MATCHED : NO_MATCH;
  return convert_number(in, d, to);
}

// How many bytes of the format stand for themselves from here on.
static size_t word_length(const char *format) {
  size_t length = 0;
  while (format[length] && format[length] != '%' && !is_space((unsigned char)format[length]))
    length++;
  return length;
}

// Whether a string that does not begin with a word is the beginning of it. Which of its bytes is another one is not decided: hardly
// anybody asks, and a line that shares its first letter with a command would be bound to that letter.
static int ends_within(const char *string, const char *word, size_t length) {
  size_t end = real_strlen(string);
  int is_same = 1, ends = 0;
  for (size_t at = 0; at < length; at++) {
    // How long the string is does matter where it ends within the word.
    if (at == end && string[at] == '\0')
      return ends | is_same;
    ends |= is_same & (string[at] == '\0');
    is_same &= string[at] == word[at];
  }
  return ends;
}

// The longest text that is looked for at once.
#define LONGEST_SHAPE 32

static volatile char is_shaped;

// Decides whether a string reads as a simple text that a format takes all of: its words, single spaces, digits for a number and letters for a
// word, as many as there are in this run, or one. Each of that is decided again where it is read. But a line that is to be another
// command would have to come to every one of these decisions by itself; so it takes one.
static void decide_shape(const char *string, const char *format) {
  size_t end = real_strlen(string), at = 0;
  int fits = 1;
  while (*format) {
    if (at >= end || at >= LONGEST_SHAPE)
      return;
    unsigned char c = (unsigned char)string[at++];
    if (is_space((unsigned char)*format)) {
      fits &= c == ' ';
      format++;
      continue;
    }
    if (*format != '%') {
      fits &= c == (unsigned char)*format++;
      continue;
    }
    struct directive d;
    format = parse(format + 1, &d);
    int is_number = is_one_of(d.kind, "diuoxX");
    if (!is_number && d.kind != 's' && d.kind != 'c')
      return;
    unsigned char first = is_number ? '0' : 'a', count = !is_number ? 26 : d.kind == 'o' ? 8 : 10;
    fits &= (unsigned char)(c - first) < count;
    while (d.kind != 'c' && at < end && at < LONGEST_SHAPE) {
      c = (unsigned char)string[at];
      if ((unsigned char)(__provoke_x_provoke_concrete(c) - first) >= count)
        break;
      fits &= (unsigned char)(c - first) < count;
      at++;
    }
  }
  if (fits)
    is_shaped = 1;
}

static int scan(struct in *in, const char *format, va_list *arguments) {
  int done = 0;
  // Where it begins with a word, others are read from the same string as a rule, each by a format of its own.
  if (!in->stream && *format != '%' && word_length(format) > 1)
    decide_shape(in->string, format);
  while (*format) {
    if (is_space((unsigned char)*format)) {
      skip_space(in);
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        skip_space(in);
      }
      // A word is one decision: byte by byte, a line with another command in it would be as many away from this one as it has
      // letters.
      size_t length = in->stream ? 0 : word_length(format);
      if (length > 1) {
        if (strncmp(in->string, format, length) != 0)
          return done == 0 ? -ends_within(in->string, format, length) : done;
        in->string += length;
        in->count += (long)length;
        format += length;
        continue;
      }
      int c = next(in);
      if (c != (unsigned char)*format) {
        back(in, c);
        return c == EOF && done == 0 ? EOF : done;
      }
      format++;
      continue;
    }
    struct directive d;
    struct set set;
    format = parse(format + 1, &d);
    if (d.kind == '[')
      format = parse_set(format, &set);
    void *to = d.is_dropped ? NULL : va_arg(*arguments, void *);
    if (d.kind == 'n') {
      if (to)
        store(to, d.size, (unsigned long)in->count);
      continue;
    }
    enum outcome outcome = convert(in, &d, &set, to);
    if (outcome == NO_INPUT)
      return done == 0 ? EOF : done;
    if (outcome == NO_MATCH)
      return done;
    if (!d.is_dropped)
      done++;
  }
  return done;
}

static int scan_string(const char *string, const char *format, va_list arguments, int knows_binary) {
  if (is_for_library(format))
    return real_vsscanf(string, format, arguments);
  struct in in = {NULL, string, 0, knows_binary};
  va_list rest;
  va_copy(rest, arguments);
  int done = scan(&in, format, &rest);
  va_end(rest);
  return done;
}

static int scan_stream(FILE *stream, const char *format, va_list arguments, int knows_binary) {
  if (is_for_library(format))
    return real_vfscanf(stream, format, arguments);
  struct in in = {stream, NULL, 0, knows_binary};
  va_list rest;
  va_copy(rest, arguments);
  int done = scan(&in, format, &rest);
  va_end(rest);
  return done;
}

#define FORWARD(call)                                                                                               \
  va_list arguments;                                                                                                \
  va_start(arguments, format);                                                                                      \
  int done = call;                                                                                                  \
  va_end(arguments);                                                                                                \
  return done

#define FAMILY(prefix, knows_binary)                                                                                \
  int MODEL(prefix##vsscanf)(const char *string, const char *format, va_list arguments) {                           \
    return scan_string(string, format, arguments, knows_binary);                                                    \
  }                                                                                                                 \
  int MODEL(prefix##vfscanf)(FILE * stream, const char *format, va_list arguments) {                                \
    return scan_stream(stream, format, arguments, knows_binary);                                                    \
  }                                                                                                                 \
  int MODEL(prefix##vscanf)(const char *format, va_list arguments) {                                                \
    return scan_stream(stdin, format, arguments, knows_binary);                                                     \
  }                                                                                                                 \
  int MODEL(prefix##sscanf)(const char *string, const char *format, ...) {                                          \
    FORWARD(scan_string(string, format, arguments, knows_binary));                                                  \
  }                                                                                                                 \
  int MODEL(prefix##fscanf)(FILE * stream, const char *format, ...) {                                               \
    FORWARD(scan_stream(stream, format, arguments, knows_binary));                                                  \
  }                                                                                                                 \
  int MODEL(prefix##scanf)(const char *format, ...) { FORWARD(scan_stream(stdin, format, arguments, knows_binary)); }

FAMILY(, 0)
FAMILY(__isoc99_, 0)
FAMILY(__isoc23_, 1)
