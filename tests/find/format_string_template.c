// A template out of a file is filled in.
// input: file "T=count..."
// args: @@
// witness: file "T=count%n%"
#include "../include/records.h"

int main(int argc, char **argv) {
    char template[11], filled[64];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fread(template, 1, 10, file) != 10)
        return 1;
    fclose(file);
    template[10] = '\0';
    if (template[0] != 'T' || template[1] != '=')
        return 1;
    snprintf(filled, sizeof filled, template + 2, 7); //~ format-string //~? null-deref | heap-buffer-overflow
    fputs(filled, stdout);
    return 0;
}
