//~ --ignore-blocks => 46
//~ => none
//~ --ignore-blocks --auto => none
//~ MUTANT => 46
//~ MUTANT --ignore-blocks --auto => 46
/* Helping symbolic execution: a call through a pointer that is set elsewhere goes into a typed block. */
#include <provoke.h>
#include <stdlib.h>

static void (*on_leave)(void);
static char *log_name;

PROVOKE_TYPED static void release(PROVOKE_NONNULL void *memory)
{
    if (memory == NULL)
        abort();
    free(memory);
}

PROVOKE_TYPED static void run_on_leave(void)
{
    if (on_leave != NULL)
        on_leave();
}

static void leave(int code)
{
    run_on_leave();
    exit(code);
}

static void close_log(void)
{
    log_name = NULL;
}

PROVOKE_SYMBOLIC static void open_log(unsigned size)
{
    if (size == 0)
        leave(1);
    char *buffer = malloc(size);
#ifndef MUTANT
    if (buffer == NULL)
        leave(2);
#endif
    release(buffer);
}

int main(int argc, char **argv)
{
    (void)argv;
    on_leave = close_log;
    open_log((unsigned)argc);
    return log_name != NULL;
}
