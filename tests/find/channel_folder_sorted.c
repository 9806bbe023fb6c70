// What scandir sorts, its filter chose by the first letter; the second one counts days.
// input: folder "d3\nx\nd1\n"
// witness: folder "d0\nx\nd1\n"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int is_day(const struct dirent *entry) { return entry->d_name[0] == 'd'; }

int main(void) {
    struct dirent **days;
    int count = scandir("/var/log", &days, is_day, alphasort);
    for (int i = 0; i < count; i++) {
        int day = days[i]->d_name[1] - '0';
        printf("%d\n", 30 / day); //~ div-by-zero
        free(days[i]);
    }
    free(days);
    return 0;
}
