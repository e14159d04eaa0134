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

/// Left's options and Right's, none dominated or reversible.
type Form = [Box<[Value]>; 2];

/// Values met so far. The number of values and the width of each are bounded: beyond that an operation has no result.
#[derive(Clone, Debug)]
pub struct Values {
    forms: Vec<Form>,
    numbers: FxHashMap<Form, Value>,
    negatives: Vec<Option<Value>>,
    /// Whether Left and Right win moving first.
    wins: Vec<[bool; 2]>,
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
        let wins = [0, 1].map(|side| form[side].iter().any(|&option| !self.wins_first(option, 1 - side)));
        self.wins.push(wins);
        self.forms.push(form.clone());
        self.negatives.push(None);
        self.numbers.insert(form, value);
        Some(value)
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
        self.wins[value.0 as usize][side]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn room_is_bounded() {
        let mut values = Values::new(3);
        assert!(integer(&mut values, 3) != Value::ZERO);
        let three = integer(&mut values, 3);
        assert_eq!(values.game([vec![three], vec![]]), None);
        assert_eq!(values.sum(three, three), None);
    }
}
