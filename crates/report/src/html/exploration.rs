//! Curves over time, which paths there are, and which lines were reached.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::escape::visible;
use crate::model::{Exploration, ExploredPath, FileCoverage, Moment};
use crate::sources::Lines;
use crate::words::{counted, grouped};

const WIDTH: u64 = 560;
const HEIGHT: u64 = 120;

/// A tab in a source file.
const TAB: &str = "    ";

/// What an exploration reached, over time and in the source.
pub(super) fn exploration(explored: &Exploration, lines: &Lines) -> Markup {
    let moments = explored.moments.as_slice();
    html! {
        @if moments.len() > 1 {
            section {
                h2 { "Over time" }
                div.plots {
                    (plot("edges taken", moments, |moment| moment.edges))
                    (plot("paths", moments, |moment| moment.paths))
                    (plot("inputs waiting", moments, |moment| moment.waiting))
                    (plot("findings", moments, |moment| moment.findings))
                }
            }
        }
        @if !explored.tree.is_empty() {
            section {
                h2 { "Paths" }
                p {
                    "Each path stands below the one that it left, with the place where it did. "
                    @if (explored.tree.len() as u64) < explored.paths {
                        "These are the first " (grouped(explored.tree.len())) " of " (grouped(explored.paths)) "."
                    }
                }
                ul.paths { (tree(&explored.tree)) }
            }
        }
        @if !explored.files.is_empty() {
            section {
                h2 { "Lines reached" }
                @for file in &explored.files { (coverage(file, lines)) }
            }
        }
    }
}

/// A curve, from 0 to its highest value.
fn plot(name: &str, moments: &[Moment], value: impl Fn(&Moment) -> u64) -> Markup {
    let highest = moments.iter().map(&value).max().unwrap_or(0);
    let last = moments.last().map_or(0, |moment| moment.milliseconds);
    let scaled =
        |number: u64, most: u64, size: u64| (u128::from(number) * u128::from(size) / u128::from(most.max(1))) as u64;
    let point = |moment: &Moment| {
        let x = scaled(moment.milliseconds, last, WIDTH);
        let y = HEIGHT.saturating_sub(scaled(value(moment), highest, HEIGHT));
        format!("{x},{y}")
    };
    let points: Vec<String> = moments.iter().map(point).collect();
    html! {
        div.plot {
            h3 { (name) ": " (grouped(moments.last().map_or(0, &value))) " after " (grouped(last / 1000)) " s" }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" {
                polyline points=(points.join(" ")) fill="none" stroke="currentColor" stroke-width="2" {}
            }
        }
    }
}

/// Paths below those that they left.
fn tree(paths: &[ExploredPath]) -> Markup {
    let mut below: Vec<Vec<Markup>> = vec![Vec::new(); paths.len()];
    let mut roots = Vec::new();
    // A path comes behind the one that it left, so what is below a path is done before it.
    for (index, path) in paths.iter().enumerate().rev() {
        let children = below.get_mut(index).map(std::mem::take).unwrap_or_default();
        let shown = leaf_or_branch(path, children);
        match path.parent.filter(|parent| *parent < index).and_then(|parent| below.get_mut(parent)) {
            Some(siblings) => siblings.push(shown),
            None => roots.push(shown),
        }
    }
    html! { @for root in roots.iter().rev() { (root) } }
}

/// A path with what is below it, the last one first.
fn leaf_or_branch(path: &ExploredPath, below: Vec<Markup>) -> Markup {
    let name = html! {
        "input " (path.input)
        @match (&path.left_at, path.parent) {
            (Some(place), _) => { " left at " code { (visible(place)) } }
            (None, Some(_)) => " made by chance"
            (None, None) => " given"
        }
        ": " (counted(path.decisions, "decision"))
        @if !path.complete { ", not all covered" }
    };
    html! {
        li {
            @if below.is_empty() {
                (name)
            } @else {
                details open[path.parent.is_none()] {
                    summary { (name) ", " (counted(below.len(), "path")) " below" }
                    ul { @for child in below.iter().rev() { (child) } }
                }
            }
        }
    }
}

/// A file, line by line, as far as its source is there.
fn coverage(file: &FileCoverage, lines: &Lines) -> Markup {
    let reached = file.lines.iter().filter(|(_, is_reached)| *is_reached).count();
    html! {
        details {
            summary {
                code { (visible(&file.file)) } ": " (grouped(reached)) " of " (counted(file.lines.len(), "line"))
            }
            pre.coverage {
                @match lines.of(&file.file) {
                    Some(source) => {
                        @let known: BTreeMap<u32, bool> = file.lines.iter().copied().collect();
                        @for (number, text) in (1..).zip(source.iter()) { (line(number, known.get(&number), text)) }
                    }
                    // The source is somewhere else: the numbers still say something.
                    None => { @for (number, is_reached) in &file.lines { (line(*number, Some(is_reached), "")) } }
                }
            }
        }
    }
}

/// A line; whether it was reached is not known of lines that no edge leads to.
fn line(number: u32, is_reached: Option<&bool>, text: &str) -> Markup {
    let (class, mark) = match is_reached {
        Some(true) => ("good", "+"),
        Some(false) => ("bad", "-"),
        None => ("", " "),
    };
    html! { span class=(class) { span.number { (format!("{number:>5} {mark} ")) } (visible(&text.replace('\t', TAB))) } "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_of_a_file_are_shown() {
        let sources = |name: &str| (name == "a.c").then(|| b"int a;\nif (b)\n\tc();\n".to_vec());
        let file = FileCoverage { file: "a.c".to_owned(), lines: vec![(2, true), (3, false)] };
        let shown = coverage(&file, &Lines::new(&sources)).into_string();
        assert!(shown.contains("1 of 2 lines"), "{shown}");
        for part in
            ["    1   </span>int a;", "<span class=\"good\"><span class=\"number\">    2 + </span>if (b)", "    3 - "]
        {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let elsewhere = FileCoverage { file: "b.c".to_owned(), lines: vec![(7, false)] };
        assert!(coverage(&elsewhere, &Lines::new(&sources)).into_string().contains("    7 - "));
    }

    #[test]
    fn a_path_stands_below_the_one_that_it_left() {
        let path = |input: u64, parent: Option<usize>, left_at: Option<&str>| ExploredPath {
            input,
            parent,
            left_at: left_at.map(str::to_owned),
            decisions: 2,
            complete: input != 9,
        };
        let paths =
            [path(1, None, None), path(4, Some(0), Some("a.c:3")), path(5, Some(0), None), path(9, Some(1), None)];
        let shown = tree(&paths).into_string();
        let expected = "<li><details open><summary>input 1 given: 2 decisions, 2 paths below</summary><ul>\
            <li><details><summary>input 4 left at <code>a.c:3</code>: 2 decisions, 1 path below</summary><ul>\
            <li>input 9 made by chance: 2 decisions, not all covered</li></ul></details></li>\
            <li>input 5 made by chance: 2 decisions</li></ul></details></li>";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_parent_that_comes_later_is_none() {
        let path = ExploredPath { input: 1, parent: Some(0), ..ExploredPath::default() };
        assert!(tree(&[path]).into_string().starts_with("<li>input 1"));
    }
}
