//! Certificates for games with cycles: strategies from retrograde analysis.
//!
//! If endless play contradicts the claim, its strategy decreases a rank: the plies to the end fall with every move, so that no line
//! repeats a position. If endless play agrees with the claim, the strategy stays in a set of positions from which the others cannot force
//! an end that they want.

use crate::AnyPosition;
use crate::prove::{ProofError, Strategies, Trouble, walk_error};
use crate::solve::Decided;
use delphic_certificate::{Claim, Guide, Walk, Writer, meeting};
use delphic_game::Game;
use delphic_game::erased::{Erased, Trail};
use delphic_search::prover::NoMove;
use delphic_search::retro::Retrograde;
use delphic_search::{Event, LimitGuard, Limits, Observer};
use std::io::Write;

/// Positions visited between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

/// Walks through the proof of every decided question and records the choices.
pub(crate) fn strategies(
    position: &dyn AnyPosition,
    decided: &[Decided],
    limits: Limits<'_>,
    mut writer: Option<&mut Writer<&mut dyn Write>>,
    observer: &mut dyn Observer,
) -> Result<Strategies, ProofError> {
    // All claims of an answer are about one player, so one analysis serves them all.
    let Some(player) = decided.first().map(|decided| decided.claim.question.player) else {
        return Err(ProofError::NoAnswer);
    };
    let (game, root, mut guard) = (position.erased(), position.state(), LimitGuard::new(limits));
    let found = position.enumerate(player, limits, &mut guard, observer);
    let mut retrograde = found.map_err(|(stop, _)| ProofError::Stopped(stop))?;
    let share = limits.memory.map_or(u64::MAX, |memory| memory.saturating_sub(retrograde.bytes()));
    let share = share / decided.len() as u64;
    let (mut walks, mut found) = (Vec::new(), Strategies::default());
    for &Decided { claim, .. } in decided {
        let nth = retrograde.place(claim.question.at_least).ok_or(ProofError::NothingToProve)?;
        retrograde.decide(nth, limits, &mut guard, observer).map_err(ProofError::Stopped)?;
        let mut walk = Walk::new(&game, claim, root.clone(), share);
        let mut player = Player {
            game: &game,
            retrograde: &retrograde,
            claim,
            nth,
            writer: writer.as_deref_mut(),
            observer: &mut *observer,
            guard: &mut guard,
            chosen: 0,
        };
        if let Err(fault) = walk.run(&mut player) {
            return Err(walk_error(&game, &root, claim, fault, &walk, share));
        }
        found.strategy += walk.strategy();
        found.looked_at += walk.looked_at();
        if !walk.is_endless() {
            found.plies = found.plies.max(Some(walk.plies()));
        }
        walks.push(walk);
    }
    found.line = meeting(&game, &walks);
    Ok(found)
}

/// Plays by decreasing rank, or within the closed set.
struct Player<'a, 'g, 'l, 'w> {
    game: &'a Erased<'static>,
    retrograde: &'a Retrograde<'g>,
    claim: Claim,
    nth: usize,
    writer: Option<&'a mut Writer<&'w mut dyn Write>>,
    observer: &'a mut dyn Observer,
    guard: &'a mut LimitGuard<'l>,
    chosen: u64,
}

impl Guide for Player<'_, '_, '_, '_> {
    type Error = Trouble;

    fn choose(&mut self, at: &dyn Trail, moves: usize) -> Result<usize, Trouble> {
        let Some(state) = at.present() else { return Err(Trouble::NoMove(NoMove::Refuted)) };
        self.chosen += 1;
        if let Some(reason) = self.guard.stop(0, 0) {
            return Err(Trouble::NoMove(NoMove::Stopped(reason)));
        }
        if self.chosen.is_multiple_of(REPORT_EVERY) {
            self.observer.event(Event::Proof { positions: self.chosen });
        }
        let good = |mv: usize| {
            let mut child = state.clone();
            self.game.play(&mut child, mv as u16);
            let holds = self.retrograde.can_force(self.nth, &child)? == self.claim.holds;
            // Positions outside the attractor have no ranks; every move that stays outside is safe.
            holds.then(|| self.retrograde.rank(self.nth, &child).unwrap_or(0))
        };
        let ranked = (0..moves).filter_map(|place| good(place).map(|rank| (rank, place)));
        let (_, place) = ranked.min().ok_or(Trouble::NoMove(NoMove::Refuted))?;
        match &mut self.writer {
            Some(writer) => writer.choose(place).map(|()| place).map_err(Trouble::File),
            None => Ok(place),
        }
    }
}
