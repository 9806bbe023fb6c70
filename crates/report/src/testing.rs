//! Reports for tests: one that shows everything, one without findings, and random ones.

use checkers::catalogue::Severity;
use proptest::prelude::*;
use trace::rule::Rule;

use crate::model::*;

/// The source that [`example`] is about.
const SOURCE: &str = r#"#include <string.h>

struct header { char name[8]; int count; };

static int read_record(struct header *header, const char *record, int size) {
	int total = header->count;
	if (size > 0)
		total += size;
	memcpy(header->name, record, total);
	return 100 / header->count; /* größer als 0? */
}
"#;

/// Gives the source of the example, and nothing else.
pub fn sources(file: &str) -> Option<Vec<u8>> {
    (file == "src/unpack.c").then(|| SOURCE.as_bytes().to_vec())
}

fn at(line: u32, column: u32) -> Position {
    Position::new("src/unpack.c", line, column)
}

fn frame(function: &str, position: Position) -> Frame {
    Frame { function: function.into(), position, inlined: false }
}

/// A report in which every part occurs.
pub fn example() -> Report {
    let command = CommandLine::new(["provoke", "check", "unpack", "--stdin", "three records.pack"]);
    let mut stdin = Part::new("stdin", PartKind::Stdin, b"PACK\x01\x00\x00\xff\xff\xff\x7fname of it and more");
    stdin.saved = Some(".provoke/findings/1/stdin".into());
    let overflow = Finding {
        function: "read_record".into(),
        stack: vec![
            frame("read_record", at(8, 9)),
            Frame { inlined: true, ..frame("read_all", at(30, 5)) },
            frame("main", Position::new("src/main.c", 12, 0)),
        ],
        predicted_by: Prediction::Checker { rule: Rule::IntegerOverflow, position: at(8, 9) },
        input: Input { parts: vec![stdin] },
        changes: vec![
            Change { part: "stdin".into(), offset: 7, from: Some(b'A'), to: Some(0xff) },
            Change { part: "stdin".into(), offset: 9, from: Some(0), to: Some(0xff) },
            Change { part: "stdin".into(), offset: 10, from: Some(0), to: Some(0x7f) },
        ],
        from_input: "three records.pack".into(),
        reproduce: CommandLine::new(["provoke", "replay", "unpack", "--stdin", ".provoke/findings/1/stdin"]),
        debug: CommandLine::new(["bash", ".provoke/findings/1/debug.sh"]),
        path: vec![
            Step { position: at(7, 6), text: "size > 0 is true".into() },
            Step { position: at(8, 9), text: "2147483647 + 1".into() },
        ],
        ..Finding::new(
            Rule::IntegerOverflow,
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
            Position { end_line: Some(8), end_column: Some(11), ..at(8, 9) },
            "read_record+3",
        )
    };
    let argument = Part::new("argv[1]", PartKind::Argument, b"--max=0");
    let division = Finding {
        function: "read_record".into(),
        stack: vec![frame("read_record", at(10, 13))],
        verdict: Verdict::ConfirmedElsewhere,
        predicted_by: Prediction::Branch { position: at(7, 6) },
        input: Input { parts: vec![argument] },
        changes: vec![Change { part: "argv[1]".into(), offset: 6, from: Some(b'9'), to: Some(b'0') }],
        ..Finding::new(Rule::DivByZero, "division by zero: 100 / 0", at(10, 13), "read_record+5")
    };
    let nowhere = Finding::new(Rule::Truncation, "300 becomes 44 \x1b[31m", Position::default(), "?");
    Report {
        tool: Tool { name: "Provoke".into(), version: "1.2.3".into() },
        summary: summary(),
        findings: vec![overflow, division, nowhere],
        verified: vec![Verified { rule: Rule::NullDeref, checks: 12 }, Verified { rule: Rule::Shift, checks: 1 }],
        losses: vec![
            Loss {
                cause: "symbolic-read".into(),
                text: "reads at symbolic addresses pinned".into(),
                count: 22,
                places: vec![
                    LossPlace { file: "src/unpack.c".into(), line: 9, count: 21 },
                    LossPlace { file: String::new(), line: 0, count: 1 },
                ],
            },
            Loss {
                cause: "cut-short".into(),
                text: "what would have come after the program was killed".into(),
                count: 0,
                places: Vec::new(),
            },
        ],
        advice: vec!["give a second input with --stdin to see other paths".into()],
        ..Report::new("unpack", command)
    }
}

