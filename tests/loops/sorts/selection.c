// Universal checks, Figure 20: selection sort.
#include "sort.h"

static void sort(char *ary, int *len) {
    for (int i = 0; i < *len - 1; i++) {
        int indx = i;
        char min = ary[i];
        for (int j = i + 1; j < *len; j++) {
            if (min > ary[j]) {
                indx = j;
                min = ary[j];
            }
        }
        char tmp = ary[i];
        ary[i] = ary[indx];
        ary[indx] = tmp;
    }
}
