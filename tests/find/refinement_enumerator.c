// A kind that must be one of those that there are.
// input: stdin "\x01"
// witness: stdin "\x03"
#include <provoke.h>

#include "../include/records.h"

enum kind { KIND_NONE = -1, KIND_TEXT, KIND_IMAGE, KIND_SOUND, KIND_COUNT };

struct chunk {
    PROVOKE_REFINE("KIND_NONE < kind && kind < KIND_COUNT") enum kind kind;
};

int main(void) {
    unsigned char byte;
    struct chunk chunk;
    take(&byte, sizeof byte);
    chunk.kind = (enum kind)byte; //~ refinement
    KEEP(chunk.kind);
    return 0;
}
