// A program that keeps its secrets from being paged out, with everything else that is mapped.
// input: stdin "3 secret"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
  char secret[8] = "", text[16] = "";
  int length = 0;
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0 || mlock(secret, sizeof secret) != 0)
    return 2;
  if (scanf("%2d %15s", &length, text) != 2 || length < 0 || length > 10)
    return 1;
  memcpy(secret, text, (size_t)length); //~ stack-buffer-overflow
  int sum = 0;
  for (int at = 0; at < 8; at++)
    sum += secret[at];
  munlock(secret, sizeof secret);
  munlockall();
  return sum & 1;
}
