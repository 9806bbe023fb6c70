/* Sockets whose other side is a file: what the program receives is in there, what it sends goes nowhere. Part of views whose
 * input is a socket (--socket FILE). A server gets one client; when it waits for the next, it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <provoke.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MODEL PROVOKE_MODEL

extern ssize_t real_write(int, const void *, size_t) PROVOKE_REAL(write);
extern int real_close(int) PROVOKE_REAL(close);

extern int real_poll(struct pollfd *, nfds_t, int) PROVOKE_REAL(poll);
extern int real_select(int, fd_set *, fd_set *, fd_set *, struct timeval *) PROVOKE_REAL(select);
extern int real_epoll_ctl(int, int, int, struct epoll_event *) PROVOKE_REAL(epoll_ctl);
extern int real_epoll_wait(int, struct epoll_event *, int, int) PROVOKE_REAL(epoll_wait);

/* Descriptors that stand for sockets, and those of them that wait for clients. */
static unsigned char is_socket[1024], is_listening[1024];
/* How many clients have come. */
static int clients;

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
    (void)count;
    if (known(descriptor))
        is_listening[descriptor] = 1;
    return 0;
}

int MODEL(accept)(int descriptor, struct sockaddr *address, socklen_t *length)
{
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

/* Whether there is something to read, or room to write: always, but there is only one client to come. */
static int is_readable(int descriptor) { return !is_listening[descriptor] || clients == 0; }
static int is_writable(int descriptor) { return !is_listening[descriptor]; }

/* Nothing will ever come any more; with a limit to the time, it has passed. */
static int wait_in_vain(int is_endless)
{
    if (is_endless)
        exit(0);
    return 0;
}

int MODEL(poll)(struct pollfd *places, nfds_t count, int milliseconds)
{
    int ready = 0, others = 0;
    for (nfds_t i = 0; i < count; i++) {
        if (!known(places[i].fd)) {
            others += places[i].fd >= 0;
            continue;
        }
        int can = (is_readable(places[i].fd) ? POLLIN | POLLRDNORM : 0) | (is_writable(places[i].fd) ? POLLOUT | POLLWRNORM : 0);
        places[i].revents = (short)(places[i].events & can);
        ready += places[i].revents != 0;
    }
    if (others == 0)
        return ready ? ready : wait_in_vain(milliseconds < 0);
    for (nfds_t i = 0; i < count; i++) {
        if (known(places[i].fd))
            continue;
        /* One after the other: ours are none of the system's business. */
        int one = real_poll(places + i, 1, ready ? 0 : milliseconds);
        if (one < 0)
            return one;
        ready += one;
    }
    return ready;
}

int MODEL(ppoll)(struct pollfd *places, nfds_t count, const struct timespec *time, const sigset_t *mask)
{
    (void)mask;
    return poll(places, count, time ? (int)(time->tv_sec * 1000 + time->tv_nsec / 1000000) : -1);
}

int MODEL(select)(int limit, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *time)
{
    int ready = 0, others = 0;
    fd_set can_read, can_write;
    FD_ZERO(&can_read);
    FD_ZERO(&can_write);
    for (int i = 0; i < limit && i < FD_SETSIZE; i++) {
        int wants_read = reads && FD_ISSET(i, reads), wants_write = writes && FD_ISSET(i, writes);
        if (!known(i)) {
            others += wants_read || wants_write || (errors && FD_ISSET(i, errors));
            continue;
        }
        if (wants_read) {
            FD_CLR(i, reads);
            if (is_readable(i)) {
                FD_SET(i, &can_read);
                ready++;
            }
        }
        if (wants_write) {
            FD_CLR(i, writes);
            if (is_writable(i)) {
                FD_SET(i, &can_write);
                ready++;
            }
        }
        if (errors)
            FD_CLR(i, errors);
    }
    if (others > 0) {
        struct timeval none = {0, 0};
        int done = real_select(limit, reads, writes, errors, ready ? &none : time);
        if (done < 0)
            return done;
        ready += done;
    } else if (ready == 0) {
        return wait_in_vain(time == NULL);
    }
    for (int i = 0; i < limit && i < FD_SETSIZE; i++) {
        if (FD_ISSET(i, &can_read))
            FD_SET(i, reads);
        if (FD_ISSET(i, &can_write))
            FD_SET(i, writes);
    }
    return ready;
}

/* What epoll is told to watch; the system does not watch files. */
static struct {
    int queue, descriptor;
    struct epoll_event event;
} watched[64];
static int watching;

static void unwatch(int descriptor)
{
    for (int i = 0; i < watching; i++)
        if (watched[i].descriptor == descriptor)
            watched[i--] = watched[--watching];
}

int MODEL(epoll_ctl)(int queue, int operation, int descriptor, struct epoll_event *event)
{
    if (!known(descriptor))
        return real_epoll_ctl(queue, operation, descriptor, event);
    unwatch(descriptor);
    if (operation == EPOLL_CTL_DEL)
        return 0;
    if (watching == (int)(sizeof watched / sizeof *watched)) {
        errno = ENOSPC;
        return -1;
    }
    watched[watching].queue = queue;
    watched[watching].descriptor = descriptor;
    watched[watching++].event = *event;
    return 0;
}

int MODEL(epoll_wait)(int queue, struct epoll_event *events, int most, int milliseconds)
{
    int ready = 0;
    for (int i = 0; i < watching && ready < most; i++) {
        int descriptor = watched[i].descriptor;
        unsigned can = (is_readable(descriptor) ? EPOLLIN : 0u) | (is_writable(descriptor) ? EPOLLOUT : 0u);
        if (watched[i].queue != queue || !(can & watched[i].event.events))
            continue;
        events[ready] = watched[i].event;
        events[ready++].events = can & watched[i].event.events;
    }
    if (ready == most)
        return ready;
    /* Whether it watches anything else, only the system knows. */
    int done = real_epoll_wait(queue, events + ready, most - ready, ready || watching ? 0 : milliseconds);
    if (done < 0)
        return ready ? ready : done;
    return ready + done ? ready + done : watching ? wait_in_vain(milliseconds < 0) : 0;
}

int MODEL(epoll_pwait)(int queue, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask)
{
    (void)mask;
    return epoll_wait(queue, events, most, milliseconds);
}

int MODEL(close)(int descriptor)
{
    if (known(descriptor)) {
        is_socket[descriptor] = is_listening[descriptor] = 0;
        unwatch(descriptor);
    }
    return real_close(descriptor);
}
