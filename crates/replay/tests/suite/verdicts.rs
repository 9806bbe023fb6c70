//! Verdicts, buckets and minimised inputs of real runs.

use replay::{Bucket, Input, Prediction, Verdict, bucket, minimise, verdict};
use trace::rule::Rule;
use trace::sites::Position;

use crate::bench::Bench;

const RECORDS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static int first(const char *text) { return text[0] - '0'; }
static void fill(char *block, int length) {
    for (int i = 0; i < length; i++)
        block[i] = 1; // fill
}
int main(void) {
    char text[16] = "";
    if (fread(text, 1, 12, stdin) < 4) return 1;
    if (text[3] != 'k') return 2;
    char *block = malloc(4);
    fill(block, first(text));
    if (text[1] == 'd') return 10 / (text[2] - '0'); // division
    free(block);
    return 0;
}
"#;

fn at(bench: &Bench, mark: &str, rule: Rule) -> Prediction {
    let position = Position { file: "program.c".into(), line: bench.line(mark), ..Position::default() };
    Prediction { rule, check: None, positions: vec![position] }
}

#[test]
fn predictions_are_compared_with_what_happens() {
    let bench = Bench::new(RECORDS);
    let judge = |prediction: &Prediction, input: &str| verdict(prediction, &bench.run(input));
    let overflow = at(&bench, "fill", Rule::HeapBufferOverflow);
    assert_eq!(judge(&overflow, "5xxk"), Verdict::Confirmed { violation: 0 });
    assert_eq!(judge(&overflow, "3d0k"), Verdict::ConfirmedElsewhere { violation: 0 });
    assert_eq!(judge(&overflow, "4xxk"), Verdict::NotReproduced);
    // The check is what counts if there is one; the sanitizer cannot tell in which way an address is wrong.
    let checks = &bench.replayer.sites().checks;
    let number = checks.iter().position(|check| check.rule == Rule::DivByZero).map(|number| number as u32);
    let division = Prediction { check: number, ..at(&bench, "division", Rule::DivByZero) };
    assert_eq!(judge(&division, "3d0k"), Verdict::Confirmed { violation: 0 });
    assert_eq!(judge(&at(&bench, "fill", Rule::ArrayIndex), "5xxk"), Verdict::Confirmed { violation: 0 });
    assert_eq!(judge(&at(&bench, "fill", Rule::NullDeref), "5xxk"), Verdict::ConfirmedElsewhere { violation: 0 });
}

fn bucket_of(source: &str, input: &str) -> Bucket {
    bucket(&Bench::new(source).run(input).violations[0])
}

#[test]
fn buckets_survive_changes_elsewhere() {
    let overflow = bucket_of(RECORDS, "5xxk");
    assert_eq!(overflow.rule, Rule::HeapBufferOverflow);
    let moved = RECORDS.replace("static int first", "\n\n// Something new.\nstatic int first");
    assert_eq!(bucket_of(&moved, "9xxk"), overflow);
    let inlined = RECORDS.replace("static void fill", "static inline __attribute__((always_inline)) void fill");
    assert_eq!(bucket_of(&inlined, "5xxk"), overflow);
    let changed = RECORDS.replace("    for (int i", "    if (length == 77) return;\n    for (int i");
    assert_ne!(bucket_of(&changed, "5xxk"), overflow);
    assert_ne!(bucket_of(RECORDS, "3d0k"), overflow);
}

#[test]
fn inputs_are_minimised() {
    let bench = Bench::new(RECORDS);
    let (original, failing) = (Input::stdin("3ab_efgh"), Input::stdin("7zzkzzzzzzzz"));
    let wanted = bucket(&bench.replayer.replay(&failing).expect("it runs").violations[0]);
    let found = minimise(&bench.replayer, &[], &original, &failing, wanted, 100).expect("it runs").expect("it fails");
    assert_eq!(found.input, Input::stdin("7abkefgh"));
    assert_eq!(found.changed.iter().map(|change| change.offset).collect::<Vec<_>>(), [0, 3]);
    assert!(found.is_minimal && found.runs < 30, "{}", found.runs);
    let other = Bucket { rule: Rule::Shift, ..wanted };
    assert_eq!(minimise(&bench.replayer, &[], &original, &failing, other, 100).expect("it runs"), None);
}
