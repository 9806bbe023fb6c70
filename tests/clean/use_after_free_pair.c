// What was found last is forgotten when it is given back, whatever comes in between.
// input: stdin "+red\n+blue\n?red\n-blue\n"
#include "../include/records.h"

struct entry {
    struct entry *next;
    int asked;
    char name[8];
};

static struct entry *first, *latest;

static struct entry **find(const char *name) {
    struct entry **place = &first;
    while (*place && strcmp((*place)->name, name) != 0)
        place = &(*place)->next;
    return place;
}

int main(void) {
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || strlen(line) > 7)
            continue;
        struct entry **place = find(line + 1), *entry = *place;
        if (line[0] == '+' && !entry) {
            *place = calloc(1, sizeof **place);
            if (!*place)
                return 1;
            strcpy((*place)->name, line + 1);
        } else if (line[0] == '-' && entry) {
            *place = entry->next;
            if (latest == entry)
                latest = NULL;
            free(entry);
        } else if (line[0] == '?' && entry) {
            entry->asked++;
            latest = entry;
        } else if (line[0] == '!' && latest) {
            KEEP(latest->asked);
        }
    }
    return 0;
}
