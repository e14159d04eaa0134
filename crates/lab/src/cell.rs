//! A cell: one search, or one game between two agents, and its result.

use crate::LabError;
use crate::allowance;
use crate::captures::CaptureSolver;
use crate::experiments::{BareAlphaBeta, Counted, Doubles};
use delphic_engine::arena::{fixtures, play, points};
use delphic_engine::{
    Agent, Answer, AnyGame, AnyPosition, Ask, Budget, Conclusion, InputError, Limits, Request, RootValue,
    Solver, Spread, Stats, StopReason, VirtualValue, Workers, game,
};
use delphic_learn::clock::Stopwatch;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of a cell; of a game, those of each move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Caps {
    /// Created nodes.
    pub nodes: Option<u64>,
    /// Iterations; only games take them.
    pub iterations: Option<u64>,
    /// Seconds.
    pub seconds: Option<u64>,
    /// Milliseconds, for limits below a second.
    pub millis: Option<u64>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Plies of random games; only searches that count them take this.
    pub plies: Option<u64>,
}

impl Caps {
    /// A limit of nodes.
    pub fn nodes(nodes: u64) -> Caps {
        Caps { nodes: Some(nodes), ..Caps::default() }
    }

    /// These limits and one of seconds.
    pub fn seconds(self, seconds: u64) -> Caps {
        Caps { seconds: Some(seconds), ..self }
    }

    /// These limits and one of bytes.
    pub fn bytes(self, bytes: u64) -> Caps {
        Caps { bytes: Some(bytes), ..self }
    }

    /// Their form in the ledger: `nodes=1000,seconds=60`.
    pub fn text(&self) -> String {
        let named = [
            ("nodes", self.nodes),
            ("iterations", self.iterations),
            ("seconds", self.seconds),
            ("millis", self.millis),
            ("bytes", self.bytes),
            ("plies", self.plies),
        ];
        let set = named.iter().filter_map(|(name, cap)| cap.map(|cap| format!("{name}={cap}")));
        set.collect::<Vec<_>>().join(",")
    }

    pub(crate) fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits {
            nodes: self.nodes,
            time: self.seconds.map(Duration::from_secs).or(self.millis.map(Duration::from_millis)),
            memory: self.bytes,
            interrupt: Some(interrupt),
            ..Limits::default()
        }
    }
}

/// The workers of one search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Crew {
    /// On this number of threads. The time of the row is wall-clock time.
    Threads(usize),
    /// This many workers in turns on one thread.
    Lockstep(usize, Spread, VirtualValue),
}

impl Crew {
    /// In turns, with the defaults.
    pub fn lockstep(workers: usize) -> Crew {
        Crew::Lockstep(workers, Spread::default(), VirtualValue::default())
    }

    fn of<'a>(self, limits: Limits<'a>) -> Limits<'a> {
        match self {
            Crew::Threads(threads) => Limits { threads, ..limits },
            Crew::Lockstep(lockstep, spread, virtual_value) => {
                let workers = Workers { lockstep, spread, virtual_value, ..Workers::default() };
                Limits { workers, ..limits }
            }
        }
    }
}

impl fmt::Display for Crew {
    /// As in the ledger: `threads=2`, `lockstep=16`, `lockstep=16,spread=both`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crew::Threads(threads) => write!(f, "threads={threads}"),
            Crew::Lockstep(workers, spread, value) => {
                write!(f, "lockstep={workers}")?;
                f.write_str(match spread {
                    Spread::Auto => "",
                    Spread::Yes => ",spread=yes",
                    Spread::No => ",spread=no",
                    Spread::Both => ",spread=both",
                })?;
                f.write_str(match value {
                    VirtualValue::Multiply => "",
                    VirtualValue::Add => ",virtual=add",
                })
            }
        }
    }
}

