/*
 * Records how programs are run: arguments, environment, working folder, what they read, how they end.
 *
 * A library that is loaded before all others. It does nothing in programs that provoke cc did not build, and nothing unless
 * PROVOKE_RECORD names a folder. Each execution gets a folder of its own there: `meta` has pairs of words that end with a zero
 * byte, `stdin` and `files/N` what was read, copied at the moment when it was opened, because suites delete their files.
 */
#define _GNU_SOURCE
/* The names below are functions here, not macros or inline code. */
#define __NO_INLINE__ 1
#undef __USE_EXTERN_INLINES
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SECTION ".provoke.bc"
/* The largest file that can be an input. */
#define LARGEST (64 << 20)
/* Files that are copied for one execution. */
#define MOST_FILES 64
/* How many milliseconds a pipe may be silent before we take it to be a conversation, which cannot be recorded. */
#define PATIENCE 2000

static char folder[PATH_MAX];
static pid_t recorded;
static int files;
static char *seen[MOST_FILES];
static int pipe_is_waiting;

/* The system's own functions, past those that are replaced below. */
static int sys_open(const char *path, int flags, int mode) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode); }
static ssize_t sys_read(int fd, void *to, size_t size) { return syscall(SYS_read, fd, to, size); }

static int write_all(int fd, const char *from, size_t size) {
    while (size > 0) {
        ssize_t count = write(fd, from, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        from += count;
        size -= (size_t)count;
    }
    return 1;
}

static void note(const char *key, const char *value) {
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/meta", folder);
    int fd = sys_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0) return;
    struct iovec parts[2] = {{(void *)key, strlen(key) + 1}, {(void *)value, strlen(value) + 1}};
    if (writev(fd, parts, 2) < 0) { /* a full disk: the recording ends here */ }
    close(fd);
}

/* Copies what is left of a file; says whether all of it could be copied. */
static int copy(int from, off_t offset, const char *to) {
    int fd = sys_open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) return 0;
    static __thread char buffer[1 << 16];
    int done = 0;
    for (;;) {
        ssize_t count = pread(from, buffer, sizeof buffer, offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) { done = count == 0; break; }
        if (!write_all(fd, buffer, (size_t)count)) break;
        offset += count;
    }
    close(fd);
    return done;
}

/* Whether this program carries bitcode. */
static int is_ours(void) {
    int fd = sys_open("/proc/self/exe", O_RDONLY, 0);
    if (fd < 0) return 0;
    int found = 0;
    Elf64_Ehdr header;
    Elf64_Shdr names;
    if (pread(fd, &header, sizeof header, 0) == sizeof header && !memcmp(header.e_ident, ELFMAG, SELFMAG)
        && header.e_shentsize == sizeof names
        && pread(fd, &names, sizeof names, (off_t)(header.e_shoff + (size_t)header.e_shstrndx * sizeof names)) == sizeof names) {
        for (int index = 0; index < header.e_shnum && !found; index++) {
            Elf64_Shdr section;
            char name[sizeof SECTION];
            off_t at = (off_t)(header.e_shoff + (size_t)index * sizeof section);
            if (pread(fd, &section, sizeof section, at) != sizeof section) break;
            if (pread(fd, name, sizeof name, (off_t)(names.sh_offset + section.sh_name)) == sizeof name) {
                found = !memcmp(name, SECTION, sizeof name);
            }
        }
    }
    close(fd);
    return found;
}

static void ended(int status, void *unused) {
    (void)unused;
    if (folder[0] && getpid() == recorded) {
        char text[16];
        snprintf(text, sizeof text, "%d", status & 255);
        note("exit", text);
    }
}

__attribute__((constructor)) static void start(int count, char **arguments, char **environment) {
    const char *where = getenv("PROVOKE_RECORD");
    if (!where || !is_ours()) return;
    int error = errno;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    char path[PATH_MAX];
    /* The names sort as the executions began. */
    int length = snprintf(path, sizeof path, "%s/%011lld.%09ld-%d", where, (long long)now.tv_sec, now.tv_nsec, (int)getpid());
    if (length < 0 || length >= (int)sizeof path - 64 || mkdir(path, 0700) != 0) return;
    memcpy(folder, path, (size_t)length + 1);
    recorded = getpid();
    snprintf(path, sizeof path, "%s/files", folder);
    mkdir(path, 0700);
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size > 0) {
        path[size] = 0;
        note("program", path);
    }
    if (getcwd(path, sizeof path)) note("folder", path);
    for (int index = 0; index < count; index++) note("argument", arguments[index]);
    for (char **variable = environment; variable && *variable; variable++) {
        if (strncmp(*variable, "PROVOKE_", 8) && strncmp(*variable, "LD_PRELOAD=", 11)) note("variable", *variable);
    }
    struct stat about;
    if (fstat(0, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= LARGEST) {
        off_t offset = lseek(0, 0, SEEK_CUR);
        snprintf(path, sizeof path, "%s/stdin", folder);
        if (offset >= 0 && copy(0, offset, path)) note("stdin", "file");
    } else if (fstat(0, &about) == 0 && S_ISFIFO(about.st_mode)) {
        pipe_is_waiting = 1;
    }
    on_exit(ended, NULL);
    errno = error;
}

