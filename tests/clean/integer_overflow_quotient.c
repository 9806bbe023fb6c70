// A calculator that leaves out the one quotient that does not fit.
// input: stdin "6 + 3\n"
#include "../include/records.h"

int main(void) {
    int a, b;
    char operator;
    if (scanf("%d %c %d", &a, &operator, &b) != 3 || b == 0)
        return 1;
    if (operator == '+')
        KEEP((long long)a + b);
    else if (operator == '/' && (a != -2147483647 - 1 || b != -1))
        KEEP(a / b);
    return 0;
}
