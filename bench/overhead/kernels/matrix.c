/* Integer matrix products and a determinant modulo a prime, seeded from the input: dense arithmetic. */
#include "input.h"

enum { N = 16 };
static const uint64_t PRIME = 1000003;
typedef uint64_t matrix[N][N];

static void multiply(matrix out, matrix left, matrix right) {
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            uint64_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += left[row][k] * right[k][column];
            out[row][column] = sum % PRIME;
        }
}

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % PRIME;
        base = base * base % PRIME;
    }
    return result;
}

static uint64_t determinant(matrix m) {
    uint64_t product = 1;
    for (int pivot = 0; pivot < N; pivot++) {
        int row = pivot;
        while (row < N && m[row][pivot] == 0)
            row++;
        if (row == N)
            return 0;
        if (row != pivot) {
            for (int k = 0; k < N; k++) {
                uint64_t moved = m[row][k];
                m[row][k] = m[pivot][k];
                m[pivot][k] = moved;
            }
            product = PRIME - product;
        }
        product = product * m[pivot][pivot] % PRIME;
        uint64_t inverse = power(m[pivot][pivot], PRIME - 2);
        for (int below = pivot + 1; below < N; below++) {
            uint64_t factor = m[below][pivot] * inverse % PRIME;
            for (int k = pivot; k < N; k++)
                m[below][k] = (m[below][k] + (PRIME - factor) * m[pivot][k]) % PRIME;
        }
    }
    return product;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    size_t len;
    uint8_t *data = read_input(argv[1], &len);
    static matrix left, right, product;
    uint64_t sum = 0;
    /* One round for each block of the input; a short input is one block that wraps around. */
    size_t rounds = len / (N * N) ? len / (N * N) : 1;
    for (size_t round = 0; round < rounds; round++) {
        const uint8_t *block = data + (len >= N * N ? round * N * N : 0);
        for (int i = 0; i < N * N; i++) {
            uint8_t byte = len ? block[i % (len < N * N ? len : N * N)] : 0;
            left[i / N][i % N] = byte;
            right[i % N][i / N] = byte ^ (uint8_t)i;
        }
        multiply(product, left, right);
        sum += determinant(product);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
