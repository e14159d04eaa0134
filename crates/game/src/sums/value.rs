//! Values of short games under normal play, as canonical forms.
//!
//! Berlekamp, Conway and Guy, "Winning Ways" (1982); Siegel, "Combinatorial Game Theory" (2013), chapter II. The first player is
//! Left. Every value is stored once, by its canonical form, so equal values have equal numbers.

use rustc_hash::FxHashMap;

/// A value, by its number in a [`Values`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(u32);

impl Value {
    /// The value of a game without moves.
    pub const ZERO: Value = Value(0);
}

/// Whether Left and Right win moving first in the sum of a value and each of the [`TESTS`], a bit for each.
type Wins = [u16; 2];

/// The options of Left and of Right in small games, each by its place in the list: 0, star, up, down, up and star, down and star, star two, 1, −1,
/// ½, −½, double up, double down, ±1.
const TESTS: [[&[usize]; 2]; 14] = [
    [&[], &[]],
    [&[0], &[0]],
    [&[0], &[1]],
    [&[1], &[0]],
    [&[0, 1], &[0]],
    [&[0], &[0, 1]],
    [&[0, 1], &[0, 1]],
    [&[0], &[]],
    [&[], &[0]],
    [&[0], &[7]],
    [&[8], &[0]],
    [&[0], &[4]],
    [&[5], &[0]],
    [&[7], &[8]],
];

/// Left's options and Right's, none dominated or reversible.
type Form = [Box<[Value]>; 2];

/// Values met so far. The number of values and the width of each are bounded: beyond that an operation has no result.
#[derive(Clone, Debug)]
pub struct Values {
    forms: Vec<Form>,
    numbers: FxHashMap<Form, Value>,
    negatives: Vec<Option<Value>>,
    wins: Vec<Wins>,
    sums: FxHashMap<(Value, Value), Option<Value>>,
    /// Whether the first is at most the second.
    orders: FxHashMap<(Value, Value), bool>,
    most: usize,
}

/// The most options of a player in a canonical form.
const WIDEST: usize = 32;
/// Sums and comparisons remembered per value that may be stored.
const MEMO: usize = 4;

impl Default for Values {
    fn default() -> Values {
        Values::new(1 << 16)
    }
}

impl Values {
    /// Room for at most this many values besides zero.
    pub fn new(most: usize) -> Values {
        let mut values = Values {
            forms: Vec::new(),
            numbers: FxHashMap::default(),
            negatives: Vec::new(),
            wins: Vec::new(),
            sums: FxHashMap::default(),
            orders: FxHashMap::default(),
            most: most + 1,
        };
        values.store(Form::default());
        values
    }

    /// The options of a player, 0 for Left and 1 for Right, in the canonical form.
    fn options(&self, value: Value, side: usize) -> &[Value] {
        &self.forms[value.0 as usize][side]
    }

    fn store(&mut self, form: Form) -> Option<Value> {
        if let Some(&value) = self.numbers.get(&form) {
            return Some(value);
        }
        if self.forms.len() >= self.most || form.iter().any(|options| options.len() > WIDEST) {
            return None;
        }
        let value = Value(self.forms.len() as u32);
        self.wins.push(self.wins_of(&form));
        self.forms.push(form.clone());
        self.negatives.push(None);
        self.numbers.insert(form, value);
        Some(value)
    }

    fn wins_of(&self, form: &Form) -> Wins {
        // By a move in the game itself to an option that the opponent, moving first, does not win.
        let mut wins = [0, 1].map(|side| {
            let losing = |option: &Value| !self.wins[option.0 as usize][1 - side];
            form[side].iter().map(losing).fold(0, |all, some| all | some)
        });
        // Or by a move in the test.
        for (nth, options) in TESTS.iter().enumerate() {
            for side in [0, 1] {
                let wins_by = |&option: &usize| wins[1 - side] >> option & 1 == 0;
                wins[side] |= u16::from(options[side].iter().any(wins_by)) << nth;
            }
        }
        wins
    }

    /// The value of the game with these options of Left and of Right.
    pub fn game(&mut self, mut options: [Vec<Value>; 2]) -> Option<Value> {
        // Dropping dominated options and bypassing reversible ones does not change the value, so the order does not matter.
        loop {
            for side in [0, 1] {
                let list = &mut options[side];
                list.sort_unstable();
                list.dedup();
                let all = std::mem::take(list);
                let better = |values: &mut Values, one: Value, other: Value| match side {
                    0 => values.at_most(one, other),
                    _ => values.at_most(other, one),
                };
                for &one in &all {
                    if !all.iter().any(|&other| other != one && better(self, one, other)) {
                        options[side].push(one);
                    }
                }
            }
            let Some((side, place, by)) = self.reversible(&options) else { break };
            options[side].swap_remove(place);
            let answers = self.options(by, side).to_vec();
            options[side].extend(answers);
        }
        self.store(options.map(Vec::into_boxed_slice))
    }

