// Functions that are not modelled follow the pointers in what they are shown.
// input: stdin "7777999912345678"
#include <sys/uio.h>

#include "observe.h"

struct record {
    long number;
    char *text;
    long far[40];
    char *too_far;
};

int main(void) {
    take_input();
    char plain[16] = "size", text[16] = "size", *value;
    char *const options[] = {"size", "count", NULL};
    memcpy(text, in, 2);
    char *at = plain;
    OBSERVE(getsubopt(&at, options, &value) == 0); //~ no event
    at = text;
    OBSERVE(getsubopt(&at, options, &value) == -1); //~ loss unmodelled-call
    struct record record = {0};
    record.text = plain;
    OBSERVE(a64l((char *)&record) == 0); //~ no event
    record.too_far = text;
    OBSERVE(a64l((char *)&record) != 1); //~ no event
    record.text = text;
    OBSERVE(a64l((char *)&record) != 2); //~ loss unmodelled-call
    /* Behind the address only. */
    OBSERVE(a64l((char *)&record.far) != 3); //~ no event
    /* What is only written out says nothing, how much of it does. */
    struct iovec pieces[2] = {{text, 1}, {plain, 1}};
    OBSERVE(writev(1, pieces, 2) == 2); //~ no event
    pieces[1].iov_len = in[8] - '0';
    OBSERVE(writev(1, pieces, 2) != 7); //~ loss unmodelled-call
    return 0;
}
