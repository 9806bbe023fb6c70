// Universal checks, Table 4: shell sort. The gaps depend on the length, and so do all places.
#include "sort.h"

static void sort(char *ary, int *len) {
    for (int gap = *len / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < *len; i++) {
            char value = ary[i];
            int j = i;
            while (j >= gap && ary[j - gap] > value) {
                ary[j] = ary[j - gap];
                j -= gap;
            }
            ary[j] = value;
        }
    }
}
