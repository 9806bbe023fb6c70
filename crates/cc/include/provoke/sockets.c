/* Sockets whose other side is a file: what the program receives is in there, what it sends goes nowhere. Part of views whose
 * input is a socket (--socket FILE). A server gets one client; when it waits for the next, it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <provoke.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MODEL PROVOKE_MODEL

extern ssize_t real_write(int, const void *, size_t) PROVOKE_REAL(write);
extern int real_close(int) PROVOKE_REAL(close);

/* Descriptors that stand for sockets. */
static unsigned char is_socket[1024];

static int opened(void)
{
    const char *path = getenv("PROVOKE_SOCKET");
    int descriptor = open(path ? path : "/dev/null", O_RDONLY);
    if (descriptor >= 0 && descriptor < (int)sizeof is_socket)
        is_socket[descriptor] = 1;
    return descriptor;
}

static int known(int descriptor) { return descriptor >= 0 && descriptor < (int)sizeof is_socket && is_socket[descriptor]; }

static void name_peer(struct sockaddr *address, socklen_t *length)
{
    struct sockaddr_in peer;
    if (!address || !length)
        return;
    memset(&peer, 0, sizeof peer);
    peer.sin_family = AF_INET;
    peer.sin_port = htons(4711);
    peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memcpy(address, &peer, *length < sizeof peer ? *length : sizeof peer);
    *length = sizeof peer;
}

int MODEL(socket)(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return opened();
}

int MODEL(bind)(int descriptor, const struct sockaddr *address, socklen_t length)
{
    (void)descriptor, (void)address, (void)length;
    return 0;
}

int MODEL(connect)(int descriptor, const struct sockaddr *address, socklen_t length)
{
    (void)descriptor, (void)address, (void)length;
    return 0;
}

int MODEL(listen)(int descriptor, int count)
{
    (void)descriptor, (void)count;
    return 0;
}

int MODEL(accept)(int descriptor, struct sockaddr *address, socklen_t *length)
{
    static int clients;
    (void)descriptor;
    if (clients++ > 0)
        exit(0);
    name_peer(address, length);
    return opened();
}

int MODEL(accept4)(int descriptor, struct sockaddr *address, socklen_t *length, int flags)
{
    (void)flags;
    return accept(descriptor, address, length);
}

int MODEL(shutdown)(int descriptor, int how)
{
    (void)descriptor, (void)how;
    return 0;
}

int MODEL(setsockopt)(int descriptor, int level, int name, const void *value, socklen_t length)
{
    (void)descriptor, (void)level, (void)name, (void)value, (void)length;
    return 0;
}

int MODEL(getsockopt)(int descriptor, int level, int name, void *value, socklen_t *length)
{
    (void)descriptor, (void)level, (void)name;
    memset(value, 0, *length);
    return 0;
}

int MODEL(getsockname)(int descriptor, struct sockaddr *address, socklen_t *length)
{
    (void)descriptor;
    name_peer(address, length);
    return 0;
}

int MODEL(getpeername)(int descriptor, struct sockaddr *address, socklen_t *length)
{
    (void)descriptor;
    name_peer(address, length);
    return 0;
}

ssize_t MODEL(recv)(int descriptor, void *memory, size_t size, int flags)
{
    if (flags & MSG_PEEK)
        return pread(descriptor, memory, size, lseek(descriptor, 0, SEEK_CUR));
    return read(descriptor, memory, size);
}

ssize_t MODEL(recvfrom)(int descriptor, void *memory, size_t size, int flags, struct sockaddr *address, socklen_t *length)
{
    name_peer(address, length);
    return recv(descriptor, memory, size, flags);
}

ssize_t MODEL(recvmsg)(int descriptor, struct msghdr *message, int flags)
{
    ssize_t all = 0;
    (void)flags;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        ssize_t got = read(descriptor, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
        if (got < 0)
            return all ? all : got;
        all += got;
        if ((size_t)got < message->msg_iov[i].iov_len)
            break;
    }
    message->msg_flags = 0;
    message->msg_controllen = 0;
    return all;
}

ssize_t MODEL(send)(int descriptor, const void *memory, size_t size, int flags)
{
    (void)descriptor, (void)memory, (void)flags;
    return (ssize_t)size;
}

ssize_t MODEL(sendto)(int descriptor, const void *memory, size_t size, int flags, const struct sockaddr *address,
                      socklen_t length)
{
    (void)address, (void)length;
    return send(descriptor, memory, size, flags);
}

ssize_t MODEL(sendmsg)(int descriptor, const struct msghdr *message, int flags)
{
    ssize_t all = 0;
    (void)descriptor, (void)flags;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        all += (ssize_t)message->msg_iov[i].iov_len;
    return all;
}

ssize_t MODEL(write)(int descriptor, const void *memory, size_t size)
{
    return known(descriptor) ? (ssize_t)size : real_write(descriptor, memory, size);
}

int MODEL(close)(int descriptor)
{
    if (known(descriptor))
        is_socket[descriptor] = 0;
    return real_close(descriptor);
}
