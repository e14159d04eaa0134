//! Certificates of random trees, by a prover that is nothing but minimax: what is true is accepted, what is false is not.

use delphic_certificate::{
    Checked, Claim, Fault, Guide, Header, Refusal, Walk, Writer, check, fingerprint, print,
};
use delphic_game::erased::{Erased, ErasedState, Trail};
use delphic_game::random_tree::RandomTree;
use delphic_game::{Force, Game, Notation, NotationError, Outcome, Player, Progressive, Rng, result};

/// The payoff that `player` can force against all others.
fn value(tree: &RandomTree, state: &<RandomTree as Game>::State, player: Player) -> i16 {
    if let Some(outcome) = result(tree, state, &mut Vec::new()) {
        return outcome.payoff(player);
    }
    let mut moves = Vec::new();
    tree.moves(state, &mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut child = state.clone();
        tree.play(&mut child, mv);
        value(tree, &child, player)
    });
    if tree.turn(state) == player { values.max() } else { values.min() }.unwrap()
}

/// Plays by minimax and writes it down.
struct Minimax<'a> {
    tree: &'a RandomTree,
    player: Player,
    writer: Writer<Vec<u8>>,
}

impl Guide for Minimax<'_> {
    type Error = std::io::Error;

    fn choose(&mut self, at: &dyn Trail, _: usize) -> Result<usize, Self::Error> {
        let present = at.present().unwrap();
        let state = present.get::<<RandomTree as Game>::State>();
        let mut moves = Vec::new();
        self.tree.moves(state, &mut moves);
        let of = |&mv: &u32| {
            let mut child = state.clone();
            self.tree.play(&mut child, mv);
            value(self.tree, &child, self.player)
        };
        let best: i16 = value(self.tree, state, self.player);
        let place = moves.iter().position(|mv| of(mv) == best).unwrap();
        self.writer.choose(place)?;
        Ok(place)
    }
}

const SPEC: &str = "a random tree";

/// The certificate that the value of the start is `value`, whether that is so or not. A walk that stumbles is written as far as it got.
fn certificate(tree: &RandomTree, player: Player, value: i16) -> Vec<u8> {
    let claim = |at_least, holds| Claim { question: Force { player, at_least }, holds };
    let claims = vec![claim(value, true), claim(value + 1, false)];
    let start = tree.start();
    let header = Header {
        game: SPEC.to_owned(),
        rules: fingerprint(tree, SPEC),
        position: tree.write(&start),
        claims: claims.clone(),
    };
    let writer = Writer::new(Vec::new(), &header).unwrap();
    let mut guide = Minimax { tree, player, writer };
    for claim in claims {
        match Walk::new(&Erased::new(tree), claim, ErasedState::new(start.clone()), u64::MAX).run(&mut guide)
        {
            Ok(()) | Err(Fault::Ends(_)) => {}
            Err(fault) => panic!("{fault:?}"),
        }
    }
    guide.writer.finish().unwrap()
}

fn checked(tree: &RandomTree, mut file: &[u8]) -> Result<Checked, Refusal> {
    let header = Header::read(&mut file)?;
    check(&Erased::new(tree), SPEC, &header, file, 1 << 24)
}

fn tree(seed: u64) -> (RandomTree, Player) {
    let mut tree = RandomTree::small(seed);
    tree.players = [2, 2, 3, 4][seed as usize % 4];
    (tree, Player::new(seed as usize % tree.players))
}

#[test]
fn true_values_are_accepted_and_false_ones_refused() {
    let mut refused = 0;
    for seed in 0..2_000 {
        let (tree, player) = tree(seed);
        let truth = value(&tree, &tree.start(), player);
        for claimed in [truth, truth - 1, truth + 1] {
            let found = checked(&tree, &certificate(&tree, player, claimed));
            match found {
                Ok(_) => assert_eq!(claimed, truth, "{tree:?}"),
                Err(refusal) => {
                    assert_ne!(claimed, truth, "{tree:?}: {refusal}");
                    let expected = matches!(refusal, Refusal::Flaw { .. } | Refusal::EndsEarly(_));
                    assert!(expected, "{tree:?}: {refusal}");
                    refused += 1;
                }
            }
        }
    }
    assert_eq!(refused, 4_000);
}

