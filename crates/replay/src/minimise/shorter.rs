//! Makes a failing input that is longer than the original shorter, whatever stands in it.
//!
//! What was made by chance is often hundreds of times as long as it has to be, and what it has in common with the original
//! stands elsewhere: going back to the original's bytes makes none of it shorter.

use crate::input::Input;

/// The failing input without as many pieces as can be left out of parts that are longer than the original's, and the runs that
/// it took, `budget` at most.
pub(super) fn shorter<E>(
    original: &Input,
    failing: &Input,
    budget: usize,
    fails: &mut impl FnMut(&Input) -> Result<bool, E>,
) -> Result<(Input, usize), E> {
    let mut shortest = failing.clone();
    let mut runs = 0;
    for (number, old) in original.parts.iter().enumerate() {
        let length = |input: &Input| input.parts.get(number).map_or(0, |part| part.bytes.len());
        let excess = |input: &Input| length(input).saturating_sub(old.bytes.len());
        // Ever smaller pieces, from the end to the beginning: what stays where it was is what the original has there.
        let mut size = excess(&shortest);
        while size > 0 {
            let mut end = length(&shortest);
            while end > 0 {
                let piece = size.min(excess(&shortest)).min(end);
                if runs == budget || piece == 0 {
                    break;
                }
                let mut without = shortest.clone();
                if let Some(part) = without.parts.get_mut(number) {
                    part.bytes.drain(end - piece..end);
                }
                runs += 1;
                if fails(&without)? {
                    shortest = without;
                }
                end -= piece;
            }
            size = size.min(excess(&shortest)) / 2;
        }
    }
    Ok((shortest, runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_short(original: &[u8], failing: &[u8], budget: usize, fails: impl Fn(&[u8]) -> bool) -> (Vec<u8>, usize) {
        let mut test = |input: &Input| Ok::<_, ()>(fails(&input.parts[0].bytes));
        let (input, runs) = shorter(&Input::stdin(original), &Input::stdin(failing), budget, &mut test).unwrap();
        (input.parts[0].bytes.clone(), runs)
    }

    #[test]
    fn what_is_needed_stays_and_not_less_than_the_original_had() {
        let mut failing = vec![b'.'; 3000];
        failing.splice(1234..1234, *b"(((");
        let has_three = |input: &[u8]| input.windows(3).any(|three| three == b"(((");
        let (found, runs) = made_short(b"()", &failing, 200, has_three);
        assert_eq!(found, b"(((");
        assert!(runs < 60, "{runs} runs");
        assert_eq!(made_short(b"ab", b"xyz", 100, |_| true).0.len(), 2);
        assert_eq!(made_short(b"abc", b"x", 100, |_| true), (b"x".to_vec(), 0));
    }

    #[test]
    fn the_budget_is_kept() {
        let (found, runs) = made_short(b"", &[1; 1000], 17, |input| input.len() >= 900);
        assert!(found.len() >= 900);
        assert_eq!(runs, 17);
    }
}
