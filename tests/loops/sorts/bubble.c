// Universal checks, Table 5: bubble sort.
#include "sort.h"

static void sort(char *ary, int *len) {
    for (int i = 0; i < *len - 1; i++) {
        for (int j = 0; j < *len - 1 - i; j++) {
            if (ary[j] > ary[j + 1]) {
                char tmp = ary[j];
                ary[j] = ary[j + 1];
                ary[j + 1] = tmp;
            }
        }
    }
}
