//~ --sinks all --auto => none
//~ HOLE --sinks all --auto => 100
//~ FIELDS --sinks all => 200
//~ FIELDS --sinks all --auto => 200
//~ UNION --sinks all => 300
//~ ZEROS --sinks all => 400
/* Tables that are also walked through as bytes: whether one of their pointers is null. */
#include <stdlib.h>
#include <string.h>
struct entry { const char *name, *help; long number; };
#if defined HOLE
#define TEXT NULL
#else
#define TEXT "h"
#endif
static const struct entry table[] = {
    {"k00", "h", 0},
    {"k01", "h", 1},
    {"k02", "h", 2},
    {"k03", "h", 3},
    {"k04", "h", 4},
    {"k05", "h", 5},
    {"k06", "h", 6},
    {"k07", "h", 7},
    {"k08", "h", 8},
    {"k09", "h", 9},
    {"k10", "h", 10},
    {"k11", "h", 11},
    {"k12", "h", 12},
    {"k13", "h", 13},
    {"k14", "h", 14},
    {"k15", "h", 15},
    {"k16", "h", 16},
    {"k17", "h", 17},
    {"k18", "h", 18},
    {"k19", "h", 19},
    {"k20", "h", 20},
    {"k21", "h", 21},
    {"k22", "h", 22},
    {"k23", "h", 23},
    {"k24", "h", 24},
    {"k25", "h", 25},
    {"k26", "h", 26},
    {"k27", "h", 27},
    {"k28", "h", 28},
    {"k29", "h", 29},
    {"k30", "h", 30},
    {"k31", "h", 31},
    {"k32", "h", 32},
    {"k33", "h", 33},
    {"k34", "h", 34},
    {"k35", "h", 35},
    {"k36", "h", 36},
    {"k37", "h", 37},
    {"k38", "h", 38},
    {"k39", "h", 39},
    {"k40", "h", 40},
    {"k41", TEXT, 41},
    {"k42", "h", 42},
    {"k43", "h", 43},
    {"k44", "h", 44},
    {"k45", "h", 45},
    {"k46", "h", 46},
    {"k47", "h", 47},
};
static int compare(const void *a, const void *b)
{
    long x = ((const struct entry *)a)->number, y = ((const struct entry *)b)->number;
    return x < y ? -1 : x > y;
}
static int sum(const void *start, int bytes)
{
    int sum = 0;
    for (int i = 0; i < bytes; i++) sum += ((const char *)start)[i];
    return sum;
}

#if defined FIELDS
static struct { char *few[2]; char *many[150]; } fields = {{"a", "b"}, {NULL}};
int main(int argc, char **argv)
{
    int bytes = sum(&fields, argc);
#line 200
    return bytes + *fields.many[argc];
}
#elif defined UNION
union word { long number; char *text; };
static struct { char *first; union word words[150]; } words = {"a", {{0}}};
int main(int argc, char **argv)
{
    int bytes = sum(&words, argc);
#line 300
    return bytes + *words.words[argc].text;
}
#elif defined ZEROS
static const unsigned char none[16];
int main(int argc, char **argv)
{
    char *text;
    memcpy(&text, none, sizeof text);
#line 400
    return *text;
}
#else
int main(int argc, char **argv)
{
    struct entry key = {"", "", argc};
    const struct entry *found = bsearch(&key, table, sizeof table / sizeof *table, sizeof *table, compare);
    if (!found) return 1;
#line 100
    return *found->help;
}
#endif
