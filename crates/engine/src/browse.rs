//! Browsing certificates: the strategy's move after any moves, and an outline of the whole proof tree.

use crate::InputError;
use delphic_certificate::{Branch, Checked, Header, ProofTree};
use delphic_game::erased::Erased;
use delphic_game::{Game, Notation, read_moves};

/// A position of a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofNode {
    /// Whether the strategy chooses the move here; otherwise it covers every move.
    pub chosen: bool,
    /// Positions that the checker visits from here on.
    pub size: u64,
    /// The maximum length of the game in plies from here.
    pub plies: u32,
    /// The strategy's move, or every reply.
    pub branches: Vec<ProofBranch>,
}

/// A move of a strategy, or a reply to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofBranch {
    /// The move.
    pub mv: String,
    /// Positions that the checker visits in this branch.
    pub size: u64,
    /// The maximum length of the game in plies, this move included.
    pub plies: u32,
    /// Whether the game is over after it.
    pub end: bool,
    /// Whether the position is a transposition into an earlier branch.
    pub again: bool,
}

/// A branch in an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The index in the outline of the parent branch.
    pub parent: Option<usize>,
    /// Moves before it.
    pub ply: usize,
    /// Its offset, in positions from the beginning of the outline.
    pub start: u64,
    /// Whether the strategy chose the move.
    pub chosen: bool,
    /// The branch.
    pub branch: ProofBranch,
}

/// A certificate that was checked and is kept for browsing.
///
/// ```
/// use delphic_engine::{Request, game, open_certificate};
///
/// let position = game("nim:1,2")?.position(None, None)?;
/// let mut file = Vec::new();
/// position.prove(&Request::default(), &mut (), &mut file).1.unwrap();
/// let mut read = file.as_slice();
/// let (header, nim) = open_certificate(&mut read).unwrap();
/// let proof = nim.browse(&header, &mut read, 1 << 20).unwrap();
///
/// let root = proof.node(0, "")?.expect("the root");
/// assert!(root.chosen && root.branches[0].mv == "b1");
/// assert_eq!(root.size, proof.checked().looked_at);
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
pub struct Proof {
    pub(crate) game: Erased<'static>,
    pub(crate) header: Header,
    pub(crate) checked: Checked,
    pub(crate) trees: Vec<ProofTree<'static>>,
}

impl Proof {
    /// The strategy of a claim, and the number of the position after these moves, if the strategy can reach it.
    fn find(&self, claim: usize, moves: &str) -> Result<Option<(&ProofTree<'static>, usize)>, InputError> {
        let game = &self.game;
        let mut state = game.read(&self.header.position)?;
        let Some(tree) = self.trees.get(claim) else { return Ok(None) };
        let moves = read_moves(game, &state, moves)?;
        let Some(mut number) = tree.number(&state) else { return Ok(None) };
        for mv in moves {
            game.play(&mut state, mv);
            let Some(next) = tree.number(&state) else { return Ok(None) };
            number = next;
        }
        Ok(Some((tree, number)))
    }

    fn branch(&self, tree: &ProofTree<'static>, number: usize, branch: Branch) -> ProofBranch {
        let state = tree.state(number);
        let Branch { place, to, again, size, plies } = branch;
        ProofBranch {
            mv: self.game.write_move(&state, place as u16),
            size,
            plies,
            end: to.is_none() && !again,
            again,
        }
    }

    /// The header of the certificate.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The result of the check.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The position after these moves in the strategy of claim number `claim`; `None` if that strategy does not reach it.
    pub fn node(&self, claim: usize, moves: &str) -> Result<Option<ProofNode>, InputError> {
        let node = |(tree, number): (&ProofTree<'static>, usize)| {
            let branches = tree.branches(&self.game, number).into_iter();
            ProofNode {
                chosen: tree.chooses(&self.game, number),
                size: tree.size(number),
                plies: tree.plies(number),
                branches: branches.map(|branch| self.branch(tree, number, branch)).collect(),
            }
        };
        Ok(self.find(claim, moves)?.map(node))
    }

    /// The branches below that position in preorder, down to depth `plies` and with at least `least` positions each; at most `most` of them.
    pub fn outline(
        &self,
        claim: usize,
        moves: &str,
        plies: usize,
        least: u64,
        most: usize,
    ) -> Result<Vec<Slice>, InputError> {
        let Some((tree, root)) = self.find(claim, moves)? else { return Ok(Vec::new()) };
        let mut slices: Vec<Slice> = Vec::new();
        // The stack of positions to list: the slice they belong to, their ply, their offset.
        let mut open = vec![(None, root, 0, 0)];
        while let Some((parent, number, ply, begin)) = open.pop() {
            let (chosen, mut start) = (tree.chooses(&self.game, number), begin + 1);
            let mut below = Vec::new();
            for branch in tree.branches(&self.game, number) {
                if branch.size >= least && slices.len() < most {
                    if let Some(to) = branch.to.filter(|_| !branch.again && ply + 1 < plies) {
                        below.push((Some(slices.len()), to, ply + 1, start));
                    }
                    let (size, branch) = (branch.size, self.branch(tree, number, branch));
                    slices.push(Slice { parent, ply, start, chosen, branch });
                    start += size;
                } else {
                    start += branch.size;
                }
            }
            open.extend(below.into_iter().rev());
        }
        Ok(slices)
    }
}