    /// An option that the other player can answer by a move at least as good as the whole game: its side, its place, the answer.
    fn reversible(&mut self, options: &[Vec<Value>; 2]) -> Option<(usize, usize, Value)> {
        for side in [0, 1] {
            for (place, &option) in options[side].iter().enumerate() {
                for i in 0..self.options(option, 1 - side).len() {
                    let answer = self.options(option, 1 - side)[i];
                    let reverses =
                        if side == 0 { self.below(answer, options) } else { self.above(answer, options) };
                    if reverses {
                        return Some((side, place, answer));
                    }
                }
            }
        }
        None
    }

    /// Whether a value is at most the game with these options.
    fn below(&mut self, value: Value, game: &[Vec<Value>; 2]) -> bool {
        !game[1].iter().any(|&option| self.at_most(option, value))
            && !(0..self.options(value, 0).len()).any(|i| self.above(self.options(value, 0)[i], game))
    }

    /// Whether a value is at least the game with these options.
    fn above(&mut self, value: Value, game: &[Vec<Value>; 2]) -> bool {
        !game[0].iter().any(|&option| self.at_most(value, option))
            && !(0..self.options(value, 1).len()).any(|i| self.below(self.options(value, 1)[i], game))
    }

    /// Whether `one` is at most `other`: Right, moving second, wins the first minus the second.
    pub fn at_most(&mut self, one: Value, other: Value) -> bool {
        if one == other {
            return true;
        }
        // If one is at most the other, Left wins whatever sum with the other she wins with the one, and Right the other way round.
        let [wins, others] = [one, other].map(|value| self.wins[value.0 as usize]);
        if wins[0] & !others[0] != 0 || others[1] & !wins[1] != 0 {
            return false;
        }
        if let Some(&known) = self.orders.get(&(one, other)) {
            return known;
        }
        let holds = !(0..self.options(one, 0).len()).any(|i| self.at_most(other, self.options(one, 0)[i]))
            && !(0..self.options(other, 1).len()).any(|i| self.at_most(self.options(other, 1)[i], one));
        if self.orders.len() > MEMO * self.most {
            self.orders.clear();
        }
        self.orders.insert((one, other), holds);
        holds
    }

    /// What [`sum`](Values::sum) says, if that is remembered.
    fn known_sum(&self, one: Value, other: Value) -> Option<Option<Value>> {
        match (one, other) {
            (Value::ZERO, value) | (value, Value::ZERO) => Some(Some(value)),
            _ => self.sums.get(&(one.min(other), one.max(other))).copied(),
        }
    }

    /// The sum of two games.
    pub fn sum(&mut self, one: Value, other: Value) -> Option<Value> {
        if let Some(known) = self.known_sum(one, other) {
            return known;
        }
        let sum = self.new_sum(one, other);
        if self.sums.len() > MEMO * self.most {
            self.sums.clear();
        }
        self.sums.insert((one.min(other), one.max(other)), sum);
        sum
    }

