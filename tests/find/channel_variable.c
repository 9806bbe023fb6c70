// The value of an environment variable is formatted into 24 bytes.
// options: --env THEME=dark
// witness: THEME "AAAAAAAAAAAAAAAAAAAAAAAA"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char file[24];
    const char *theme = getenv("THEME");
    if (!theme)
        return 0;
    sprintf(file, "themes/%s.css", theme); //~ string-overflow | stack-buffer-overflow
    puts(file);
    return 0;
}