/// Whatever is done to the bytes, nothing false is accepted and nothing panics.
#[test]
fn damaged_files_prove_nothing_false() {
    let (mut rng, mut accepted) = (Rng::new(5), 0);
    for seed in 0..400 {
        let (tree, player) = tree(seed);
        let truth = value(&tree, &tree.start(), player);
        let whole = certificate(&tree, player, truth);
        for _ in 0..25 {
            let mut file = whole.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(file.len());
                match rng.below(5) {
                    0 => file.truncate(at),
                    1 => file.insert(at, rng.bits() as u8),
                    2 => file[at] ^= 1 << rng.below(8),
                    3 => file[at] = b"0123456789-<>= \n"[rng.below(16)],
                    _ => file.extend((0..rng.below(9)).map(|_| rng.bits() as u8)),
                }
                if file.is_empty() {
                    break;
                }
            }
            let claims = Header::read(&mut &file[..]).map(|header| header.claims);
            if let (Ok(claims), Ok(_)) = (claims, checked(&tree, &file)) {
                accepted += 1;
                for claim in claims {
                    let player = claim.question.player;
                    let holds = value(&tree, &tree.start(), player) >= claim.question.at_least;
                    assert_eq!(holds, claim.holds, "{tree:?}: {claim}");
                }
            }
        }
    }
    // A weaker claim, or another good move, is as true as what was there.
    assert!((1..5_000).contains(&accepted), "{accepted}");
}

/// A strategy of another game, or another tree of the same, is refused by its fingerprint.
#[test]
fn a_certificate_belongs_to_its_rules() {
    let (tree, player) = tree(8);
    let file = certificate(&tree, player, value(&tree, &tree.start(), player));
    let other = RandomTree { seed: 9, ..tree };
    assert!(matches!(checked(&other, &file), Err(Refusal::Rules { .. })));
}

#[test]
fn malformed_headers_are_refused_with_a_reason() {
    let (tree, player) = tree(8);
    let file = certificate(&tree, player, value(&tree, &tree.start(), player));
    let refusal = |file: &[u8]| checked(&tree, file).unwrap_err().to_string();
    let replaced = |from: &str, to: &str| {
        let text = String::from_utf8_lossy(&file).into_owned();
        assert!(text.contains(from));
        let at = text.find(from).unwrap();
        refusal(&[&file[..at], to.as_bytes(), &file[at + from.len()..]].concat())
    };
    assert_eq!(refusal(b""), "this is not a Delphic certificate");
    assert_eq!(refusal(&[7; 5000]), "this is not a Delphic certificate");
    assert_eq!(
        replaced("certificate 1", "certificate 2"),
        "this is a certificate of version 2; only version 1 is known here"
    );
    assert_eq!(replaced("rules ", "rules x"), "malformed header: rules are 16 hexadecimal digits");
    assert_eq!(replaced("game ", "name "), "malformed header: expected 'game …', found 'name a random tree'");
    assert_eq!(replaced("position ", "position north of "), "malformed position: expected depth:path");
    assert!(replaced("claim ", "claim that ").starts_with("malformed header: 'that "));
    assert!(replaced("claim ", &"claim first >= 0\n".repeat(9)).contains("more than 8 claims"));
    assert!(
        replaced(" >= ", " >= 9").contains("malformed header")
            || replaced(" >= ", " >= 9").contains("is not proved")
    );
    assert!(refusal(&file[..40]).starts_with("malformed header: the header does not end"));
    assert!(
        refusal(&[&file[..], b"more"].concat()).ends_with("bytes follow after the end of the certificate")
    );
    let endless = ["delphic certificate 1\ngame ".as_bytes(), &vec![b'x'; 3 << 20]].concat();
    assert!(refusal(&endless).starts_with("malformed header: the header does not end"));
}

/// A stream that inflates to far more than the strategy needs is not read to its end.
#[test]
fn a_bomb_is_refused() {
    let (tree, player) = tree(8);
    let question = Force { player, at_least: -9 };
    let header = Header {
        game: SPEC.to_owned(),
        rules: fingerprint(&tree, SPEC),
        position: tree.write(&tree.start()),
        claims: vec![Claim { question, holds: true }],
    };
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    (0..5_000_000).for_each(|_| writer.choose(0).unwrap());
    let file = writer.finish().unwrap();
    assert!(file.len() < 10_000, "{}", file.len());
    let refusal = checked(&tree, &file).unwrap_err().to_string();
    assert_eq!(refusal, "it is damaged: choices follow after the end of the strategy");
}

