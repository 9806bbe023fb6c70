//! What people read.

use std::io::{self, Write};

use csimpl::{
    Analysis, Answer, CastPlace, Detail, End, EventKind, Explanation, Finding, Gap, Judgement, Module, Purpose, Row,
    Subject, Typing, Value, Verdict, explain, lines,
};

use super::excerpt::Source;
use crate::output::{counted, grouped};

/// Writes everything that was found out.
pub fn write(
    out: &mut impl Write,
    source: &Source<'_>,
    module: &Module,
    analysis: &Analysis,
    explained: bool,
) -> io::Result<()> {
    writeln!(out, "as written: {}", typing_text(&analysis.typing))?;
    match &analysis.compiled {
        Err(rejected) => {
            for judgement in &rejected.judgements {
                write!(out, "{}", rejection(source, module, judgement))?;
            }
        }
        Ok(compiled) => {
            writeln!(out, "compiled: {} inserted", counted(compiled.inserted.len(), "cast"))?;
            if explained {
                let subject = Subject::new(module, &analysis.environment, &compiled.program);
                writeln!(out, "first run: {}\n", assignment(module, &analysis.first))?;
                let explanation = explain(module, &subject, &compiled.program, &analysis.first);
                columns(out, &explanation.rows)?;
                writeln!(out, "\nthe run {}", ending(module, &explanation))?;
                derivation(out, source, module, analysis)?;
            } else {
                for line in lines(module, &compiled.program, Detail::Brief) {
                    writeln!(out, "    {}", line.text)?;
                }
            }
            writeln!(out)?;
        }
    }
    if let Some(search) = &analysis.search {
        for finding in &search.findings {
            write!(out, "{}", finding_text(source, module, analysis, finding))?;
        }
    }
    write_gaps(out, source, module, analysis)?;
    write_verdict(out, analysis)
}

fn typing_text(typing: &Typing) -> String {
    match typing {
        Typing::WellTyped => "well-typed".to_owned(),
        Typing::IllTyped(judgements) => format!("ill-typed; {} refuted", counted(judgements.len(), "subtyping")),
        Typing::Unknown(judgements) => {
            format!("not known to be well-typed; {} not proved", counted(judgements.len(), "subtyping"))
        }
    }
}

/// `x = 5, b = true`
pub fn assignment(module: &Module, input: &[Value]) -> String {
    let pairs: Vec<String> =
        module.inputs().zip(input).map(|((_, info), value)| format!("{} = {value}", info.name)).collect();
    if pairs.is_empty() { "no inputs".to_owned() } else { pairs.join(", ") }
}

fn purpose(module: &Module, judgement: &Judgement) -> String {
    match &judgement.obligation.purpose {
        Purpose::Operand(variable, operator) => {
            format!("`{}` as an operand of `{}`", module.variable_name(*variable), module.operator_name(*operator))
        }
        Purpose::Literal(value, operator) => {
            format!("{value} as an operand of `{}`", module.operator_name(*operator))
        }
        Purpose::Assignment(variable) => format!("what is assigned to `{}`", module.variable_name(*variable)),
    }
}

fn rejection(source: &Source<'_>, module: &Module, judgement: &Judgement) -> String {
    let obligation = &judgement.obligation;
    let what = purpose(module, judgement);
    let message = format!("{what} has to be in {}", obligation.required);
    let label = match &judgement.answer {
        Answer::No(witness) => format!("{} is not a subtype: {witness} is in it", obligation.found),
        Answer::Unknown(reason) => format!("{}: {reason}", obligation.found),
        Answer::Yes => obligation.found.to_string(),
    };
    let help = match &obligation.purpose {
        Purpose::Literal(..) => "use another literal".to_owned(),
        Purpose::Operand(variable, _) => format!(
            "check it with a cast: `({} : {}) …`; or have casts inserted and an input searched for: --subtyping prove",
            module.variable_name(*variable),
            obligation.required
        ),
        Purpose::Assignment(variable) => format!(
            "check it with a cast: `{} := <{}> …`; or have casts inserted and an input searched for: --subtyping prove",
            module.variable_name(*variable),
            obligation.required
        ),
    };
    source.rejection(&message, obligation.span, &label, &help)
}

fn finding_text(source: &Source<'_>, module: &Module, analysis: &Analysis, finding: &Finding) -> String {
    let what = match finding.place {
        CastPlace::Variable(variable) => format!("`{}`", module.variable_name(variable)),
        CastPlace::Assigned => "the assigned value".to_owned(),
    };
    let message = format!("the cast of {what} to {} fails", finding.cast);
    let label = match &finding.value {
        Some(value) => format!("{what} is {value} here"),
        None => "here".to_owned(),
    };
    let note = format!("with {}", assignment(module, &finding.input));
    source.finding(&message, analysis.site(module, finding), &label, Some(&note))
}

