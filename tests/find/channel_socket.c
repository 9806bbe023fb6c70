// A server: the length of what a client sends decides how much is copied.
// input: socket "HELO example"
// options: --lengths
// witness: socket "HELO aaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    static char packet[512];
    char name[16];
    int server = socket(AF_INET, SOCK_STREAM, 0);
    static const struct sockaddr_in here = {.sin_family = AF_INET};
    if (server < 0 || bind(server, (struct sockaddr *)&here, sizeof here) || listen(server, 1))
        return 1;
    for (;;) {
        int client = accept(server, NULL, NULL);
        ssize_t got = recv(client, packet, sizeof packet, 0);
        if (got >= 5 && memcmp(packet, "HELO ", 5) == 0) {
            memcpy(name, packet + 5, got - 5); //~ stack-buffer-overflow | string-overflow
            send(client, name, 4, 0);
        }
        close(client);
    }
}
