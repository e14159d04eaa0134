//! What a person does: lines and Ctrl-C, also while the agent thinks.

use crate::solve::INTERRUPT;
use crate::{Failure, exit, output};
use std::io::{BufRead, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Something that happened at the prompt.
pub(crate) enum Event {
    Line(String),
    /// Nothing more will come.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// Lines come from a thread of their own, because nobody can be waked from reading: so the prompt hears Ctrl-C as well.
pub(crate) struct Input {
    events: Receiver<Event>,
    /// Whether the terminal shows what is typed. If there is none, we do, so that a session can be read afterwards.
    echo: bool,
}

/// Whether Ctrl-C is meant for the agent.
static THINKING: AtomicBool = AtomicBool::new(false);

impl Input {
    pub(crate) fn listen() -> Result<Input, Failure> {
        let (sender, events) = channel();
        let at_prompt = sender.clone();
        let handler = move || {
            if !THINKING.load(Ordering::Relaxed) {
                // If nobody receives it, the program is about to end anyway.
                let _ = at_prompt.send(Event::Interrupt);
            } else if INTERRUPT.swap(true, Ordering::Relaxed) {
                std::process::exit(exit::INTERRUPTED.into());
            }
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))?;
        std::thread::spawn(move || read(&sender));
        Ok(Input { events, echo: !std::io::stdin().is_terminal() })
    }

    /// Asks for a line.
    pub(crate) fn next(&self) -> Result<Event, Failure> {
        output("> ")?;
        let event = self.events.recv().unwrap_or(Event::End);
        match &event {
            Event::Line(line) if self.echo => output(&format!("{line}\n"))?,
            Event::Line(_) => {}
            Event::End | Event::Interrupt => output("\n")?,
        }
        Ok(event)
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

/// The line without what arrow keys and the like leave behind.
fn printable(line: &str) -> String {
    let shown = |c: char| if c == '\t' { Some(' ') } else { Some(c).filter(|c| !c.is_control()) };
    line.chars().filter_map(shown).collect::<String>().trim().to_owned()
}

/// Runs `think`, during which Ctrl-C raises [`INTERRUPT`].
pub(crate) fn interruptible<T>(think: impl FnOnce() -> T) -> T {
    INTERRUPT.store(false, Ordering::Relaxed);
    THINKING.store(true, Ordering::Relaxed);
    let thought = think();
    THINKING.store(false, Ordering::Relaxed);
    thought
}
