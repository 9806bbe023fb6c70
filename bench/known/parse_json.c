// Reads JSON from standard input into a block of exactly its size, parses it and prints it.
#include "cJSON.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(1 << 16);
  if (!text)
    return 1;
  size_t length = fread(text, 1, 1 << 16, stdin);
  char *exact = realloc(text, length ? length : 1);
  cJSON *value = cJSON_ParseWithLength(exact ? exact : text, length);
  char *printed = value ? cJSON_Print(value) : NULL;
  if (printed)
    puts(printed);
  free(printed);
  cJSON_Delete(value);
  free(exact ? exact : text);
  return 0;
}
