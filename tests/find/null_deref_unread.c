// What is read through a pointer that may be null, and used for nothing: optimisation does not read it.
// input: stdin "\x01"
// witness: stdin "\x09"
#include "../include/records.h"

static int *find(int key) {
    static int keys[] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        if (keys[i] == key)
            return &keys[i];
    return 0;
}

int main(void) {
    unsigned char key;
    take(&key, sizeof key);
    int *found = find(key);
    int value = *found; //~ null-deref
    (void)value;
    return 0;
}
