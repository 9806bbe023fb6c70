// A closed session is not used any more.
// input: stdin "dd"
//~ verified
#include "../include/records.h"

struct session {
    int messages;
};

int main(void) {
    char commands[2];
    take(commands, sizeof commands);
    struct session *session = calloc(1, sizeof *session);
    for (int i = 0; i < 2 && session != NULL; i++) {
        if (commands[i] == 'q') {
            free(session);
            session = NULL;
        } else {
            session->messages++;
        }
    }
    free(session);
    return 0;
}
