// The headers of the C library give some functions as code for inlining only. Where that is not done, as in a function that is
// large or not optimised, the call goes to the library, and has a model as any other.
// input: stdin "1234567"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WANT(number, condition)                                                                                     \
  if (condition)                                                                                                    \
    printf("got %d\n", number)

// What <bits/stdlib-float.h> has where the compiler optimises.
extern __inline __attribute__((__gnu_inline__)) int atoi(const char *digits) { return (int)strtol(digits, NULL, 10); }

__attribute__((optnone, noinline)) static void look(const char *digits) {
  WANT(1, atoi(digits) == 7654321);
}

int main(void) {
  char in[8] = {0};
  if (read(0, in, 7) != 7)
    return 1;
  look(in);
  return 0;
}
