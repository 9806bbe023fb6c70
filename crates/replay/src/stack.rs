//! Call stacks without what Provoke and the sanitizer have put into them.

use crate::outcome::Frame;
use crate::symbols::{Place, Symbols};

/// A call stack of the program.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    pub(crate) frames: Vec<Frame>,
    /// The library function that the program had called when its stand-in noticed what is wrong, or failed itself.
    pub(crate) within: Option<String>,
}

/// Names of what is in the view but not in the program.
const RUNTIME: [&str; 7] =
    ["__asan", "__interceptor_", "___interceptor_", "__sanitizer", "_ZN6__asan", "_ZN11__sanitizer", "__provoke"];

/// Makes sense of addresses. The innermost ones are those of the code that noticed, unless a signal interrupted the
/// program itself.
pub(crate) fn resolve(symbols: &Symbols, modules: &[(u64, String)], addresses: &[u64], interrupted: bool) -> Stack {
    let mut places: Vec<Place> = addresses.iter().map(|address| symbols.place(*address, modules)).collect();
    while places.last().is_some_and(|place| !has_source(place)) {
        // What calls `main`, and what starts threads.
        places.pop();
    }
    let added = places.iter().take_while(|place| is_added(place)).count();
    let own = if interrupted { 0 } else { added };
    let last = added.checked_sub(1).and_then(|last| places.get(last));
    let within = last.and_then(|place| library_function(&place.symbol));
    let places = places.into_iter().skip(own).filter(|place| !is_runtime(place));
    Stack { frames: places.flat_map(|place| place.frames).collect(), within }
}

fn has_source(place: &Place) -> bool {
    place.frames.iter().any(|frame| !frame.position.file.is_empty())
}

/// Code in the view that has no source can only have been added to it; assembly is a rare exception.
fn is_added(place: &Place) -> bool {
    place.in_program && !has_source(place)
}

fn is_runtime(place: &Place) -> bool {
    is_added(place) && RUNTIME.iter().any(|prefix| place.symbol.starts_with(prefix))
}

/// Before the name of the function that something stands in for, its own version of it included.
const STAND_INS: [&str; 5] = ["interceptor_", "asan_", "provoke_watched_", "isoc99_", "isoc23_"];

/// The function that an entry of the sanitizer, or of the view's runtime, stands in for.
fn library_function(symbol: &str) -> Option<String> {
    let name = STAND_INS.iter().fold(symbol.trim_start_matches('_'), |name, prefix| {
        name.strip_prefix(prefix).map_or(name, |name| name.trim_start_matches('_'))
    });
    let is_plain = !name.starts_with("report_") && !name.starts_with("provoke") && !name.starts_with("ZN");
    (is_plain && !name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::library_function;

    #[test]
    fn stand_ins_lead_to_what_they_stand_for() {
        assert_eq!(library_function("___interceptor_strcpy").as_deref(), Some("strcpy"));
        assert_eq!(library_function("__asan_memcpy").as_deref(), Some("memcpy"));
        assert_eq!(library_function("__provoke_watched___isoc99_sscanf").as_deref(), Some("sscanf"));
        assert_eq!(library_function("free").as_deref(), Some("free"));
        assert_eq!(library_function("__asan_report_store4"), None);
        assert_eq!(library_function("_ZN6__asan9SomethingE"), None);
    }
}
