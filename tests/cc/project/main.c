/* A program of several parts, each of which is built in another way. */
#include <stdio.h>

int static_part(void);
int shared_part(void);
int assembler_part(void);

int main(void)
{
    printf("%d %d %d\n", static_part(), shared_part(), assembler_part());
    return 0;
}
