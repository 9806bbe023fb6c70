//~ --sinks all => 16 19
//~ --sinks all --auto => 16
//~ --sinks all --auto --symbolic first => 16
/* What `fgets` returns is its buffer, or null. */
#include <provoke.h>
#include <stdio.h>

static char buffer[64];

static int first(FILE *from)
{
    char *line = fgets(buffer, sizeof buffer, from);
    char *other = buffer;
    if (other[0] == 'x')
        return 1;
    int one = line[0];
    line = fgets(buffer, sizeof buffer, from);
    if (line)
        one += line[0];
    return one;
}

int main(void)
{
    return first(stdin);
}
