// Commands in the order in which they make sense; what was done with a job is done with it again when it is over.
// input: stdin "new\nshow\nend\n"
// witness: stdin "new\nshow\nend\nshow\n"
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

struct job {
    int id;
};

int main(void) {
    char line[16];
    struct job *job = NULL;
    int next = 1;
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "new\n") == 0 && !job) {
            job = malloc(sizeof *job);
            if (!job)
                return 1;
            job->id = next++;
        } else if (strcmp(line, "show\n") == 0 && job) {
            printf("%d\n", job->id); //~ use-after-free
        } else if (strcmp(line, "end\n") == 0 && job) {
            free(job); //~ double-free
        }
    }
    return 0;
}
