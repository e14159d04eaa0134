//! Games as files: TOML that names a family and its parameters, so that a variant can be tried without writing Rust.
//!
//! A file is a spec written at more length. It comes down to one (`wrap = "columns"` to `lines:…,wrap=columns`), and a plain
//! board to that of the game that is fastest on it, so that everything said about specs holds for files and nothing else
//! knows of them. Only a title and a start position are the file's own. `docs/families.md` lists the keys.

use crate::{Code, Tile, Wrap};
use delphic_game::spec::nearest;
use std::fmt::Display;
use std::ops::Range;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a file, and where. Lines and columns are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {reason}")]
pub struct FileError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What was expected.
    pub reason: String,
}

/// What a file says.
#[derive(Clone, Debug)]
pub struct GameFile<'t> {
    /// The game.
    pub spec: String,
    /// What its author calls it.
    pub title: Option<String>,
    /// Where it starts, as a position or as moves, if not where the game does.
    pub start: Option<String>,
    fields: Fields<'t>,
}

/// A family of games.
struct Family {
    name: &'static str,
    /// Those about the size come first: they are what a game may refuse.
    keys: &'static [&'static str],
    spec: fn(&Fields<'_>) -> Result<String, FileError>,
}

/// The table of families.
#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    Family { name: "lines", keys: &["rows", "columns", "length", "gravity", "wrap", "exact"], spec: lines },
    Family { name: "connection", keys: &["side", "kind", "swap"], spec: connection },
    Family { name: "race", keys: &["rows", "columns", "kind", "home", "wipeout"], spec: race },
    Family { name: "tiles", keys: &["rows", "columns", "board", "first", "second", "turn", "flip"], spec: tiles },
    Family { name: "heaps", keys: &["heaps", "code", "take"], spec: heaps },
];

/// What every file may say.
const COMMON: [&str; 4] = ["family", "title", "start", "misere"];

fn lines(fields: &Fields<'_>) -> Result<String, FileError> {
    let (rows, cols) = fields.size()?;
    let length = fields.required("length", |value| number(value, 2..=64))?;
    let (gravity, exact) = (fields.flag("gravity")?, fields.flag("exact")?);
    let wrap =
        fields.optional("wrap", |value| word(value, &Wrap::ALL.map(|(name, _)| name)))?.unwrap_or("none");
    Ok(match (gravity, exact || wrap != "none") {
        (true, false) if rows <= 18 && cols * (rows + 1) <= 64 => {
            format!("connect4:{cols}x{rows},line={length}")
        }
        (false, false) if (cols + 1) * rows <= 128 => format!("mnk:{cols},{rows},{length}"),
        _ => {
            let flags = flags([(gravity, "gravity"), (exact, "exact")]);
            format!("lines:{rows}x{cols},length={length},wrap={wrap}{flags}")
        }
    })
}

fn connection(fields: &Fields<'_>) -> Result<String, FileError> {
    let kind = fields.required("kind", |value| word(value, &["hex", "y", "havannah"]))?;
    let side = fields.required("side", |value| number(value, 1..=99))?;
    match (kind, fields.flag("swap")?) {
        ("hex", true) => Ok(format!("hex:{side},swap")),
        (_, true) => Err(fields.at("swap", "only hex can be played with swap")),
        _ => Ok(format!("{kind}:{side}")),
    }
}

fn race(fields: &Fields<'_>) -> Result<String, FileError> {
    let kind = fields.required("kind", |value| word(value, &["breakthrough", "knightthrough"]))?;
    let (rows, cols) = fields.size()?;
    let home = fields.optional("home", |value| number(value, 1..=99))?.unwrap_or(2);
    let wipeout = flags([(fields.flag("wipeout")?, "wipeout")]);
    Ok(format!("{kind}:{rows}x{cols},home={home}{wipeout}"))
}

