use cc::bundle::Program;
use replay::*;
use trace::rule::RuleSet;
use views::Kind;
fn unescape(text: &str) -> Vec<u8> {
    let b = text.as_bytes();
    let mut out = vec![];
    let mut i = 0;
    while i < b.len() {
        if b[i] == b'\\' && i + 1 < b.len() {
            match b[i + 1] {
                b'x' => {
                    out.push(u8::from_str_radix(std::str::from_utf8(&b[i + 2..i + 4]).unwrap(), 16).unwrap());
                    i += 4;
                    continue;
                }
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                b'r' => out.push(b'\r'),
                b'0' => out.push(0),
                c => out.push(c),
            }
            i += 2;
        } else {
            out.push(b[i]);
            i += 1;
        }
    }
    out
}
fn parse(line: &str) -> Option<Input> {
    let mut parts = vec![];
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (head, r) = rest.split_once('"')?;
        let mut end = 0;
        let rb = r.as_bytes();
        while end < rb.len() && rb[end] != b'"' {
            if rb[end] == b'\\' {
                end += 1;
            }
            end += 1;
        }
        let bytes = unescape(&r[..end]);
        let mut words = head.split_whitespace();
        let source = match words.next()? {
            "stdin" => Source::Stdin,
            "file" => Source::File(words.next().unwrap_or("input").into()),
            "buffer" => Source::Buffer(words.next()?.into()),
            other => Source::Buffer(other.into()),
        };
        parts.push(Part { source, bytes });
        rest = r[end + 1..].trim_start_matches([' ', ',']);
    }
    Some(Input { parts })
}
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.rsplit('/').next().unwrap().to_owned();
        let field = |k: &str| text.lines().find_map(|l| l.strip_prefix(&format!("// {k}:")).map(str::to_owned));
        let args: Vec<std::ffi::OsString> =
            field("args").map(|a| a.split_whitespace().map(Into::into).collect()).unwrap_or_default();
        let program = match Program::open(file.as_ref()) {
            Ok(p) => p,
            Err(e) => {
                println!("{name}: OPEN {}", e.to_string().lines().next().unwrap_or(""));
                continue;
            }
        };
        let view = std::path::PathBuf::from(format!("/tmp/rp/corpus/{name}.view"));
        if let Err(e) = views::make(&program, Kind::Replay(RuleSet::all()), &view, &|_| {}) {
            println!("{name}: VIEW {e}");
            continue;
        }
        let settings = Settings { output: run::Output::Discard, ..Settings::default() };
        let replayer = Replayer::new(Target { view, args, ..Target::default() }, settings).unwrap();
        let show = |o: &Outcome| {
            for v in &o.violations {
                let p = v.position();
                println!(
                    "     {} {}:{} {}",
                    v.rule,
                    p.map(|p| p.file.rsplit('/').next().unwrap().to_owned()).unwrap_or_default(),
                    p.map_or(0, |p| p.line),
                    v.message
                );
            }
            println!("     end {:?}", o.end);
        };
        if let Some(input) = field("input").or(Some(String::new())).and_then(|l| parse(&l)) {
            let o = replayer.replay(&input).unwrap();
            if !o.violations.is_empty() || !matches!(o.end, End::Other(run::Status::Exited(_))) {
                println!("{name}: BENIGN");
                show(&o);
            }
        }
        if let Some(witness) = field("witness").and_then(|l| parse(&l)) {
            let expected: Vec<(u32, Vec<String>)> = text
                .lines()
                .enumerate()
                .filter_map(|(n, l)| {
                    l.split_once("//~").map(|(_, r)| {
                        (
                            n as u32 + 1,
                            r.trim_start_matches(['?', ' ']).split('|').map(|w| w.trim().to_owned()).collect(),
                        )
                    })
                })
                .collect();
            let armed: Vec<u32> = replayer
                .sites()
                .checks
                .iter()
                .enumerate()
                .filter(|(_, c)| {
                    c.often_meant
                        && expected.iter().any(|(l, r)| *l == c.position.line && r.iter().any(|r| r == c.rule.id()))
                })
                .map(|(n, _)| n as u32)
                .collect();
            let o = replayer.replay_armed(&witness, &armed).unwrap();
            let hit = o.violations.iter().any(|v| {
                v.position()
                    .is_some_and(|p| expected.iter().any(|(l, r)| *l == p.line && r.iter().any(|r| r == v.rule.id())))
            });
            let near = expected.iter().any(|(l, rules)| {
                rules.iter().any(|r| {
                    let Some(rule) = trace::rule::Rule::from_id(r) else { return false };
                    let p = Prediction {
                        rule,
                        check: None,
                        positions: vec![trace::sites::Position { file: name.clone(), line: *l, ..Default::default() }],
                    };
                    matches!(verdict(&p, &o), Verdict::Confirmed { .. })
                })
            });
            println!(
                "{name}: {} {expected:?}",
                if hit {
                    "ok"
                } else if near {
                    "NEAR"
                } else {
                    "MISS"
                }
            );
            if !hit {
                show(&o);
            }
        }
    }
}
