//! What paper 3 leaves open, as settings of the five solvers: ties, θ of MCPNS, the final move, the scale of values.

/// The paper's five solvers, in the order in which its text places them by iterations.
pub(super) const LABELS: [&str; 5] = ["PPN", "MCTS", "MCPNS", "UCT", "PNS"];
pub(super) const PPN: usize = 0;
pub(super) const MCTS: usize = 1;
pub(super) const MCPNS: usize = 2;
pub(super) const UCT: usize = 3;
pub(super) const PNS: usize = 4;

/// The places by iterations in the paper's text.
pub(super) const PLACES: [&str; 5] = ["1", "2 or 3", "2 or 3", "4 or 5", "4 or 5"];

/// One way to read the paper: what follows equal values, and the θ of MCPNS. PPN has the paper's θ = 0.01 always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    pub(super) ties: &'static str,
    pub(super) theta: &'static str,
}

/// The printed formulas with nothing added: MCPNS has no θ, and of equal children any one is followed.
pub(super) const LITERAL: Reading = Reading { ties: "random", theta: "0" };

/// All four.
pub(super) const READINGS: [Reading; 4] = [
    LITERAL,
    Reading { ties: "random", theta: "0.01" },
    Reading { ties: "first", theta: "0" },
    Reading { ties: "first", theta: "0.01" },
];

impl Reading {
    /// A solver of [`LABELS`] under this reading.
    pub(super) fn solver(self, nth: usize) -> String {
        let Reading { ties, theta } = self;
        match nth {
            PPN => format!("ppn:playouts=10,ties={ties}"),
            MCTS => format!("mcts:playouts=10,ties={ties}"),
            MCPNS => format!("mcpns:playouts=10,theta={theta},ties={ties}"),
            UCT => format!("uct:playouts=10,ties={ties}"),
            _ => format!("pns:ties={ties}"),
        }
    }
}

/// A row of the sensitivity table whose selected moves are examined, too.
pub(super) struct Observed {
    pub(super) nth: usize,
    pub(super) reading: Reading,
    /// The rule for the final move, where the solver has a choice.
    pub(super) visits: Option<bool>,
}

impl Observed {
    /// The solver's name.
    pub(super) fn solver(&self) -> String {
        let name = self.reading.solver(self.nth);
        if self.visits == Some(true) { name + ",final=visits" } else { name }
    }

    /// The final move in words.
    pub(super) fn final_move(&self) -> &'static str {
        match self.visits {
            None => "best child",
            Some(false) => "v + 1/√n",
            Some(true) => "most visits",
        }
    }

    /// `MCTS, most visits`.
    pub(super) fn label(&self) -> String {
        let mut text = LABELS[self.nth].to_owned();
        if self.visits == Some(true) {
            text += ", most visits";
        }
        text
    }
}

/// Every solver under every reading that changes it, with both rules for the final move.
pub(super) fn observed() -> Vec<Observed> {
    let mut all = Vec::new();
    for nth in 0..LABELS.len() {
        for reading in READINGS.into_iter().filter(|reading| nth == MCPNS || reading.theta == LITERAL.theta) {
            let rules: &[Option<bool>] =
                if nth == MCTS || nth == UCT { &[Some(false), Some(true)] } else { &[None] };
            all.extend(rules.iter().map(|visits| Observed { nth, reading, visits: *visits }));
        }
    }
    all
}

/// A change in something else that the paper leaves open, or tries and does not show; ties are random.
pub(super) struct Variant {
    /// Which of [`LABELS`] it changes.
    pub(super) of: usize,
    /// What is changed, in words.
    pub(super) setting: &'static str,
    pub(super) name: &'static str,
}

const fn variant(of: usize, setting: &'static str, name: &'static str) -> Variant {
    Variant { of, setting, name }
}

pub(super) const VARIANTS: [Variant; 11] = [
    variant(PPN, "θ = 0.1", "ppn:playouts=10,theta=0.1,ties=random"),
    variant(PPN, "θ = 0.000001", "ppn:playouts=10,theta=0.000001,ties=random"),
    variant(PPN, "5 playouts", "ppn:playouts=5,ties=random"),
    variant(PPN, "20 playouts", "ppn:playouts=20,ties=random"),
    variant(MCPNS, "θ = 0.000001", "mcpns:playouts=10,theta=0.000001,ties=random"),
    variant(MCPNS, "5 playouts", "mcpns:playouts=5,theta=0,ties=random"),
    variant(MCPNS, "20 playouts", "mcpns:playouts=20,theta=0,ties=random"),
    variant(UCT, "values from −1 to 1", "uct:playouts=10,c=0.3535,ties=random"),
    variant(UCT, "C = 0.1", "uct:playouts=10,c=0.1,ties=random"),
    variant(UCT, "C = 0.5", "uct:playouts=10,c=0.5,ties=random"),
    variant(UCT, "C = 4", "uct:playouts=10,c=4,ties=random"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_differ_where_they_should() {
        assert_eq!(observed().len(), 2 + 4 + 4 + 4 + 2);
        let names: std::collections::HashSet<String> = observed().iter().map(Observed::solver).collect();
        assert_eq!(names.len(), observed().len());
        assert_eq!(LITERAL.solver(MCPNS), "mcpns:playouts=10,theta=0,ties=random");
        assert!(READINGS.iter().all(|reading| reading.solver(PPN).contains(reading.ties)));
    }
}
