//! Games recorded by other programs, replayed move by move.
//!
//! Ludii, OpenSpiel and Fairy-Stockfish know nothing of our rules. If at every ply of their games both sides list the same legal moves
//! and see the same board, and every game ends when and as they say, then our rules are theirs. Their counts of lines
//! of play add the width that random games lack.
//!
//! The samples in `data/oracles` are replayed always, the full recordings when they lie beside the repository. A new
//! game is a line in [`TABLE`] and, if its notation is not ours, a [`Translator`].

mod chess;
mod connection;
mod racing;
mod record;
mod translate;

use delphic_engine::{AnyGame, AnyPosition, Player, Request, Value, game};
use record::{Ending, Game, Ply, Record};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use translate::Translator;

/// A recording, the game it is of, and how its notation differs from ours.
struct Entry {
    file: &'static str,
    spec: &'static str,
    translator: Translator,
}

const fn entry(file: &'static str, spec: &'static str, translator: Translator) -> Entry {
    Entry { file, spec, translator }
}

const TABLE: &[Entry] = &[
    entry("ludii/connect_four", "connect4:7x6", translate::LUDII_CONNECT_FOUR),
    entry("ludii/domineering", "domineering:6x6", translate::LUDII_DOMINEERING),
    entry("ludii/domineering_5x5", "domineering:5x5", translate::LUDII_DOMINEERING),
    entry("ludii/nogo", "nogo:9x9", translate::SAME),
    entry("ludii/nogo_6x7", "nogo:6x7", translate::SAME),
    entry("openspiel/connect_four", "connect4:7x6", translate::OPENSPIEL_STONES),
    entry("openspiel/tic_tac_toe", "tictactoe", translate::OPENSPIEL_TIC_TAC_TOE),
];

/// Counts with more lines of play than this are named and left to [`large_counts_agree`].
const MOST_NODES: u64 = 10_000_000;

#[test]
fn samples_replay() {
    let tables = [TABLE, chess::TABLE, connection::TABLE, racing::TABLE];
    tables.into_iter().for_each(|table| replay_all(table, &root().join("data/oracles"), 1));
}

// The full recordings table by table, so that two cores have something to do.

#[test]
fn full_recordings_replay() {
    replay_full(TABLE);
}

#[test]
fn full_recordings_of_chess_and_its_kin_replay() {
    replay_full(chess::TABLE);
}

#[test]
fn full_recordings_of_connection_games_replay() {
    replay_full(connection::TABLE);
}

#[test]
fn full_recordings_of_racing_games_replay() {
    replay_full(racing::TABLE);
}

#[test]
#[ignore = "3.5 billion lines of play, half a minute: cargo test -p delphic-engine --test all replay:: -- --ignored --nocapture"]
fn large_counts_agree() {
    let folder = recordings().expect("the full recordings beside the repository");
    for entry in [TABLE, chess::TABLE, connection::TABLE, racing::TABLE].into_iter().flatten() {
        let start = game(entry.spec).unwrap().position(None, None).unwrap();
        for (depth, nodes) in entry.counts(&entry.record(&folder)) {
            if nodes > MOST_NODES {
                assert_eq!(start.perft(depth), nodes, "{}: perft {depth}", entry.file);
                println!("{}: perft {depth} counts {nodes} lines", entry.file);
            }
        }
    }
}

/// Where the full recordings are, if they are there.
fn recordings() -> Option<PathBuf> {
    delphic_game::testing::oracle("")
}

/// In every run some of the full recordings; all take a minute.
const SOME: usize = 4;

fn replay_full(table: &[Entry]) {
    if let Some(folder) = recordings() {
        replay_all(table, &folder, SOME);
    }
}

