//! Input: lines and Ctrl-C, also while the agent searches.

use crate::interrupt::{self, INTERRUPT};
use crate::{Failure, exit, output};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{BufRead, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// An event at the prompt.
pub(crate) enum Event {
    Line(String),
    /// The input has ended.
    End,
    /// Ctrl-C.
    Interrupt,
}

const PROMPT: &str = "> ";

/// The source of lines.
pub(crate) enum Input {
    /// A terminal with line editing and history.
    Terminal(Box<DefaultEditor>),
    /// Anything else. A thread reads the lines, because reading cannot be interrupted: this way Ctrl-C also works at the
    /// prompt.
    Pipe(Receiver<Event>),
}

/// Whether Ctrl-C stops the agent, instead of ending the session.
static THINKING: AtomicBool = AtomicBool::new(false);

impl Input {
    pub(crate) fn listen() -> Result<Input, Failure> {
        let (sender, events) = channel();
        let at_prompt = sender.clone();
        let terminal = std::io::stdin().is_terminal();
        interrupt::handle(move || {
            if THINKING.load(Ordering::Relaxed) {
                interrupt::stop_or_exit();
            } else if terminal {
                // The line editor reads Ctrl-C as a key, so this signal comes from another process.
                std::process::exit(exit::INTERRUPTED.into());
            } else {
                // Without a receiver the program is about to end anyway.
                let _ = at_prompt.send(Event::Interrupt);
            }
        })?;
        if terminal {
            let editor = DefaultEditor::new()
                .map_err(|error| Failure::Other(format!("cannot use the terminal: {error}")))?;
            return Ok(Input::Terminal(Box::new(editor)));
        }
        std::thread::spawn(move || read(&sender));
        Ok(Input::Pipe(events))
    }

    /// Asks for a line.
    pub(crate) fn next(&mut self) -> Result<Event, Failure> {
        match self {
            Input::Terminal(editor) => match editor.readline(PROMPT) {
                Ok(line) => {
                    let line = printable(&line);
                    // A failure to store the line in the history is ignored.
                    let _ = editor.add_history_entry(&line);
                    Ok(Event::Line(line))
                }
                Err(ReadlineError::Eof) => Ok(Event::End),
                Err(ReadlineError::Interrupted) => Ok(Event::Interrupt),
                Err(error) => Err(Failure::Other(format!("cannot read from the terminal: {error}"))),
            },
            Input::Pipe(events) => {
                output(PROMPT)?;
                let event = events.recv().unwrap_or(Event::End);
                match &event {
                    // Without a terminal there is no echo: the line is printed, so that the output is a readable transcript.
                    Event::Line(line) => output(&format!("{line}\n"))?,
                    Event::End | Event::Interrupt => output("\n")?,
                }
                Ok(event)
            }
        }
    }
}

fn read(events: &Sender<Event>) {
    let mut stdin = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let event = match stdin.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::End,
            Ok(_) => Event::Line(printable(&String::from_utf8_lossy(&line))),
        };
        let ended = matches!(event, Event::End);
        if events.send(event).is_err() || ended {
            return;
        }
    }
}

/// The line without control characters.
fn printable(line: &str) -> String {
    let shown = |c: char| if c == '\t' { Some(' ') } else { Some(c).filter(|c| !c.is_control()) };
    line.chars().filter_map(shown).collect::<String>().trim().to_owned()
}

/// Runs `think`; meanwhile Ctrl-C sets [`INTERRUPT`].
pub(crate) fn interruptible<T>(think: impl FnOnce() -> T) -> T {
    INTERRUPT.store(false, Ordering::Relaxed);
    THINKING.store(true, Ordering::Relaxed);
    let thought = think();
    THINKING.store(false, Ordering::Relaxed);
    thought
}
