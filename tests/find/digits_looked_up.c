// A digit's value is where it is in a list of digits: the number is one of the input, not only of one path.
// input: stdin "0012 3f"
#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

static unsigned number(const char *text, int count) {
  unsigned value = 0;
  for (int at = 0; at < count; at++) {
    const char *found = strchr(digits, text[at]);
    if (!found || !*found)
      return 0;
    value = value * 16 + (unsigned)(found - digits);
  }
  return value;
}

int main(void) {
  char text[16] = "";
  int table[64] = {0};
  if (fread(text, 1, 7, stdin) != 7)
    return 1;
  unsigned index = number(text + 5, 2);
  if (index < 70)
    table[index] = 1; //~ stack-buffer-overflow
  return number(text, 4) == 0x3fa9 ? 7 / (text[0] - '3') : table[0]; //~ div-by-zero
}