#[test]
#[ignore = "all full recordings, a minute: cargo test -p delphic-engine --test all replay:: -- --ignored --nocapture"]
fn all_recordings_replay() {
    let folder = recordings().expect("the full recordings beside the repository");
    for table in [TABLE, chess::TABLE, connection::TABLE, racing::TABLE] {
        replay_all(table, &folder, 1);
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What was compared.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: usize,
    plies: usize,
    boards: usize,
    perfts: usize,
    capped: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.games += other.games;
        self.plies += other.plies;
        self.boards += other.boards;
        self.perfts += other.perfts;
        self.capped += other.capped;
    }
}

impl Tally {
    fn print(&self, what: &str) {
        let Tally { games, plies, boards, perfts, capped } = self;
        println!(
            "{what:<22} {games:>5} games {plies:>6} plies {boards:>6} boards {perfts:>3} perfts, {capped} left out"
        );
    }
}

/// Replays each `every`-th game of the recordings.
fn replay_all(table: &[Entry], folder: &Path, every: usize) {
    let mut total = Tally::default();
    for entry in table {
        let tally = entry.replay(folder, every);
        tally.print(entry.file);
        total += tally;
    }
    total.print("total");
}

impl Entry {
    fn record(&self, folder: &Path) -> Record {
        Record::read(&folder.join(format!("{}.jsonl.gz", self.file)))
    }

    /// Depths and counts of lines of play, as we count plies.
    fn counts(&self, record: &Record) -> Vec<(u32, u64)> {
        if self.translator.second.is_some() { record.turns.clone() } else { record.perfts.clone() }
    }

    fn replay(&self, folder: &Path, every: usize) -> Tally {
        let Entry { file, spec, .. } = self;
        let record = self.record(folder);
        assert!(!record.games.is_empty(), "{file} holds no games");
        let game = game(spec).unwrap();
        let start = game.position(None, None).unwrap();
        self.compare_boards(&*start, &record.start, &format!("{file}, start"));
        let mut tally = Tally::default();
        for (depth, nodes) in self.counts(&record) {
            if nodes > MOST_NODES {
                println!("{file}: perft {depth} left out, it counts {nodes} lines");
                tally.capped += 1;
            } else {
                assert_eq!(start.perft(depth), nodes, "{file}: perft {depth}");
                tally.perfts += 1;
            }
        }
        for recorded in record.games.iter().step_by(every) {
            tally.boards += self.replay_game(&*game, recorded);
            tally.games += 1;
            tally.plies += recorded.plies.len();
        }
        tally
    }

    /// Replays a game and returns how many boards were compared.
    fn replay_game(&self, game: &dyn AnyGame, recorded: &Game) -> usize {
        let place = format!("{}, game {}", self.file, recorded.name);
        let mut position = game.position(None, None).unwrap();
        // The last board stands apart from the plies.
        let (mut number, mut boards) = (0, 1);
        while number < recorded.plies.len() {
            let rest = &recorded.plies[number..];
            if position.is_over() && self.translator.passes() > 0 {
                self.compare_passes(&*position, rest, &place);
                boards += rest.iter().filter(|ply| ply.board.is_some()).count();
                break;
            }
            let plies;
            (position, plies) = self.step(game, &*position, rest, &format!("{place}, ply {}", number + 1));
            number += plies;
            boards += usize::from(recorded.plies[number - 1].board.is_some());
        }
        match (recorded.ending, position.is_over()) {
            (Ending::Over(result), true) => {
                assert_eq!(first_players_result(&*position), result, "{place}: the result");
            }
            (Ending::Over(_), false) => panic!("{place}: ours goes on\n{}", position.picture()),
            // Our rules may end the game at the ply where theirs allow to.
            (Ending::Claimed, true) => assert_eq!(first_players_result(&*position), 0, "{place}: the result"),
            (Ending::CutOff, true) => panic!("{place}: ours is over\n{}", position.picture()),
            (Ending::Claimed | Ending::CutOff, false) => {}
        }
        self.compare_boards(&*position, &recorded.end, &place);
        boards
    }

