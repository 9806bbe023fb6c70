// Names in a folder are copied into a table with room for short ones.
// input: folder "notes\nlist.txt\n"
// witness: folder "notes\naaaaaaaaaaaaaaaaaaaaaaa.txt\n"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[16];
    DIR *folder = opendir(".");
    if (folder == NULL)
        return 1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".txt") != 0)
            continue;
        strcpy(name, entry->d_name); //~ string-overflow | stack-buffer-overflow
        puts(name);
    }
    closedir(folder);
    return 0;
}
