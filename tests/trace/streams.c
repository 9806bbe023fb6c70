// A file as a stream: fread, fgets, getc and its kin, ungetc, fseek, rewind.
// input: file "0123456789abcdef\nsecond line\nthird"
// args: @@
#include <wchar.h>

#include "observe.h"

int main(int argc, char **argv) {
    (void)argc;
    FILE *file = fopen(argv[1], "rb");
    unsigned char bytes[4];
    char line[64];
    if (fread(bytes, 1, 4, file) != 4)
        abort();
    OBSERVE(bytes[2] == '2'); //~ branch taken file[2]
    OBSERVE(getc(file) == '4'); //~ branch taken file[4]
    OBSERVE(fgetc(file) == '5'); //~ branch taken file[5]
    OBSERVE(getc_unlocked(file) == '6'); //~ branch taken file[6]
    int c = fgetc(file);
    ungetc(c, file);
    OBSERVE(fgetc(file) == '7'); //~ branch taken file[7]
    fseek(file, 9, SEEK_SET);
    c = fgetc(file);
    ungetc('9', file); //~ branch taken file[9]
    OBSERVE(fgetc(file) == '9'); //~ no event
    c = fgetc(file);
    ungetc('z', file); //~ branch not-taken file[10]
    OBSERVE(fgetc(file) == 'z'); //~ no event
    ungetc(c + 25, file); //~ pin model-argument
    OBSERVE(fgetc(file) == 'z'); //~ no event
    OBSERVE(c == 'a'); //~ branch taken file[10]
    c = fgetc(file);
    int d = fgetc(file);
    ungetc(c + 1, file); //~ branch
    OBSERVE(fgetc(file) == d); //~ no event
    fseek(file, 8, SEEK_SET);
    if (!fgets(line, sizeof line, file)) //~ branch not-taken file[8] //~ branch taken file[16] //~ branch
        abort();
    OBSERVE(line[0] == '8'); //~ branch taken file[8]
    OBSERVE(line[7] == 'f'); //~ branch taken file[15]
    fseek(file, 17, SEEK_SET);
    if (!fgets(line, sizeof line, file)) //~ branch not-taken file[17] //~ branch taken file[28] //~ branch
        abort();
    OBSERVE(line[0] == 's'); //~ branch taken file[17]
    rewind(file);
    OBSERVE(fgetc(file) == '0'); //~ branch taken file[0]
    fseek(file, -2, SEEK_END);
    OBSERVE(fgetc(file) == 'r'); //~ branch taken file[32]
    OBSERVE(fgetc(file) == 'd'); //~ branch taken file[33]
    fclose(file);
    OBSERVE(getchar() == EOF); //~ no event
    if (!freopen(argv[1], "rb", stdin))
        abort();
    OBSERVE(getchar() < '9'); //~ branch file[0]
    char text[] = "....\n....";
    text[1] = (char)getchar();
    text[3] = (char)getchar();
    text[6] = (char)getchar();
    FILE *memory = fmemopen(text, sizeof text, "r");
    OBSERVE(getc(memory) == '.'); //~ no event
    c = getc(memory);
    ungetc('1', memory); //~ branch taken file[1]
    OBSERVE(getc(memory) == '1'); //~ no event
    OBSERVE(c == '1'); //~ no event
    if (!fgets(line, sizeof line, memory)) //~ branch not-taken file[2]
        abort();
    OBSERVE(line[1] < '9'); //~ branch file[2]
    if (fread(bytes, 2, 2, memory) != 2)
        abort();
    OBSERVE(bytes[1] == '3'); //~ branch taken file[3]
    fclose(memory);
    OBSERVE(feof(stdin)); //~ no event
    OBSERVE(fgetwc(stdin) == L'4'); //~ loss input-lost
    FILE *again = fopen(argv[1], "rb");
    OBSERVE(fgetwc(again) == L'0'); //~ loss input-lost
    fclose(again);
    return 0;
}
