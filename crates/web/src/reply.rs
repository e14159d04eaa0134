//! Answers that are no streams: JSON objects and refusals.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use delphic_engine::InputError;
use serde_json::{Value as Json, json};

/// A refusal with its reason.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) reason: String,
}

pub(crate) fn problem(status: StatusCode, reason: impl Into<String>) -> Problem {
    Problem { status, reason: reason.into() }
}

/// What was asked for is wrong.
pub(crate) fn bad(reason: impl Into<String>) -> Problem {
    problem(StatusCode::BAD_REQUEST, reason)
}

/// There is too much to do.
pub(crate) fn busy() -> Problem {
    problem(StatusCode::SERVICE_UNAVAILABLE, "too many requests are waiting; try again later")
}

impl From<InputError> for Problem {
    fn from(error: InputError) -> Problem {
        bad(error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = object(&json!({ "error": self.reason }));
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert("retry-after", HeaderValue::from_static("2"));
        }
        response
    }
}

/// A JSON object.
pub(crate) fn object(object: &Json) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (headers, object.to_string()).into_response()
}

/// The fields of a request's object.
pub(crate) struct Fields(serde_json::Map<String, Json>);

/// The longest text of a field: positions and lists of moves.
const LONGEST: usize = 1 << 14;

impl Fields {
    /// Reads an object that has no other fields than these.
    pub(crate) fn read(body: &[u8], known: &[&str]) -> Result<Fields, Problem> {
        let fields = match serde_json::from_slice(body) {
            Ok(Json::Object(fields)) => fields,
            Ok(_) => return Err(bad("expected a JSON object")),
            Err(error) => return Err(bad(format!("the request is not JSON: {error}"))),
        };
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(bad(format!("unknown field '{name}'; expected: {}", known.join(", ")))),
            None => Ok(Fields(fields)),
        }
    }

    fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::String(text)) if text.len() <= LONGEST => Ok(Some(text)),
            Some(Json::String(_)) => Err(bad(format!("'{name}' is longer than {LONGEST} bytes"))),
            Some(_) => Err(bad(format!("'{name}' is not a text"))),
        }
    }

    /// A text that must be there.
    pub(crate) fn needed(&self, name: &str) -> Result<&str, Problem> {
        self.text(name)?.ok_or_else(|| bad(format!("'{name}' is missing")))
    }

    /// What a text stands for, or the default.
    pub(crate) fn parsed<T>(&self, name: &str) -> Result<Option<T>, Problem>
    where
        T: std::str::FromStr<Err: std::fmt::Display>,
    {
        let parse = |text: &str| text.parse().map_err(|error: T::Err| bad(error.to_string()));
        self.text(name)?.map(parse).transpose()
    }

    /// A whole number.
    pub(crate) fn count(&self, name: &str) -> Result<Option<u64>, Problem> {
        let number = |value: &Json| value.as_u64().ok_or_else(|| bad(format!("'{name}' is not a count")));
        self.get(name).map(number).transpose()
    }

    /// A number that is not negative.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, Problem> {
        let number = |value: &Json| {
            let number = value.as_f64().filter(|number| *number >= 0.0 && number.is_finite());
            number.ok_or_else(|| bad(format!("'{name}' is not a number from 0 on")))
        };
        self.get(name).map(number).transpose()
    }

    /// A flag, by default false.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Problem> {
        let flag =
            |value: &Json| value.as_bool().ok_or_else(|| bad(format!("'{name}' is not true or false")));
        self.get(name).map_or(Ok(false), flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_types_and_unknown_ones_are_refused() {
        let fields = Fields::read(
            br#"{"game":"nim","count":3,"on":true,"seconds":0.5}"#,
            &["game", "count", "on", "seconds"],
        );
        let fields = fields.unwrap();
        assert_eq!((fields.needed("game").unwrap(), fields.count("count").unwrap()), ("nim", Some(3)));
        assert!(fields.flag("on").unwrap() && !fields.flag("off").unwrap());
        assert_eq!(fields.number("seconds").unwrap(), Some(0.5));
        assert!(
            fields.text("count").is_err() && fields.count("seconds").is_err() && fields.needed("x").is_err()
        );
        for wrong in [&b"[]"[..], b"{", b"\"x\"", br#"{"gaem":"nim"}"#, &[0xff]] {
            assert!(Fields::read(wrong, &["game"]).is_err());
        }
    }
}
