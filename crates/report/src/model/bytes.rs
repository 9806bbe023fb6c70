//! Bytes that people may want to read.

use serde::{Deserialize, Serialize};

/// Bytes; `{"text": "…"}` in JSON if they are text that people can read, else `{"hex": "…"}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Form", try_from = "Form")]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// The bytes as text, if people can read it: UTF-8 in which nothing is invisible but spaces, tabs and line ends.
    pub fn as_text(&self) -> Option<&str> {
        let text = std::str::from_utf8(&self.0).ok()?;
        text.chars().all(|c| matches!(c, '\n' | '\t') || !crate::escape::is_invisible(c)).then_some(text)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        Bytes(bytes.to_vec())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Text(String),
    Hex(String),
}

impl From<Bytes> for Form {
    fn from(bytes: Bytes) -> Form {
        match bytes.as_text() {
            Some(text) => Form::Text(text.to_owned()),
            None => Form::Hex(hex::encode(bytes.0)),
        }
    }
}

impl TryFrom<Form> for Bytes {
    type Error = hex::FromHexError;

    fn try_from(form: Form) -> Result<Bytes, hex::FromHexError> {
        match form {
            Form::Text(text) => Ok(Bytes(text.into_bytes())),
            Form::Hex(digits) => hex::decode(digits).map(Bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn readable_bytes_are_text() {
        let json = |bytes: &[u8]| serde_json::to_string(&Bytes::from(bytes)).unwrap();
        assert_eq!(json(b"GET /\n"), r#"{"text":"GET /\n"}"#);
        assert_eq!(json("größer".as_bytes()), r#"{"text":"größer"}"#);
        assert_eq!(json(b"a\0b"), r#"{"hex":"610062"}"#);
        assert_eq!(json(b"\xff"), r#"{"hex":"ff"}"#);
        assert_eq!(json("\u{202e}".as_bytes()), r#"{"hex":"e280ae"}"#);
    }

    #[test]
    fn wrong_digits_are_an_error() {
        assert!(serde_json::from_str::<Bytes>(r#"{"hex":"6"}"#).is_err());
        assert!(serde_json::from_str::<Bytes>(r#"{"hex":"xx"}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let bytes = Bytes(bytes);
            let json = serde_json::to_string(&bytes).unwrap();
            prop_assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes);
        }
    }
}
