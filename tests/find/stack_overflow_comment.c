// A comment is skipped by starting over, without going on.
// input: stdin "ab"
// witness: stdin "#b"
// anywhere: stack-overflow
#include "../include/records.h"

struct scope {
    const struct scope *outer;
    char text[2048];
};

static int depth;

__attribute__((noinline)) static int parse(const char *p, const struct scope *outer) {
    struct scope scope = {outer, {0}};
    scope.text[0] = *p;
    depth++;
    if (*p == '#')
        return parse(p, &scope) + scope.text[0];
    return scope.text[0] + depth;
}

int main(void) {
    char line[3];
    take(line, 2);
    line[2] = '\0';
    KEEP(parse(line, NULL));
    return 0;
}