/// The kinds of cells.
#[derive(Clone, PartialEq, Debug)]
pub enum Task {
    /// A solver is asked a yes/no question for the side to move.
    Solve(Solver, Ask),
    /// Several workers of a solver are asked whether the side to move wins.
    Together(Solver, Crew),
    /// Two agents play the game with this number; the points are the first agent's.
    Play(Agent, Agent, u64),
    /// A stone is attacked under growing liberty limits (paper 4).
    Capture(CaptureSolver),
    /// PPN on plain floats, without exact verdicts, in a position of Connect Four (paper 1).
    Doubles(Doubles),
    /// PPN or MCPNS in a position of Connect Four, with the plies of its random games counted (paper 1).
    Counted(Counted),
    /// Alpha-beta over the rules alone from the start of Domineering or NoGo (paper 2).
    Bare(BareAlphaBeta),
}

/// One search or game. Equal cells are searched once.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The experiment it belongs to.
    pub experiment: &'static str,
    /// The game's spec.
    pub game: String,
    /// The position, in the game's notation or as moves; empty for the start.
    pub position: String,
    /// The search or the game.
    pub task: Task,
    /// The seed of random numbers.
    pub seed: u64,
    /// The limits.
    pub caps: Caps,
}

/// The answer of a search, or that a game was played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The answer is yes, with proof.
    Proved,
    /// The answer is no, with proof.
    Disproved,
    /// By precision rate, without proof: yes.
    EstimatedYes,
    /// By precision rate, without proof: no.
    EstimatedNo,
    /// A limit came first.
    Unknown,
    /// The cell is a game.
    Played,
}

impl Verdict {
    const NAMES: [(Verdict, &'static str); 6] = [
        (Verdict::Proved, "proved"),
        (Verdict::Disproved, "disproved"),
        (Verdict::EstimatedYes, "estimated yes"),
        (Verdict::EstimatedNo, "estimated no"),
        (Verdict::Unknown, "unknown"),
        (Verdict::Played, "played"),
    ];

    /// The word in the ledger.
    pub fn name(self) -> &'static str {
        Verdict::NAMES.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, name)| name)
    }

    /// The verdict with this name.
    pub fn parse(name: &str) -> Option<Verdict> {
        Verdict::NAMES.iter().find(|(_, known)| *known == name).map(|(verdict, _)| *verdict)
    }

    /// The answer, proved or not.
    pub fn yes(self) -> Option<bool> {
        match self {
            Verdict::Proved | Verdict::EstimatedYes => Some(true),
            Verdict::Disproved | Verdict::EstimatedNo => Some(false),
            Verdict::Unknown | Verdict::Played => None,
        }
    }

    /// Whether there is a proof.
    pub fn proven(self) -> bool {
        matches!(self, Verdict::Proved | Verdict::Disproved)
    }
}

/// The result of a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The answer.
    pub verdict: Verdict,
    /// Why it ended.
    pub stop: String,
    /// For a search the root's estimated probability of a yes, if the solver has one; for a game the first agent's points; for an attack
    /// the last liberty limit tried; for a search whose plies are counted, their number.
    pub score: Option<f64>,
    /// Created nodes when the root's probability first came within the solver's precision rate, if it has one and ever did.
    pub estimated_at: Option<u64>,
    /// Moves: the line of the search, or the game. For an attack that is compared with its predictions, the calibration.
    pub line: String,
    /// Counters; for a game, of both sides together.
    pub stats: Stats,
}

impl Record {
    /// The first move of the line.
    pub fn first_move(&self) -> &str {
        self.line.split(' ').next().unwrap_or_default()
    }

    /// Seconds it took.
    pub fn seconds(&self) -> f64 {
        self.stats.time.as_secs_f64()
    }
}

