//! Specs: names with parameters, `name:value,…,key=value,…`, for games, solvers and agents.

use thiserror::Error;

/// An error in a spec. The message says what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// No such name.
    #[error("unknown {kind} '{name}'{}; `delphic {kind}s` lists them", similar(.suggestion))]
    Unknown {
        /// "game", "solver" or "agent".
        kind: &'static str,
        /// The name given.
        name: String,
        /// The most similar known name.
        suggestion: Option<String>,
    },
    /// A parameter that the name does not take.
    #[error("{owner} does not take '{parameter}'; expected {expected}")]
    Unexpected {
        /// Whose parameter.
        owner: String,
        /// The parameter given.
        parameter: String,
        /// The parameters that exist.
        expected: String,
    },
    /// A colon or comma that no parameter follows.
    #[error("a parameter of {owner} is missing after ':' or ','; expected {expected}")]
    Missing {
        /// Whose parameter.
        owner: String,
        /// The parameters that exist.
        expected: String,
    },
    /// A parameter whose value is impossible.
    #[error("{owner}: {reason}")]
    Impossible {
        /// Whose parameter.
        owner: String,
        /// Why.
        reason: String,
    },
}

fn similar(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

/// A parsed spec. Builders take their parameters out one by one and then call [`Spec::finish`].
///
/// ```
/// use delphic_game::Spec;
///
/// let mut spec = Spec::parse("domineering:6x5,plies=40,misere");
/// assert_eq!(spec.name(), "domineering");
/// assert_eq!(spec.value().as_deref(), Some("6x5"));
/// assert_eq!(spec.number("plies", 100)?, 40);
/// // What nothing has asked for is refused.
/// let refused = spec.finish("domineering:RxC,plies=N").unwrap_err();
/// assert!(refused.to_string().contains("misere"));
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spec {
    name: String,
    values: Vec<String>,
    pairs: Vec<(String, String)>,
    /// Whether a colon or comma stands without a parameter.
    gap: bool,
    /// The flags that the builder has asked for, for error messages.
    flags: Vec<String>,
}

impl Spec {
    /// Splits `name:value,key=value`. Any text can be split; the builder checks names and values.
    pub fn parse(text: &str) -> Spec {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let name = name.trim().to_owned();
        let mut spec = Spec { name, values: vec![], pairs: vec![], gap: false, flags: vec![] };
        for part in rest.into_iter().flat_map(|rest| rest.split(',')).map(str::trim) {
            match part.split_once('=') {
                Some((key, value)) => spec.pairs.push((key.trim().to_owned(), value.trim().to_owned())),
                None if part.is_empty() => spec.gap = true,
                None => spec.values.push(part.to_owned()),
            }
        }
        spec
    }

    /// The spec that an alias stands for, with the parameters of this one: they replace the alias's own of the same key, and a size
    /// replaces a size.
    pub fn standing_for(mut self, alias: Spec) -> Spec {
        let sized = self.values.iter().any(|text| is_size(text));
        self.values.extend(alias.values.into_iter().filter(|text| !sized || !is_size(text)));
        let given: Vec<String> = self.pairs.iter().map(|(key, _)| key.clone()).collect();
        self.pairs.extend(alias.pairs.into_iter().filter(|(key, _)| !given.contains(key)));
        Spec { name: alias.name, ..self }
    }

    /// The part before the colon.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes the first parameter without a key that begins with a digit or a sign: a size. Words are flags.
    pub fn value(&mut self) -> Option<String> {
        self.values.extract_if(.., |text| is_size(text)).next()
    }

    /// Takes the length of a board's side, the first parameter of that kind, or `default`.
    pub fn side(
        &mut self,
        default: usize,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, SpecError> {
        let Some(text) = self.value() else { return Ok(default) };
        let (least, most) = (range.start(), range.end());
        let refused = || self.impossible(format!("'{text}' is not a side from {least} to {most}"));
        text.parse().ok().filter(|side| range.contains(side)).ok_or_else(refused)
    }

    /// Takes all parameters of that kind: lists of numbers.
    pub fn numbers(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.value()).collect()
    }

    /// Takes the word `flag` out of the parameters without a key, if it is there.
    pub fn flag(&mut self, flag: &str) -> bool {
        self.flags.push(flag.to_owned());
        let found = self.values.iter().position(|value| value == flag);
        found.map(|i| self.values.remove(i)).is_some()
    }

    /// Takes the value of `key`.
    pub fn text(&mut self, key: &str) -> Option<String> {
        let found = self.pairs.iter().position(|(k, _)| k == key);
        found.map(|i| self.pairs.remove(i).1)
    }

    /// Takes the number `key=…`, or `default` if it is not given.
    pub fn number<T: std::str::FromStr>(&mut self, key: &str, default: T) -> Result<T, SpecError> {
        match self.text(key) {
            None => Ok(default),
            Some(text) => {
                text.parse().map_err(|_| self.impossible(format!("'{key}={text}' is not a number in range")))
            }
        }
    }

    /// Takes `key=on` or `key=off`, or `default` if it is not given.
    pub fn switch(&mut self, key: &str, default: bool) -> Result<bool, SpecError> {
        match self.text(key).as_deref() {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(word) => Err(self.impossible(format!("'{key}={word}' is neither on nor off"))),
        }
    }

    /// An error about a value of this spec.
    pub fn impossible(&self, reason: impl Into<String>) -> SpecError {
        SpecError::Impossible { owner: self.name.clone(), reason: reason.into() }
    }

    /// Refuses parameters that have not been taken. `expected` describes those that exist; flags that the builder asked for and that are not in
    /// it are added.
    pub fn finish(self, expected: &str) -> Result<(), SpecError> {
        let left = self.pairs.into_iter().map(|(key, value)| format!("{key}={value}")).next();
        let left = self.values.into_iter().next().or(left);
        if left.is_none() && !self.gap {
            return Ok(());
        }
        let mut expected = expected.to_owned();
        for flag in &self.flags {
            if !expected.contains(flag.as_str()) {
                expected += &format!(" or {flag}");
            }
        }
        let owner = self.name;
        Err(match left {
            Some(parameter) => SpecError::Unexpected { owner, parameter, expected },
            None => SpecError::Missing { owner, expected },
        })
    }
}

/// Whether a parameter without a key is a size or a number. Words are flags.
fn is_size(text: &str) -> bool {
    !text.starts_with(char::is_alphabetic)
}

/// The error for a name that is not among `names`, with the nearest one that is.
pub fn unknown<'a>(kind: &'static str, name: &str, names: impl Iterator<Item = &'a str>) -> SpecError {
    SpecError::Unknown { kind, name: name.to_owned(), suggestion: nearest(name, names).map(str::to_owned) }
}

