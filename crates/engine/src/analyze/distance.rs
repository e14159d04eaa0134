//! Exact distances to the end (shortest win against longest defence): plain minimax over all positions, if there are few enough.

use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{Game, Player, result};
use delphic_search::StateMap;

/// Longer games are not searched: the recursion is one call per ply.
const DEEPEST: u32 = 400;

/// Exact distances to the end of games won or lost for one player.
pub(crate) struct Distances {
    game: Erased<'static>,
    player: Player,
    /// The least payoff that is not a loss, and the least that is a win.
    thresholds: [i16; 2],
    known: [StateMap<ErasedState, Option<u32>>; 2],
    /// The number of positions that may still be visited.
    left: u64,
}

/// The search is too large.
struct TooLarge;

impl Distances {
    /// Distances for `player` of a game with these payoffs, within this many positions in all.
    pub(crate) fn new(game: Erased<'static>, player: Player, payoffs: &[i16], positions: u64) -> Self {
        let second = payoffs.get(1).copied().unwrap_or(i16::MAX);
        let thresholds = [second, payoffs.last().copied().unwrap_or(i16::MAX)];
        Distances { game, player, thresholds, known: [(); 2].map(|()| StateMap::new(0)), left: positions }
    }

    /// The plies from `state` to the end if the player wins (`won`) or loses there. `None` if there are too many positions.
    pub(crate) fn of(&mut self, state: &ErasedState, won: bool) -> Option<u32> {
        let found = self.search(state, won, 0);
        if found.is_err() {
            // Once the limit was exceeded, do not try again.
            self.left = 0;
        }
        found.ok().flatten()
    }

    /// The move numbers of a line from `state` that is optimal for both sides. Its length is that distance, unless the limit on positions
    /// was reached.
    pub(crate) fn line(&mut self, state: &ErasedState, won: bool) -> Vec<u16> {
        let (mut state, mut line, mut moves) = (state.clone(), Vec::new(), Vec::new());
        while let Ok(Some(plies @ 1..)) = self.search(&state, won, 0) {
            moves.clear();
            self.game.moves(&state, &mut moves);
            let next = moves.iter().enumerate().find_map(|(nth, &mv)| {
                let mut child = state.clone();
                self.game.play(&mut child, mv);
                let left = self.search(&child, won, 0).ok().flatten()?;
                (left + 1 == plies).then_some((nth as u16, child))
            });
            let Some((nth, child)) = next else { break };
            line.push(nth);
            state = child;
        }
        line
    }

    /// The plies to the decided end, `None` if it cannot be forced.
    fn search(&mut self, state: &ErasedState, won: bool, depth: u32) -> Result<Option<u32>, TooLarge> {
        let key = self.game.key(state);
        if let Some(&known) = self.known[usize::from(won)].get(key, state) {
            return Ok(known);
        }
        let mut moves = Vec::new();
        if let Some(outcome) = result(&self.game, state, &mut moves) {
            let is_won = outcome.payoff(self.player) >= self.thresholds[usize::from(won)];
            return Ok((is_won == won).then_some(0));
        }
        self.left = self.left.checked_sub(1).filter(|_| depth < DEEPEST).ok_or(TooLarge)?;
        let hurries = (self.game.turn(state) == self.player) == won;
        moves.clear();
        self.game.moves(state, &mut moves);
        let mut best = None;
        for mv in moves {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            let plies = self.search(&child, won, depth + 1)?.map(|plies| plies + 1);
            match (hurries, plies) {
                (true, Some(plies)) => best = Some(best.map_or(plies, |best: u32| best.min(plies))),
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
        self.known[usize::from(won)].get_or_insert(key, state.clone(), best);
        Ok(best)
    }
}
