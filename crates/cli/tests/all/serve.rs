//! `delphic serve` as a program: the address it prints, warnings, refusals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A program that is ended with the test.
struct Program(Child);

impl Program {
    /// Starts it, and returns the line that it prints.
    fn start(args: &[&str]) -> (Program, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delphic"));
        let child = command
            .args(["serve", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut program = Program(child.expect("the program starts"));
        let mut line = String::new();
        BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (program, line.trim().to_owned())
    }

    /// Ends it, and returns what it said on standard error.
    fn stop(mut self) -> String {
        self.0.kill().unwrap();
        let mut text = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_prints_an_address_with_a_token_and_answers_there() {
    let (program, address) = Program::start(&[]);
    let (origin, token) = address.strip_prefix("http://").unwrap().split_once("/#token=").unwrap();
    assert!(origin.starts_with("127.0.0.1:") && token.len() == 32, "{address}");
    let mut stream = TcpStream::connect(origin).unwrap();
    let request = format!(
        "GET /api/v1/about HTTP/1.1\r\nhost: {origin}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("\"revision\""), "{reply}");
    assert_eq!(program.stop(), "");
}

#[test]
fn an_address_that_others_can_reach_comes_with_a_warning() {
    let (program, address) = Program::start(&["--bind", "0.0.0.0"]);
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let said = program.stop();
    assert!(said.starts_with("warning: other machines can reach 0.0.0.0"), "{said}");
}

#[test]
fn what_cannot_be_served_is_refused_in_one_line() {
    let (_program, address) = Program::start(&[]);
    let port = address.split(['/', ':']).nth(4).unwrap().to_owned();
    for (args, reason) in [
        (vec!["--port", &port], "is in use; choose another with --port"),
        (vec!["--port", "0", "/no/such/file.proof"], "/no/such/file.proof: No such file"),
        (vec!["--port", "0", "--lab", "/no/such/folder"], "has no index.html"),
        (vec!["--port", "70000"], "invalid value '70000'"),
        (vec!["--bind", "everywhere"], "invalid value 'everywhere'"),
        (vec!["--searches", "0"], "invalid value '0'"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_delphic")).arg("serve").args(&args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && said.contains(reason) && said.lines().count() == 1,
            "{args:?}: {said}"
        );
    }
}
