// Strings and blocks for members, each with a test of its length; the last member goes on behind the structure.
// input: stdin "\x03abcdefghijklmnopqrs"
#include "../include/records.h"

struct label {
    char name[8];
    char short_name[4];
    char text[1];
};

int main(void) {
    char record[20];
    take(record, sizeof record);
    struct label *label = malloc(sizeof *label + sizeof record);
    if (!label)
        return 1;
    size_t length = (unsigned char)record[0] % 19;
    record[1 + length] = '\0';
    strcpy(label->text, record + 1);
    if (length < sizeof label->name)
        strcpy(label->name, record + 1);
    else
        snprintf(label->name, sizeof label->name, "%s", record + 1);
    memcpy(label->short_name, record + 1, length < 4 ? length : 4);
    KEEP(label->name[0] + label->short_name[0] + label->text[0]);
    free(label);
    return 0;
}
