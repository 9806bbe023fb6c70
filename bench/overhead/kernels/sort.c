/* Heap sort of the input's 32-bit words, then a merge sort of their order: branches and data movement. */
#include <string.h>

#include "input.h"

static void sift(uint32_t *heap, size_t root, size_t len) {
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= len)
            return;
        if (child + 1 < len && heap[child] < heap[child + 1])
            child++;
        if (heap[root] >= heap[child])
            return;
        uint32_t moved = heap[root];
        heap[root] = heap[child];
        heap[child] = moved;
        root = child;
    }
}

static void heap_sort(uint32_t *words, size_t len) {
    for (size_t i = len / 2; i-- > 0;)
        sift(words, i, len);
    for (size_t end = len; end-- > 1;) {
        uint32_t largest = words[0];
        words[0] = words[end];
        words[end] = largest;
        sift(words, 0, end);
    }
}

static void merge_sort(uint32_t *words, uint32_t *scratch, size_t len) {
    if (len < 2)
        return;
    size_t middle = len / 2, left = 0, right = middle;
    merge_sort(words, scratch, middle);
    merge_sort(words + middle, scratch, len - middle);
    for (size_t i = 0; i < len; i++) {
        if (left < middle && (right == len || words[left] <= words[right]))
            scratch[i] = words[left++];
        else
            scratch[i] = words[right++];
    }
    memcpy(words, scratch, len * sizeof *words);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    size_t bytes;
    uint8_t *data = read_input(argv[1], &bytes);
    size_t len = bytes / sizeof(uint32_t);
    uint32_t *words = calloc(len + 1, sizeof *words);
    uint32_t *copy = calloc(len + 1, sizeof *copy);
    uint32_t *scratch = calloc(len + 1, sizeof *scratch);
    if (!words || !copy || !scratch)
        return 2;
    memcpy(words, data, len * sizeof *words);
    memcpy(copy, words, len * sizeof *words);
    heap_sort(words, len);
    merge_sort(copy, scratch, len);
    uint32_t sum = 0;
    for (size_t i = 0; i < len; i++)
        sum = sum * 31 + words[i] + (words[i] == copy[i]);
    printf("%08x\n", sum);
    return memcmp(words, copy, len * sizeof *words) != 0;
}
