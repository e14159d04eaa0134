//! `delphic play`: a person against an agent.

mod command;
mod input;
mod opening;
mod saved;
mod words;

use crate::allowance::Allowance;
use crate::args::{Colour, Play};
use crate::solve::INTERRUPT;
use crate::table::{Table, short_name};
use crate::view::Range;
use crate::{Failure, output, progress, units};
use command::Command;
use delphic_engine::{AnyGame, Player, StopReason, Thought};
use input::{Event, Input, interruptible};
use saved::{Opened, Saved};
use std::path::{Path, PathBuf};

pub(crate) fn run(options: &Play, colour: Colour) -> Result<u8, Failure> {
    let mut opened = opening::open(options)?;
    let input = Input::listen()?;
    let mut allowance = Allowance::against_a_person(&options.opponent.thinking);
    loop {
        let Opened { game, start, saved, path } = &opened;
        let mut table = Table::new(&**start, game.players(), saved.agent.clone(), options.opponent.seed);
        table.play_list(&saved.moves.join(" ")).map_err(Failure::Usage)?;
        let session = Session {
            game: &**game,
            range: Range::of(&**game),
            table,
            person: saved.person,
            resigned: false,
            kept: path.clone(),
            stale: true,
            allowance: &mut allowance,
            input: &input,
            coloured: colour.wanted(),
        };
        match session.play()? {
            Next::Leave => return Ok(0),
            Next::Load(other) => opened = *other,
        }
    }
}

/// How a session ends.
enum Next {
    Leave,
    Load(Box<Opened>),
}

/// A person at the table.
struct Session<'s> {
    game: &'s dyn AnyGame,
    range: Range,
    table: Table<'s>,
    person: Player,
    resigned: bool,
    /// The file that has the game as it stands.
    kept: Option<PathBuf>,
    /// Whether the board has changed since it was shown.
    stale: bool,
    allowance: &'s mut Allowance,
    input: &'s Input,
    coloured: bool,
}