/* Goes on with a pipe that turns out to be a conversation: a process of its own hands on what was read, and what follows. */
static void hand_on(const char *bytes, size_t size) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    int from = dup(0);
    pid_t child = fork();
    if (child == 0) {
        /* Nobody is to wait for it. */
        if (fork() != 0) _exit(0);
        static char buffer[1 << 16];
        dup2(open("/dev/null", O_RDONLY), 0);
        close(ends[0]);
        int alive = write_all(ends[1], bytes, size);
        while (alive) {
            ssize_t count = sys_read(from, buffer, sizeof buffer);
            if (count <= 0) break;
            alive = write_all(ends[1], buffer, (size_t)count);
        }
        _exit(0);
    }
    int status;
    if (child > 0) syscall(SYS_wait4, child, &status, 0, NULL);
    dup2(ends[0], 0);
    close(ends[0]);
    close(ends[1]);
    close(from);
    note("stdin", "conversation");
}

/* The program is about to read a pipe for the first time: all of it becomes a file. */
static void take_pipe(void) {
    pipe_is_waiting = 0;
    int error = errno;
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/stdin", folder);
    size_t room = 1 << 16, size = 0;
    char *bytes = malloc(room);
    int is_complete = 0;
    while (bytes && size < LARGEST) {
        struct pollfd wait = {.fd = 0, .events = POLLIN};
        if (poll(&wait, 1, PATIENCE) == 0) break;
        if (size == room) {
            char *larger = realloc(bytes, room *= 2);
            if (!larger) break;
            bytes = larger;
        }
        ssize_t count = sys_read(0, bytes + size, room - size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) { is_complete = 1; break; }
        size += (size_t)count;
    }
    int fd = is_complete ? sys_open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0 && write_all(fd, bytes, size)) {
        close(fd);
        fd = sys_open(path, O_RDONLY, 0);
        dup2(fd, 0);
        close(fd);
        note("stdin", "pipe");
    } else if (bytes) {
        hand_on(bytes, size);
    }
    free(bytes);
    errno = error;
}

static void before_reading(int fd) {
    if (pipe_is_waiting && fd == 0 && getpid() == recorded) take_pipe();
}

static int is_of_the_system(const char *path) {
    static const char *const folders[] = {"/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/bin/", "/sbin/", "/var/"};
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
        if (!strncmp(path, folders[index], strlen(folders[index]))) return 1;
    }
    return 0;
}

/* A file that is opened: a copy is made if it is read and has not been written by this program. */
static void before_opening(const char *path, int is_written) {
    if (!folder[0] || getpid() != recorded || !path || files >= MOST_FILES || is_of_the_system(path) || !strncmp(path, folder, strlen(folder))) return;
    for (int index = 0; index < files; index++) {
        if (seen[index] && !strcmp(seen[index], path)) return;
    }
    int error = errno;
    struct stat about;
    int exists = stat(path, &about) == 0;
    if (!is_written && exists && S_ISREG(about.st_mode) && about.st_size <= LARGEST) {
        char to[PATH_MAX + 24];
        snprintf(to, sizeof to, "%s/files/%d", folder, files);
        int fd = sys_open(path, O_RDONLY, 0);
        if (fd >= 0) {
            if (copy(fd, 0, to)) {
                snprintf(to, sizeof to, "%d", files);
                note("number", to);
                note("file", path);
            }
            close(fd);
        }
    }
    if (is_written || exists) seen[files++] = strdup(path);
    errno = error;
}

/* What a name that is relative to an open folder is from the working folder: programs open folders and then what is in them. */
static const char *from_here(int at, const char *path, char *into, size_t size) {
    if (at == AT_FDCWD || !path || path[0] == '/') return path;
    int error = errno;
    char link[32], base[PATH_MAX], here[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t length = readlink(link, base, sizeof base - 1);
    const char *found = NULL;
    if (length > 0 && getcwd(here, sizeof here)) {
        base[length] = 0;
        size_t within = strlen(here);
        int is_inside = !strncmp(base, here, within);
        if (is_inside && !base[within]) {
            found = path;
        } else {
            const char *folder_of = is_inside && base[within] == '/' ? base + within + 1 : base;
            found = (size_t)snprintf(into, size, "%s/%s", folder_of, path) < size ? into : NULL;
        }
    }
    errno = error;
    return found;
}

static int is_truncated(int flags) { return (flags & O_TRUNC) || (flags & O_ACCMODE) == O_WRONLY; }

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        errno = ENOSYS;
        abort();
    }
    return found;
}

