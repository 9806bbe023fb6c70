//! What programs read.

use std::io::{self, Write};

use csimpl::{
    Analysis, Answer, CastPlace, Compiled, Detail, Diagnostic, Judgement, Module, Purpose, Span, Subject, Typing,
    Value, Verdict, explain, lines,
};
use serde_json::{Map, Value as Json, json};

use super::excerpt::Source;
use super::text::{ending, gap_text};

/// Writes everything that was found out, with the derivation if it is to be explained.
pub fn write(
    out: &mut impl Write,
    source: &Source<'_>,
    module: &Module,
    analysis: &Analysis,
    explained: bool,
) -> io::Result<()> {
    let (columns, ending, derivation) = match &analysis.compiled {
        Ok(compiled) if explained => explanation(source, module, analysis, compiled),
        _ => (Json::Null, Json::Null, Json::Null),
    };
    let (program, inserted, rejected) = match &analysis.compiled {
        Ok(compiled) => {
            let text: Vec<String> =
                lines(module, &compiled.program, Detail::Full).into_iter().map(|line| line.text).collect();
            let inserted: Vec<Json> = compiled
                .inserted
                .iter()
                .filter_map(|index| compiled.derivation.get(*index))
                .map(|step| judgement(source, module, &step.judgement))
                .collect();
            (json!(text), inserted, Vec::new())
        }
        Err(rejected) => {
            (Json::Null, Vec::new(), rejected.judgements.iter().map(|one| judgement(source, module, one)).collect())
        }
    };
    let search = analysis.search.as_ref();
    let findings: Vec<Json> = search
        .into_iter()
        .flat_map(|search| &search.findings)
        .map(|finding| {
            json!({
                "at": place(source, analysis.site(module, finding)),
                "cast": finding.cast.to_string(),
                "of": match finding.place {
                    CastPlace::Variable(variable) => Some(module.variable_name(variable)),
                    CastPlace::Assigned => None,
                },
                "value": finding.value.as_ref().map(value),
                "input": input(module, &finding.input),
            })
        })
        .collect();
    let mut gaps: Vec<String> = analysis.gaps().iter().map(|gap| gap_text(source, module, gap)).collect();
    gaps.extend(analysis.trusted.iter().map(|(operator, reason)| {
        format!("whether `{}` does what its signature says ({reason})", module.operator_name(*operator))
    }));
    let document = json!({
        "file": source.name,
        "verdict": word(analysis.verdict),
        "typing": match &analysis.typing {
            Typing::WellTyped => "well-typed",
            Typing::IllTyped(_) => "ill-typed",
            Typing::Unknown(_) => "unknown",
        },
        "program": program,
        "columns": columns,
        "first_run": ending,
        "derivation": derivation,
        "inserted": inserted,
        "rejected": rejected,
        "first_input": input(module, &analysis.first),
        "findings": findings,
        "not_covered": gaps,
        "paths": search.map(|search| search.stopped),
        "runs": search.map(|search| search.runs),
        "queries": search.map(|search| search.queries),
    });
    finish(out, &document)
}

/// The rows of Figure 8, and the rules that were applied.
fn explanation(source: &Source<'_>, module: &Module, analysis: &Analysis, compiled: &Compiled) -> (Json, Json, Json) {
    let subject = Subject::new(module, &analysis.environment, &compiled.program);
    let explanation = explain(module, &subject, &compiled.program, &analysis.first);
    let ending = ending(module, &explanation);
    let rows = explanation.rows.into_iter().map(|row| {
        let state = row.state.map(|state| {
            let checks = state.checks.into_iter().map(|(check, held)| json!({ "check": check, "held": held }));
            json!({
                "path_constraint": state.path_constraint,
                "checks": checks.collect::<Vec<Json>>(),
                "failed": state.failed,
            })
        });
        json!({ "original": row.original, "compiled": row.compiled, "state": state })
    });
    let steps = compiled.derivation.iter().map(|step| {
        let mut text = judgement(source, module, &step.judgement);
        if let Some(fields) = text.as_object_mut() {
            fields.insert("rule".to_owned(), json!(step.rule));
        }
        text
    });
    (rows.collect(), json!(ending), steps.collect())
}

/// Writes what is wrong with the file.
pub fn write_error(out: &mut impl Write, source: &Source<'_>, diagnostic: &Diagnostic) -> io::Result<()> {
    let document = json!({
        "file": source.name,
        "verdict": "error",
        "error": diagnostic.message,
        "at": place(source, diagnostic.span),
        "label": diagnostic.label,
        "help": diagnostic.help,
    });
    finish(out, &document)
}

fn finish(out: &mut impl Write, document: &Json) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document).map_err(io::Error::from)?;
    writeln!(out)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::IllTyped => "ill-typed",
        Verdict::WellTyped => "well-typed",
        Verdict::Fails => "fails",
        Verdict::Verified => "verified",
        Verdict::Undecided => "undecided",
    }
}

fn place(source: &Source<'_>, span: Span) -> Json {
    let (line, column) = source.position(span);
    json!({ "line": line, "column": column, "start": span.start, "end": span.end })
}

/// Integers are text: they can be larger than what JSON's readers keep.
fn value(value: &Value) -> Json {
    match value {
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!(number.to_string()),
    }
}

fn input(module: &Module, values: &[Value]) -> Json {
    let pairs = module.inputs().zip(values).map(|((_, info), given)| (info.name.clone(), value(given)));
    Json::Object(pairs.collect::<Map<String, Json>>())
}

fn judgement(source: &Source<'_>, module: &Module, judgement: &Judgement) -> Json {
    let obligation = &judgement.obligation;
    let (of, operator) = match &obligation.purpose {
        Purpose::Operand(variable, operator) => (Some(module.variable_name(*variable)), Some(*operator)),
        Purpose::Literal(_, operator) => (None, Some(*operator)),
        Purpose::Assignment(variable) => (Some(module.variable_name(*variable)), None),
    };
    json!({
        "at": place(source, obligation.span),
        "variable": of,
        "operator": operator.map(|operator| module.operator_name(operator)),
        "found": obligation.found.to_string(),
        "required": obligation.required.to_string(),
        "answer": match &judgement.answer {
            Answer::Yes => "yes",
            Answer::No(_) => "no",
            Answer::Unknown(_) => "unknown",
        },
        "witness": match &judgement.answer {
            Answer::No(witness) => Some(value(witness)),
            _ => None,
        },
    })
}
