// Fields that one call reads, each with a limit of its own, and no room for both.
// input: stdin "ann report.ps 3\nbob x 12\n"
// witness: stdin "annannannannann report.psreport.psrepor 3\n"
#include "../include/records.h"
#include <stdio.h>

struct job {
    char user[16], file[24];
    int priority;
};

static void label(const struct job *job) {
    char path[40];
    sprintf(path, "/sp/%s/%s.%d", job->user, job->file, job->priority); //~ string-overflow
    puts(path);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        struct job job;
        if (line[length - 1] == '\n')
            line[length - 1] = 0;
        if (sscanf(line, "%15s %23s %d", job.user, job.file, &job.priority) != 3)
            continue;
        if (job.priority > 9)
            job.priority = 9;
        label(&job);
    }
    free(line);
    return 0;
}
