//! An analysis as a report.

use std::collections::BTreeMap;

use checkers::catalogue::Severity;
use mix::{Analysis, Certainty, Found, Violation};
use report::{CommandLine, Finding, Loss, LossPlace, Position, Prediction, Report, Step, Verdict};
use trace::rule::Rule;

use super::Arguments;
use crate::output::counted;

/// The report of an analysis.
pub fn report(arguments: &Arguments, analysis: &Analysis) -> Report {
    let names: Vec<String> = arguments.program.iter().map(|file| file.display().to_string()).collect();
    let mut report = Report::new(names.join(" "), CommandLine::new(std::env::args_os()));
    report.findings = analysis.found.iter().map(finding).collect();
    report.losses = analysis.assumptions.iter().map(loss).collect();
    report.summary.interrupted = analysis.stopped;
    report.advice = advice(arguments, analysis);
    report
}

fn finding(found: &Found) -> Finding {
    let rule = match found.violation {
        Violation::Followed => Rule::NullDeref,
        Violation::Declared => Rule::NonnullArg,
    };
    let mut finding = Finding::new(rule, &found.message, position(&found.site), &found.bucket);
    finding.function = found.function.clone();
    finding.verdict = Verdict::NotRun;
    let (severity, by) = match &found.certainty {
        Certainty::Inferred => {
            (Severity::Warning, "inference of qualifiers, whatever order and conditions are".to_owned())
        }
        Certainty::ByTypes { block } => {
            (Severity::Warning, format!("symbolic execution of `{block}`, for which types say what is null"))
        }
        Certainty::Path { block } => (Severity::Error, format!("symbolic execution of `{block}`")),
    };
    finding.severity = severity;
    finding.predicted_by = Prediction::Analysis { by };
    finding.path =
        found.steps.iter().map(|step| Step { position: position(&step.site), text: step.text.clone() }).collect();
    finding
}

fn position(site: &ir::Site) -> Position {
    Position::new(&*site.file, site.line, site.column)
}

fn loss(assumption: &mix::Assumption) -> Loss {
    let place = |site: &ir::Site| LossPlace { file: site.file.to_string(), line: site.line, count: 1 };
    Loss {
        cause: "assumption".to_owned(),
        text: assumption.what.clone(),
        count: 0,
        places: assumption.sites.iter().map(place).collect(),
    }
}

fn advice(arguments: &Arguments, analysis: &Analysis) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(format!(
        "{} by inference alone in {}, {} left",
        counted(analysis.inferred, "warning"),
        counted(analysis.functions, "function"),
        analysis.found.len()
    ));
    let conclusive = analysis.blocks.iter().filter(|block| block.inconclusive.is_none()).count();
    if !analysis.blocks.is_empty() {
        let inconclusive = analysis.blocks.len() - conclusive;
        lines.push(format!(
            "{} executed, {inconclusive} of them inconclusive and taken as typed",
            counted(analysis.blocks.len(), "symbolic block")
        ));
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for why in analysis.blocks.iter().filter_map(|block| block.inconclusive.as_deref()) {
        *reasons.entry(why).or_default() += 1;
    }
    lines.extend(reasons.iter().map(|(why, count)| format!("  {}: {why}", counted(*count, "inconclusive block"))));
    if !arguments.auto && !analysis.found.is_empty() {
        lines.push("add --auto to let Provoke choose symbolic blocks that confirm or refute these warnings".to_owned());
    }
    lines
}