#define MODE(flags, mode) \
    int mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, int); \
        va_end(rest); \
    }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        MODE(flags, mode) \
        before_opening(path, is_truncated(flags)); \
        return ((int (*)(const char *, int, ...))next(#name))(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        MODE(flags, mode) \
        char whole[2 * PATH_MAX]; \
        before_opening(from_here(at, path, whole, sizeof whole), is_truncated(flags)); \
        return ((int (*)(int, const char *, int, ...))next(#name))(at, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

#define CHECKED_OPEN(name) \
    int name(const char *path, int flags) { \
        before_opening(path, is_truncated(flags)); \
        return ((int (*)(const char *, int))next(#name))(path, flags); \
    }
CHECKED_OPEN(__open_2)
CHECKED_OPEN(__open64_2)

#define FOPEN(name) \
    FILE *name(const char *path, const char *mode) { \
        before_opening(path, mode && mode[0] == 'w'); \
        return ((FILE * (*)(const char *, const char *)) next(#name))(path, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name) \
    FILE *name(const char *path, const char *mode, FILE *stream) { \
        if (path) before_opening(path, mode && mode[0] == 'w'); \
        return ((FILE * (*)(const char *, const char *, FILE *)) next(#name))(path, mode, stream); \
    }
FREOPEN(freopen)
FREOPEN(freopen64)

/* Everything through which standard input is read. */
#undef fread_unlocked
#undef getc_unlocked
#undef getc
static void before_stream(FILE *stream) {
    if (pipe_is_waiting && stream) before_reading(fileno(stream));
}

#define READS(result, name, parameters, arguments, trigger) \
    result name parameters { \
        trigger; \
        return ((result(*) parameters)next(#name))arguments; \
    }
READS(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), before_reading(fd))
READS(ssize_t, __read_chk, (int fd, void *to, size_t size, size_t room), (fd, to, size, room), before_reading(fd))
READS(ssize_t, readv, (int fd, const struct iovec *to, int count), (fd, to, count), before_reading(fd))
READS(int, dup, (int fd), (fd), before_reading(fd))
READS(FILE *, fdopen, (int fd, const char *mode), (fd, mode), before_reading(fd))
READS(size_t, fread, (void *to, size_t size, size_t count, FILE *from), (to, size, count, from), before_stream(from))
READS(size_t, fread_unlocked, (void *to, size_t size, size_t count, FILE *from), (to, size, count, from), before_stream(from))
READS(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t count, FILE *from), (to, room, size, count, from), before_stream(from))
READS(char *, fgets, (char *to, int size, FILE *from), (to, size, from), before_stream(from))
READS(char *, fgets_unlocked, (char *to, int size, FILE *from), (to, size, from), before_stream(from))
READS(char *, __fgets_chk, (char *to, size_t room, int size, FILE *from), (to, room, size, from), before_stream(from))
READS(int, fgetc, (FILE *from), (from), before_stream(from))
READS(int, getc, (FILE *from), (from), before_stream(from))
READS(int, getc_unlocked, (FILE *from), (from), before_stream(from))
READS(int, getchar, (void), (), before_reading(0))
READS(int, getchar_unlocked, (void), (), before_reading(0))
READS(int, __uflow, (FILE *from), (from), before_stream(from))
READS(int, __underflow, (FILE *from), (from), before_stream(from))
READS(ssize_t, getline, (char **to, size_t *room, FILE *from), (to, room, from), before_stream(from))
READS(ssize_t, getdelim, (char **to, size_t *room, int end, FILE *from), (to, room, end, from), before_stream(from))
READS(ssize_t, __getdelim, (char **to, size_t *room, int end, FILE *from), (to, room, end, from), before_stream(from))
READS(int, vscanf, (const char *format, va_list rest), (format, rest), before_reading(0))
READS(int, vfscanf, (FILE *from, const char *format, va_list rest), (from, format, rest), before_stream(from))

#define SCANS(name, with) \
    int name(const char *format, ...) { \
        va_list rest; \
        va_start(rest, format); \
        before_reading(0); \
        int count = ((int (*)(FILE *, const char *, va_list))next(#with))(stdin, format, rest); \
        va_end(rest); \
        return count; \
    }
#define FSCANS(name, with) \
    int name(FILE *from, const char *format, ...) { \
        va_list rest; \
        va_start(rest, format); \
        before_stream(from); \
        int count = ((int (*)(FILE *, const char *, va_list))next(#with))(from, format, rest); \
        va_end(rest); \
        return count; \
    }
#undef scanf
#undef fscanf
int plain_scanf(const char *, ...) __asm__("scanf");
int plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
SCANS(plain_scanf, vfscanf)
FSCANS(plain_fscanf, vfscanf)
SCANS(__isoc99_scanf, __isoc99_vfscanf)
FSCANS(__isoc99_fscanf, __isoc99_vfscanf)
/* Newer C libraries have these. */
SCANS(__isoc23_scanf, __isoc23_vfscanf)
FSCANS(__isoc23_fscanf, __isoc23_vfscanf)

/* Ends that no handler sees. */
__attribute__((noreturn)) void _exit(int status) {
    ended(status, NULL);
    for (;;) syscall(SYS_exit_group, status);
}
__attribute__((noreturn)) void _Exit(int status) { _exit(status); }
