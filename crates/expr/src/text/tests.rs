//! The text form, there and back.

use super::*;
use crate::generate::Generator;
use crate::model::Model;
use crate::store::Store;

#[test]
fn printing_and_parsing_keep_the_value() {
    for seed in 0..2000 {
        let mut store = Store::new();
        store.set_part_name(0, "a file|\\");
        let mut generator = Generator::new(seed);
        let term = generator.term(&mut store, 1, 5);
        let text = print_term(&store, term);
        let again = parse_term(&mut store, &text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let query_text = print_query(&store, &[term, again]);
        let query = parse_query(&mut store, &query_text).unwrap();
        assert_eq!(query.len(), 2);
        for _ in 0..3 {
            let model = generator.model(&store);
            assert_eq!(store.eval(term, &model), store.eval(again, &model), "{text}");
            assert_eq!(store.eval(query[0], &model), store.eval(term, &model), "{text}");
        }
    }
}

/// A simplified term reads back as the very same term.
#[test]
fn simplified_terms_read_back_identically() {
    for seed in 0..2000 {
        let mut store = Store::new();
        let raw = Generator::new(seed).term(&mut store, 8, 4);
        let term = store.simplified(raw);
        let fixed = store.simplified(term);
        let text = print_term(&store, fixed);
        let again = parse_term(&mut store, &text).unwrap();
        let model = Model::new();
        assert_eq!(store.eval(again, &model), store.eval(fixed, &model), "{text}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let check = |text: &str, expected: &str| {
        let error = parse_term(&mut Store::new(), text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check("(ult in[0] 0x41", "line 1, column 1: this bracket is not closed");
    check("(frob in[0])", "line 1, column 2: no operator is called `frob`");
    check("(and x:8\n y)", "line 2, column 2: `y` is not bound; a variable is written `y:WIDTH` or `y[OFFSET]`");
    check("(and x:8 y:9)", "line 1, column 13: And: operands of 8 and 9 bits");
    check("0x41", "line 1, column 1: this number needs a width: `0x41:8`");
    check("0x141:8", "line 1, column 1: `0x141:8` does not fit its width");
    check("|a", "line 1, column 1: this name has no closing bar");
    check("x:2000", "line 1, column 1: `2000` is no width from 1 to 1024");
    check("(extract 8 30 x:32)", "line 1, column 19: Extract: 8 bits from bit 30 on are not within 32 bits");
}

proptest::proptest! {
    #[test]
    fn any_text_gives_an_answer(text in ".{0,60}") {
        let _ = parse_term(&mut Store::new(), &text);
        let _ = parse_query(&mut Store::new(), &text);
    }

    #[test]
    fn any_words_give_an_answer(words in proptest::collection::vec("[()]|let|and|zext|x:8|0x3|8|\\$0|true|assert", 0..20)) {
        let _ = parse_term(&mut Store::new(), &words.join(" "));
        let _ = parse_query(&mut Store::new(), &words.join(" "));
    }
}
