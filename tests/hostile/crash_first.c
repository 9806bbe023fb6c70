// Dies in its first instruction: the trace is there, and empty.
// input: stdin "abc"
// status: signal 11
// state: running
int main(void) {
    *(volatile int *)0 = 1;
    return 0;
}
