// Universal checks, Figures 17 and 18: insertion sort.
#include "sort.h"

static void sort(char *ary, int *len) {
    for (int i = 1; i < *len; i++) {
        char value = ary[i];
        int j = i - 1;
        while (j >= 0 && ary[j] > value) {
            ary[j + 1] = ary[j];
            j--;
        }
        ary[j + 1] = value;
    }
}