fn tiles(fields: &Fields<'_>) -> Result<String, FileError> {
    let board = match fields.optional("board", |value| each(value, text_of))? {
        None => {
            let (rows, cols) = fields.size()?;
            format!("{rows}x{cols}")
        }
        Some(_) if fields.get("rows").or(fields.get("columns")).is_some() => {
            return Err(fields.at("board", "a board has its own size; leave out rows and columns"));
        }
        Some(rows) if rows.iter().any(|row| row.contains(|c| !".#".contains(c))) || rows.is_empty() => {
            return Err(fields.at("board", "a board is rows of . for free cells and # for holes"));
        }
        Some(rows) => format!("board={}", rows.join("/")),
    };
    let set = |key| {
        let tile = |value: &Value<'_>| {
            let text = text_of(value)?;
            Tile::read(&text).map(|_| text).map_err(|reason| (value.span(), reason))
        };
        let tiles = fields.required(key, |value| each(value, tile))?;
        if tiles.is_empty() { Err(fields.at(key, "expected at least one tile")) } else { Ok(tiles.join("+")) }
    };
    let flags = flags([(fields.flag("turn")?, "turn"), (fields.flag("flip")?, "flip")]);
    Ok(format!("tiles:{board},first={},second={}{flags}", set("first")?, set("second")?))
}

fn heaps(fields: &Fields<'_>) -> Result<String, FileError> {
    let numbers = |value: &Value<'_>| each(value, |item| number(item, 0..=9999));
    let heaps = fields.required("heaps", numbers)?;
    if heaps.is_empty() {
        return Err(fields.at("heaps", "expected at least one heap"));
    }
    let heaps = heaps.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let takes = fields.optional("take", |value| {
        Code::subtraction(&numbers(value)?).map_err(|reason| (value.span(), reason))
    })?;
    let code = fields
        .optional("code", |value| Code::read(&text_of(value)?).map_err(|reason| (value.span(), reason)))?;
    match (takes, code) {
        (Some(_), Some(_)) => {
            Err(fields.at("take", "a game has a code or a list of what may be taken, not both"))
        }
        (Some(code), None) | (None, Some(code)) => Ok(format!("octal:{heaps},code={}", code.write())),
        (None, None) => Ok(format!("nim:{heaps}")),
    }
}

impl<'t> GameFile<'t> {
    /// Reads a file.
    pub fn read(text: &'t str) -> Result<GameFile<'t>, FileError> {
        let table = DeTable::parse(text)
            .map_err(|error| fault(text, error.span().map_or(0, |span| span.start), error.message()))?;
        let mut fields = Fields { text, table: table.into_inner(), family: 0 };
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        let Some(family) = fields.get("family") else {
            return Err(fault(
                text,
                0,
                format!("a game file has a line such as family = \"lines\"; {}", one_of(&names)),
            ));
        };
        fields.family = family.span().start;
        let name = fields.required("family", |value| word(value, &names))?;
        let family = FAMILIES.iter().find(|family| family.name == name).expect("a word is one of the list");
        fields.check_keys(family)?;
        let spec = (family.spec)(&fields)?;
        let one_line = |value: &Value<'_>| {
            let text = text_of(value)?;
            if text.contains(char::is_control) {
                Err((value.span(), "expected a single line".to_owned()))
            } else {
                Ok(text)
            }
        };
        let (title, start) = (fields.optional("title", one_line)?, fields.optional("start", one_line)?);
        let misere = flags([(fields.flag("misere")?, "misere")]);
        Ok(GameFile { spec: spec + &misere, title, start, fields })
    }

    /// The error for a game that refuses its parameters. What it names as `key=` is at fault, or else the size.
    pub fn refused(&self, reason: impl Display) -> FileError {
        let reason = reason.to_string();
        let given =
            || FAMILIES.iter().flat_map(|family| family.keys).filter(|key| self.fields.get(key).is_some());
        let named = given().find(|key| reason.contains(&format!("{key}=")));
        self.fields.at(named.or(given().next()).unwrap_or(&"family"), reason)
    }

    /// The error for a start position that the game refuses.
    pub fn refused_start(&self, reason: impl Display) -> FileError {
        self.fields.at("start", reason.to_string())
    }
}

pub(crate) type Value<'t> = Spanned<DeValue<'t>>;
/// What is wrong with a value, and where it stands.
pub(crate) type Wrong = (Range<usize>, String);

/// The lines of a file.
#[derive(Clone, Debug)]
struct Fields<'t> {
    text: &'t str,
    table: DeTable<'t>,
    /// Where the family is named: what is missing is missing there.
    family: usize,
}

