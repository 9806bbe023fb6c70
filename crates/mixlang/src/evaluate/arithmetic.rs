//! Integer operators that need a decision: integers have 64 bits and wrap around, and every operator is total.

/// The quotient rounded towards zero; 0 for a divisor of 0.
pub fn divide(a: i64, b: i64) -> i64 {
    if b == 0 { 0 } else { a.wrapping_div(b) }
}

/// The power modulo 2^64; 0 for a negative exponent.
pub fn power(base: i64, exponent: i64) -> i64 {
    if exponent < 0 {
        return 0;
    }
    let (mut result, mut square, mut left) = (1i64, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    result
}
