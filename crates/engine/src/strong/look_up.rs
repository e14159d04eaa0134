//! Answers, analyses and moves from a table.

use super::{TableError, TableFile, analysis, for_player};
use crate::{Analysis, Answer, AnyPosition, InputError, Request};
use delphic_search::retro::Worth;
use delphic_search::{Stats, StopReason};
use std::cell::RefCell;

impl TableFile {
    /// The line of shortest win and longest defence from a position; empty for draws.
    pub fn line(&self, position: &dyn AnyPosition) -> Result<Vec<u16>, TableError> {
        let (mut line, mut here) = (Vec::new(), position.again());
        while let Some(plies) = self.worth(&*here)?.and_then(|worth| worth.plies).filter(|&plies| plies > 0) {
            let payoff = self.worth(&*here)?.map(|worth| worth.payoff);
            let mut next = None;
            for nth in 0..here.moves().len() {
                let child = here.after(nth);
                let worth = self.worth(&*child)?;
                if worth.map(|worth| worth.payoff) == payoff
                    && worth.is_some_and(|worth| worth.plies == Some(plies - 1))
                {
                    next = Some((nth, child));
                    break;
                }
            }
            let Some((nth, child)) = next else {
                return Err(self.inconsistent(&*here));
            };
            line.push(nth as u16);
            here = child;
        }
        Ok(line)
    }

    fn inconsistent(&self, position: &dyn AnyPosition) -> TableError {
        let reason = format!("no move of {} attains its value", position.write());
        TableError::Damaged { path: self.path().display().to_string(), reason }
    }

    /// The answer to a request, if the position is in the table.
    pub fn answer(
        &self,
        position: &dyn AnyPosition,
        request: &Request<'_>,
    ) -> Result<Option<Answer>, TableError> {
        let Some(worth) = self.worth(position)? else { return Ok(None) };
        let known = Some((worth, self.line(position)?));
        let answer =
            crate::solve::known_answer(position, request, known, StopReason::Solved, Stats::default());
        Ok(Some(Answer { searched_by: "table".to_owned(), ..answer }))
    }

    /// The analysis of a position and its moves, if it is in the table.
    pub fn analyze(
        &self,
        position: &dyn AnyPosition,
        request: &Request<'_>,
    ) -> Result<Option<Analysis>, TableError> {
        let Some(answer) = self.answer(position, request)? else { return Ok(None) };
        let failed = RefCell::new(None);
        let keep = |error: TableError| drop(failed.replace(Some(error)));
        let known = |nth: Option<u16>| {
            let child = nth.map_or_else(|| position.again(), |nth| position.after(usize::from(nth)));
            self.worth(&*child).unwrap_or_else(|error| {
                keep(error);
                None
            })
        };
        let line = |nth: u16| {
            let rest = self.line(&*position.after(usize::from(nth)));
            [
                vec![nth],
                rest.unwrap_or_else(|error| {
                    keep(error);
                    Vec::new()
                }),
            ]
            .concat()
        };
        let analysis = analysis(position, answer, &known, &line);
        match failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(Some(analysis)),
        }
    }

    /// Checks that the table is of the game of a position and has the position.
    pub fn check(&self, position: &dyn AnyPosition) -> Result<(), InputError> {
        match self.worth(position) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => {
                let reason = format!("{} has no position {}", self.path().display(), position.write());
                Err(InputError::Request(reason))
            }
            Err(error) => Err(InputError::Request(error.to_string())),
        }
    }

    /// A sort key for every move of a position, greater is better for the player to move: shorter wins and longer losses are better.
    pub(crate) fn preferences(
        &self,
        position: &dyn AnyPosition,
    ) -> Result<Vec<Option<(i16, i64)>>, TableError> {
        let player = position.turn();
        let preference = |Worth { payoff, plies }: Worth| {
            let (payoff, plies) = (for_player(payoff, player), i64::from(plies.unwrap_or(0)));
            (payoff, if payoff > 0 { -plies } else { plies })
        };
        (0..position.moves().len())
            .map(|nth| Ok(self.worth(&*position.after(nth))?.map(preference)))
            .collect()
    }
}