fn summary() -> Summary {
    Summary {
        run: RunSummary {
            input: "three records.pack".into(),
            input_bytes: 39,
            bytes_that_matter: 38,
            end: "exited with 0".into(),
        },
        branches: BranchCounts { total: 48, flipped: 24, impossible: 22, unknown: 2 },
        checks: vec![
            CheckCounts { rule: Rule::DivByZero, safe: 11, violated: 1, confirmed: 1, unknown: 0 },
            CheckCounts { rule: Rule::NullDeref, safe: 12, violated: 0, confirmed: 0, unknown: 0 },
            CheckCounts { rule: Rule::IntegerOverflow, safe: 1_020, violated: 1, confirmed: 1, unknown: 2 },
            CheckCounts { rule: Rule::Shift, safe: 1, violated: 0, confirmed: 0, unknown: 0 },
        ],
        queries: Queries {
            asked: 105,
            sat: 27,
            unsat: 74,
            unknown: 4,
            tiers: vec![
                TierCounts { tier: "local-cache".into(), answered: 0, seconds: 0.0 },
                TierCounts { tier: "bounds".into(), answered: 60, seconds: 0.001 },
                TierCounts { tier: "backend".into(), answered: 41, seconds: 0.75 },
            ],
            ..Queries::default()
        },
        candidates: 27,
        slow: Some(Slow {
            inputs: 7,
            seconds: 2.003,
            reproduce: CommandLine::new(["provoke", "replay", "unpack", "--stdin", "findings/hang-1b2c"]),
            natively: None,
        }),
        neighbours: Some(Neighbours { inputs: 18, looked_at: 16, safe: 120, violated: 2, unknown: 1, left_out: 9 }),
        verdicts: VerdictCounts { confirmed: 1, confirmed_elsewhere: 1, diverged: 0, not_reproduced: 1 },
        loops: vec![LoopCost {
            position: at(7, 6),
            inputs: 12,
            left_out: 3,
            attempts: 2,
            why: "it writes to memory what it computes".into(),
        }],
        protected_checks: 4,
        findings: 3,
        losses: 23,
        paths: 1,
        divergences: 0,
        seconds: Seconds { total: 1.5, views: 0.25, run: 0.0625, solve: 0.75, replay: 0.375, ..Seconds::default() },
        ..Summary::default()
    }
}

/// A report of a path on which nothing can fail.
pub fn clean() -> Report {
    let checks = vec![CheckCounts { rule: Rule::NullDeref, safe: 12, violated: 0, confirmed: 0, unknown: 0 }];
    Report {
        findings: Vec::new(),
        verified: vec![Verified { rule: Rule::NullDeref, checks: 12 }],
        losses: Vec::new(),
        advice: Vec::new(),
        summary: Summary { complete: true, checks, ..summary() },
        ..example()
    }
}

/// Text that renderers stumble over.
fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => ".{0,12}",
        2 => "[<>&\"'\\]\\[(){}!\\-;\\\\/: ]{0,12}",
        1 => "[\\x00-\\x1f\\x7f-\\u{9f}\\u{202a}-\\u{202e}\\u{fffe}\\u{ffff}]{0,6}",
        1 => prop::sample::select(vec![
            "]]>", "</script><script>alert(1)</script>", "<!--", "--><b>", "<![CDATA[", "&amp;", "[a](http://b)", "{0}",
            "../..//a b?c#d%zz", "\u{1f642}", "",
        ]).prop_map(str::to_owned),
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    prop::sample::select(Rule::ALL)
}

fn position() -> impl Strategy<Value = Position> {
    let number = || prop_oneof![0..20u32, Just(u32::MAX)];
    let file = prop_oneof![nasty(), Just("src/unpack.c".to_owned()), Just("/usr/include/a b.h".to_owned())];
    (file, number(), number(), prop::option::of(number()), prop::option::of(number()))
        .prop_map(|(file, line, column, end_line, end_column)| Position { file, line, column, end_line, end_column })
}

fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let frame = (nasty(), position(), any::<bool>());
    prop::collection::vec(frame.prop_map(|(function, position, inlined)| Frame { function, position, inlined }), 0..3)
}

