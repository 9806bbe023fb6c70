// Functions of other libraries that are found at run time see what their arguments point to.
// input: stdin "79"
#define _GNU_SOURCE
#include <dlfcn.h>

#include "observe.h"

__attribute__((noinline)) static long own(const char *text) { return text[0]; }

static long (*volatile reader)(const char *) = own;

int main(void) {
    take_input();
    char text[8] = "zz";
    long (*convert)(const char *) = (long (*)(const char *))dlsym(RTLD_DEFAULT, "atol");
    OBSERVE(convert(text) == 0); //~ no event
    text[0] = (char)in[0];
    OBSERVE(reader(text) == '7'); //~ branch taken stdin[0]
    OBSERVE(convert(text) == 7); //~ loss unmodelled-call
    reader = convert;
    OBSERVE(reader(text) != 8); //~ loss unmodelled-call
    const char *const *indirect = &(const char *){text};
    int (*compare)(const void *, const void *, size_t) = (int (*)(const void *, const void *, size_t))dlsym(RTLD_DEFAULT, "memcmp");
    OBSERVE(compare(indirect, "", 0) == 0); //~ loss unmodelled-call
    return 0;
}
