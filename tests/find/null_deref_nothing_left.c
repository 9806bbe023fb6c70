// Of what is read no bit is kept.
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
    return *found & 0; //~ null-deref
}