impl Cell {
    /// A search for whether the side to move wins, with seed 1.
    pub fn solve(experiment: &'static str, game: &str, position: &str, solver: Solver, caps: Caps) -> Cell {
        let task = Task::Solve(solver, Ask::Win);
        let (game, position) = (game.to_owned(), position.to_owned());
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// A search by several workers for whether the side to move wins, with seed 1.
    pub fn together(
        experiment: &'static str,
        game: &str,
        position: &str,
        (solver, crew): (Solver, Crew),
        caps: Caps,
    ) -> Cell {
        let (game, position, task) = (game.to_owned(), position.to_owned(), Task::Together(solver, crew));
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// A game from the start, with seed 1.
    pub fn play(experiment: &'static str, game: &str, agents: [Agent; 2], number: u64, caps: Caps) -> Cell {
        let [agent, opponent] = agents;
        let (game, position, task) = (game.to_owned(), String::new(), Task::Play(agent, opponent, number));
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// An attack in a position of `go-capture`, up to the liberty limit that the position has.
    pub fn capture(
        experiment: &'static str,
        game: &str,
        position: &str,
        solver: CaptureSolver,
        caps: Caps,
    ) -> Cell {
        let (game, position, task) = (game.to_owned(), position.to_owned(), Task::Capture(solver));
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// A search for whether the side to move wins, by PPN on plain floats, with seed 1.
    pub fn doubles(
        experiment: &'static str,
        game: &str,
        position: &str,
        solver: Doubles,
        caps: Caps,
    ) -> Cell {
        let (game, position, task) = (game.to_owned(), position.to_owned(), Task::Doubles(solver));
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// A search for whether the side to move wins, with the plies of its random games counted, with seed 1.
    pub fn counted(
        experiment: &'static str,
        game: &str,
        position: &str,
        solver: Counted,
        caps: Caps,
    ) -> Cell {
        let (game, position, task) = (game.to_owned(), position.to_owned(), Task::Counted(solver));
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// A search from the start for whether the side to move wins, by alpha-beta over the rules alone.
    pub fn bare(experiment: &'static str, game: &str, caps: Caps) -> Cell {
        let (game, position, task) = (game.to_owned(), String::new(), Task::Bare(BareAlphaBeta));
        Cell { experiment, game, position, task, seed: 1, caps }
    }

    /// The same match, another game of it.
    pub fn numbered(&self, number: u64) -> Cell {
        let mut cell = self.clone();
        if let Task::Play(_, _, nth) = &mut cell.task {
            *nth = number;
        }
        cell
    }

    /// The same search for another question.
    pub fn asking(mut self, ask: Ask) -> Cell {
        if let Task::Solve(_, asked) = &mut self.task {
            *asked = ask;
        }
        self
    }

    /// The same from another seed.
    pub fn seeded(self, seed: u64) -> Cell {
        Cell { seed, ..self }
    }

    /// The cell's identity in the ledger. Its form must not change within a version of the schema.
    pub fn key(&self) -> String {
        let mut key = format!("{}|{}|{}|{}", self.experiment, self.game, self.position, self.who());
        let _ = match &self.task {
            Task::Solve(_, ask) => write!(key, "|{ask}"),
            Task::Together(_, crew) => write!(key, "|{}|{crew}", Ask::Win),
            Task::Play(_, opponent, number) => write!(key, "|{opponent}|{number}"),
            Task::Capture(solver) => write!(key, "|{}", solver.question()),
            Task::Doubles(_) | Task::Counted(_) | Task::Bare(_) => write!(key, "|{}", Ask::Win),
        };
        let _ = write!(key, "|{}|{}", self.seed, self.caps.text());
        key
    }

    /// The solver, or the first agent, with all its parameters.
    pub fn who(&self) -> String {
        match &self.task {
            Task::Solve(solver, _) | Task::Together(solver, _) => solver.to_string(),
            Task::Play(agent, ..) => agent.to_string(),
            Task::Capture(solver) => solver.to_string(),
            Task::Doubles(solver) => solver.to_string(),
            Task::Counted(solver) => solver.to_string(),
            Task::Bare(solver) => solver.to_string(),
        }
    }

    /// Searches or plays; `None` if it was interrupted.
    pub fn run(&self, interrupt: &AtomicBool) -> Result<Option<Record>, LabError> {
        match &self.task {
            Task::Solve(solver, ask) => self.search(solver.clone(), *ask, Crew::Threads(1), interrupt),
            Task::Together(solver, crew) => self.search(solver.clone(), Ask::Win, *crew, interrupt),
            Task::Play(agent, opponent, number) => {
                self.game([agent.clone(), opponent.clone()], *number, interrupt)
            }
            Task::Capture(solver) => solver.run(&self.game, &self.position, &self.caps, interrupt),
            Task::Doubles(solver) => solver.run(&self.game, &self.position, self.seed, &self.caps, interrupt),
            Task::Counted(solver) => solver.run(&self.game, &self.position, self.seed, &self.caps, interrupt),
            Task::Bare(solver) => solver.run(&self.game, &self.caps, interrupt),
        }
    }

    fn place(&self, rules: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, InputError> {
        rules.position(Some(self.position.as_str()).filter(|text| !text.is_empty()), None)
    }

    fn search(
        &self,
        solver: Solver,
        ask: Ask,
        crew: Crew,
        interrupt: &AtomicBool,
    ) -> Result<Option<Record>, LabError> {
        let rules = game(&self.game)?;
        let position = self.place(&*rules)?;
        // The members of a portfolio have threads of their own, whose processor time this one does not see, and so have workers. One
        // thread of `together` is timed as several are.
        let timed_by_wall = matches!((&self.task, crew), (Task::Together(..), Crew::Threads(_)));
        let alone = solver.info().name != "auto" && !timed_by_wall;
        let limits = crew.of(self.caps.limits(interrupt));
        let mut request = Request { ask, solver, limits, seed: self.seed, ..Request::default() };
        request.prepare(&*rules)?;
        let watch = Stopwatch::start();
        let within = limits.time.filter(|_| alone).and_then(|time| {
            allowance::within(time, interrupt, |flag| {
                let limits = Limits { time: None, interrupt: Some(flag), ..limits };
                position.solve(&Request { limits, ..request.clone() }, &mut ())
            })
        });
        let (mut answer, ended) = within.unwrap_or_else(|| (position.solve(&request, &mut ()), false));
        if ended && answer.stop == StopReason::Interrupted && !interrupt.load(Ordering::Relaxed) {
            answer.stop = StopReason::Time;
        }
        if alone {
            answer.stats.time = watch.elapsed();
        }
        Ok(searched(&answer))
    }

    fn game(
        &self,
        agents: [Agent; 2],
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Record>, LabError> {
        let rules = game(&self.game)?;
        let position = self.place(&*rules)?;
        let mut all = fixtures(agents.len(), rules.players(), number + 1, self.seed);
        let Some(fixture) = all.nth(number as usize) else { return Ok(None) };
        let budget = Budget { iterations: self.caps.iterations, limits: self.caps.limits(interrupt) };
        let played = play(&*position, &agents, &fixture, 0, &budget);
        Ok(played.map(|played| Record {
            verdict: Verdict::Played,
            stop: StopReason::Solved.name().to_owned(),
            score: Some(points(&fixture, &played.payoffs)),
            estimated_at: None,
            line: played.moves.join(" "),
            stats: played.spent.into_iter().fold(Stats::default(), Stats::then),
        }))
    }
}

/// The result of a search, unless it was interrupted.
fn searched(answer: &Answer) -> Option<Record> {
    (answer.stop != StopReason::Interrupted).then(|| Record {
        verdict: verdict(answer),
        stop: answer.stop.name().to_owned(),
        score: match answer.root {
            RootValue::Probability(p) => Some(p),
            RootValue::None | RootValue::ProofNumbers(..) | RootValue::Work { .. } => None,
        },
        estimated_at: answer.estimate.map(|estimate| estimate.first.created),
        line: answer.line.join(" "),
        stats: answer.stats,
    })
}

fn verdict(answer: &Answer) -> Verdict {
    match (answer.conclusion, answer.estimate) {
        (Conclusion::Proved, _) => Verdict::Proved,
        (Conclusion::Disproved, _) => Verdict::Disproved,
        (Conclusion::Estimated, Some(estimate)) if estimate.first.yes => Verdict::EstimatedYes,
        (Conclusion::Estimated, Some(_)) => Verdict::EstimatedNo,
        (Conclusion::Estimated | Conclusion::Unknown, _) => Verdict::Unknown,
    }
}
