// Every result of a library function that is compared here is another one for some input: the number behind each is printed
// then, and the test wants to see all of them. Each function gets eight bytes of its own.
// input: stdin "aaaaaaaa" * 48
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#define WANT(number, condition)                                                                                     \
  if (condition)                                                                                                    \
    printf("got %d\n", number)

static char in[48 * 8];

// The next eight bytes as a string.
static char *next(void) {
  static char strings[48][9];
  static int count;
  memcpy(strings[count], in + 8 * count, 8);
  return strings[count++];
}

// Makes octal digits of the bytes, whatever they are.
static char *digits(char *string) {
  for (int i = 0; i < 8; i++)
    string[i] = (char)('0' + (string[i] & 7));
  return string;
}

static int by_value(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
  char out[64], *s, *t;
  if (read(0, in, sizeof in) != sizeof in)
    return 1;
  s = next();
  WANT(1, strchr(s, 'q') == s + 3);
  s = next();
  WANT(2, strrchr(s, 'r') == s + 2);
  s = next();
  WANT(3, strstr(s, "needle") != NULL);
  s = next();
  WANT(4, strpbrk(s, "xyz") == s + 5);
  s = next();
  WANT(5, strspn(s, "ab") == 6);
  s = next();
  WANT(6, strcspn(s, "uv") == 4);
  s = next();
  WANT(7, strcasecmp(s, "bbbbbbbb") > 0);
  s = next();
  WANT(8, strncasecmp(s, "aaab", 4) == 0);
  s = next();
  WANT(9, memmem(s, 8, "mem", 3) == s + 4);
  s = next();
  WANT(10, strcmp(s, "strcmpok") == 0);
  s = next();
  WANT(11, strncmp(s, "strn", 4) == 0);
  s = next();
  WANT(12, memcmp(s, "memcmpok", 8) == 0);
  s = next();
  WANT(13, memchr(s, '!', 8) == s + 6);
  s = next();
  WANT(14, memrchr(s, '?', 8) == s + 1);
  s = next();
  WANT(15, strlen(s) == 5);
  s = next();
  WANT(16, strnlen(s, 7) == 2);
  strcpy(out, next());
  WANT(17, out[3] == 'Z');
  strcpy(out, "x");
  strcat(out, next());
  WANT(18, out[4] == 'Y');
  strncpy(out, next(), 4);
  WANT(19, out[2] == 'X');
  WANT(20, strdup(next())[7] == 'W');
  s = next();
  t = strtok(s, "/");
  WANT(21, t && t[0] == 'a' && t[1] == 'a' && t[2] == '\0');
  s = digits(next());
  WANT(22, strtol(s, NULL, 10) == 31337);
  s = digits(next());
  WANT(23, atoi(s) == 7654321);
  s = next();
  WANT(24, strtoul(s, NULL, 16) == 0xaaaacafe);
  s = digits(next());
  int a = 0, b = 0, done;
  s[2] = ',';
  done = sscanf(s, "%d,%d", &a, &b);
  WANT(25, a == 17 || b == 2345);
  s = next();
  char name[16] = "";
  done = sscanf(s, "%3s%n", name, &b);
  WANT(26, done == 1 && name[1] == 'c');
  s = next();
  WANT(27, snprintf(out, sizeof out, "%u", (unsigned char)s[0]) == 3);
  s = next();
  snprintf(out, sizeof out, "%02x:%.2s", (unsigned char)s[0], s + 1);
  WANT(28, out[1] == 'd');
  s = next();
  qsort(s, 4, 1, by_value);
  WANT(29, s[0] == '0');
  s = next();
  WANT(30, bsearch(s, "cegikmoqs", 9, 1, by_value) != NULL);
  s = next();
  WANT(31, isdigit((unsigned char)s[0]));
  s = next();
  WANT(32, toupper((unsigned char)s[0]) == 'Q');
  s = next();
  WANT(33, ispunct((unsigned char)s[0]));
  s = next();
  WANT(34, stpcpy(out, s) == out + 3);
  s = next();
  char *rest = s;
  t = strsep(&rest, ",");
  WANT(35, rest == s + 2);
  s = next();
  strtod(s, &rest);
  WANT(36, rest == s + 1);
  s = next();
  wchar_t wide[9] = L"";
  WANT(37, mbstowcs(wide, s, 8) == 3);
  WANT(38, wcsncmp(wide, L"aba", 3) == 0);
  return 0;
}
