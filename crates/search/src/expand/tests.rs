use std::time::Duration;

use expr::parse_term;
use path::Kind;
use solver::{Budget, Config};
use trace::rule::Rule;

use super::*;
use crate::{divisions, made};

/// A path on standard input with these branches, all of them taken.
fn path(branches: &[&str]) -> Path {
    made::path(branches.iter().map(|text| (Kind::Branch { taken: true }, *text)))
}

fn check(path: &mut Path, text: &str, before: usize, event: usize) -> Injected {
    let holds = parse_term(&mut path.store, text).unwrap().into();
    Injected {
        rule: Rule::ALL[0],
        holds,
        stated: holds,
        near: None,
        held: true,
        site: event as u32,
        number: None,
        fatal: false,
        by_use: false,
        before,
        event,
    }
}

fn expand_on(
    config: Config,
    path: &mut Path,
    checks: Checks,
    input: Vec<u8>,
    candidates: &mut Vec<(Aim, Vec<u8>)>,
) -> Expansion {
    let mut session = Session::new(config).unwrap();
    let input = Arc::new(Input { parts: vec![input] });
    let mut found = |candidate: Candidate| {
        candidates.push((candidate.aim, candidate.input.parts[0].clone()));
        ControlFlow::Continue(())
    };
    let mut progress = |_| ControlFlow::Continue(());
    expand(&mut session, path, checks, input, Options::default(), &mut progress, &mut found)
}

/// What comes behind a division is decided for inputs on which it fails, too, whether the division itself is asked about or not.
#[test]
fn nothing_holds_because_of_a_division() {
    for is_asked in [true, false] {
        let mut path = path(&["(ne stdin[1] 0x7)", "(ne (extract 3 0 stdin[0]) 0:3)"]);
        let division = check(&mut path, "(ne (extract 2 0 stdin[0]) 0:2)", 0, 1);
        let mut checks = vec![
            Injected { fatal: true, ..division },
            check(&mut path, "(ne (extract 4 0 stdin[0]) 8:4)", 0, 2),
            check(&mut path, "(ult stdin[0] 0xf0)", 0, 3),
            check(&mut path, "(ne stdin[1] 0x7)", 1, 101),
        ];
        let divisions = divisions(&checks);
        assert_eq!(divisions.len(), 1);
        if !is_asked {
            checks.remove(0);
        }
        let mut candidates = Vec::new();
        let asked = Checks { asked: &checks, divisions: &divisions, sites: None };
        let expansion = expand_on(Config::default(), &mut path, asked, vec![1, 1], &mut candidates);
        let first = usize::from(is_asked);
        let expected = [CheckVerdict::Behind, CheckVerdict::Violable, CheckVerdict::Holds];
        assert_eq!(expansion.checks[first..], expected);
        // `stdin[1]` may be 7, and `stdin[0]` no multiple of 8 that survives the division.
        assert_eq!((expansion.possible, expansion.impossible, expansion.behind, expansion.unknown), (1, 0, 1, 0));
        let of = |index: usize| &candidates.iter().find(|(aim, _)| *aim == Aim::Check(first + index)).unwrap().1;
        assert_eq!(of(0)[0] & 15, 8, "an input is tried that violates the check behind the division");
        assert!(of(1)[0] >= 0xf0 && of(1)[0] & 3 != 0, "{:?} does not get past the division", of(1));
        let way = candidates.iter().find(|(aim, _)| matches!(aim, Aim::Branch { .. })).unwrap();
        assert!(way.1[0] & 3 != 0 && way.1[1] == 7, "{way:?}");
    }
}

/// A check that comes before a division sees nothing of it.
#[test]
fn divisions_are_in_the_way_of_what_comes_later() {
    let mut path = path(&[]);
    let early = check(&mut path, "(ne stdin[0] 0x0)", 0, 1);
    let division = Injected { fatal: true, ..check(&mut path, "(ne (extract 7 0 stdin[0]) 0:7)", 0, 2) };
    let checks = [early, division];
    let divisions = divisions(&checks);
    let asked = Checks { asked: &checks, divisions: &divisions, sites: None };
    let expansion = expand_on(Config::default(), &mut path, asked, vec![1], &mut Vec::new());
    assert_eq!(expansion.checks, [CheckVerdict::Violable, CheckVerdict::Violable]);
}

/// When hard questions have taken the time, what is not asked any more is not taken for asked in vain.
#[test]
fn checks_that_get_no_time_are_passed_over() {
    const HARD: usize = 24;
    let branches: Vec<String> = (0..HARD).map(|i| format!("(ne stdin[{}] 0x1)", 16 + i)).collect();
    let mut path = path(&branches.iter().map(String::as_str).collect::<Vec<_>>());
    let word = |from: usize| {
        (from + 1..from + 8).fold(format!("stdin[{from}]"), |word, byte| format!("(concat stdin[{byte}] {word})"))
    };
    // Factors of such numbers are found by nobody in moments.
    let product = format!("(mul (zext 128 {}) (zext 128 {}))", word(0), word(8));
    let checks: Vec<Injected> = (0..HARD)
        .map(|i| {
            let text =
                format!("(ne {product} {:#x}:128)", 0x3fff_ffff_ffff_ffc7_u128 * 0x3fff_ffff_ffff_ffa9 + 2 * i as u128);
            check(&mut path, &text, i, 100 * i + 1)
        })
        .collect();
    let budget = Budget { time: Duration::from_millis(40), ..Budget::default() };
    let config = Config { budget, ..Config::default() };
    let asked = Checks { asked: &checks, divisions: &[], sites: None };
    let expansion = expand_on(config, &mut path, asked, vec![0; 16 + HARD], &mut Vec::new());
    let (asked, passed_over) = (expansion.reasons.len(), expansion.passed_over.len());
    let both = expansion.reasons.iter().filter(|(index, _)| expansion.passed_over.contains(index));
    assert_eq!(both.count(), 0);
    assert!(asked > 0 && passed_over > 0, "{asked} were asked, {passed_over} were not");
}

/// An access that is outside only where the index before it is follows from that. One that also is for other inputs does not, and gets
/// one of those.
#[test]
fn what_an_index_leads_to_is_told_from_what_fails_without_it() {
    let mut path = path(&[]);
    let checks = [
        Injected { rule: Rule::ArrayIndex, ..check(&mut path, "(ult stdin[0] 0x10)", 0, 1) },
        Injected { rule: Rule::StackBufferOverflow, ..check(&mut path, "(ult stdin[0] 0x20)", 0, 2) },
        Injected { rule: Rule::StackBufferOverflow, ..check(&mut path, "(ult (add stdin[0] stdin[1]) 0x20)", 0, 3) },
        Injected { rule: Rule::DivByZero, ..check(&mut path, "(ne stdin[0] 0x30)", 0, 4) },
    ];
    let mut session = Session::new(Config::default()).unwrap();
    let mut seen = Vec::new();
    let mut found = |candidate: Candidate| {
        seen.push((candidate.follows, candidate.input.parts[0][0]));
        ControlFlow::Continue(())
    };
    let asked = Checks { asked: &checks, divisions: &[], sites: None };
    let input = Arc::new(Input { parts: vec![vec![1, 1]] });
    expand(&mut session, &mut path, asked, input, Options::default(), &mut |_| ControlFlow::Continue(()), &mut found);
    assert_eq!(seen.iter().map(|(follows, _)| *follows).collect::<Vec<_>>(), [false, true, false, false]);
    assert!(seen[2].1 < 0x10, "{seen:?}: an input was wanted that the index holds for");
}