fn part() -> impl Strategy<Value = Part> {
    let bytes = prop_oneof![prop::collection::vec(any::<u8>(), 0..40), nasty().prop_map(String::into_bytes)];
    let kinds = vec![PartKind::Stdin, PartKind::File, PartKind::Argument, PartKind::Environment, PartKind::Buffer];
    (nasty(), prop::sample::select(kinds), bytes, any::<u8>(), prop::option::of(nasty())).prop_map(
        |(name, kind, bytes, more, saved)| {
            let part = Part::new(name, kind, &bytes);
            Part { saved, length: part.length + u64::from(more), ..part }
        },
    )
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let offset = prop_oneof![0..50u64, Just(u64::MAX)];
    let change = (nasty(), offset, any::<Option<u8>>(), any::<Option<u8>>());
    prop::collection::vec(change.prop_map(|(part, offset, from, to)| Change { part, offset, from, to }), 0..4)
}

fn prediction() -> impl Strategy<Value = Prediction> {
    prop_oneof![
        (rule(), position()).prop_map(|(rule, position)| Prediction::Checker { rule, position }),
        position().prop_map(|position| Prediction::Branch { position }),
        Just(Prediction::Run),
        nasty().prop_map(|how| Prediction::Changed { how }),
    ]
}

/// Any finding.
pub fn finding() -> impl Strategy<Value = Finding> {
    let verdicts = vec![Verdict::Confirmed, Verdict::ConfirmedElsewhere, Verdict::Diverged, Verdict::NotReproduced];
    let severities = vec![Severity::Error, Severity::Warning, Severity::Note];
    let what = (rule(), prop::sample::select(severities), prop::sample::select(verdicts), prediction());
    let place = (position(), nasty(), frames());
    let input = (prop::collection::vec(part(), 0..3), changes(), nasty(), prop::collection::vec(nasty(), 0..3));
    let steps = prop::collection::vec((position(), nasty()).prop_map(|(position, text)| Step { position, text }), 0..8);
    (nasty(), what, place, input, steps).prop_map(|(message, what, place, input, path)| {
        let (rule, severity, verdict, predicted_by) = what;
        let (position, function, stack) = place;
        let (parts, changes, from_input, words) = input;
        let words_of_tests = words.clone();
        Finding {
            severity,
            function,
            stack,
            verdict,
            predicted_by,
            input: Input { parts },
            changes,
            from_input,
            reproduce: CommandLine::new(&words),
            debug: CommandLine::new(words),
            path,
            tests: words_of_tests,
            ..Finding::new(rule, message.clone(), position, &message)
        }
    })
}

/// Random reports are large, and a few dozen of them contain every kind of text in every place.
pub fn few() -> ProptestConfig {
    ProptestConfig::with_cases(48)
}

/// A suite in which every verdict may occur.
fn suite() -> impl Strategy<Value = Suite> {
    let verdict = prop::sample::select(TestVerdict::ALL.to_vec());
    let checks = || {
        any::<[u64; 3]>().prop_map(|[verified, predicted, unknown]| TestChecks {
            verified,
            predicted,
            unknown,
            ..TestChecks::default()
        })
    };
    let test = (nasty(), verdict, checks(), nasty()).prop_map(|(name, verdict, checks, reason)| TestResult {
        end: name.clone(),
        name,
        verdict,
        checks,
        reasons: vec![reason],
    });
    let line = (nasty(), any::<u32>(), checks()).prop_map(|(file, line, checks)| LineChecks { file, line, checks });
    (prop::collection::vec(test, 0..3), prop::collection::vec(line, 0..3), nasty()).prop_map(
        |(tests, lines, reason)| Suite {
            tests,
            lines,
            known_tests: 1,
            known_checks: 2,
            late_tests: 1,
            waiting_tests: 1,
            reasons: vec![(reason, 3)],
        },
    )
}

/// Any report.
pub fn report() -> impl Strategy<Value = Report> {
    let losses =
        (nasty(), nasty(), any::<u64>(), nasty(), any::<u32>()).prop_map(|(cause, text, count, file, line)| Loss {
            cause,
            text,
            count,
            places: vec![LossPlace { file, line, count }],
        });
    let findings = prop::collection::vec(finding(), 0..3);
    let texts = (nasty(), nasty(), nasty(), nasty(), prop::option::of(suite()));
    (findings, prop::collection::vec(losses, 0..3), texts, any::<bool>()).prop_map(
        |(findings, losses, (program, input, end, advice, suite), complete)| Report {
            findings,
            losses,
            advice: vec![advice],
            program,
            summary: Summary { complete, suite, run: RunSummary { input, end, ..summary().run }, ..summary() },
            ..example()
        },
    )
}
