// Letters that no conversion has are written out and take no argument; and an argument can be named twice.
// input: stdin "y1"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char in[2];
    if (read(0, in, 2) != 2 || !in[0] || !strchr("yk!", in[0]) || in[1] != '1') {
        return 2;
    }
    char unknown[] = "%? %s\n", named[] = "%?$s %?$s\n";
    unknown[1] = in[0];
    named[1] = named[6] = in[1];
    char out[32];
    snprintf(out, sizeof out, unknown, "text");
    puts(out);
    snprintf(out, sizeof out, named, "text");
    puts(out);
    return 0;
}
