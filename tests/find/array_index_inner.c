// An array within a structure: what lies behind it is a flag that matters, and no memory checker minds.
// input: stdin "\x02x"
// witness: stdin "\x08x"
#include "../include/records.h"

struct user {
    char name[8];
    int administrator;
};

int main(void) {
    unsigned char request[2];
    struct user user = {"guest", 0};
    take(request, sizeof request);
    if (request[0] > 11)
        return 1;
    user.name[request[0]] = (char)request[1]; //~ array-index
    KEEP(user.administrator);
    return 0;
}
