// A session can be closed, and is then logged.
// input: stdin "dd"
// witness: stdin "qd"
#include "../include/records.h"

struct session {
    int messages;
};

int main(void) {
    char commands[2];
    take(commands, sizeof commands);
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return 1;
    int open = 1;
    if (commands[0] == 'q') {
        free(session);
        open = 0;
    }
    session->messages++; //~ use-after-free
    KEEP(session->messages);
    if (open)
        free(session);
    return 0;
}