    /// Compares everything about the next move of ours, and returns the position after it and how many of the recorded
    /// plies it took: two where the program makes a ply of its own of a choice that is part of our move.
    fn step(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        plies: &[Ply],
        place: &str,
    ) -> (Box<dyn AnyPosition>, usize) {
        let moves = position.moves();
        let mut fitting = self.fitting(self.translator.mv, moves.iter(), position, &plies[0], place);
        let mut taken = 1;
        if let (Some(second), 2..) = (self.translator.second, fitting.len()) {
            fitting = self.fitting(second, fitting.into_iter(), position, &plies[1], place);
            taken = 2;
        }
        assert_eq!(fitting.len(), 1, "{place}: several moves are the same to them");
        // From position to position through its text: replaying the list up to every ply would be quadratic.
        let next = game.position(Some(&position.write()), Some(fitting[0])).unwrap();
        if let Some(board) = &plies[taken - 1].board {
            self.compare_boards(&*next, board, place);
        }
        (next, taken)
    }

    /// Compares the mover and the legal moves of a ply. Returns those of our moves that are the chosen one to them.
    fn fitting<'m>(
        &self,
        translate: fn(&str) -> String,
        moves: impl Iterator<Item = &'m String>,
        position: &dyn AnyPosition,
        ply: &Ply,
        place: &str,
    ) -> Vec<&'m String> {
        assert!(!position.is_over(), "{place}: ours is over\n{}", position.picture());
        assert_eq!(position.turn(), ply.mover, "{place}: the mover");
        let moves: Vec<(String, &String)> = moves.map(|ours| (translate(ours), ours)).collect();
        let mut legal: Vec<&str> = moves.iter().map(|(theirs, _)| theirs.as_str()).collect();
        legal.sort_unstable();
        if self.translator.second.is_some() {
            legal.dedup();
        }
        match &ply.legal {
            Some(theirs) => assert_eq!(&legal, theirs, "{place}: the legal moves\n{}", position.picture()),
            None => {
                assert_eq!(legal.len(), ply.count, "{place}: how many legal moves\n{}", position.picture());
            }
        }
        if let Some(hash) = &ply.hash {
            assert_eq!(&record::fnv(&legal.join(" ")), hash, "{place}: {legal:?}\n{}", position.picture());
        }
        let fitting: Vec<_> =
            moves.iter().filter(|(theirs, _)| *theirs == ply.chosen).map(|(_, ours)| *ours).collect();
        assert!(!fitting.is_empty(), "{place}: {} is not in the list", ply.chosen);
        fitting
    }

    fn compare_boards(&self, position: &dyn AnyPosition, theirs: &str, place: &str) {
        let ours = (self.translator.board)(&position.write());
        assert_eq!(ours, (self.translator.kept)(theirs), "{place}: the board");
    }

    /// Ours is over with `rest` still to come: a draw or both sides blocked, after which both sides (or the stalemated one)
    /// pass once and nothing else happens.
    fn compare_passes(&self, position: &dyn AnyPosition, rest: &[Ply], place: &str) {
        if !self.translator.passes_blocked {
            assert_eq!(first_players_result(position), 0, "{place}: decided before the last ply");
        }
        assert_eq!(rest.len(), self.translator.passes(), "{place}: plies after the end");
        let mut mover = position.turn();
        for ply in rest {
            assert_eq!(ply.mover, mover, "{place}: who passes");
            assert_eq!((ply.count, ply.chosen.as_str()), (1, "pass"), "{place}");
            if let Some(board) = &ply.board {
                self.compare_boards(position, board, place);
            }
            mover = mover.other();
        }
    }
}

/// 1 if the first player has won a finished game, 0 if it is a draw, −1 if the second has.
fn first_players_result(position: &dyn AnyPosition) -> i16 {
    let answer = position.solve(&Request::default(), &mut ());
    assert_eq!(answer.stats.created, 0, "a finished game needs no search\n{}", position.picture());
    let movers = match answer.value().unwrap() {
        Value::Loss => -1,
        Value::Draw => 0,
        Value::Win => 1,
        Value::Score(score) => score.signum(),
    };
    if answer.player == Player::FIRST { movers } else { -movers }
}
