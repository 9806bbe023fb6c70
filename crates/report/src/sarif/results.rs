//! Findings as results.

use serde_json::{Map, Value, json};

use super::FINGERPRINT;
use super::artifacts::Artifacts;
use super::message::{escaped, message};
use super::rules::Rules;
use crate::model::input::Stretch;
use crate::model::{Finding, Part};

pub(super) fn result(finding: &Finding, rules: &Rules, artifacts: &mut Artifacts<'_>) -> Value {
    let mut result = Map::new();
    let mut put = |name: &str, value: Value| result.insert(name.to_owned(), value);
    put("ruleId", finding.rule.id().into());
    if let Some(index) = rules.index(finding.rule) {
        put("ruleIndex", index.into());
    }
    put("kind", "fail".into());
    put("level", finding.severity.name().into());
    put("message", json!({ "text": summary(finding) }));
    let location = artifacts.location(&finding.position, &finding.function);
    put("locations", location.into_iter().collect());
    put("partialFingerprints", json!({ FINGERPRINT: finding.fingerprint }));
    if !finding.stack.is_empty() {
        let frames: Vec<Value> = finding.stack.iter().map(|frame| artifacts.frame(frame)).collect();
        put("stacks", json!([{ "message": message("The calls that led there"), "frames": frames }]));
    }
    put("codeFlows", json!([code_flow(finding, artifacts)]));
    let attachments: Vec<Value> = finding.input.parts.iter().filter_map(|part| attachment(part, artifacts)).collect();
    if !attachments.is_empty() {
        put("attachments", attachments.into());
    }
    put("properties", properties(finding));
    result.into()
}

/// What happened and which bytes cause it, since most viewers show little more than the message.
fn summary(finding: &Finding) -> String {
    let mut text = escaped(&finding.message);
    let mut stretches = Stretch::of(&finding.changes);
    if let Some(stretch) = stretches.next() {
        text.push_str(&format!(". To see it, {}", escaped(&stretch.sentence())));
        match stretches.count() {
            0 => {}
            more => text.push_str(&format!(" and {more} more")),
        }
        text.push('.');
    }
    text
}

/// The path, and the finding as its last step.
fn code_flow(finding: &Finding, artifacts: &mut Artifacts<'_>) -> Value {
    let mut steps: Vec<Value> =
        finding.path.iter().map(|step| artifacts.location_with(&step.position, &step.text)).collect();
    steps.push(artifacts.location_with(&finding.position, &finding.message));
    let locations: Vec<Value> = (1..)
        .zip(steps)
        .map(|(order, location): (u32, Value)| json!({ "location": location, "executionOrder": order }))
        .collect();
    json!({ "threadFlows": [{ "locations": locations }] })
}

/// A part of the input that was saved.
fn attachment(part: &Part, artifacts: &mut Artifacts<'_>) -> Option<Value> {
    let saved = part.saved.as_deref().filter(|saved| !saved.is_empty())?;
    Some(json!({
        "description": message(&format!("{}: {}", part.kind.name(), part.name)),
        "artifactLocation": artifacts.file(saved),
    }))
}

fn properties(finding: &Finding) -> Value {
    json!({
        "verdict": finding.verdict,
        "predictedBy": finding.predicted_by,
        "fromInput": finding.from_input,
        "input": finding.input,
        "changes": finding.changes,
        "reproduce": finding.reproduce.as_str(),
        "debug": finding.debug.as_str(),
    })
}
