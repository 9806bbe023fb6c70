//~ --ignore-blocks => 27 68
//~ => none
//~ --ignore-blocks --auto => none
//~ MUTANT => 68
//~ MUTANT --ignore-blocks --auto => 68
/* Flow insensitivity across functions: null is overwritten before anybody looks. */
#include <netdb.h>
#include <provoke.h>
#include <stdlib.h>
#include <sys/socket.h>

struct address {
    int family;
    unsigned char bytes[16];
};

PROVOKE_TYPED static void release(PROVOKE_NONNULL void *memory)
{
    if (memory == NULL)
        abort();
    free(memory);
}

static void clear_address(struct address **place)
{
    if (*place != NULL) {
        release(*place);
        *place = NULL;
    }
}

static void allocate(struct address **place, int family)
{
    clear_address(place);
    struct address *made = malloc(sizeof *made);
    if (made == NULL)
        abort();
    made->family = family;
    *place = made;
}

static void resolve(struct address **place, const char *name)
{
    struct hostent *host = gethostbyname(name);
    if (host == NULL)
        abort();
    clear_address(place);
    if (host->h_addrtype == AF_INET)
        allocate(place, AF_INET);
    else if (host->h_addrtype == AF_INET6)
        allocate(place, AF_INET6);
#ifndef MUTANT
    else
        abort();
#endif
}

PROVOKE_SYMBOLIC static void start(struct address **place)
{
    *place = NULL;
    resolve(place, "localhost");
}

int main(void)
{
    struct address *address;
    start(&address);
    release(address);
    return 0;
}
