// String and memory functions of libc: what they answer depends on the bytes that they looked at.
// input: stdin "GIF89a\x00key=value\x00"
#include "observe.h"

int main(void) {
    take_input();
    char *text = (char *)in;
    OBSERVE(memcmp(text, "GIF", 3) == 0); //~ branch taken stdin[0-2]
    OBSERVE(memcmp(text + 3, "87a", 3) != 0); //~ branch
    OBSERVE(strcmp(text, "GIF87a") == 0); //~ branch not-taken
    OBSERVE(strncmp(text + 7, "key", 3) == 0); //~ branch taken stdin[7-9]
    OBSERVE(strlen(text) == 6); //~ branch taken stdin[0-6]
    OBSERVE(strchr(text + 7, '=') == text + 10); //~ branch taken stdin[7-10]
    OBSERVE(memchr(text + 11, 'l', 5) != NULL); //~ branch
    OBSERVE(strnlen(text + 7, 4) == 4); //~ branch taken stdin[7-10]
    OBSERVE(strcmp("same", "same") == 0); //~ no event
    return 0;
}
