/* Folders whose names are in a file, one on a line: whichever folder the program lists, these are in it. Part of views whose
 * input is a folder (--folder FILE). What the names stand for is not there; they are said to be plain files.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <provoke.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODEL PROVOKE_MODEL

/* What a DIR is here. */
struct folder {
    int descriptor;
    long number;
    struct dirent entry;
};

DIR *MODEL(opendir)(const char *name)
{
    const char *path = getenv("PROVOKE_FOLDER");
    struct folder *folder;
    (void)name;
    folder = calloc(1, sizeof *folder);
    if (!folder)
        return NULL;
    folder->descriptor = open(path ? path : "/dev/null", O_RDONLY);
    return (DIR *)folder;
}

DIR *MODEL(fdopendir)(int descriptor)
{
    close(descriptor);
    return opendir("");
}

/* The next line; how long it is. No name has a slash or a zero byte in it, so they end one too, and none is longer than
 * there is room for.
 */
static size_t next_name(struct folder *folder)
{
    size_t length = 0;
    char byte;
    while (length < sizeof folder->entry.d_name - 1 && read(folder->descriptor, &byte, 1) == 1) {
        if (byte != '\n' && byte != '/' && byte != '\0')
            folder->entry.d_name[length++] = byte;
        else if (length > 0)
            break;
    }
    folder->entry.d_name[length] = '\0';
    return length;
}

struct dirent *MODEL(readdir)(DIR *directory)
{
    struct folder *folder = (struct folder *)directory;
    size_t length;
    /* Every folder has itself and its parent in it. */
    if (folder->number < 2) {
        length = (size_t)folder->number + 1;
        memset(folder->entry.d_name, '.', length);
        folder->entry.d_name[length] = '\0';
    } else {
        length = next_name(folder);
        if (length == 0)
            return NULL;
    }
    folder->number++;
    folder->entry.d_ino = (ino_t)folder->number;
    folder->entry.d_off = folder->number;
    folder->entry.d_reclen = sizeof folder->entry;
    folder->entry.d_type = folder->number <= 2 ? DT_DIR : DT_REG;
    return &folder->entry;
}

struct dirent64 *MODEL(readdir64)(DIR *directory) { return (struct dirent64 *)readdir(directory); }

int MODEL(dirfd)(DIR *directory) { return ((struct folder *)directory)->descriptor; }

long MODEL(telldir)(DIR *directory) { return ((struct folder *)directory)->number; }

void MODEL(rewinddir)(DIR *directory)
{
    struct folder *folder = (struct folder *)directory;
    lseek(folder->descriptor, 0, SEEK_SET);
    folder->number = 0;
}

void MODEL(seekdir)(DIR *directory, long number)
{
    rewinddir(directory);
    while (((struct folder *)directory)->number < number && readdir(directory))
        ;
}

int MODEL(closedir)(DIR *directory)
{
    close(((struct folder *)directory)->descriptor);
    free(directory);
    return 0;
}

int MODEL(scandir)(const char *path, struct dirent ***list, int (*is_wanted)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **))
{
    struct dirent **found = NULL, *entry;
    int count = 0;
    DIR *directory = opendir(path);
    if (!directory)
        return -1;
    while ((entry = readdir(directory))) {
        struct dirent **more, *copy;
        if (is_wanted && !is_wanted(entry))
            continue;
        more = realloc(found, ((size_t)count + 1) * sizeof *found);
        copy = malloc(sizeof *copy);
        if (!more || !copy)
            abort();
        *copy = *entry;
        found = more;
        found[count++] = copy;
    }
    if (compare && count > 1)
        qsort(found, (size_t)count, sizeof *found, (int (*)(const void *, const void *))compare);
    closedir(directory);
    *list = found;
    return count;
}

int MODEL(alphasort)(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
