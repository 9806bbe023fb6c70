//! The layout of AFL++.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use search::explore::statistics;
use store::{Counts, Cut, Item, Sample};

use super::{Corpus, Folder, bytes, item_input};

pub(super) fn write(folder: &Path, corpus: &Corpus) -> io::Result<()> {
    let [mut queue, mut crashes, mut hangs] = [
        Folder::make(folder.join("queue"), corpus.moment)?,
        Folder::make(folder.join("crashes"), corpus.moment)?,
        Folder::make(folder.join("hangs"), corpus.moment)?,
    ];
    for item in &corpus.queue {
        queue.put(name(item), bytes(&item_input(item)))?;
    }
    for (index, found) in corpus.found.iter().enumerate() {
        let name = format!("id:{index:06},src:{:06},rule:{}", found.root, found.violation.rule);
        crashes.put(name, bytes(&found.input))?;
    }
    for item in &corpus.hangs {
        hangs.put(name(item), bytes(&item_input(item)))?;
    }
    for folder in [queue, crashes, hangs] {
        folder.finish(|name| name.starts_with("id:"))?;
    }
    fs::write(folder.join("fuzzer_stats"), stats(corpus))?;
    fs::write(folder.join("plot_data"), plot(&corpus.samples, corpus.all_edges))
}

fn name(item: &Item) -> String {
    let coverage = if item.score > 0 { ",+cov" } else { "" };
    let (id, time) = (item.id, item.time);
    match (&item.cut, item.parent) {
        (Some(Cut { parent, decisions, .. }), _) => {
            format!("id:{id:06},src:{parent:06},time:{time},op:cut,pos:{decisions}{coverage}")
        }
        (None, Some(parent)) => format!("id:{id:06},src:{parent:06},time:{time},op:havoc{coverage}"),
        (None, None) => format!("id:{id:06},time:{time},execs:0,orig:seed{coverage}"),
    }
}

/// Runs of all kinds.
fn runs(counts: &Counts) -> u64 {
    counts.statistic(statistics::REPLAYS) + counts.statistic(statistics::MUTANTS) + counts.paths
}

fn stats(corpus: &Corpus) -> String {
    let Corpus { queue, hangs, found, counts, samples, all_edges, .. } = corpus;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seconds = samples.last().map_or(0.0, |sample| sample.seconds);
    let rows = [
        ("fuzzer_pid", std::process::id().to_string()),
        ("start_time", now.saturating_sub(seconds as u64).to_string()),
        ("last_update", now.to_string()),
        ("run_time", (seconds as u64).to_string()),
        ("cycles_done", "0".to_owned()),
        ("cycles_wo_finds", "0".to_owned()),
        ("time_wo_finds", format!("{:.0}", seconds - last_find(samples))),
        ("execs_done", runs(counts).to_string()),
        ("execs_per_sec", format!("{:.2}", runs(counts) as f64 / seconds.max(1.0))),
        ("corpus_count", queue.len().to_string()),
        ("pending_favs", "0".to_owned()),
        ("pending_total", (counts.new + counts.queued).to_string()),
        ("max_depth", counts.generation.to_string()),
        ("saved_crashes", found.len().to_string()),
        ("saved_hangs", hangs.len().to_string()),
        ("edges_found", counts.edges.to_string()),
        ("total_edges", all_edges.to_string()),
        ("bitmap_cvg", share(counts.edges, *all_edges)),
        ("stability", "100.00%".to_owned()),
        ("afl_banner", "provoke".to_owned()),
        ("afl_version", concat!("provoke-", env!("CARGO_PKG_VERSION")).to_owned()),
    ];
    rows.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:<18}: {value}");
        text
    })
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.2}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// When something new was reached last, in seconds of work.
fn last_find(samples: &[Sample]) -> f64 {
    let most = samples.last().map_or(0, |last| last.edges);
    samples.iter().find(|sample| sample.edges == most).map_or(0.0, |sample| sample.seconds)
}

fn plot(samples: &[Sample], all_edges: u64) -> String {
    let head = "# relative_time, cycles_done, cur_item, corpus_count, pending_total, pending_favs, map_size, \
                saved_crashes, saved_hangs, max_depth, execs_per_sec, total_execs, edges_found\n";
    samples.iter().fold(head.to_owned(), |mut text, sample| {
        let Sample { seconds, inputs, waiting, edges, findings, .. } = sample;
        let share = share(*edges, all_edges);
        let _ =
            writeln!(text, "{seconds:.0}, 0, 0, {inputs}, {waiting}, 0, {share}, {findings}, 0, 0, 0.00, 0, {edges}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_inputs_come_from() {
        let cut = Cut { parent: 2, decisions: 9, site: 0, expected: vec![] };
        let mut item = Item {
            id: 3,
            input: Default::default(),
            cut: Some(cut),
            parent: Some(2),
            is_attempt: false,
            generation: 1,
            score: 64,
            postponed: false,
            skimmed: false,
            next: 0,
            time: 40,
            checked: true,
        };
        assert_eq!(name(&item), "id:000003,src:000002,time:40,op:cut,pos:9,+cov");
        item.cut = None;
        assert_eq!(name(&item), "id:000003,src:000002,time:40,op:havoc,+cov");
        item.parent = None;
        assert_eq!(name(&item), "id:000003,time:40,execs:0,orig:seed,+cov");
    }

    #[test]
    fn every_sample_is_a_line() {
        let sample = Sample { seconds: 2.4, inputs: 5, waiting: 3, paths: 1, edges: 8, findings: 1 };
        let text = plot(&[sample], 16);
        let (head, line) = text.trim_end().split_once('\n').unwrap();
        assert_eq!(line, "2, 0, 0, 5, 3, 0, 50.00%, 1, 0, 0, 0.00, 0, 8");
        assert_eq!(head.split(',').count(), line.split(',').count());
    }
}
