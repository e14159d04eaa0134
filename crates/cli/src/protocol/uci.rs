//! The Universal Chess Interface (S. Meyer-Kahlen 2000) for chess-like games, and its dialect for shogi (USI).

mod chess;
mod dialect;
mod go;
mod shogi;

use super::NAME;
use crate::allowance::Allowance;
use crate::args::Engine;
use crate::match_state::MatchState;
use crate::move_ranking::Range;
use crate::{Failure, output, units, version};
use delphic_engine::{Agent, AnyGame, Considered, Observer, Stats, Thought, Value, game};
use dialect::Dialect;
use go::{Go, Order, orders};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

pub(crate) fn run(options: &Engine) -> Result<u8, Failure> {
    let game = game(&options.game)?;
    let mut settings = Settings {
        dialect: Dialect::Uci,
        agent: options.opponent.agent(),
        seed: options.opponent.seed,
        allowance: options.opponent.allowance(),
    };
    let orders = orders();
    let (mut text, mut moves) = (None, String::new());
    // A `MatchState` belongs to one start position; another start needs a new one.
    loop {
        let start = game.position(text.as_deref(), None)?;
        let state = MatchState::new(&*game, &*start, settings.agent.clone(), settings.seed);
        let mut server = Server { game: &*game, range: Range::of(&*game), start: text, state, settings };
        server.follow(&moves)?;
        match server.serve(&orders)? {
            None => return Ok(0),
            Some(position) => (text, moves) = (position.start, position.moves),
        }
        settings = server.settings;
    }
}

/// The settings that do not depend on the position.
#[derive(Clone)]
struct Settings {
    dialect: Dialect,
    agent: Agent,
    seed: u64,
    allowance: Allowance,
}

/// The position from which a game started, `None` for the start of the rules, and its moves.
struct Setup {
    start: Option<String>,
    moves: String,
}

struct Server<'g> {
    game: &'g dyn AnyGame,
    range: Range,
    start: Option<String>,
    state: MatchState<'g>,
    settings: Settings,
}

/// A message for the user: the protocol has no errors.
fn inform(text: &str) -> Result<(), Failure> {
    output(&format!("info string {text}\n"))
}

