//! `delphic play`: a person against an agent.

mod command;
mod input;
mod messages;
mod opening;
mod saved;
mod sides;

use crate::allowance::Allowance;
use crate::args::{Colour, Play};
use crate::interrupt::INTERRUPT;
use crate::match_state::{MatchState, short_name};
use crate::move_ranking::Range;
use crate::progress::{Line, Subject};
use crate::tables::wrapped;
use crate::{Failure, analyze, output, units};
use command::Command;
use delphic_engine::{AnyGame, Player, Request, StopReason, Thought, json};
use input::{Event, Input, interruptible};
use saved::{Opened, Saved};
use std::path::{Path, PathBuf};

/// The positions that `analyze` may visit to find exact distances to the end.
const EXACT: u64 = 1_000_000;

pub(crate) fn run(options: &Play, colour: Colour) -> Result<u8, Failure> {
    let mut opened = opening::open(options)?;
    let mut input = Input::listen()?;
    let mut allowance = options.opponent.allowance();
    loop {
        let Opened { game, start, saved, path } = &opened;
        saved.agent.check(&**start)?;
        let mut state = MatchState::new(&**game, &**start, saved.agent.clone(), options.opponent.seed);
        state.play_list(&saved.moves.join(" ")).map_err(Failure::Usage)?;
        let session = Session {
            game: &**game,
            range: Range::of(&**game),
            state,
            person: saved.person,
            resigned: false,
            kept: path.clone(),
            stale: true,
            allowance: &mut allowance,
            input: &mut input,
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

/// A person's game against the agent.
struct Session<'s> {
    game: &'s dyn AnyGame,
    range: Range,
    state: MatchState<'s>,
    person: Player,
    resigned: bool,
    /// The file that has the current state of the game.
    kept: Option<PathBuf>,
    /// Whether the board has changed since it was shown.
    stale: bool,
    allowance: &'s mut Allowance,
    input: &'s mut Input,
    coloured: bool,
}

impl Session<'_> {
    fn play(mut self) -> Result<Next, Failure> {
        output(&self.introduction())?;
        loop {
            if !self.is_over() && self.state.position().turn() != self.person {
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

    /// Executes a line of input. If it is not valid, the game does not change.
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
            Command::Help => output(&command::help(self.game))?,
            Command::Moves(prefix) => output(&self.moves(prefix))?,
            Command::Hint => {
                self.must_go_on()?;
                let thought = self.think();
                output(&messages::hint(&thought, self.range))?;
            }
            Command::Analyze => {
                self.must_go_on()?;
                output(&self.analyze())?;
            }
            Command::Go => {
                self.must_go_on()?;
                self.agent_moves(" for you")?;
            }
            Command::Undo => self.undo()?,
            Command::Board => {
                let notation = self.state.position().write();
                output(&format!("{}{notation}\n", self.board()))?;
            }
            Command::Switch => {
                self.person = self.person.next(self.game.players());
                self.kept = None;
                output(&format!("you are {} now\n", self.side(self.person)))?;
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
                self.state.back_to(0);
                (self.resigned, self.kept, self.stale) = (false, None, true);
            }
            Command::Agent("") => output(&format!("{} plays\n", self.state.agent()))?,
            Command::Agent(name) => {
                let agent: delphic_engine::Agent =
                    name.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
                agent.check(self.state.position())?;
                self.state.set_agent(agent.clone(), self.state.seed());
                self.kept = None;
                output(&format!("the agent is {agent} from now on\n"))?;
            }
            Command::Time("") => output(&format!("{} per move\n", self.allowance))?,
            Command::Time(time) => {
                *self.allowance = self.allowance.lasting(units::duration(time).map_err(Failure::Usage)?);
                output(&format!("{} per move from now on\n", self.allowance))?;
            }
            Command::Resign => {
                self.must_go_on()?;
                (self.resigned, self.stale) = (true, false);
                output("you have resigned; `undo` takes it back, `new` starts again\n")?;
            }
            Command::Quit => return Ok(Some(Next::Leave)),
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        self.resigned || self.state.position().is_over()
    }

    fn must_go_on(&self) -> Result<(), Failure> {
        let reason = "the game is over; `undo` takes back a move, `new` starts again, `quit` leaves";
        if self.is_over() { Err(Failure::Usage(reason.to_owned())) } else { Ok(()) }
    }

    /// The number of the legal move with this name. Case matters only if it distinguishes moves.
    fn find(&self, name: &str) -> Option<usize> {
        if self.is_over() {
            return None;
        }
        let moves = self.state.position().moves();
        let alike = || moves.iter().enumerate().filter(|(_, mv)| mv.eq_ignore_ascii_case(name));
        let exact = moves.iter().position(|mv| mv == name);
        exact.or_else(|| alike().next().filter(|_| alike().count() == 1).map(|(nth, _)| nth))
    }

    /// The error for a line that is neither a move nor a command, with a suggestion.
    fn explain(&self, line: &str) -> String {
        if self.is_over() {
            return format!("'{line}' is not a command, and the game is over; `help` lists the commands");
        }
        let moves = self.state.position().moves();
        if let Some(command) = command::similar(line) {
            return format!("'{line}' is neither a legal move nor a command; did you mean `{command}`?");
        }
        let similar: Vec<&str> =
            moves.iter().filter(|mv| mv.starts_with(line)).take(8).map(String::as_str).collect();
        let further = match &similar[..] {
            [] => format!("`moves` lists the {} legal moves, `help` the commands", moves.len()),
            _ => format!("legal moves that begin with it: {}", similar.join(" ")),
        };
        format!("'{line}' is neither a legal move nor a command; {further}")
    }

    fn make_move(&mut self, nth: usize) {
        self.state.play(nth);
        (self.kept, self.stale) = (None, true);
    }

    /// The exact values of the moves, within the limits per move.
    fn analyze(&self) -> String {
        let request = Request { limits: self.allowance.budget(&INTERRUPT).limits, ..Request::default() };
        let mut line = Line::new(false, Subject::of(&request, self.game.spec()));
        let analysis = interruptible(|| self.state.position().analyze(&request, EXACT, &mut line));
        line.clear();
        analyze::text(&analysis)
    }

    fn think(&mut self) -> Thought {
        let budget = self.allowance.budget(&INTERRUPT);
        let mut line = Line::new(false, Subject::titled(short_name(&self.state.agent()), &budget.limits));
        let thought = interruptible(|| self.state.think(&budget, &mut line));
        line.clear();
        thought
    }

    fn agent_moves(&mut self, for_whom: &str) -> Result<(), Failure> {
        let seat = self.state.position().turn();
        let thought = self.think();
        let mv = &thought.moves[thought.choice];
        let mut text = short_name(&self.state.agent());
        if self.game.players() > 2 && for_whom.is_empty() {
            text += &format!(", {seat},");
        }
        text += &format!(" plays {}{for_whom}{}", mv.mv, messages::opinion(mv, self.range));
        if thought.stop == StopReason::Interrupted {
            text += ", interrupted";
        }
        self.make_move(thought.choice);
        output(&(text + "\n"))
    }

    /// Goes back to the position in which the person was last to move.
    fn undo(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.resigned) {
            self.stale = true;
            return Ok(());
        }
        let own = |plies: &usize| self.state.position_after(*plies).turn() == self.person;
        let Some(plies) = (0..self.state.plies()).rev().find(own) else {
            return Err(Failure::Usage("there is no move of yours to take back".to_owned()));
        };
        let undone = self.state.record()[plies..].join(" ");
        self.state.back_to(plies);
        (self.kept, self.stale) = (None, true);
        output(&format!("taken back: {undone}\n"))
    }

    fn saved(&self) -> Saved {
        Saved {
            game: self.game.spec().to_owned(),
            start: self.state.start().write(),
            moves: self.state.record().into_iter().map(str::to_owned).collect(),
            agent: self.state.agent(),
            person: self.person,
        }
    }

    /// A player and its pieces: `first (X)`.
    fn side(&self, player: Player) -> String {
        let pieces = sides::pieces(self.game, self.state.position(), player);
        format!("{player}{}", pieces.map_or_else(String::new, |pieces| format!(" ({pieces})")))
    }

    fn introduction(&self) -> String {
        let position = self.state.position();
        let players = || (0..self.game.players()).map(Player::new);
        let others: Vec<String> =
            players().filter(|&player| player != self.person).map(|player| self.side(player)).collect();
        let mut text = format!(
            "{}: you are {}, {} is {} and has {} per move\n",
            self.game.spec(),
            self.side(self.person),
            short_name(&self.state.agent()),
            others.join(" and "),
            self.allowance
        );
        if let Some(info) = json::listed(self.game) {
            text += &format!("The game: {}.\n", info.about);
        }
        if self.game.spec().ends_with("misere") {
            text += "This is the misère form: the player who would normally win loses.\n";
        }
        let goal = |player: Player| {
            let goal = sides::goal(self.game, position, player)?;
            Some(format!("{} {goal}", if player == self.person { "Your side" } else { "the other" }))
        };
        // The person's goal first.
        let others = players().filter(|&player| player != self.person);
        let goals: Vec<String> = [self.person].into_iter().chain(others).filter_map(goal).collect();
        if !goals.is_empty() {
            text += &format!("{}.\n", goals.join(", "));
        }
        text += &format!("{}\n`help` lists the commands\n", command::about_moves(self.game));
        wrapped(&text)
    }

    fn board(&self) -> String {
        let position = self.state.position();
        let picture = position.shown().text(self.coloured);
        let mut text = format!("\n{}\n\n", picture.trim_start_matches('\n'));
        if let Some(payoffs) = position.payoffs() {
            text += &messages::result(&payoffs, self.person);
        }
        text
    }

    fn moves(&self, prefix: &str) -> String {
        let moves = self.state.position().moves();
        let listed: Vec<&str> =
            moves.iter().map(String::as_str).filter(|mv| mv.starts_with(prefix)).collect();
        match listed[..] {
            [] if moves.is_empty() => "none, the game is over\n".to_owned(),
            [] => format!("none of the {} legal moves begins with {prefix}\n", moves.len()),
            _ => messages::columns(&listed),
        }
    }

    /// The command that continues an unfinished game.
    fn way_back(&self) -> String {
        if self.is_over() || self.state.plies() == 0 {
            return String::new();
        }
        let agent = match short_name(&self.state.agent()) {
            // Without its parameters if they are the defaults.
            short if short.parse().is_ok_and(|usual: delphic_engine::Agent| usual == self.state.agent()) => {
                short
            }
            _ => self.state.agent().to_string(),
        };
        let limits = self.allowance.arguments();
        if let Some(path) = &self.kept {
            // The file has the agent.
            return format!("to continue: delphic play --load {}{limits}\n", quoted(&path.to_string_lossy()));
        }
        let (start, record) = (self.state.start().write(), self.state.record().join(" "));
        let usual = self.game.position(None, None).is_ok_and(|usual| usual.write() == start);
        let position = if usual { String::new() } else { quoted(&start) + " " };
        format!(
            "this game is not saved (`save FILE` saves it); to continue: \
             delphic play {} {position}--moves {} --agent {}{limits} --as {}\n",
            quoted(self.game.spec()),
            quoted(&record),
            quoted(&agent),
            self.person
        )
    }
}

/// A word quoted for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/:,=+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
