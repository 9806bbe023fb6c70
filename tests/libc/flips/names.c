// Which string an address refers to may depend on the input: comparing and measuring it are choices then, and pin nothing.
// input: stdin "00ab00"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WANT(number, condition)                                                                                     \
  if (condition)                                                                                                    \
    printf("got %d\n", number)

static const char *const names[] = {"zero", "one", "two", "three", "four", "seventeen", "one hundred", ""};

int main(void) {
  char in[7] = {0};
  if (read(0, in, 6) != 6)
    return 1;
  WANT(1, strcmp(names[in[0] & 7], "seventeen") == 0);
  WANT(2, strlen(names[in[1] & 7]) == 11);
  // A copy of the input, and another string beside it.
  char own[2][5] = {{in[2], in[3], in[2], 0}, "key"};
  WANT(3, strncmp("xyx", own[in[4] & 1], 4) == 0);
  WANT(4, strcmp(own[in[5] & 1], "key") == 0);
  return 0;
}
