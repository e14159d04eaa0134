//! The names of points in the Go Text Protocol.

/// Letters A to Z without I.
pub const COLUMNS: usize = 25;

/// A point's name in the protocol, whose capital letters skip I while Delphic's letters do not. `None` if the text is not a letter and a
/// number, or if the protocol has no letter for it.
pub fn vertex(name: &str) -> Option<String> {
    let mut chars = name.chars();
    let (letter, row) = (chars.next()?, chars.as_str());
    if !letter.is_ascii_lowercase()
        || letter == 'z'
        || row.is_empty()
        || !row.bytes().all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let skip = u8::from(letter >= 'i');
    Some(format!("{}{row}", char::from(letter as u8 + skip).to_ascii_uppercase()))
}