impl<'t> Fields<'t> {
    fn get(&self, key: &str) -> Option<&Value<'t>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// An error about the value of `key`.
    fn at(&self, key: &str, reason: impl Into<String>) -> FileError {
        fault(self.text, self.get(key).map_or(self.family, |value| value.span().start), reason)
    }

    fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Value<'t>) -> Result<T, Wrong>,
    ) -> Result<Option<T>, FileError> {
        let located = |(span, reason): Wrong| fault(self.text, span.start, format!("{key}: {reason}"));
        self.get(key).map(|value| read(value).map_err(located)).transpose()
    }

    fn required<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Value<'t>) -> Result<T, Wrong>,
    ) -> Result<T, FileError> {
        let missing = || fault(self.text, self.family, format!("this family needs a value for '{key}'"));
        self.optional(key, read)?.ok_or_else(missing)
    }

    fn flag(&self, key: &str) -> Result<bool, FileError> {
        let read = |value: &Value<'t>| match value.get_ref() {
            DeValue::Boolean(on) => Ok(*on),
            other => Err((value.span(), format!("expected true or false, found {}", kind(other)))),
        };
        Ok(self.optional(key, read)?.unwrap_or(false))
    }

    /// Rows and columns.
    fn size(&self) -> Result<(usize, usize), FileError> {
        let side = |key| self.required(key, |value| number(value, 1..=128));
        Ok((side("rows")?, side("columns")?))
    }

    /// Complains about the first key that the family does not have.
    fn check_keys(&self, family: &Family) -> Result<(), FileError> {
        let known = || COMMON.iter().chain(family.keys).copied();
        let foreign = self.table.keys().filter(|key| !known().any(|name| name == key.get_ref().as_ref()));
        let Some(key) = foreign.min_by_key(|key| key.span().start) else { return Ok(()) };
        let found = key.get_ref();
        let meant = meant(found, known());
        let reason = format!("the family '{}' has no '{found}'{meant}; {}", family.name, one_of(family.keys));
        Err(fault(self.text, key.span().start, reason))
    }
}

/// A remark on an unknown name, if it is near one of those there are.
pub(crate) fn meant<'a>(found: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest(found, names).map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

/// What is on, as it stands in a spec.
fn flags<const N: usize>(all: [(bool, &str); N]) -> String {
    all.into_iter().filter(|(on, _)| *on).map(|(_, name)| format!(",{name}")).collect()
}

pub(crate) fn one_of(names: &[&str]) -> String {
    format!("expected one of {}", names.join(", "))
}

/// An error at a byte of the text.
pub(crate) fn fault(text: &str, at: usize, reason: impl Into<String>) -> FileError {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    FileError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        // Messages of the parser may have several lines.
        reason: reason.into().split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

pub(crate) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

pub(crate) fn number(value: &Value<'_>, range: std::ops::RangeInclusive<usize>) -> Result<usize, Wrong> {
    let expected = |found: &str| {
        format!("expected a whole number from {} to {}, found {found}", range.start(), range.end())
    };
    let DeValue::Integer(digits) = value.get_ref() else {
        return Err((value.span(), expected(kind(value.get_ref()))));
    };
    let number = usize::from_str_radix(digits.as_str(), digits.radix()).ok();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| (value.span(), expected(&digits.to_string())))
}

pub(crate) fn text_of(value: &Value<'_>) -> Result<String, Wrong> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        other => Err((value.span(), format!("expected a text in quotes, found {}", kind(other)))),
    }
}