    fn new_sum(&mut self, one: Value, other: Value) -> Option<Value> {
        let mut options = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            for (moved, stays) in [(one, other), (other, one)] {
                for i in 0..self.options(moved, side).len() {
                    let option = self.options(moved, side)[i];
                    options[side].push(self.sum(option, stays)?);
                }
            }
        }
        self.game(options)
    }

    /// The game with the players exchanged.
    pub fn negative(&mut self, value: Value) -> Option<Value> {
        if let Some(known) = self.negatives[value.0 as usize] {
            return Some(known);
        }
        let mut form = Form::default();
        for side in [0, 1] {
            let options = self.options(value, 1 - side).to_vec();
            let mut options: Vec<Value> =
                options.into_iter().map(|option| self.negative(option)).collect::<Option<_>>()?;
            options.sort_unstable();
            form[side] = options.into_boxed_slice();
        }
        let negative = self.store(form)?;
        self.negatives[value.0 as usize] = Some(negative);
        self.negatives[negative.0 as usize] = Some(value);
        Some(negative)
    }

    /// Whether the player of a side, 0 for Left and 1 for Right, wins moving first.
    pub fn wins_first(&self, value: Value, side: usize) -> bool {
        self.wins[value.0 as usize][side] & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn integer(values: &mut Values, n: usize) -> Value {
        (0..n).fold(Value::ZERO, |below, _| values.game([vec![below], vec![]]).unwrap())
    }

    #[test]
    fn well_known_values() {
        let mut values = Values::default();
        let one = integer(&mut values, 1);
        let two = integer(&mut values, 2);
        let star = values.game([vec![Value::ZERO], vec![Value::ZERO]]).unwrap();
        let up = values.game([vec![Value::ZERO], vec![star]]).unwrap();
        let half = values.game([vec![Value::ZERO], vec![one]]).unwrap();
        assert_eq!(values.sum(one, one), Some(two));
        assert_eq!(values.sum(half, half), Some(one));
        assert_eq!(values.sum(star, star), Some(Value::ZERO));
        // The simplest number between −1 and 2 is 0, and {1 | 3} = 2.
        let minus = values.negative(one).unwrap();
        let three = integer(&mut values, 3);
        assert_eq!(values.game([vec![minus], vec![two]]), Some(Value::ZERO));
        assert_eq!(values.game([vec![one], vec![three]]), Some(two));
        // Up is positive and less than every positive number, and confused with star; two ups exceed star.
        assert!(
            values.at_most(Value::ZERO, up) && values.at_most(up, half) && !values.at_most(up, Value::ZERO)
        );
        assert!(!values.at_most(up, star) && !values.at_most(star, up));
        let double = values.sum(up, up).unwrap();
        assert!(values.at_most(star, double));
        // {0 | up} is up, up and star.
        let upon = values.game([vec![Value::ZERO], vec![up]]).unwrap();
        let double_up_star = values.sum(double, star).unwrap();
        assert_eq!(upon, double_up_star);
        let negative = values.negative(up).unwrap();
        assert_eq!(values.sum(up, negative), Some(Value::ZERO));
        assert!(values.wins_first(star, 0) && values.wins_first(star, 1));
        assert!(values.wins_first(up, 0) && !values.wins_first(up, 1));
    }

    /// Values of random games, small ones first.
    fn random_values(values: &mut Values, count: usize) -> Vec<Value> {
        let (mut rng, mut list) = (Rng::new(1), vec![Value::ZERO]);
        while list.len() < count {
            let mut some = || (0..rng.below(4)).map(|_| list[rng.below(list.len())]).collect::<Vec<Value>>();
            let options = [some(), some()];
            let value = values.game(options).unwrap();
            if !list.contains(&value) {
                list.push(value);
            }
        }
        list
    }

    #[test]
    fn comparisons_agree_with_their_definition() {
        type Known = FxHashMap<(Value, Value), bool>;
        fn at_most(values: &Values, one: Value, other: Value, known: &mut Known) -> bool {
            if let Some(&holds) = known.get(&(one, other)) {
                return holds;
            }
            let holds = !values.options(one, 0).iter().any(|&option| at_most(values, other, option, known))
                && !values.options(other, 1).iter().any(|&option| at_most(values, option, one, known));
            known.insert((one, other), holds);
            holds
        }
        let mut values = Values::default();
        let (list, mut known, mut count) = (random_values(&mut values, 150), Known::default(), 0);
        for &one in &list {
            for &other in &list {
                let holds = at_most(&values, one, other, &mut known);
                assert_eq!(values.at_most(one, other), holds, "{one:?} {other:?}");
                count += usize::from(holds);
            }
        }
        assert!((1_000..21_000).contains(&count), "{count}");
    }

    #[test]
    fn wins_with_every_test_are_those_of_the_sum() {
        let mut values = Values::default();
        let mut tests: Vec<Value> = Vec::new();
        for options in TESTS {
            let options = options.map(|places| places.iter().map(|&place| tests[place]).collect());
            tests.push(values.game(options).unwrap());
        }
        for value in random_values(&mut values, 60) {
            for (nth, &test) in tests.iter().enumerate() {
                let sum = values.sum(value, test).unwrap();
                for side in [0, 1] {
                    let wins = values.wins[value.0 as usize][side] >> nth & 1 != 0;
                    assert_eq!(wins, values.wins_first(sum, side), "{value:?} and test {nth}");
                }
            }
        }
    }

    #[test]
    fn room_is_bounded() {
        let mut values = Values::new(3);
        assert!(integer(&mut values, 3) != Value::ZERO);
        let three = integer(&mut values, 3);
        assert_eq!(values.game([vec![three], vec![]]), None);
        assert_eq!(values.sum(three, three), None);
    }
}
