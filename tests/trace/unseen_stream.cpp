// What a library reads of standard input it reads unseen: that much is known where it stands in the end.
// input: stdin "abcdefgh"
// unseen: 8
// elsewhere: allowed
#include <iostream>

#include "observe.h"

int main() {
    char byte = 0;
    std::cin.get(byte);
    OBSERVE(byte == 'a'); //~ no event
    return 0;
}
