//! How long a decided game lasts if the winner hurries and the loser delays: plain minimax over all positions, while there are few.

use delphic_game::{Game, Player, Progressive, result};
use rustc_hash::FxHashMap;

/// Games that may last longer are left alone: the search goes one call deeper with every ply.
const DEEPEST: u32 = 400;

/// Exact distances for one player and both ways in which the game can be decided for him.
pub(super) struct Distances<'g, G: Game> {
    game: &'g G,
    player: Player,
    /// What counts as having won, and as not having lost.
    thresholds: [i16; 2],
    known: [FxHashMap<G::State, Option<u16>>; 2],
    /// Positions that may still be looked at.
    left: u64,
}

/// The search is too large.
struct TooLarge;

impl<'g, G: Progressive> Distances<'g, G> {
    /// Distances for `player` of a game with these payoffs, within so many positions in all.
    pub(super) fn new(game: &'g G, player: Player, payoffs: &[i16], positions: u64) -> Self {
        let second = payoffs.get(1).copied().unwrap_or(i16::MAX);
        let thresholds = [second, payoffs.last().copied().unwrap_or(i16::MAX)];
        Distances { game, player, thresholds, known: Default::default(), left: positions }
    }

    /// The plies from `state` to the end if the player has won there, or has lost. `None` if there are too many positions.
    pub(super) fn of(&mut self, state: &G::State, won: bool) -> Option<u16> {
        let found = self.search(state, won, 0);
        if found.is_err() {
            // What did not fit once will not fit the next time.
            self.left = 0;
        }
        found.ok().flatten()
    }

    /// A line from `state` on which both sides play as [`of`](Distances::of) assumes. As long as that distance,
    /// unless positions ran out.
    pub(super) fn line(&mut self, state: &G::State, won: bool) -> Vec<G::Move> {
        let (mut state, mut line, mut moves) = (state.clone(), Vec::new(), Vec::new());
        while let Ok(Some(plies @ 1..)) = self.search(&state, won, 0) {
            moves.clear();
            self.game.moves(&state, &mut moves);
            let next = moves.iter().find_map(|&mv| {
                let mut child = state.clone();
                self.game.play(&mut child, mv);
                let left = self.search(&child, won, 0).ok().flatten()?;
                (left + 1 == plies).then_some((mv, child))
            });
            let Some((mv, child)) = next else { break };
            line.push(mv);
            state = child;
        }
        line
    }

    /// The plies to the decided end, `None` if it cannot be forced.
    fn search(&mut self, state: &G::State, won: bool, depth: u32) -> Result<Option<u16>, TooLarge> {
        if let Some(&known) = self.known[usize::from(won)].get(state) {
            return Ok(known);
        }
        let game = self.game;
        let mut moves = Vec::new();
        if let Some(outcome) = result(game, state, &mut moves) {
            let is_won = outcome.payoff(self.player) >= self.thresholds[usize::from(won)];
            return Ok((is_won == won).then_some(0));
        }
        self.left = self.left.checked_sub(1).filter(|_| depth < DEEPEST).ok_or(TooLarge)?;
        let hurries = (game.turn(state) == self.player) == won;
        moves.clear();
        game.moves(state, &mut moves);
        let mut best = None;
        for mv in moves {
            let mut child = state.clone();
            game.play(&mut child, mv);
            let plies = self.search(&child, won, depth + 1)?.map(|plies| plies.saturating_add(1));
            match (hurries, plies) {
                (true, Some(plies)) => best = Some(best.map_or(plies, |best: u16| best.min(plies))),
                (true, None) => {}
                (false, Some(plies)) => best = best.max(Some(plies)),
                (false, None) => {
                    best = None;
                    break;
                }
            }
            if hurries && best == Some(1) {
                break;
            }
        }
        self.known[usize::from(won)].insert(state.clone(), best);
        Ok(best)
    }
}
