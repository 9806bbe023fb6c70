// A server that asks which of its sockets have something for it, in three ways; the length of a field is not checked.
// input: socket "P\x03aS\x02bE\x01c"
// witness: socket "P\x03aS\x02bE\xffc"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int server, client = -1;

static void serve(int is_server) {
    unsigned char packet[3];
    char field[16];
    if (is_server) {
        client = accept(server, NULL, NULL);
        return;
    }
    if (recv(client, packet, 3, 0) != 3) {
        close(client);
        return;
    }
    memset(field, packet[2], packet[1]); //~ stack-buffer-overflow | string-overflow
    send(client, field, 1, 0);
}

int main(void) {
    static const struct sockaddr_in here = {.sin_family = AF_INET};
    server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&here, sizeof here) || listen(server, 1))
        return 1;
    struct pollfd places[2] = {{server, POLLIN, 0}, {-1, POLLIN, 0}};
    if (poll(places, 2, -1) != 1 || !(places[0].revents & POLLIN))
        return 2;
    serve(1);
    places[1].fd = client;
    if (poll(places, 2, -1) != 1 || places[0].revents != 0)
        return 3;
    serve(0);
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(server, &reads);
    FD_SET(client, &reads);
    if (select(client + 1, &reads, NULL, NULL, NULL) != 1 || !FD_ISSET(client, &reads))
        return 4;
    serve(0);
    int queue = epoll_create1(0);
    struct epoll_event event = {EPOLLIN, {.fd = server}}, got[4];
    epoll_ctl(queue, EPOLL_CTL_ADD, server, &event);
    event.data.fd = client;
    if (epoll_ctl(queue, EPOLL_CTL_ADD, client, &event) != 0)
        return 5;
    for (;;)
        for (int i = 0, count = epoll_wait(queue, got, 4, -1); i < count; i++)
            serve(got[i].data.fd == server);
}