pub(crate) fn word<'w>(value: &Value<'_>, words: &[&'w str]) -> Result<&'w str, Wrong> {
    let found = text_of(value)?;
    words.iter().find(|word| **word == found).copied().ok_or_else(|| {
        let meant = meant(&found, words.iter().copied());
        (value.span(), format!("'{found}' is unknown{meant}; {}", one_of(words)))
    })
}

/// The items of a list; what is no list is a list of one.
pub(crate) fn each<'t, T>(
    value: &Value<'t>,
    read: impl Fn(&Value<'t>) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().map(read).collect(),
        _ => read(value).map(|item| vec![item]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Visitor, build};
    use delphic_game::{Spec, SpecError};
    use proptest::prelude::*;

    /// Builds a game and throws it away.
    struct Full;

    impl Visitor for Full {
        type Output = String;
        fn visit<G: crate::Family + 'static>(self, game: G, mut spec: Spec) -> Result<String, SpecError> {
            spec.flag("misere");
            spec.finish(G::INFO.usage)?;
            Ok(game.spec())
        }
    }

    fn spec(text: &str) -> Result<String, FileError> {
        let file = GameFile::read(text)?;
        build(Spec::parse(&file.spec), Full).map_err(|error| file.refused(error))
    }

    #[test]
    fn files_are_specs() {
        for (text, expected) in [
            ("family='lines'\nrows=3\ncolumns=3\nlength=3", "tictactoe"),
            ("family='lines'\nrows=6\ncolumns=7\nlength=4\ngravity=true", "connect4:7x6"),
            ("family='lines'\nrows=1\ncolumns=128\nlength=4", "lines:1x128,length=4"),
            ("family='lines'\nrows=20\ncolumns=3\nlength=3\ngravity=true", "lines:20x3,length=3,gravity"),
            (
                "family='lines'\nrows=4\ncolumns=4\nlength=3\nwrap='both'\nexact=true",
                "lines:4x4,length=3,wrap=both,exact",
            ),
            ("family='connection'\nkind='hex'\nside=0x4\nswap=true", "hex:4,swap"),
            ("family='connection'\nkind='y'\nside=6", "y:6"),
            (
                "family='race'\nkind='knightthrough'\nrows=6\ncolumns=5\nwipeout=true",
                "knightthrough:6x5,home=2,wipeout",
            ),
            (
                "family='tiles'\nrows=2\ncolumns=3\nfirst='X/X'\nsecond=['XX', 'X']",
                "tiles:2x3,first=X/X,second=XX+X",
            ),
            (
                "family='tiles'\nboard=['..', '.#']\nfirst='X'\nsecond='X'\nturn=true\nflip=true",
                "tiles:board=../.#,first=X,second=X,turn,flip",
            ),
            ("family='heaps'\nheaps=[3, 4, 5]", "nim:3,4,5"),
            ("family='heaps'\nheaps=9\ncode='0.77'", "octal:9,code=0.77"),
            ("family='heaps'\nheaps=[9, 2]\ntake=[1, 4]", "octal:2,9,code=0.3003"),
        ] {
            assert_eq!(spec(text).as_deref(), Ok(expected), "{text}");
        }
        let file =
            GameFile::read("title = 'Mine'\nfamily = 'heaps'\nheaps = 2\nmisere = true\nstart = '1 second'")
                .unwrap();
        assert_eq!((file.spec.as_str(), file.title.as_deref()), ("nim:2,misere", Some("Mine")));
        assert_eq!(file.refused_start("no").to_string(), "5:9: no");
    }

    #[test]
    fn errors_point_at_the_place() {
        for (text, expected) in [
            (
                "",
                "1:1: a game file has a line such as family = \"lines\"; expected one of lines, connection, race, tiles, heaps",
            ),
            (
                "rows = 3\nfamily = 'line'",
                "2:10: family: 'line' is unknown (did you mean 'lines'?); expected one of lines, connection, race, tiles, heaps",
            ),
            (
                "family = 'lines'\nrows = 3\n  lenght = 3",
                "3:3: the family 'lines' has no 'lenght' (did you mean 'length'?); expected one of rows, columns, length, gravity, wrap, exact",
            ),
            ("family = 'lines'\ncolumns = 3", "1:10: this family needs a value for 'rows'"),
            ("family = 'lines'\nrows = 0", "2:8: rows: expected a whole number from 1 to 128, found 0"),
            ("family = 'lines'\nrows = 'é', 4", "2:11: unexpected key or value, expected newline, `#`"),
            (
                "family = 'lines'\nrows = '3'",
                "2:8: rows: expected a whole number from 1 to 128, found a text",
            ),
            (
                "family = 'lines'\nrows = 99999999999999999999",
                "2:8: rows: expected a whole number from 1 to 128, found 99999999999999999999",
            ),
            (
                "family = 'lines'\nrows = 50\ncolumns = 50\nlength = 3",
                "2:8: lines: a board of 50x50 is impossible; from 1 to 128 cells",
            ),
            (
                "family = 'lines'\nrows = 5\ncolumns = 5\nlength = 3\nwrap = 'around'",
                "5:8: wrap: 'around' is unknown; expected one of none, rows, columns, both",
            ),
            (
                "family = 'lines'\nrows = 5\ncolumns = 5\nlength = 3\nexact = 1",
                "5:9: exact: expected true or false, found a whole number",
            ),
            (
                "family = 'connection'\nkind = 'y'\nside = 4\nswap = true",
                "4:8: only hex can be played with swap",
            ),
            ("family = 'connection'\nkind = 'y'\nside = 12", "3:8: y: '12' is not a side from 1 to 11"),
            (
                "family = 'race'\nkind = 'breakthrough'\nrows = 4\ncolumns = 4\nhome = 3",
                "5:8: breakthrough: home=3 does not fit: each side has from 1 to half of the 4 rows",
            ),
            (
                "family = 'tiles'\nrows = 4\ncolumns = 4\nfirst = ['XX', 'XO']\nsecond = 'X'",
                "4:16: first: a tile is rows of X and . such as X./XX, found 'O'",
            ),
            (
                "family = 'tiles'\nfirst = 'X'\nsecond = 'X'\nboard = ['..', '...']",
                "4:9: tiles: board=../...: malformed position: row 1 has 2 cells, expected 3",
            ),
            (
                "family = 'tiles'\nboard = ['..,misere']",
                "2:9: a board is rows of . for free cells and # for holes",
            ),
            ("family = 'heaps'\nheaps = []", "2:9: expected at least one heap"),
            (
                "family = 'heaps'\nheaps = [3, -4]",
                "2:13: heaps: expected a whole number from 0 to 9999, found -4",
            ),
            (
                "family = 'heaps'\nheaps = 3\ncode = '0.79'",
                "3:8: code: '0.79' is not an octal code such as 0.77: 0 or 4, a point, digits from 0 to 7",
            ),
            ("family = 'heaps'\nheaps = 130\ncode = '0.77'", "2:9: octal: more than 120 tokens"),
            (
                "family = 'heaps'\nheaps = 3\ntake = [1, 500]",
                "3:8: take: 500 tokens cannot be taken; from 1 to 120",
            ),
            ("family = 'heaps'\nheaps = 3\ntitle = \"two\\nlines\"", "3:9: title: expected a single line"),
        ] {
            assert_eq!(spec(text).unwrap_err().to_string(), expected, "{text}");
        }
    }

    /// Keys and values as files have them, in any combination.
    fn line() -> impl Strategy<Value = String> {
        let keys: Vec<&str> =
            COMMON.iter().chain(FAMILIES.iter().flat_map(|family| family.keys)).copied().collect();
        let values = "'(lines|connection|race|tiles|heaps|hex|y|havannah|breakthrough|both|X|XX/X[.X]|0\\.[0-8]{1,3}|)'|true|-?[0-9]{1,3}|\\[[0-9]{1,2}(, [0-9])?\\]|\\['[.#]{1,4}', '[.#X]{1,4}'\\]|1e9|1979-05-27|\\{\\}";
        (prop::sample::select(keys), values).prop_map(|(key, value)| format!("{key} = {value}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Whatever the file says, there is a game or a reason with a place in the file.
        #[test]
        fn no_file_is_too_much(lines in prop::collection::vec(line(), 0..8), family in 0..FAMILIES.len()) {
            let text = format!("family = '{}'\n{}", FAMILIES[family].name, lines.join("\n"));
            if let Err(error) = spec(&text) {
                prop_assert!(error.line <= text.lines().count() + 1 && error.column > 0, "{error}\n{text}");
                prop_assert!(!error.reason.contains('\n'));
            }
        }

        #[test]
        fn no_text_is_too_much(text in "\\PC{0,60}|[a-z=\\[\\]{}'\"#\\n\\\\. 0-9]{0,80}") {
            prop_assert!(spec(&text).is_err());
        }
    }
}
