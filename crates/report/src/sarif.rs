//! SARIF 2.1.0: for code scanning services and editors.

mod artifacts;
mod message;
mod results;
mod rules;

use serde_json::{Value, json};

use self::artifacts::Artifacts;
use self::message::message;
use self::rules::Rules;
use crate::model::{Loss, Report};
use crate::sources::{Lines, Sources};

/// Under this name a result has the fingerprint of its finding.
pub const FINGERPRINT: &str = "provoke/v1";

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a report.
pub fn render(report: &Report, sources: &dyn Sources) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&document(report, sources))?;
    text.push('\n');
    Ok(text)
}

fn document(report: &Report, sources: &dyn Sources) -> Value {
    let lines = Lines::new(sources);
    let rules = Rules::of(report);
    let mut artifacts = Artifacts::new(&lines);
    let results: Vec<Value> =
        report.findings.iter().map(|finding| results::result(finding, &rules, &mut artifacts)).collect();
    let notifications: Vec<Value> = report.losses.iter().map(|loss| notification(loss, &mut artifacts)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": report.tool.name,
                "version": report.tool.version,
                "semanticVersion": report.tool.version,
                "shortDescription": message("Makes C programs fail on purpose, before somebody else does"),
                "rules": rules.descriptors(),
                "supportedTaxonomies": [rules::taxonomy_reference()],
            }},
            "taxonomies": [rules.taxonomy()],
            "invocations": [{
                "commandLine": report.command.as_str(),
                // A run that was stopped has told what it knew.
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "artifacts": artifacts.into_value(),
            "results": results,
            "properties": {
                "program": report.program,
                "summary": report.summary,
                "verified": report.verified,
                "advice": report.advice,
            },
        }],
    })
}

/// Something that was not covered.
fn notification(loss: &Loss, artifacts: &mut Artifacts<'_>) -> Value {
    let text = match loss.count {
        0 => format!("not covered: {}", loss.text),
        count => format!("not covered: {count} {}", loss.text),
    };
    let places = loss.places.iter().map(|place| crate::Position::new(place.file.clone(), place.line, 0));
    let locations: Vec<Value> = places.filter_map(|position| artifacts.location(&position, "")).collect();
    json!({
        "descriptor": { "id": loss.cause },
        "level": "note",
        "message": message(&text),
        "locations": locations,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_sarif::sarif::{ArtifactLocation, Location, Sarif};

    use super::*;
    use crate::testing;

    #[test]
    fn a_report() {
        insta::assert_snapshot!(render(&testing::example(), &testing::sources).unwrap());
    }

    /// Reads with types made from the schema, then checks what the schema cannot say.
    fn check(text: &str) {
        let sarif: Sarif = serde_json::from_str(text).unwrap();
        for run in &sarif.runs {
            let artifacts = run.artifacts.as_deref().unwrap_or_default();
            let rules = run.tool.driver.rules.as_deref().unwrap_or_default();
            let check_artifact = |place: &ArtifactLocation| {
                let artifact = &artifacts[usize::try_from(place.index.unwrap()).unwrap()];
                assert_eq!(artifact.location.as_ref().unwrap().uri, place.uri);
                let uri = place.uri.as_deref().unwrap();
                assert!(uri.is_ascii() && !uri.contains([' ', '"', '<', '\\', '?', '#']), "{uri}");
                assert_eq!(uri.starts_with("file:///"), place.uri_base_id.is_none(), "{uri}");
            };
            let check_location = |location: &Location| {
                let Some(place) = &location.physical_location else { return };
                check_artifact(place.artifact_location.as_ref().unwrap());
                let Some(region) = &place.region else { return };
                let start = (region.start_line.unwrap(), region.start_column.unwrap_or(1));
                let end = (region.end_line.unwrap_or(start.0), region.end_column.unwrap_or(start.1));
                assert!(start.0 >= 1 && start.1 >= 1 && start <= end, "{region:?}");
            };
            for rule in rules {
                assert!(rule.help.is_some() && rule.full_description.is_some() && rule.relationships.is_some());
            }
            for result in run.results.as_deref().unwrap() {
                let rule = &rules[usize::try_from(result.rule_index.unwrap()).unwrap()];
                assert_eq!(result.rule_id.as_ref(), Some(&rule.id));
                assert!(result.partial_fingerprints.as_ref().unwrap().contains_key(FINGERPRINT));
                assert!(!result.message.text.as_deref().unwrap().is_empty());
                result.locations.iter().flatten().for_each(check_location);
                let flows = result.code_flows.iter().flatten().flat_map(|flow| &flow.thread_flows);
                let steps = flows.flat_map(|flow| &flow.locations);
                steps.filter_map(|step| step.location.as_ref()).for_each(check_location);
                let frames = result.stacks.iter().flatten().flat_map(|stack| &stack.frames);
                frames.filter_map(|frame| frame.location.as_ref()).for_each(check_location);
            }
        }
    }

    #[test]
    fn the_example_is_valid() {
        check(&render(&testing::example(), &testing::sources).unwrap());
        check(&render(&testing::clean(), &testing::sources).unwrap());
    }

    proptest! {
        #![proptest_config(testing::few())]

        #[test]
        fn every_report_is_valid(report in testing::report()) {
            check(&render(&report, &testing::sources).unwrap());
        }
    }
}
