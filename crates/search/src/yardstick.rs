//! A yardstick for the kernel: product propagation written by hand for Domineering alone.
//!
//! No traits, no sharing of code with the rest of the project: 64-bit float products, 24-byte nodes in one
//! vector, siblings side by side, the path on a stack, back-up that stops where nothing changed. It is what the
//! generic kernel is measured against, and its count of created nodes must agree with the paper's (101,244 on 6
//! rows × 5 columns). It stands here, beside the kernel, because it must be compiled as well as the kernel is: the command line is compiled for
//! size.

struct Node {
    p: f64,
    first: u32,
    width: u32,
    place: u32,
}

/// The size of a node.
pub const NODE_BYTES: usize = size_of::<Node>();
const _: () = assert!(NODE_BYTES == 24);

/// What it found.
#[derive(Debug)]
pub struct Run {
    /// Whether the first player wins.
    pub first_player_wins: bool,
    /// Nodes created besides the root.
    pub created: u64,
}

/// Solves Domineering on a board of at most 64 squares.
pub fn solve(rows: u32, cols: u32) -> Run {
    let board = u64::MAX >> (64 - rows * cols);
    let last = (0..rows).fold(0u64, |set, row| set | 1 << (row * cols + cols - 1));
    let places = |covered: u64, vertical: bool| {
        let free = board & !covered;
        if vertical { free & (free >> cols) } else { free & (free >> 1) & !last }
    };
    let domino =
        |place: u32, vertical: bool| 1u64 << place | 1u64 << (place + if vertical { cols } else { 1 });
    let leaf = |covered: u64, vertical: bool| {
        let half = 0.5f64.powi(places(covered, vertical).count_ones() as i32);
        if vertical { 1.0 - half } else { half }
    };
    let mut tree = vec![Node { p: leaf(0, true), first: 0, width: 0, place: 0 }];
    let mut path = vec![(0u32, 0u64)];
    while tree[0].p > 0.0 && tree[0].p < 1.0 {
        // Down to a leaf; the vertical player moves at even depths and wants the highest p.
        let (id, covered, vertical) = loop {
            let (id, covered) = path[path.len() - 1];
            let vertical = path.len() % 2 == 1;
            let node = &tree[id as usize];
            if node.width == 0 {
                break (id, covered, vertical);
            }
            let kids = &tree[node.first as usize..node.first as usize + node.width as usize];
            let mut best = 0;
            for (i, kid) in kids.iter().enumerate() {
                if if vertical { kid.p > kids[best].p } else { kid.p < kids[best].p } {
                    best = i;
                }
            }
            path.push((node.first + best as u32, covered | domino(kids[best].place, vertical)));
        };
        // Its children, low to high.
        let first = tree.len() as u32;
        let mut left = places(covered, vertical);
        while left != 0 {
            let place = left.trailing_zeros();
            left &= left - 1;
            let p = leaf(covered | domino(place, vertical), !vertical);
            tree.push(Node { p, first: 0, width: 0, place });
        }
        let width = tree.len() as u32 - first;
        tree[id as usize].first = first;
        tree[id as usize].width = width;
        // And up again until nothing changes.
        loop {
            let (id, _) = path[path.len() - 1];
            let vertical = path.len() % 2 == 1;
            let node = &tree[id as usize];
            let kids = &tree[node.first as usize..node.first as usize + node.width as usize];
            let p = if vertical {
                1.0 - kids.iter().map(|kid| 1.0 - kid.p).product::<f64>()
            } else {
                kids.iter().map(|kid| kid.p).product()
            };
            let unchanged = p == node.p;
            tree[id as usize].p = p;
            if unchanged || path.len() == 1 {
                break;
            }
            path.pop();
        }
    }
    Run { first_player_wins: tree[0].p == 1.0, created: tree.len() as u64 - 1 }
}
