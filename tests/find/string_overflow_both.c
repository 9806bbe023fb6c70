// Two names, each of which is as long as it may be, and no room for both.
// input: stdin "ann:report\n"
// witness: stdin "annannannannann:reportreportreportr\n"
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[100], both[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *second = strchr(line, ':');
    if (!second)
        return 1;
    *second++ = 0;
    if (strlen(line) > 15 || strlen(second) > 20)
        return 1;
    strcpy(both, line);
    strcat(both, second); //~ string-overflow
    KEEP(both[0]);
    return 0;
}
