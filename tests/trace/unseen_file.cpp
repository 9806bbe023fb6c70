// Files that a library opens by itself.
// input: file "abcdefgh"
// args: @@
// elsewhere: allowed
#include <fstream>

#include "observe.h"

int main(int, char **arguments) {
    char byte = 0;
    std::ifstream file(arguments[1]); //~ loss input-lost
    file.get(byte);
    OBSERVE(byte == 'a'); //~ no event
    return 0;
}
