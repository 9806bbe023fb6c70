// Functions that are not instrumented and are called through a pointer, or have no ordinary body: what they get is lost, and
// this is said. What instrumented functions get in the same way is not.
// input: stdin "AbCdEfGh"
#include <search.h>
#include <stdlib.h>

#include "observe.h"

static int (*volatile change)(int) = abs;
static int (*volatile ignore)(int);
static int ignore_it(int ignored) {
    (void)ignored;
    return 4;
}

__attribute__((noinline, naked)) static int naked(int value) { __asm__("leal 1(%rdi), %eax\n ret"); }

static int visit_result;
static int visit(const void *key, const void *element) {
    (void)key;
    return *(const unsigned char *)element - visit_result;
}

/* What a function reads through a pointer that it gets is lost too. */
static long (*volatile read_text)(const char *) = a64l;
static long (*const volatile readers[2])(const char *) = {NULL, a64l};

struct large { unsigned char bytes[40]; };
__attribute__((noinline, naked)) static int first_of(struct large value) { __asm__("movzbl 8(%rsp), %eax\n ret"); }
static int (*volatile take_large)(struct large) = first_of;

int main(void) {
    take_input();
    OBSERVE(change(in[0]) == 'A'); //~ pin unmodelled-call stdin[0]
    OBSERVE(change('B') == 'B'); //~ no event
    char text[8] = "zz";
    OBSERVE(read_text(text) != 1); //~ no event
    text[1] = (char)in[5];
    OBSERVE(read_text(text) != 2); //~ loss unmodelled-call
    OBSERVE(readers[1](text) != 3); //~ loss unmodelled-call
    OBSERVE(readers[1] == a64l); //~ no event
    ignore = ignore_it;
    OBSERVE(ignore(in[1]) == 4); //~ no event
    OBSERVE(naked(in[2]) == 'D'); //~ pin unmodelled-call stdin[2]
    struct large large = {{0}};
    OBSERVE(take_large(large) == 0); //~ no event
    large.bytes[0] = in[3];
    OBSERVE(take_large(large) == 'd'); //~ loss unmodelled-call
    /* The elements have no labels, what the callback returns has. */
    unsigned char plain[3] = {1, 2, 3};
    size_t count = 3;
    visit_result = in[4] - 'E' + 2;
    OBSERVE(lfind("", plain, &count, 1, visit) == plain + 1); //~ loss unmodelled-call
    return 0;
}
