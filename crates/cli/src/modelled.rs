//! What models of library functions leave to the library.

use trace::models::FAMILIES;

/// Whether there is a model of a function.
pub fn has_model(function: &str) -> bool {
    let in_runtime = FAMILIES.iter().flat_map(|family| family.functions).any(|(name, _)| *name == function);
    in_runtime || file_of(function).is_some()
}

/// The file with the model of a function, if it is one in C.
fn file_of(function: &str) -> Option<&'static str> {
    views::MODELS.iter().find(|model| model.functions.contains(&function)).map(|model| model.file)
}

/// What the models of such functions do not follow, as far as it can be told in a few words.
fn left_to_library(function: &str) -> &'static str {
    match file_of(function).and_then(|file| file.strip_suffix(".c")) {
        Some("print") => {
            "digits of floating-point numbers that are too many for 64 bits, long double or hexadecimal, numbered \
             arguments, wide characters"
        }
        _ => "what they do not follow",
    }
}

/// Advice on calls that models of these functions left to the library.
pub fn advice(functions: &[&str]) -> Vec<String> {
    let mut by_limits: Vec<(&str, Vec<&str>)> = Vec::new();
    for function in functions {
        let limits = left_to_library(function);
        match by_limits.iter_mut().find(|(known, _)| *known == limits) {
            Some((_, functions)) => functions.push(function),
            None => by_limits.push((limits, vec![function])),
        }
    }
    let sentence = |(limits, functions): (&str, Vec<&str>)| {
        let models = if functions.len() == 1 { "model" } else { "models" };
        let leave = if functions.len() == 1 { "leaves" } else { "leave" };
        let limits = if functions.len() == 1 { limits.replace("they do", "it does") } else { limits.to_owned() };
        format!(
            "The {models} of {} {leave} some calls to the library ({limits}): what comes of those is taken as it was in \
             the run.",
            functions.join(", ")
        )
    };
    by_limits.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_a_model_are_known() {
        assert!(["sprintf", "memcpy", "strtol"].into_iter().all(has_model));
        assert!(!["sleep", "inflate", ""].into_iter().any(has_model));
    }

    #[test]
    fn it_is_said_what_is_left_to_the_library() {
        let advice = advice(&["snprintf", "fmemopen", "sprintf"]);
        let [formats, other] = advice.as_slice() else { panic!("{advice:?}") };
        assert!(formats.starts_with("The models of snprintf, sprintf leave some calls to the library (digits of"));
        assert!(other.starts_with("The model of fmemopen leaves some calls to the library (what it does not follow)"));
    }
}
