use proptest::prelude::*;
use rusqlite::params;

use super::*;

fn input(bytes: &[u8]) -> Input {
    Input { parts: vec![Part { kind: 1, name: "stdin".to_owned(), bytes: bytes.to_vec() }] }
}

fn identity() -> [(&'static str, String); 1] {
    [("program", "a".to_owned())]
}

fn campaign() -> (tempfile::TempDir, Campaign) {
    let folder = tempfile::tempdir().unwrap();
    let campaign = Campaign::open(&folder.path().join("campaign"), &identity()).unwrap();
    (folder, campaign)
}

fn cut(parent: Id) -> Cut {
    Cut { parent, decisions: 3, site: 5, expected: vec![7] }
}

fn once(edges: &[u64]) -> Vec<Hit> {
    edges.iter().map(|edge| Hit { edge: *edge, often: 0 }).collect()
}

fn replay(campaign: &mut Campaign, edges: &[u64]) -> (Id, u64) {
    let Work::Replay(item) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to replay") };
    (item.id, campaign.replayed(item.id, &once(edges), &[]).unwrap())
}

#[test]
fn an_input_is_kept_once() {
    let (_folder, mut campaign) = campaign();
    assert!(campaign.add_seed(&input(b"a")).unwrap());
    assert!(!campaign.add_seed(&input(b"a")).unwrap());
    let (seed, _) = replay(&mut campaign, &[]);
    assert!(!campaign.add_child(&input(b"a"), &cut(seed)).unwrap());
    assert!(campaign.add_child(&input(b"b"), &cut(seed)).unwrap());
    assert_eq!(campaign.item(seed).unwrap().input, input(b"a"));
    let (child, _) = replay(&mut campaign, &[]);
    let item = campaign.item(child).unwrap();
    assert_eq!((item.cut, item.generation), (Some(cut(seed)), 1));
    assert_eq!(campaign.root(child).unwrap(), seed);
}

#[test]
fn what_reached_most_comes_first() {
    let (_folder, mut campaign) = campaign();
    for bytes in [b"a", b"b", b"c"] {
        campaign.add_seed(&input(bytes)).unwrap();
    }
    let scores = [&[1, 2][..], &[2, 3, 4, 5], &[5]].map(|edges| replay(&mut campaign, edges).1);
    assert_eq!(scores, [2 * 64, 3 * 64, 0]);
    let mut order = Vec::new();
    while let Work::Expand(item) = campaign.claim(Order::Score).unwrap() {
        order.push(item.input.parts[0].bytes.clone());
        let path = item.input.parts[0].bytes.clone();
        campaign.expanded(item.id, &Expanded { path, complete: true, ..Expanded::default() }).unwrap();
    }
    assert_eq!(order, [b"b", b"a", b"c"]);
    assert_eq!(campaign.claim(Order::Score).unwrap(), Work::Nothing);
    let counts = campaign.counts().unwrap();
    assert_eq!((counts.paths, counts.complete, counts.edges, counts.queued), (3, 3, 5, 0));
}

#[test]
fn paths_of_each_kind_have_their_turn() {
    let (_folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    let (seed, _) = replay(&mut campaign, &[1]);
    campaign.add_child(&input(b"b"), &cut(seed)).unwrap();
    let (child, _) = replay(&mut campaign, &[]);
    campaign.add_mutant(&input(b"c"), seed).unwrap();
    let (mutant, _) = replay(&mut campaign, &[2, 3]);
    campaign.paused(seed, 0, &[]).unwrap();
    let mut take = |order: Order| {
        let Work::Expand(item) = campaign.claim(order).unwrap() else { panic!("nothing to expand") };
        campaign.release(item.id).unwrap();
        item.id
    };
    assert_eq!([Order::Score, Order::Whole, Order::Children].map(&mut take), [mutant, mutant, child]);
    campaign.settled(mutant, &[], None).unwrap();
    let Work::Expand(item) = campaign.claim(Order::Whole).unwrap() else { panic!("nothing to expand") };
    assert_eq!(item.id, child, "what has been skimmed comes later, whatever its kind");
}

/// Whoever takes work would look at all inputs each time otherwise.
#[test]
fn work_is_found_by_an_index() {
    let (_folder, campaign) = campaign();
    let orders = [Order::Score, Order::Whole, Order::Children].map(|order| ("queued", order.clause()));
    for (state, order) in orders.into_iter().chain([("new", "id")]) {
        let query = format!("EXPLAIN QUERY PLAN {}", claim::query(state, order));
        let mut statement = campaign.connection.prepare(&query).unwrap();
        let plan: Vec<String> = statement.query_map([], |row| row.get(3)).unwrap().map(Result::unwrap).collect();
        assert!(plan.len() == 1 && plan[0].contains("USING INDEX"), "{state}, {order}: {plan:?}");
    }
}

#[test]
fn work_of_the_dead_is_taken_again() {
    let (folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    let Work::Replay(item) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to do") };
    let mut second = Campaign::open(&folder.path().join("campaign"), &identity()).unwrap();
    assert_eq!(second.claim(Order::Score).unwrap(), Work::Wait, "the owner is alive");
    campaign.connection.execute("UPDATE inputs SET owner = '1:no such time'", []).unwrap();
    assert_eq!(second.claim(Order::Score).unwrap(), Work::Wait, "it is free from now on");
    assert_eq!(second.claim(Order::Score).unwrap(), Work::Replay(item));
}

#[test]
fn a_path_counts_once() {
    let (_folder, mut campaign) = campaign();
    for bytes in [b"a", b"b"] {
        campaign.add_seed(&input(bytes)).unwrap();
        replay(&mut campaign, &[]);
    }
    let loss = Loss { cause: "x".into(), count: 2, ..Loss::default() };
    let statistics = vec![("branches".to_owned(), 5)];
    let expanded = Expanded { path: vec![1], statistics, losses: vec![loss.clone()], ..Expanded::default() };
    while let Work::Expand(item) = campaign.claim(Order::Latest).unwrap() {
        campaign.expanded(item.id, &expanded).unwrap();
    }
    let counts = campaign.counts().unwrap();
    assert_eq!((counts.paths, counts.complete, counts.statistic("branches")), (1, 0, 5));
    assert_eq!(campaign.losses().unwrap(), [loss]);
    assert_eq!(campaign.knows_path(&[1]).unwrap(), Knowledge::Expanded);
    assert_eq!(campaign.knows_path(&[2]).unwrap(), Knowledge::New);
}

#[test]
fn a_run_that_comes_to_the_end_of_a_path_takes_the_place_of_one_that_did_not() {
    let (_folder, mut campaign) = campaign();
    for bytes in [b"a", b"b", b"c"] {
        campaign.add_seed(&input(bytes)).unwrap();
        replay(&mut campaign, &[]);
    }
    let cut = Expanded { path: vec![1], cut_short: Some("crashed".into()), ..Expanded::default() };
    let whole = Expanded { path: vec![1], complete: true, ..Expanded::default() };
    let mut expand = |expanded: &Expanded| {
        let Work::Expand(item) = campaign.claim(Order::Earliest).unwrap() else { panic!("nothing is waiting") };
        campaign.expanded(item.id, expanded).unwrap();
        let counts = campaign.counts().unwrap();
        let losses: Vec<String> = campaign.losses().unwrap().into_iter().map(|loss| loss.text).collect();
        (campaign.knows_path(&[1]).unwrap(), counts.paths, counts.complete, losses.concat())
    };
    assert_eq!(expand(&cut), (Knowledge::CutShort, 1, 0, "crashed".to_owned()));
    assert_eq!(expand(&whole), (Knowledge::Expanded, 1, 1, String::new()));
    assert_eq!(expand(&cut), (Knowledge::Expanded, 1, 1, String::new()), "and stays there");
}

#[test]
fn mutants_are_followed_if_they_reach_something_new() {
    let (_folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    let (seed, _) = replay(&mut campaign, &[1]);
    let mut mutate = |bytes: &[u8], hits: &[Hit]| {
        assert!(campaign.add_mutant(&input(bytes), seed).unwrap());
        let Work::Replay(item) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to replay") };
        assert_eq!((item.cut, item.parent), (None, Some(seed)));
        campaign.replayed(item.id, hits, &[]).unwrap()
    };
    assert_eq!(mutate(b"bb", &once(&[1])), 0);
    assert_eq!(mutate(b"ccc", &[Hit { edge: 1, often: 2 }]), 1);
    let counts = campaign.counts().unwrap();
    assert_eq!((counts.inputs, counts.edges, counts.seed_lengths), (2, 1, vec![1, 3]));
    assert_eq!(campaign.interesting(seed).unwrap().len(), 1);
}

#[test]
fn a_mutant_that_leaves_a_path_is_followed_whatever_it_reaches() {
    let (folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    let (seed, _) = replay(&mut campaign, &[1]);
    assert!(campaign.add_mutant(&input(b"bb"), seed).unwrap());
    let Work::Replay(mutant) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to replay") };
    // While it runs, another worker finds the same input by negating a branch.
    let mut other = Campaign::open(&folder.path().join("campaign"), &identity()).unwrap();
    assert!(other.add_child(&input(b"bb"), &cut(seed)).unwrap());
    assert!(!other.add_child(&input(b"bb"), &cut(seed)).unwrap());
    assert!(!other.add_mutant(&input(b"bb"), seed).unwrap());
    assert_eq!(campaign.replayed(mutant.id, &once(&[1]), &[]).unwrap(), 0);
    let item = campaign.item(mutant.id).unwrap();
    assert_eq!(item.cut, Some(cut(seed)));
    let Work::Expand(first) = campaign.claim(Order::Earliest).unwrap() else { panic!("nothing to expand") };
    let Work::Expand(second) = campaign.claim(Order::Earliest).unwrap() else { panic!("the child is lost") };
    assert_eq!((first.id, second.id), (seed, mutant.id));
}

#[test]
fn an_attempt_is_followed_from_its_cut_if_it_reaches_something_new() {
    let (_folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    let (seed, _) = replay(&mut campaign, &[1]);
    let mut attempt = |bytes: &[u8], edges: &[u64]| {
        assert!(campaign.add_attempt(&input(bytes), &cut(seed)).unwrap());
        let Work::Replay(item) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to replay") };
        assert_eq!((item.cut, item.is_attempt), (Some(cut(seed)), true));
        campaign.checked(item.id).unwrap();
        campaign.replayed(item.id, &once(edges), &[]).unwrap();
    };
    attempt(b"b", &[1]);
    attempt(b"c", &[2]);
    assert!(!campaign.add_attempt(&input(b"b"), &cut(seed)).unwrap(), "it is known what it reaches");
    assert_eq!(campaign.counts().unwrap().inputs, 2);
    // What somebody finds by negating a branch is followed in any case.
    assert!(campaign.add_child(&input(b"b"), &cut(seed)).unwrap());
    assert_eq!(campaign.counts().unwrap().queued, 3);
}

#[test]
fn what_was_skimmed_comes_later() {
    let (_folder, mut campaign) = campaign();
    for (bytes, edges) in [(b"a", &[1, 2][..]), (b"b", &[3])] {
        campaign.add_seed(&input(bytes)).unwrap();
        replay(&mut campaign, edges);
    }
    let Work::Expand(first) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to expand") };
    campaign.paused(first.id, 7, &[("branches".to_owned(), 2)]).unwrap();
    let Work::Expand(second) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to expand") };
    let Work::Expand(again) = campaign.claim(Order::Score).unwrap() else { panic!("nothing to expand") };
    assert_eq!((first.next, second.skimmed, again.skimmed, again.next), (0, false, true, 7));
    assert_eq!(again.id, first.id);
    assert_eq!(campaign.counts().unwrap().statistic("branches"), 2);
}

#[test]
fn what_was_postponed_comes_last_in_every_order() {
    for order in [Order::Score, Order::Latest, Order::Earliest, Order::Random] {
        let (_folder, mut campaign) = campaign();
        for (bytes, edges) in [(b"a", &[1, 2][..]), (b"b", &[3])] {
            campaign.add_seed(&input(bytes)).unwrap();
            replay(&mut campaign, edges);
        }
        let Work::Expand(first) = campaign.claim(order).unwrap() else { panic!("nothing to expand") };
        campaign.postponed(first.id, 7, &[]).unwrap();
        let Work::Expand(second) = campaign.claim(order).unwrap() else { panic!("nothing to expand") };
        campaign.paused(second.id, 3, &[]).unwrap();
        let Work::Expand(second) = campaign.claim(order).unwrap() else { panic!("nothing to expand") };
        let Work::Expand(again) = campaign.claim(order).unwrap() else { panic!("nothing to expand") };
        assert_eq!((again.id, again.postponed, again.next), (first.id, true, 7));
        assert!(!second.postponed);
        campaign.paused(again.id, 9, &[]).unwrap();
        assert!(campaign.item(again.id).unwrap().postponed, "it stays so when its time is over");
    }
}

#[test]
fn findings_are_replaced_by_better_ones() {
    let (_folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    campaign.add_seed(&input(b"other")).unwrap();
    let mut finding = Finding { bucket: "b".to_owned(), input: input(b"long"), root: 1, data: "first".to_owned() };
    assert_eq!(campaign.finding("b").unwrap(), None);
    campaign.keep_finding(&finding).unwrap();
    (finding.input, finding.root) = (input(b"short"), 2);
    campaign.keep_finding(&finding).unwrap();
    assert_eq!(campaign.finding("b").unwrap().as_ref(), Some(&finding));
    assert_eq!(campaign.findings().unwrap(), [finding]);
    // An input that shows a finding may still be one to follow.
    assert!(campaign.add_child(&input(b"short"), &cut(1)).unwrap());
    assert_eq!(campaign.counts().unwrap().inputs, 3);
}

#[test]
fn another_campaign_is_refused() {
    let (folder, campaign) = campaign();
    drop(campaign);
    let other = Campaign::open(&folder.path().join("campaign"), &[("program", "b".to_owned())]);
    assert!(other.err().unwrap().to_string().contains("--out"));
    std::fs::write(folder.path().join("text"), "no database, but long enough to be looked at as one".repeat(100))
        .unwrap();
    assert!(Campaign::open(&folder.path().join("text"), &identity()).is_err());
    assert!(Campaign::look(&folder.path().join("missing")).is_err());
}

#[test]
fn the_lengths_of_seeds_are_known() {
    let (_folder, mut campaign) = campaign();
    for bytes in [&b"abc"[..], b"", b"a", b"xyz"] {
        campaign.add_seed(&input(bytes)).unwrap();
    }
    campaign.add_seed(&Input::default()).unwrap();
    assert_eq!(campaign.counts().unwrap().seed_lengths, [0, 1, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// A process may die between any two calls: a fresh connection sees everything that was done, and goes on.
    #[test]
    fn dying_loses_nothing(deaths in prop::collection::vec(any::<bool>(), 60)) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("campaign");
        let mut campaign = Campaign::open(&file, &identity()).unwrap();
        campaign.add_seed(&input(&[0])).unwrap();
        let mut deaths = deaths.into_iter().chain(std::iter::repeat(false));
        loop {
            let work = campaign.claim(Order::Score).unwrap();
            if deaths.next() == Some(true) {
                campaign.connection.execute("UPDATE inputs SET owner = ?1 WHERE owner IS NOT NULL", params!["1:0"]).unwrap();
                campaign = Campaign::open(&file, &identity()).unwrap();
                continue;
            }
            match work {
                Work::Replay(item) => {
                    let hits = once(&[u64::from(item.input.parts[0].bytes[0])]);
                    campaign.replayed(item.id, &hits, &[]).unwrap();
                }
                Work::Expand(item) => {
                    let byte = item.input.parts[0].bytes[0];
                    for child in [2 * byte + 1, 2 * byte + 2].into_iter().filter(|child| *child < 15) {
                        campaign.add_child(&input(&[child]), &cut(item.id)).unwrap();
                    }
                    campaign.expanded(item.id, &Expanded { path: vec![byte], ..Expanded::default() }).unwrap();
                }
                Work::Wait => {}
                Work::Nothing => break,
            }
        }
        let counts = campaign.counts().unwrap();
        prop_assert_eq!((counts.inputs, counts.paths, counts.edges, counts.generation), (15, 15, 15, 3));
        prop_assert!(campaign.is_intact().unwrap());
    }
}

#[test]
fn paths_hang_on_those_that_they_left() {
    let (_folder, mut campaign) = campaign();
    campaign.add_seed(&input(b"a")).unwrap();
    let expand = |campaign: &mut Campaign, name: &[u8]| {
        let (id, _) = replay(campaign, &[name.len() as u64]);
        let Work::Expand(item) = campaign.claim(Order::Earliest).unwrap() else { panic!("nothing to expand") };
        assert_eq!(item.id, id);
        let path = name.to_vec();
        campaign.expanded(id, &Expanded { path, decisions: name.len(), ..Expanded::default() }).unwrap();
        id
    };
    let seed = expand(&mut campaign, b"p");
    campaign.add_child(&input(b"b"), &cut(seed)).unwrap();
    // Its path is known.
    let repeated = expand(&mut campaign, b"p");
    campaign.add_child(&input(b"c"), &cut(repeated)).unwrap();
    let child = expand(&mut campaign, b"pq");
    campaign.add_mutant(&input(b"d"), child).unwrap();
    let mutant = expand(&mut campaign, b"pqr");
    let branches = campaign.tree(10).unwrap();
    let shown: Vec<_> = branches.iter().map(|path| (path.input, path.parent, path.site, path.decisions)).collect();
    assert_eq!(shown, [(seed, None, None, 1), (child, Some(0), Some(5), 2), (mutant, Some(1), None, 3)]);
    assert_eq!(campaign.tree(2).unwrap(), branches[..2]);
}

#[test]
fn divergences_are_counted_by_place_and_cause() {
    let (_folder, mut campaign) = campaign();
    let because = |cause: &str| Some(Divergence { site: 4, cause: cause.to_owned() });
    for (bytes, cause) in [(b"a", "x"), (b"b", "y"), (b"c", "x")] {
        campaign.add_seed(&input(bytes)).unwrap();
        let (id, _) = replay(&mut campaign, &[]);
        campaign.settled(id, &[], because(cause)).unwrap();
    }
    let counted: Vec<_> = campaign.counts().unwrap().divergences.into_iter().collect();
    assert_eq!(counted, [(because("x").unwrap(), 2), (because("y").unwrap(), 1)]);
}

#[test]
fn many_open_a_new_file_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("campaign");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| Campaign::open(&file, &identity()).map(drop).unwrap());
            }
        });
    }
}
