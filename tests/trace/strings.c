// String and memory functions of libc: a search is a branch on every byte that it looks at, a comparison is one term.
// input: stdin "GIF89a\x00key=value\x00"
#include "observe.h"

int main(void) {
    take_input();
    char *text = (char *)in;
    OBSERVE(memcmp(text, "GIF", 3) == 0); //~ branch taken stdin[0-2]
    OBSERVE(memcmp(text + 3, "87a", 3) != 0); //~ branch
    OBSERVE(strcmp(text, "GIF87a") == 0); //~ branch not-taken
    OBSERVE(strncmp(text + 7, "key", 3) == 0); //~ branch taken stdin[7-9]
    OBSERVE(strlen(text) == 6); //~ branch not-taken stdin[0] //~ branch not-taken stdin[5] //~ branch taken stdin[6] //~ branch
    OBSERVE(strchr(text + 7, '=') == text + 10); //~ branch not-taken stdin[7] //~ branch taken stdin[10] //~ branch
    OBSERVE(memchr(text + 11, 'l', 5) != NULL); //~ branch
    OBSERVE(strnlen(text + 7, 4) == 4); //~ branch not-taken stdin[10]
    OBSERVE(strcmp("same", "same") == 0); //~ no event
    return 0;
}