fn write_gaps(out: &mut impl Write, source: &Source<'_>, module: &Module, analysis: &Analysis) -> io::Result<()> {
    for (operator, reason) in &analysis.trusted {
        let name = module.operator_name(*operator);
        writeln!(out, "not covered: whether `{name}` does what its signature says ({reason})")?;
    }
    for gap in analysis.gaps() {
        writeln!(out, "not covered: {}", gap_text(source, module, gap))?;
    }
    Ok(())
}

/// What was not covered.
pub fn gap_text(source: &Source<'_>, module: &Module, gap: &Gap) -> String {
    let at = |command| {
        let (line, column) = source.position(module.program.span(command));
        format!("{}:{line}:{column}", source.name)
    };
    match gap {
        Gap::Unsolved(command, EventKind::Branch, reason) => format!("{}: the other branch ({reason})", at(*command)),
        Gap::Unsolved(command, EventKind::Check(_), reason) => {
            format!("{}: whether the cast can go the other way ({reason})", at(*command))
        }
        Gap::Stuck(command, error, input) => {
            format!("{}: a run ended there: {error}, with {}", at(*command), assignment(module, input))
        }
        Gap::Divergence(command) => format!("{}: a run did not go where it was solved to go", at(*command)),
        Gap::Interrupted => "the rest of the search: it was interrupted".to_owned(),
        Gap::Runs(runs) => format!("paths after {}; raise --limit runs", counted(*runs, "run")),
    }
}

fn write_verdict(out: &mut impl Write, analysis: &Analysis) -> io::Result<()> {
    let cost = match &analysis.search {
        Some(search) => format!(
            " ({} to the end, {}, {})",
            counted(search.stopped, "path"),
            counted(search.runs, "run"),
            match search.queries {
                1 => "1 query".to_owned(),
                number => format!("{} queries", grouped(number)),
            }
        ),
        None => String::new(),
    };
    let verdict = match (analysis.verdict, &analysis.search) {
        (Verdict::Fails, Some(search)) if search.findings.len() > 1 => {
            format!("{} casts can fail", search.findings.len())
        }
        (verdict, _) => verdict.to_string(),
    };
    writeln!(out, "{verdict}{cost}")
}

fn columns(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let width = |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
    let (first, second) = (width(|row| &row.original), width(|row| &row.compiled));
    let mut number = 0;
    for row in rows {
        let state = row.state.as_ref().map_or(String::new(), |state| {
            let checks: Vec<String> = state
                .checks
                .iter()
                .map(|(check, held)| if *held { check.clone() } else { format!("{check} ✗") })
                .collect();
            let checks = if checks.is_empty() { "∅".to_owned() } else { format!("{{{}}}", checks.join(", ")) };
            let end = if state.failed { "  the cast fails" } else { "" };
            format!("pc = {}, Φ = {checks}{end}", state.path_constraint)
        });
        let label = match row.command {
            Some(_) => {
                number += 1;
                format!("{number}.")
            }
            None => String::new(),
        };
        let line = format!("{label:>4} {:first$}   {:second$}   {state}", row.original, row.compiled);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// How the run ended, with the store at its end.
pub fn ending(module: &Module, explanation: &Explanation) -> String {
    let pairs = module.variables.iter().zip(&explanation.values);
    let store: Vec<String> = pairs.map(|(info, value)| format!("{} = {value}", info.name)).collect();
    let how = match explanation.end {
        End::Stopped => "stops".to_owned(),
        End::Failed(..) => "ends with a failed cast".to_owned(),
        End::Stuck(_, error) => format!("cannot go on ({error})"),
    };
    if store.is_empty() { how } else { format!("{how} with {}", store.join(", ")) }
}

fn derivation(out: &mut impl Write, source: &Source<'_>, module: &Module, analysis: &Analysis) -> io::Result<()> {
    let Ok(compiled) = &analysis.compiled else { return Ok(()) };
    writeln!(out)?;
    for step in &compiled.derivation {
        let obligation = &step.judgement.obligation;
        let (line, column) = source.position(obligation.span);
        writeln!(
            out,
            "{:<7}{line}:{column}  {}: {} <: {}?  {}",
            step.rule,
            purpose(module, &step.judgement),
            obligation.found,
            obligation.required,
            step.judgement.answer
        )?;
    }
    Ok(())
}
