//! Tables of a description file, with the place of everything that can be wrong in them.

use crate::game_file::{FileError, Value, Wrong, each, fault, kind, meant, number, one_of, text_of, word};
use std::ops::RangeInclusive;
use toml::de::{DeTable, DeValue};

/// A table of a file.
#[derive(Clone, Copy)]
pub(super) struct Section<'a, 't> {
    pub(super) text: &'t str,
    table: &'a DeTable<'t>,
    /// Where it begins: what is missing is missing there.
    at: usize,
    /// What it is called in messages.
    what: &'static str,
}

impl<'a, 't> Section<'a, 't> {
    pub(super) fn new(text: &'t str, table: &'a DeTable<'t>, at: usize, what: &'static str) -> Self {
        Section { text, table, at, what }
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value<'t>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// An error about the value of `key`, or about the table if it has none.
    pub(super) fn wrong(&self, key: &str, reason: impl Into<String>) -> FileError {
        fault(self.text, self.get(key).map_or(self.at, |value| value.span().start), reason)
    }

    fn located(&self, key: &str, (span, reason): Wrong) -> FileError {
        fault(self.text, span.start, format!("{key}: {reason}"))
    }

    pub(super) fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&'a Value<'t>) -> Result<T, Wrong>,
    ) -> Result<Option<T>, FileError> {
        self.get(key).map(|value| read(value).map_err(|wrong| self.located(key, wrong))).transpose()
    }

    pub(super) fn required<T>(
        &self,
        key: &str,
        read: impl FnOnce(&'a Value<'t>) -> Result<T, Wrong>,
    ) -> Result<T, FileError> {
        let missing = || fault(self.text, self.at, format!("{} needs a value for '{key}'", self.what));
        self.optional(key, read)?.ok_or_else(missing)
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, FileError> {
        let read = |value: &Value<'t>| match value.get_ref() {
            DeValue::Boolean(on) => Ok(*on),
            other => Err((value.span(), format!("expected true or false, found {}", kind(other)))),
        };
        Ok(self.optional(key, read)?.unwrap_or(false))
    }

    pub(super) fn word<'w>(&self, key: &str, words: &[&'w str]) -> Result<Option<&'w str>, FileError> {
        self.optional(key, |value| word(value, words))
    }

    pub(super) fn number(&self, key: &str, range: RangeInclusive<usize>) -> Result<Option<usize>, FileError> {
        self.optional(key, |value| number(value, range))
    }

    /// Two numbers such as `[3, 4]`.
    pub(super) fn size(&self, key: &str, range: RangeInclusive<usize>) -> Result<(usize, usize), FileError> {
        let sides = self.required(key, |value| each(value, |item| number(item, range.clone())))?;
        match sides[..] {
            [rows, columns] => Ok((rows, columns)),
            _ => Err(self.wrong(key, format!("{key}: expected two numbers such as [3, 4]"))),
        }
    }

    /// A list of texts; a single text is a list of one.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, FileError> {
        self.optional(key, |value| each(value, text_of))
    }

    /// The tables `[[key]]`, each with the place where it begins.
    pub(super) fn tables(
        &self,
        key: &'static str,
        what: &'static str,
    ) -> Result<Vec<Section<'a, 't>>, FileError> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.wrong(key, format!("expected [[{key}]], found {}", kind(value.get_ref()))));
        };
        items.iter().map(|item| self.section(key, item, what)).collect()
    }

    /// The table `[key]`.
    pub(super) fn table(
        &self,
        key: &'static str,
        what: &'static str,
    ) -> Result<Option<Section<'a, 't>>, FileError> {
        self.get(key).map(|value| self.section(key, value, what)).transpose()
    }

    fn section(
        &self,
        key: &str,
        value: &'a Value<'t>,
        what: &'static str,
    ) -> Result<Section<'a, 't>, FileError> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(Section { text: self.text, table, at: value.span().start, what }),
            other => {
                let reason = format!("{key}: expected a table, found {}", kind(other));
                Err(fault(self.text, value.span().start, reason))
            }
        }
    }

    /// The keys of the table with their values, in any order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value<'t>)> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), value))
    }

    /// Complains about the first key that is not one of these.
    pub(super) fn check_keys(&self, known: &[&str]) -> Result<(), FileError> {
        let foreign = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(key) = foreign.min_by_key(|key| key.span().start) else { return Ok(()) };
        let found = key.get_ref();
        let meant = meant(found, known.iter().copied());
        let reason = format!("{} has no '{found}'{meant}; {}", self.what, one_of(known));
        Err(fault(self.text, key.span().start, reason))
    }
}
