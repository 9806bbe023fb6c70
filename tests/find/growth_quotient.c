// A calculator that divides: the one quotient that does not fit takes another operator, more digits and two signs.
// input: stdin "6 + 3\n"
// witness: stdin "-2147483648 / -1\n"
#include "../include/records.h"

int main(void) {
    int a, b;
    char operator;
    if (scanf("%d %c %d", &a, &operator, &b) != 3 || b == 0)
        return 1;
    if (operator == '+')
        KEEP((long long)a + b);
    else if (operator == '/')
        KEEP(a / b); //~ integer-overflow
    return 0;
}
