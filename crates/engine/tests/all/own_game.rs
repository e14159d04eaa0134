//! A game that exists only as data, a tree with names, goes through every solver, agent, analysis, certificate and checkpoint.

use delphic_engine::{
    AGENTS, Ask, Budget, Header, Limits, Request, SOLVERS, Value, game, own_game, register,
};
use delphic_game::random_tree::RandomTree;
use delphic_game::{Game, Hints, Notation, NotationError, Outcome, Player, Progressive};

/// A tree with named nodes. Nothing of it is known at compile time.
#[derive(Clone)]
struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone)]
struct Node {
    name: String,
    turn: Player,
    children: Vec<usize>,
    payoff: i16,
}

impl Tree {
    /// A copy of a random tree, as data.
    fn random(seed: u64) -> Tree {
        let source = RandomTree::small(seed);
        let mut tree = Tree { nodes: Vec::new() };
        tree.copy(&source, &source.start());
        tree
    }

    fn copy(&mut self, source: &RandomTree, state: &<RandomTree as Game>::State) -> usize {
        let id = self.nodes.len();
        let result = delphic_game::result(source, state, &mut Vec::new());
        let payoff = result.map_or(0, |outcome| outcome.payoff(Player::FIRST).signum());
        let (name, turn) = (format!("node{id}"), source.turn(state));
        self.nodes.push(Node { name, turn, children: Vec::new(), payoff });
        if result.is_none() {
            let mut moves = Vec::new();
            source.moves(state, &mut moves);
            for mv in moves {
                let mut child = state.clone();
                source.play(&mut child, mv);
                let child = self.copy(source, &child);
                self.nodes[id].children.push(child);
            }
        }
        id
    }

    /// The value for the first player, by plain minimax.
    fn value(&self, id: usize) -> i16 {
        let node = &self.nodes[id];
        let values = node.children.iter().map(|&child| self.value(child));
        let best = if node.turn == Player::FIRST { values.max() } else { values.min() };
        best.unwrap_or(node.payoff)
    }
}

impl Game for Tree {
    type State = usize;
    type Move = usize;

    fn start(&self) -> usize {
        0
    }
    fn turn(&self, &id: &usize) -> Player {
        self.nodes[id].turn
    }
    fn moves(&self, &id: &usize, list: &mut Vec<usize>) {
        list.extend(&self.nodes[id].children);
    }
    fn play(&self, state: &mut usize, child: usize) {
        *state = child;
    }
    fn outcome(&self, &id: &usize) -> Option<Outcome> {
        let node = &self.nodes[id];
        node.children.is_empty().then(|| match node.payoff {
            1 => Outcome::win(Player::FIRST),
            -1 => Outcome::win(Player::SECOND),
            _ => Outcome::DRAW,
        })
    }
}

impl Hints for Tree {}
impl Progressive for Tree {}

impl Notation for Tree {
    const HOW: &'static str = "Names of nodes.";

    fn write_move(&self, _: &usize, child: usize) -> String {
        self.nodes[child].name.clone()
    }
    fn write(&self, &id: &usize) -> String {
        self.nodes[id].name.clone()
    }
    fn read(&self, text: &str) -> Result<usize, NotationError> {
        let place = self.nodes.iter().position(|node| node.name == text);
        place.ok_or_else(|| NotationError::position("no node has this name"))
    }
}

#[test]
fn every_solver_proves_it_with_a_certificate() {
    let (mut proofs, mut seen) = (0, std::collections::HashSet::new());
    for seed in 0..60 {
        let tree = Tree::random(seed);
        if tree.nodes[0].children.is_empty() {
            continue;
        }
        let value = tree.value(0) * if tree.nodes[0].turn == Player::FIRST { 1 } else { -1 };
        let expected = [Value::Loss, Value::Draw, Value::Win][(value + 1) as usize];
        let own = own_game("tree", tree.clone());
        let position = own.position(None, None).unwrap();
        for solver in SOLVERS {
            let request = Request { solver: solver.name.parse().unwrap(), ..Request::default() };
            let mut file = Vec::new();
            let (answer, certified) = position.prove(&request, &mut (), &mut file);
            assert_eq!(answer.value(), Some(expected), "{} on tree {seed}", solver.name);
            certified.unwrap_or_else(|error| panic!("{} on tree {seed}: {error}", solver.name));
            let mut bytes = &file[..];
            let header = Header::read(&mut bytes).unwrap();
            let checked = own.check(&header, &mut bytes, 1 << 20, None);
            checked.unwrap_or_else(|error| panic!("{} on tree {seed}: {error}", solver.name));
            proofs += 1;
        }
        let analysis = position.analyze(&Request::default(), 10_000, &mut ());
        assert!(analysis.complete() && !analysis.best().is_empty(), "tree {seed}");
        seen.insert(expected.to_string());
    }
    println!("{proofs} proofs");
    assert!(proofs > 500 && seen.len() == 3, "{proofs} proofs, values {seen:?}");
}

/// By name it is found by everything that takes a name, and every agent plays it.
#[test]
fn it_has_a_name_and_agents_play_it() {
    register(
        "named-tree",
        Box::new(|spec| {
            spec.finish("no parameter")?;
            Ok(own_game("named-tree", Tree::random(3)))
        }),
    );
    let tree = game("named-tree").unwrap();
    assert!(game("named-tree:5").is_err());
    for agent in AGENTS {
        let mut position = tree.position(None, None).unwrap();
        let mut player = position.player(&agent.name.parse().unwrap(), Player::FIRST, 1);
        let budget = Budget { iterations: Some(50), limits: Limits::default() };
        while !position.is_over() {
            let thought = player.think(&budget, &mut ());
            assert!(thought.choice < position.moves().len(), "{}", agent.name);
            player.advance(thought.choice);
            position = position.after(thought.choice);
        }
        assert!(position.payoffs().is_some());
    }
    let request = Request { ask: Ask::Win, ..Request::default() };
    assert!(tree.position(None, None).unwrap().solve(&request, &mut ()).stats.created < 100_000);
}
