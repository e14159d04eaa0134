//! The positions as numbers: who moves, how many moves there are, where they lead, and where the game is over.
//!
//! Nothing here knows the type of a game, so that the analysis is compiled once for all of them.

/// The number of a position: its place in its shard, and the shard in the low bits.
pub(super) type Id = u32;

/// What the analysis needs to know of a position.
#[derive(Clone, Copy)]
pub(super) struct Node(u16);

impl Node {
    /// The top bit: whether the player asked about is to move.
    const OURS: u16 = 1 << 15;

    pub(super) fn new(ours: bool, moves: usize) -> Node {
        assert!(moves < usize::from(Node::OURS), "a position with {moves} moves is too wide");
        Node(moves as u16 | if ours { Node::OURS } else { 0 })
    }

    /// Whether the player asked about is to move.
    #[inline]
    pub(super) fn is_ours(self) -> bool {
        self.0 & Node::OURS != 0
    }

    /// The number of moves, 0 where the game is over.
    #[inline]
    pub(super) fn moves(self) -> u16 {
        self.0 & !Node::OURS
    }
}

/// Consecutive positions of a shard.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) shard: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The moves of consecutive positions of a shard: the numbers of their children, in order.
pub(super) struct Moves {
    pub(super) part: Part,
    pub(super) children: Vec<Id>,
}

/// The positions that have been expanded, and the moves between them.
pub(super) struct Links {
    /// Bits of a number that tell the shard.
    pub(super) bits: u32,
    /// By shard, in the order of the positions.
    nodes: Vec<Vec<Node>>,
    /// The moves, until they are reversed.
    pub(super) moves: Vec<Moves>,
    /// Where the game is over, with the payoff of the player asked about.
    pub(super) ends: Vec<(Id, i16)>,
    edges: u64,
}

impl Links {
    pub(super) fn new(bits: u32) -> Links {
        let nodes = (0..1 << bits).map(|_| Vec::new()).collect();
        Links { bits, nodes, moves: Vec::new(), ends: Vec::new(), edges: 0 }
    }

    /// Adds expanded positions. The parts of a shard come in the order of their positions.
    pub(super) fn add(&mut self, part: Part, nodes: Vec<Node>, ends: Vec<(Id, i16)>, children: Vec<Id>) {
        self.edges += children.len() as u64;
        self.ends.extend(ends);
        self.nodes[part.shard].extend(nodes);
        self.moves.push(Moves { part, children });
    }

    #[inline]
    pub(super) fn id(&self, shard: usize, place: usize) -> Id {
        (place << self.bits | shard) as Id
    }

    /// The shard of a position and its place there.
    #[inline]
    pub(super) fn place(&self, id: Id) -> (usize, usize) {
        (id as usize & ((1 << self.bits) - 1), id as usize >> self.bits)
    }

    #[inline]
    pub(super) fn node(&self, id: Id) -> Node {
        let (shard, place) = self.place(id);
        self.nodes[shard][place]
    }

    /// All positions, shard by shard.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        let of = |(shard, nodes): (usize, &Vec<Node>)| {
            let bits = self.bits;
            (0..nodes.len()).map(move |place| (place << bits | shard) as Id)
        };
        self.nodes.iter().enumerate().flat_map(of)
    }

    /// Calls `sink` with every move of a part: the numbers of parent and child.
    pub(super) fn each_move(&self, moves: &Moves, mut sink: impl FnMut(Id, Id)) {
        let (part, mut children) = (moves.part, moves.children.iter());
        for place in part.from..part.to {
            let count = usize::from(self.nodes[part.shard][place].moves());
            let parent = self.id(part.shard, place);
            children.by_ref().take(count).for_each(|&child| sink(parent, child));
        }
    }

    /// How many moves there are.
    pub(super) fn edges(&self) -> u64 {
        self.edges
    }

    /// No expanded position has this number or a higher one.
    pub(super) fn numbers(&self) -> u64 {
        let longest = self.nodes.iter().map(Vec::len).max().unwrap_or(0);
        (longest as u64) << self.bits
    }
}
