// Functions on strings and memory.
#include "random.h"

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  read_input();
  for (int round = 0; round < 3; round++) {
    char a[16] = "", b[8] = "", set[4] = "", to[48];
    next_string(a, 12);
    next_string(b, 3);
    next_string(set, 2);
    size_t size = next_byte() % 13;
    int c = (int)(next_byte() % 3 ? "ab0"[next_byte() % 3] : next_byte());
    show_place("strchr", a, strchr(a, c));
    show_place("strrchr", a, strrchr(a, c));
    show_place("strchrnul", a, strchrnul(a, c));
    show_place("memchr", a, memchr(a, c, strlen(a)));
    show_place("memrchr", a, memrchr(a, c, strlen(a)));
    show_place("rawmemchr", a, rawmemchr(a, '\0'));
    show_place("strstr", a, strstr(a, b));
    show_place("strcasestr", a, strcasestr(a, b));
    show_place("memmem", a, memmem(a, strlen(a), b, strlen(b)));
    show_place("strpbrk", a, strpbrk(a, set));
    printf("strspn %zu strcspn %zu strlen %zu strnlen %zu\n", strspn(a, set), strcspn(a, set), strlen(a),
           strnlen(a, size));
    printf("strcmp %d strncmp %d strcasecmp %d strncasecmp %d memcmp %d\n", sign(strcmp(a, b)), sign(strncmp(a, b, size)),
           sign(strcasecmp(a, b)), sign(strncasecmp(a, b, size)), sign(memcmp(a, b, size < 4 ? size : 4)));
    memset(to, 'z', sizeof to);
    show_place("strcpy", to, strcpy(to, a));
    show("strcpy", to, sizeof to);
    show_place("strcat", to, strcat(to, b));
    show_place("strncat", to, strncat(to, a, size));
    show("strcat", to, sizeof to);
    memset(to, 'z', sizeof to);
    show_place("stpcpy", to, stpcpy(to, b));
    show_place("strncpy", to, strncpy(to + 8, a, size));
    show_place("stpncpy", to, stpncpy(to + 24, a, size));
    show_place("mempcpy", to, mempcpy(to + 40, a, 4));
    show("stpncpy", to, sizeof to);
    memset(to, 'z', sizeof to);
    show_place("memccpy", to, memccpy(to, a, c, size));
    show_place("memccpy", to, memccpy(to + 24, a, '\0', sizeof a));
    show("memccpy", to, sizeof to);
    char *copy = strdup(a), *part = strndup(a, size);
    show("strdup", copy, strlen(copy) + 1);
    show("strndup", part, strlen(part) + 1);
    char *rest = NULL;
    for (char *token = strtok_r(copy, set, &rest); token; token = strtok_r(NULL, set, &rest))
      printf("strtok_r %s\n", token);
    for (char *token = strtok(part, set); token; token = strtok(NULL, set))
      printf("strtok %s\n", token);
    strcpy(to, a);
    rest = to;
    for (char *token; (token = strsep(&rest, set));)
      printf("strsep %s\n", token);
    show("after", to, strlen(a) + 1);
    free(copy);
    free(part);
  }
  return 0;
}