/// The refusal shows the way to the flaw and the position there, and memory is bounded.
#[test]
fn a_flaw_is_shown_and_memory_is_kept() {
    let mut flaws = 0;
    for seed in 0..200 {
        let (tree, player) = tree(seed);
        let truth = value(&tree, &tree.start(), player);
        let file = certificate(&tree, player, truth + 1);
        if let Err(Refusal::Flaw { claim, line, position, .. }) = checked(&tree, &file) {
            let moves = delphic_game::read_moves(&tree, &tree.start(), &line.join(" ")).unwrap();
            let end = delphic_game::play_all(&tree, &tree.start(), &moves);
            assert_eq!(tree.write(&end), position);
            let payoff = result(&tree, &end, &mut Vec::new()).unwrap().payoff(player);
            assert!(payoff < claim.question.at_least);
            flaws += 1;
        }
        let whole = certificate(&tree, player, truth);
        let mut file = &whole[..];
        let header = Header::read(&mut file).unwrap();
        let over = result(&tree, &tree.start(), &mut Vec::new()).is_some();
        assert_eq!(
            matches!(check(&Erased::new(&tree), SPEC, &header, file, 0), Err(Refusal::Memory { .. })),
            !over
        );
    }
    assert!(flaws > 50, "{flaws}");
}

/// The text form has every claim, and marks ends and repetitions.
#[test]
fn strategies_print() {
    let (tree, player) = tree(16);
    let whole = certificate(&tree, player, value(&tree, &tree.start(), player));
    let (mut file, mut text) = (&whole[..], Vec::new());
    let header = Header::read(&mut file).unwrap();
    let printed = print(&Erased::new(&tree), SPEC, &header, file, 1 << 20, &mut text).unwrap();
    assert_eq!(printed, checked(&tree, &whole).unwrap());
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.matches("claim ").count(), 2, "{text}");
    assert!(text.contains('#'), "{text}");
}

/// A long game with many moves a ply, all of which lead to the same position.
struct Long;

impl Game for Long {
    type State = u32;
    type Move = u64;
    fn start(&self) -> u32 {
        20_000
    }
    fn turn(&self, _: &u32) -> Player {
        Player::FIRST
    }
    fn moves(&self, &left: &u32, list: &mut Vec<u64>) {
        list.extend(0..if left == 0 { 0 } else { 100 });
    }
    fn play(&self, left: &mut u32, _: u64) {
        *left -= 1;
    }
    fn stuck(&self, _: &u32) -> Outcome {
        Outcome::win(Player::FIRST)
    }
}

impl Progressive for Long {}

impl Notation for Long {
    const HOW: &'static str = "";
    fn write_move(&self, _: &u32, mv: u64) -> String {
        mv.to_string()
    }
    fn write(&self, left: &u32) -> String {
        left.to_string()
    }
    fn read(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::position("expected a number"))
    }
}

struct First;

impl Guide for First {
    type Error = ();
    fn choose(&mut self, _: &dyn Trail, _: usize) -> Result<usize, ()> {
        Ok(0)
    }
}

/// The moves of the line on which the walk is take 16 MB here, the positions one.
#[test]
fn long_lines_of_wide_positions_are_kept_within_memory() {
    let claim = Claim { question: Force { player: Player::FIRST, at_least: 1 }, holds: true };
    let walk = |memory| {
        Walk::new(&Erased::new(&Long), claim, ErasedState::new(Long.start()), memory).run(&mut First)
    };
    assert!(walk(64 << 20).is_ok());
    assert!(matches!(walk(4 << 20), Err(Fault::Memory)));
}

/// Two players count down to zero, one at a time; the player who cannot count loses.
#[derive(Debug)]
struct Countdown(u32);

impl Game for Countdown {
    type State = u32;
    type Move = ();

    fn start(&self) -> u32 {
        self.0
    }

    fn turn(&self, state: &u32) -> Player {
        Player::new((self.0 - state) as usize % 2)
    }

    fn moves(&self, state: &u32, moves: &mut Vec<()>) {
        moves.extend((*state > 0).then_some(()));
    }

    fn play(&self, state: &mut u32, (): ()) {
        *state -= 1;
    }
}

impl Notation for Countdown {
    const HOW: &'static str = "a number";

    fn write_move(&self, _: &u32, (): ()) -> String {
        "count".to_owned()
    }

    fn write(&self, state: &u32) -> String {
        state.to_string()
    }

    fn read(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::position("a number is expected"))
    }
}

impl Progressive for Countdown {}

/// A game may last longer than 65,535 plies, and its length is counted exactly.
#[test]
fn long_games_are_counted_to_their_end() {
    struct Forced;
    impl Guide for Forced {
        type Error = std::io::Error;
        fn choose(&mut self, _: &dyn Trail, _: usize) -> Result<usize, Self::Error> {
            unreachable!("there is one move in every position")
        }
    }
    let game = Countdown(100_001);
    let claim = Claim { question: Force { player: Player::FIRST, at_least: 1 }, holds: true };
    let mut walk = Walk::new(&Erased::new(&game), claim, ErasedState::new(game.start()), u64::MAX);
    walk.run(&mut Forced).unwrap();
    assert_eq!(walk.plies(), 100_001);
}
