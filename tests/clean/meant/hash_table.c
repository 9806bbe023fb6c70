// A hash that wraps around chooses a bucket, and the lists in it are walked: seen in jansson.
// input: stdin "name\x00key\x00"
#include "../../include/records.h"

struct list {
    struct list *next;
    struct list *previous;
};

struct bucket {
    struct list *first;
    struct list *last;
};

struct pair {
    struct list list;
    size_t hash;
    int value;
};

struct table {
    struct bucket *buckets;
    size_t order;
    struct list list;
};

static uint32_t rotated(uint32_t value, unsigned by) { return value << by | value >> (32 - by); }

static uint32_t hashed(const unsigned char *key, size_t length, uint32_t seed) {
    uint32_t a, b, c;
    a = b = c = 0xdeadbeef + (uint32_t)length + seed;
    for (size_t i = 0; i < length; i++) {
        a += key[i];
        a -= c;
        a ^= rotated(c, 4);
        c += b;
        b -= a;
        b ^= rotated(a, 6);
        a += c;
    }
    c ^= b;
    c -= rotated(b, 14);
    return c;
}

static struct bucket *bucket(struct table *table, size_t hash) {
    return &table->buckets[hash & (((size_t)1 << table->order) - 1)];
}

static void insert(struct list *list, struct list *node) {
    node->next = list;
    node->previous = list->previous;
    list->previous->next = node;
    list->previous = node;
}

static struct pair *find(struct table *table, const unsigned char *key, size_t length) {
    size_t hash = hashed(key, length, 1);
    struct bucket *in = bucket(table, hash);
    if (in->first == &table->list && in->first == in->last)
        return NULL;
    for (struct list *list = in->first;; list = list->next) {
        struct pair *pair = (struct pair *)list;
        if (pair->hash == hash)
            return pair;
        if (list == in->last)
            return NULL;
    }
}

static void put(struct table *table, const unsigned char *key, size_t length, struct pair *pair) {
    pair->hash = hashed(key, length, 1);
    struct bucket *in = bucket(table, pair->hash);
    if (in->first == &table->list && in->first == in->last) {
        insert(&table->list, &pair->list);
        in->first = in->last = &pair->list;
    } else {
        insert(in->first, &pair->list);
        in->first = &pair->list;
    }
}

int main(void) {
    unsigned char input[9];
    static struct bucket buckets[8];
    static struct pair pairs[2];
    struct table table = {buckets, 3, {&table.list, &table.list}};
    for (int i = 0; i < 8; i++)
        buckets[i].first = buckets[i].last = &table.list;
    take(input, sizeof input);
    put(&table, input, 4, &pairs[0]);
    put(&table, input + 5, 3, &pairs[1]);
    struct pair *found = find(&table, input, 4);
    KEEP(found ? found->value : -1);
    return 0;
}
