//! Parameters of solvers and agents: declared once; parsing, printing, help and documentation are derived.

use delphic_game::{Spec, SpecError};
use std::fmt;

/// A parameter of a solver or an agent.
///
/// ```
/// use delphic_engine::parameter::{Kind, Parameter, Setting};
///
/// let sum = Parameter { name: "sum", kind: Kind::Choice(&["plain", "weak"]), about: "how numbers add up" };
/// assert_eq!(sum.default(), Setting::Word("plain"));
/// assert_eq!(sum.usage(), "sum=plain|weak");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, as in `name=value`.
    pub name: &'static str,
    /// Its allowed values, and its default.
    pub kind: Kind,
    /// Its meaning, for help texts.
    pub about: &'static str,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A whole number of at least `least`.
    Count {
        /// The default.
        default: u32,
        /// The least.
        least: u32,
    },
    /// A number from `least` (itself included only if `closed`) to below `below`.
    Number {
        /// The default.
        default: f64,
        /// The least.
        least: f64,
        /// Whether `least` itself is allowed.
        closed: bool,
        /// The first number that is too large.
        below: f64,
    },
    /// One of several words, of which the first is the default.
    Choice(&'static [&'static str]),
    /// The same, or the path of a file made by `delphic learn`.
    ChoiceOrFile(&'static [&'static str]),
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Setting {
    /// A whole number.
    Count(u32),
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
    /// The path of a file.
    File(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Count(count) => count.fmt(f),
            Setting::Number(number) => number.fmt(f),
            Setting::Word(word) => f.write_str(word),
            Setting::File(path) => f.write_str(path),
        }
    }
}

impl Parameter {
    /// The default value.
    pub fn default(&self) -> Setting {
        match self.kind {
            Kind::Count { default, .. } => Setting::Count(default),
            Kind::Number { default, .. } => Setting::Number(default),
            Kind::Choice(words) | Kind::ChoiceOrFile(words) => Setting::Word(words[0]),
        }
    }

    /// The name with the default and the other values, as in `prior=mobility|half|eval|FILE`.
    pub fn usage(&self) -> String {
        let values = match self.kind {
            Kind::Count { default, .. } => default.to_string(),
            // Three digits suffice in a list.
            Kind::Number { default, .. } => ((default * 1e3).round() / 1e3).to_string(),
            Kind::Choice(words) => words.join("|"),
            Kind::ChoiceOrFile(words) => format!("{}|FILE", words.join("|")),
        };
        format!("{}={values}", self.name)
    }

    /// The allowed values, in words.
    fn expected(&self) -> String {
        match self.kind {
            Kind::Count { least, .. } => format!("a whole number of at least {least}"),
            Kind::Number { least, below, closed: true, .. } => {
                format!("a number of at least {least} and less than {below}")
            }
            Kind::Number { least, below, .. } => format!("a number between {least} and {below}"),
            Kind::Choice(words) => words.join(", "),
            Kind::ChoiceOrFile(words) => format!("{} or a file written by `delphic learn`", words.join(", ")),
        }
    }

    /// Reads a value.
    fn read(&self, text: &str) -> Option<Setting> {
        match self.kind {
            Kind::Count { least, .. } => {
                text.parse().ok().filter(|&count| count >= least).map(Setting::Count)
            }
            Kind::Number { least, closed, below, .. } => {
                let fits = |&number: &f64| (number > least || closed && number == least) && number < below;
                text.parse().ok().filter(fits).map(Setting::Number)
            }
            Kind::Choice(words) => words.iter().find(|word| **word == text).map(|word| Setting::Word(word)),
            Kind::ChoiceOrFile(words) => {
                let word = words.iter().find(|word| **word == text).map(|word| Setting::Word(word));
                // A name without dot or slash is more likely a misspelt word than a file.
                let file = || text.contains(['.', '/', '\\']).then(|| Setting::File(text.to_owned()));
                word.or_else(file)
            }
        }
    }

    /// Removes the value from a spec and parses it.
    fn take(&self, spec: &mut Spec) -> Result<Setting, SpecError> {
        let Some(text) = spec.text(self.name) else { return Ok(self.default()) };
        self.read(&text).ok_or_else(|| {
            spec.impossible(format!("invalid parameter '{}={text}': expected {}", self.name, self.expected()))
        })
    }
}

/// Parameters with their values.
#[derive(Clone, Debug)]
pub struct Settings {
    parameters: &'static [Parameter],
    values: Vec<Setting>,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Settings) -> bool {
        self.values == other.values
    }
}

impl Settings {
    /// The defaults.
    pub fn defaults(parameters: &'static [Parameter]) -> Settings {
        Settings { parameters, values: parameters.iter().map(Parameter::default).collect() }
    }

    /// Reads the values from a spec, which must have no other parameters.
    pub fn take(parameters: &'static [Parameter], mut spec: Spec) -> Result<Settings, SpecError> {
        let values =
            parameters.iter().map(|parameter| parameter.take(&mut spec)).collect::<Result<_, _>>()?;
        spec.finish(&usage(parameters))?;
        Ok(Settings { parameters, values })
    }

    /// The same with another value for an existing parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: Setting) -> Settings {
        if let Some(place) = self.place(name) {
            self.values[place] = value;
        }
        self
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }

    fn get(&self, name: &str) -> Option<&Setting> {
        self.place(name).map(|place| &self.values[place])
    }

    /// The value of a whole number.
    pub fn count(&self, name: &str) -> u32 {
        if let Some(Setting::Count(count)) = self.get(name) { *count } else { 0 }
    }

    /// The value of a number.
    pub fn number(&self, name: &str) -> f64 {
        if let Some(Setting::Number(number)) = self.get(name) { *number } else { 0.0 }
    }

    /// The word of a choice; the empty one if it is a file or there is no such parameter.
    pub fn word(&self, name: &str) -> &'static str {
        if let Some(Setting::Word(word)) = self.get(name) { word } else { "" }
    }

    /// Whether a choice is `on`.
    pub fn is_on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }

    /// The path of a file.
    pub fn file(&self, name: &str) -> Option<&str> {
        if let Some(Setting::File(path)) = self.get(name) { Some(path) } else { None }
    }

    /// Writes `name:key=value,…` with all parameters.
    pub(crate) fn write(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name)?;
        for (nth, (parameter, value)) in self.parameters.iter().zip(&self.values).enumerate() {
            write!(f, "{}{}={value}", if nth == 0 { ':' } else { ',' }, parameter.name)?;
        }
        Ok(())
    }
}

/// All parameters with their values, as in `playouts=60,theta=0.01`.
pub fn usage(parameters: &[Parameter]) -> String {
    match parameters {
        [] => "no parameter".to_owned(),
        _ => parameters.iter().map(Parameter::usage).collect::<Vec<_>>().join(","),
    }
}