impl Session<'_> {
    fn play(mut self) -> Result<Next, Failure> {
        output(&self.introduction())?;
        loop {
            if !self.is_over() && self.table.position().turn() != self.person {
                self.agent_moves("")?;
                continue;
            }
            if std::mem::take(&mut self.stale) {
                output(&self.board())?;
            }
            let line = match self.input.next()? {
                Event::Line(line) => line,
                Event::End | Event::Interrupt => break,
            };
            match self.obey(&line) {
                Ok(None) => {}
                Ok(Some(Next::Leave)) => break,
                Ok(Some(next)) => return Ok(next),
                Err(Failure::Usage(message) | Failure::Other(message)) => output(&format!("{message}\n"))?,
                Err(closed) => return Err(closed),
            }
        }
        output(&self.way_back())?;
        output("good-bye\n")?;
        Ok(Next::Leave)
    }

    /// Does what a line says. Whatever is wrong with it, the game stays as it is.
    fn obey(&mut self, line: &str) -> Result<Option<Next>, Failure> {
        if line.is_empty() {
            return Ok(None);
        }
        if let Some(nth) = self.find(line) {
            self.make_move(nth);
            return Ok(None);
        }
        let Some(command) = Command::parse(line).map_err(Failure::Usage)? else {
            return Err(Failure::Usage(self.explain(line)));
        };
        match command {
            Command::Help => output(&command::help(self.game.how()))?,
            Command::Moves(prefix) => output(&self.moves(prefix))?,
            Command::Hint => {
                self.must_go_on()?;
                let thought = self.think();
                output(&words::hint(&thought, self.range))?;
            }
            Command::Go => {
                self.must_go_on()?;
                self.agent_moves(" for you")?;
            }
            Command::Undo => self.undo()?,
            Command::Board => {
                let notation = self.table.position().write();
                output(&format!("{}{notation}\n", self.board()))?;
            }
            Command::Switch => {
                self.person = self.person.next(self.game.players());
                self.kept = None;
                output(&format!("you are {} now\n", self.person))?;
            }
            Command::Save(name) => {
                self.saved().write(Path::new(name))?;
                self.kept = Some(name.into());
                output(&format!("saved in {name}\n"))?;
            }
            Command::Load(name) => {
                let opened = Saved::read(Path::new(name))?;
                output(&self.way_back())?;
                return Ok(Some(Next::Load(Box::new(opened))));
            }
            Command::New => {
                output(&self.way_back())?;
                self.table.back_to(0);
                (self.resigned, self.kept, self.stale) = (false, None, true);
            }
            Command::Agent("") => output(&format!("{} plays\n", self.table.agent()))?,
            Command::Agent(name) => {
                let agent: delphic_engine::Agent =
                    name.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
                self.table.set_agent(agent.clone(), self.table.seed());
                self.kept = None;
                output(&format!("{agent} plays from now on\n"))?;
            }
            Command::Time("") => output(&format!("{} for a move\n", self.allowance))?,
            Command::Time(time) => {
                *self.allowance = self.allowance.lasting(units::duration(time).map_err(Failure::Usage)?);
                output(&format!("{} for a move from now on\n", self.allowance))?;
            }
            Command::Resign => {
                self.must_go_on()?;
                (self.resigned, self.stale) = (true, false);
                output("you have resigned; `undo` takes it back, `new` begins again\n")?;
            }
            Command::Quit => return Ok(Some(Next::Leave)),
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        self.resigned || self.table.position().is_over()
    }

    fn must_go_on(&self) -> Result<(), Failure> {
        let reason = "the game is over; `undo` takes back, `new` begins again, `quit` leaves";
        if self.is_over() { Err(Failure::Usage(reason.to_owned())) } else { Ok(()) }
    }

    /// The number of the legal move with this name. Capitals matter only if they tell moves apart.
    fn find(&self, name: &str) -> Option<usize> {
        if self.is_over() {
            return None;
        }
        let moves = self.table.position().moves();
        let alike = || moves.iter().enumerate().filter(|(_, mv)| mv.eq_ignore_ascii_case(name));
        let exact = moves.iter().position(|mv| mv == name);
        exact.or_else(|| alike().next().filter(|_| alike().count() == 1).map(|(nth, _)| nth))
    }

    /// What a line that is neither move nor command could have been.
    fn explain(&self, line: &str) -> String {
        if self.is_over() {
            return format!("'{line}' is no command, and the game is over; `help` lists the commands");
        }
        let moves = self.table.position().moves();
        let similar: Vec<&str> =
            moves.iter().filter(|mv| mv.starts_with(line)).take(8).map(String::as_str).collect();
        let further = match &similar[..] {
            [] => format!("`moves` lists the {} legal moves, `help` the commands", moves.len()),
            _ => format!("legal moves that begin so: {}", similar.join(" ")),
        };
        format!("'{line}' is neither a legal move nor a command; {further}")
    }

    fn make_move(&mut self, nth: usize) {
        self.table.play(nth);
        (self.kept, self.stale) = (None, true);
    }

    fn think(&mut self) -> Thought {
        let mut line = progress::Line::new(false);
        let budget = self.allowance.budget(&INTERRUPT);
        let thought = interruptible(|| self.table.think(&budget, &mut line));
        line.clear();
        thought
    }

    fn agent_moves(&mut self, for_whom: &str) -> Result<(), Failure> {
        let seat = self.table.position().turn();
        let thought = self.think();
        let mv = &thought.moves[thought.choice];
        let mut text = short_name(&self.table.agent());
        if self.game.players() > 2 && for_whom.is_empty() {
            text += &format!(", {seat},");
        }
        text += &format!(" plays {}{for_whom}{}", mv.mv, words::opinion(mv, self.range));
        if thought.stop == StopReason::Interrupted {
            text += ", interrupted";
        }
        self.make_move(thought.choice);
        output(&(text + "\n"))
    }

    /// Takes back to where the person was last to move.
    fn undo(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.resigned) {
            self.stale = true;
            return Ok(());
        }
        let own = |plies: &usize| self.table.position_after(*plies).turn() == self.person;
        let Some(plies) = (0..self.table.plies()).rev().find(own) else {
            return Err(Failure::Usage("there is no move of yours to take back".to_owned()));
        };
        let undone = self.table.record()[plies..].join(" ");
        self.table.back_to(plies);
        (self.kept, self.stale) = (None, true);
        output(&format!("taken back: {undone}\n"))
    }

    fn saved(&self) -> Saved {
        Saved {
            game: self.game.spec().to_owned(),
            start: self.table.start().write(),
            moves: self.table.record().into_iter().map(str::to_owned).collect(),
            agent: self.table.agent(),
            person: self.person,
        }
    }

    fn introduction(&self) -> String {
        let others: Vec<String> = (0..self.game.players())
            .map(Player::new)
            .filter(|&seat| seat != self.person)
            .map(|seat| seat.to_string())
            .collect();
        format!(
            "{}: you are {}, {} is {} and thinks for {} about a move\n{}\n`help` lists the commands\n",
            self.game.spec(),
            self.person,
            short_name(&self.table.agent()),
            others.join(" and "),
            self.allowance,
            command::about_moves(self.game.how())
        )
    }

    fn board(&self) -> String {
        let position = self.table.position();
        let picture = position.picture().text(self.coloured);
        let mut text = format!("\n{}\n\n", picture.trim_start_matches('\n'));
        if let Some(payoffs) = position.payoffs() {
            text += &words::result(&payoffs, self.person);
        }
        text
    }

    fn moves(&self, prefix: &str) -> String {
        let moves = self.table.position().moves();
        let listed: Vec<&str> =
            moves.iter().map(String::as_str).filter(|mv| mv.starts_with(prefix)).collect();
        match listed[..] {
            [] if moves.is_empty() => "none, the game is over\n".to_owned(),
            [] => format!("none of the {} legal moves begins with {prefix}\n", moves.len()),
            _ => words::columns(&listed),
        }
    }

    /// How to find back to a game that is left before its end.
    fn way_back(&self) -> String {
        if self.is_over() || self.table.plies() == 0 {
            return String::new();
        }
        if let Some(path) = &self.kept {
            return format!("to go on: delphic play --load {}\n", quoted(&path.to_string_lossy()));
        }
        let (start, record) = (self.table.start().write(), self.table.record().join(" "));
        let usual = self.game.position(None, None).is_ok_and(|usual| usual.write() == start);
        let position = if usual { String::new() } else { quoted(&start) + " " };
        format!(
            "this game is not saved (`save FILE` does that); to go on: \
             delphic play {} {position}--moves {} --as {}\n",
            quoted(self.game.spec()),
            quoted(&record),
            self.person
        )
    }
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/:,=+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
