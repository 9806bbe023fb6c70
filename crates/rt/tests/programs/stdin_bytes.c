/* Reads bytes, moves them about, branches on them; forks a child that branches as well. */
#include "provoke_abi.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    unsigned char buffer[8];
    uint32_t word;
    if (getenv("PROVOKE_TRACE")) return 3;
    if (__provoke_x_read(0, buffer, sizeof buffer) != 8) return 2;
    branch_on_byte(buffer, 'G', 1);
    branch_on_byte(buffer, 'G', 2);

    pid_t child = fork();
    if (child == 0) {
        branch_on_byte(buffer + 1, 'C', 99);
        _exit(__provoke_load(buffer, 1, buffer[0]) != 0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) return 4;

    __provoke_memmove(&word, buffer + 2, 4);
    __builtin_memcpy(&word, buffer + 2, 4);
    uint32_t label = __provoke_load(&word, 4, word);
    uint32_t sum = __provoke_binary(OP(ADD, 32), label, 0, word, 1, word + 1);
    uint32_t stored = word + 1;
    __provoke_store(&stored, 4, sum, stored);
    if (__provoke_load(&stored, 4, stored) != sum) return 5;
    uint32_t condition = __provoke_binary(OP(ULT, 32), sum, 0, stored, 1000, stored < 1000);
    __provoke_branch(condition, 3, stored < 1000);
    return 0;
}
