// What a function reads of an entry that may not be there, its caller does not want to know.
// input: stdin "\x01"
// witness: stdin "\x09"
#include "../include/records.h"

struct entry {
    int key;
    int value;
};

static struct entry entries[] = {{1, 10}, {2, 20}, {3, 30}};

static struct entry *find(int key) {
    for (int i = 0; i < 3; i++)
        if (entries[i].key == key)
            return &entries[i];
    return 0;
}

static int value_of(struct entry *entry) {
    return entry->value; //~ null-deref
}

int main(void) {
    unsigned char key;
    take(&key, sizeof key);
    value_of(find(key));
    return 0;
}