/// The name that may have been meant: one with a single edit, one that begins with or contains the given name, or the one with the
/// fewest edits, if those are few.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let names: Vec<&str> = names.collect();
    let (edits, nearest) = names.iter().map(|known| (distance(&name, known), *known)).min()?;
    // As many edits as letters turn anything into anything.
    let length = name.chars().count();
    let close = (edits < length && edits <= nearest.len() / 3 + 1).then_some(nearest);
    if edits <= 1 || length < 2 {
        return close;
    }
    let begins = names.iter().find(|known| known.starts_with(&name));
    begins.or_else(|| names.iter().find(|known| known.contains(&name))).copied().or(close)
}

/// Edits (insert, delete, replace) that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_taken_one_by_one() {
        let mut spec = Spec::parse("nogo:misere, 3x4 ,limit=7");
        assert_eq!(spec.name(), "nogo");
        assert_eq!(spec.value().as_deref(), Some("3x4"));
        assert!(spec.flag("misere"));
        assert_eq!(spec.number("limit", 0), Ok(7));
        assert_eq!(spec.number("other", 5), Ok(5));
        assert_eq!(Spec::parse("y:6").side(5, 1..=11), Ok(6));
        assert!(Spec::parse("y:12").side(5, 1..=11).is_err());
        assert_eq!(spec.finish("nothing"), Ok(()));
    }

    #[test]
    fn what_is_left_over_is_named() {
        let error = Spec::parse("pp:prior=half").finish("no parameter").unwrap_err();
        assert_eq!(error.to_string(), "pp does not take 'prior=half'; expected no parameter");
        let error = Spec::parse("pp:theta=x").number("theta", 0.0).unwrap_err();
        assert_eq!(error.to_string(), "pp: 'theta=x' is not a number in range");
    }

    #[test]
    fn nothing_after_a_colon_is_refused() {
        for text in ["nim:", "nim: ", "nim:,", "nim:3,", "nim:,3", "nim:3,,4"] {
            let mut spec = Spec::parse(text);
            spec.numbers();
            let error = spec.finish("nim:HEAP,HEAP,…").unwrap_err();
            let message = "a parameter of nim is missing after ':' or ','; expected nim:HEAP,HEAP,…";
            assert_eq!(error.to_string(), message, "{text}");
        }
        assert_eq!(Spec::parse("nim").finish("nim:HEAP,HEAP,…"), Ok(()));
    }

    #[test]
    fn words_that_exist_are_among_the_expected() {
        for wrong in ["miser", "misere=true"] {
            let mut spec = Spec::parse(&format!("nogo:{wrong}"));
            assert!(!spec.flag("misere"));
            let error = spec.finish("nogo[:ROWSxCOLS]").unwrap_err();
            let message = format!("nogo does not take '{wrong}'; expected nogo[:ROWSxCOLS] or misere");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn an_alias_gives_way_to_the_parameters() {
        let written = |text: &str| {
            let spec = Spec::parse(text).standing_for(Spec::parse("lines:15x15,length=5,exact"));
            let pairs = spec.pairs.iter().map(|(key, value)| format!("{key}={value}"));
            format!("{}:{}", spec.name, spec.values.into_iter().chain(pairs).collect::<Vec<_>>().join(","))
        };
        assert_eq!(written("gomoku"), "lines:15x15,exact,length=5");
        assert_eq!(written("gomoku:9x9,misere"), "lines:9x9,misere,exact,length=5");
        assert_eq!(written("gomoku:length=6"), "lines:15x15,exact,length=6");
    }

    #[test]
    fn near_misses_are_suggested() {
        let names = ["connect4", "nim"];
        let error = unknown("game", "conect4", names.into_iter());
        assert_eq!(
            error.to_string(),
            "unknown game 'conect4' (did you mean 'connect4'?); `delphic games` lists them"
        );
        assert!(!unknown("game", "xyz", names.into_iter()).to_string().contains("mean"));
        let names = ["y", "nim", "go-capture", "hex", "reach-chess", "nogo"];
        for (name, meant) in [
            ("", None),
            ("a", None),
            ("go", Some("go-capture")),
            ("go-cap", Some("go-capture")),
            ("chess", Some("reach-chess")),
            ("nin", Some("nim")),
            ("NIN", Some("nim")),
            ("hexx", Some("hex")),
        ] {
            assert_eq!(nearest(name, names.into_iter()), meant, "{name}");
        }
    }
}
