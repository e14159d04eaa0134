//! A server for tests, and a client of a few lines that sends exactly what a test says.

// Every file of tests uses a part of it.
#![allow(dead_code)]

use delphic_web::{Server, Settings};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// A server that runs until it is dropped.
pub struct Running {
    pub port: u16,
    pub token: String,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn start(settings: Settings) -> Running {
        let server = Server::bind(settings).expect("a server");
        let url = server.url();
        let (address, token) = url.split_once("/#token=").expect("an address with a token");
        let port = address.rsplit_once(':').expect("a port").1.parse().expect("a number");
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupt);
        let thread = std::thread::spawn(move || server.run(&flag).expect("the server runs"));
        Running { port, token: token.to_owned(), interrupt, thread: Some(thread) }
    }

    /// Sends a request with the headers that the page sends.
    pub fn send(&self, method: &str, path: &str, body: &str) -> Reply {
        let headers =
            [format!("host: 127.0.0.1:{}", self.port), format!("authorization: Bearer {}", self.token)];
        self.send_with(method, path, &headers, body.as_bytes())
    }

    /// Sends a request with these headers and no others.
    pub fn send_with(&self, method: &str, path: &str, headers: &[String], body: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        // A server that refuses the headers may close the connection before it has read the body.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        Reply::read(stream)
    }

    pub fn post(&self, path: &str, body: &Json) -> Reply {
        self.send("POST", &format!("/api/v1{path}"), &body.to_string())
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", &format!("/api/v1{path}"), "")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || std::thread::panicking(), "the server ends in order");
    }
}

/// A reply whose head was read.
pub struct Reply {
    pub status: u16,
    pub head: String,
    rest: BufReader<TcpStream>,
}

impl Reply {
    fn read(stream: TcpStream) -> Reply {
        let (mut rest, mut head) = (BufReader::new(stream), String::new());
        while !head.ends_with("\r\n\r\n") {
            if rest.read_line(&mut head).unwrap_or(0) == 0 {
                break;
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_lowercase(), rest }
    }

    pub fn text(mut self) -> String {
        let mut text = String::new();
        let _ = self.rest.read_to_string(&mut text);
        text
    }

    pub fn json(self) -> Json {
        let (status, text) = (self.status, self.text());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{status}: {error}: {text}"))
    }

    /// The next event of a stream: its name and its data.
    pub fn event(&mut self) -> Option<(String, Json)> {
        let (mut name, mut line) = (None, String::new());
        loop {
            line.clear();
            if self.rest.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.trim().to_owned());
            } else if let (Some(data), Some(name)) = (line.strip_prefix("data: "), &name) {
                return Some((name.clone(), serde_json::from_str(data).expect("JSON")));
            }
        }
    }

    /// All events up to the end.
    pub fn events(mut self) -> Vec<(String, Json)> {
        assert_eq!(self.status, 200, "{}", self.head);
        std::iter::from_fn(|| self.event()).collect()
    }

    /// The first event with this name.
    pub fn until(&mut self, name: &str) -> Json {
        loop {
            match self.event() {
                Some((event, data)) if event == name => return data,
                Some((event, data)) if event == "error" => panic!("{data}"),
                Some(_) => {}
                None => panic!("the stream ended before '{name}'"),
            }
        }
    }
}
