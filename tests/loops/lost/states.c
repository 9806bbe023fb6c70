// A state machine that comes to a state that it must not come to.
// input: stdin "aaaa"
#include "../../include/records.h"

int main(void) {
    char text[4];
    take(text, sizeof text);
    int state = 0;
    for (int i = 0; i < 4 && text[i] != 0; i++) {
        switch (state) {
        case 0: state = text[i] == 'b'; break;
        case 1: state = text[i] == 'u' ? 2 : 0; break;
        case 2: if (text[i] == 'g') abort(); state = 0; break;
        }
    }
    return 0;
}