impl Server<'_> {
    /// Serves until another start position is requested, or until the end of the input.
    fn serve(&mut self, orders: &Receiver<Order>) -> Result<Option<Setup>, Failure> {
        while let Ok(Order { line, stop }) = orders.recv() {
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match word {
                "uci" => {
                    self.settings.dialect = Dialect::Uci;
                    output(&self.introduction())?;
                }
                "usi" if self.game.spec().starts_with("minishogi") => {
                    self.settings.dialect = Dialect::Usi;
                    output(&self.introduction())?;
                }
                "isready" => output("readyok\n")?,
                "ucinewgame" | "usinewgame" => self.state.back_to(0),
                "position" => match self.read_position(rest) {
                    Err(reason) => inform(&reason)?,
                    Ok(setup) if setup.start == self.start => self.follow(&setup.moves)?,
                    Ok(setup) => return Ok(Some(setup)),
                },
                "setoption" => {
                    if let Err(reason) = self.set_option(rest) {
                        inform(&reason)?;
                    }
                }
                "go" => self.go(&Go::parse(rest), &stop)?,
                "d" => {
                    let position = self.state.position();
                    output(&format!("{}\n{}\n", position.picture(), position.write()))?;
                }
                "quit" => break,
                // The search has ended already, so `stop` does nothing; the other commands have no effect here.
                "" | "stop" | "ponderhit" | "gameover" | "debug" | "register" => {}
                _ => inform(&format!("unknown command {word}"))?,
            }
        }
        Ok(None)
    }

    fn introduction(&self) -> String {
        let Settings { dialect, agent, seed, allowance } = self.settings.clone();
        let mut options = format!(
            "option name Agent type string default {agent}\n\
             option name Hash type spin default {} min 1 max 1048576\n\
             option name Seed type spin default {seed} min 0 max 2147483647\n",
            allowance.memory >> 20
        );
        if dialect == Dialect::Uci {
            let variant = self.variant();
            options += &format!("option name UCI_Variant type combo default {variant} var {variant}\n");
        }
        format!(
            "id name {NAME} {} {}\nid author the Delphic authors\n{options}{}\n",
            version::FULL,
            self.game.spec(),
            dialect.ok()
        )
    }

    /// The name of the game in chess programs that have it: `losalamos`.
    fn variant(&self) -> String {
        self.game.spec().split(':').next().unwrap_or_default().replace('-', "")
    }

    /// `name Agent value uct:c=1`.
    fn set_option(&mut self, rest: &str) -> Result<(), String> {
        let option = rest.trim().strip_prefix("name ").ok_or("expected setoption name NAME value VALUE")?;
        let (name, value) = option.split_once(" value ").ok_or("expected setoption name NAME value VALUE")?;
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "agent" => self.settings.agent = value.parse().map_err(|error| format!("{error}"))?,
            "hash" | "usi_hash" => {
                self.settings.allowance.memory = units::bytes(&format!("{value}M"))?.max(1 << 20);
            }
            "seed" => self.settings.seed = value.parse().map_err(|_| "Seed is a number".to_owned())?,
            "ponder" | "usi_ponder" => {}
            "uci_variant" if value == self.variant() => {}
            "uci_variant" => return Err(format!("the game is {}", self.variant())),
            other => return Err(format!("unknown option {other}")),
        }
        self.state.set_agent(self.settings.agent.clone(), self.settings.seed);
        Ok(())
    }

    /// Reads `startpos moves …` or `fen … moves …`, and checks that position and moves are legal.
    fn read_position(&self, rest: &str) -> Result<Setup, String> {
        let dialect = self.settings.dialect;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let moves = words.get(end + 1..).unwrap_or_default();
        let start = match words[..end] {
            ["startpos"] => None,
            ["fen" | "sfen", _, ..] => Some(dialect.read(self.game, &words[1..end].join(" "))?),
            _ => return Err("expected position startpos or position fen, then perhaps moves".to_owned()),
        };
        let mut position = self.game.position(start.as_deref(), None).map_err(|error| error.to_string())?;
        let mut record = Vec::new();
        for (ply, word) in moves.iter().enumerate() {
            let (nth, mv) = dialect
                .find(&*position, word)
                .ok_or_else(|| format!("ply {}: {word} is not a legal move here", ply + 1))?;
            record.push(mv);
            position = position.after(nth);
        }
        Ok(Setup { start, moves: record.join(" ") })
    }

    /// Goes to the position after these moves. If they only continue the moves so far, the agents keep their trees.
    fn follow(&mut self, moves: &str) -> Result<(), Failure> {
        let words: Vec<&str> = moves.split(' ').filter(|word| !word.is_empty()).collect();
        let common = words.iter().zip(self.state.record()).take_while(|(new, old)| *new == old).count();
        self.state.back_to(common);
        self.state.play_list(&words[common..].join(" ")).map_err(Failure::Other)
    }

    fn go(&mut self, go: &Go, stop: &AtomicBool) -> Result<(), Failure> {
        if !go.ignored.is_empty() {
            inform(&format!("ignored: {}", go.ignored.join(" ")))?;
        }
        let position = self.state.position();
        if position.is_over() {
            return output(&format!("bestmove {}\n", self.settings.dialect.no_move()));
        }
        let allowance =
            go.allowance(self.settings.allowance, self.settings.dialect.is_white(position.turn()));
        let thought = self.state.think(&allowance.budget(stop), &mut InfoLines);
        // An infinite search may be complete, but the protocol requires the answer to wait for `stop`.
        while go.infinite && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        output(&self.report(&thought))
    }

    fn report(&self, thought: &Thought) -> String {
        let best = &thought.moves[thought.choice];
        let mut text = format!("info depth 1 {}", speed(&thought.stats));
        if let Some(score) = self.score(best) {
            text += &format!(" score cp {score}");
        }
        let best_name = self.settings.dialect.name(&best.mv);
        text += &format!(" pv {best_name}\n");
        if let Some(proven) = self.range.proven(best) {
            text += &format!("info string proven: {proven}\n");
        }
        text + &format!("bestmove {best_name}\n")
    }

    /// In centipawns, by the conversion of Leela Chess Zero. Proven values lie outside the range of estimates.
    fn score(&self, mv: &Considered) -> Option<i32> {
        match mv.bounds {
            (Value::Win, _) => Some(PROVEN),
            (_, Value::Loss) => Some(-PROVEN),
            (Value::Draw, Value::Draw) => Some(0),
            _ => mv.mean.map(|mean| (90.0 * (1.563_754 * mean.clamp(-1.0, 1.0)).tan()).round() as i32),
        }
    }
}

/// The score of a proven win.
const PROVEN: i32 = 30_000;

/// Prints the progress of a search.
struct InfoLines;

impl Observer for InfoLines {
    fn event(&mut self, event: delphic_engine::Event<'_>) {
        if let delphic_engine::Event::Progress(progress) = event {
            // A closed pipe is noticed when the answer is printed.
            let _ = output(&format!("info {}\n", speed(&progress.stats)));
        }
    }
}

fn speed(stats: &Stats) -> String {
    let per_second = stats.created as f64 / stats.time.as_secs_f64().max(1e-3);
    format!("time {} nodes {} nps {}", stats.time.as_millis(), stats.created, per_second as u64)
}
