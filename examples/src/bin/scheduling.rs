//! Scheduling under uncertainty: an AND/OR problem that is not a game, solved by solvers by name and certified.
//!
//! Two machines do the jobs; the one that is free first takes the next. At most `MISHAPS` jobs last longer than planned. Which is the
//! earliest deadline that can be kept whatever happens? Which job comes next is a choice (OR), how long it lasts is not (AND).

use delphic::and_or::{AndOrGame, AndOrNode, AndOrProblem};
use delphic::{Header, Request, Value, own_game};
use std::{error::Error, fs::File, io::BufReader};

/// Hours that each job takes as planned, and after a mishap.
const JOBS: [[u8; 2]; 6] = [[2, 5], [3, 4], [4, 8], [5, 6], [6, 9], [3, 7]];
const MISHAPS: u8 = 2;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Shop {
    free: [u8; 2],      // the hours at which the machines are free, the earlier first
    waiting: u8,        // jobs not begun, one bit each
    chosen: Option<u8>, // the job that was chosen, until its duration is known
    mishaps_left: u8,
}

/// Can all jobs be done by this hour?
struct Deadline(u8);

impl AndOrProblem for Deadline {
    type State = Shop;
    /// A job; or, after a job was chosen, whether it lasts longer (1) or not (0).
    type Move = u8;

    fn root(&self) -> Shop {
        Shop { free: [0, 0], waiting: (1 << JOBS.len()) - 1, chosen: None, mishaps_left: MISHAPS }
    }

    fn node(&self, shop: &Shop) -> AndOrNode {
        match shop {
            Shop { free: [_, last], .. } if *last > self.0 => AndOrNode::Leaf(false),
            Shop { chosen: Some(_), .. } => AndOrNode::And,
            Shop { waiting: 0, .. } => AndOrNode::Leaf(true),
            _ => AndOrNode::Or,
        }
    }

    fn moves(&self, shop: &Shop, list: &mut Vec<u8>) {
        match shop.chosen {
            Some(_) => list.extend(0..=shop.mishaps_left.min(1)),
            None => list.extend((0..JOBS.len() as u8).filter(|job| shop.waiting >> job & 1 == 1)),
        }
    }

    fn play(&self, shop: &mut Shop, mv: u8) {
        let Some(job) = shop.chosen.take() else {
            shop.waiting &= !(1 << mv);
            return shop.chosen = Some(mv);
        };
        shop.free[0] += JOBS[usize::from(job)][usize::from(mv)];
        shop.free.sort_unstable();
        shop.mishaps_left -= mv;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("schedule.proof".to_owned());
    for name in ["auto", "pns", "pp", "dfpn", "ppnt", "brute"] {
        let request = Request { solver: name.parse()?, ..Request::default() };
        for hours in 1.. {
            let problem = own_game(&format!("deadline:{hours}"), AndOrGame(Deadline(hours)));
            let position = problem.position(None, None)?;
            let (answer, certified) = position.prove(&request, &mut (), &mut File::create(&path)?);
            certified?;
            let mut file = BufReader::new(File::open(&path)?);
            problem.check(&Header::read(&mut file)?, &mut file, 1 << 30, None)?;
            if answer.value() == Some(Value::Win) {
                println!("{name}: {hours} hours, certificate checked");
                break;
            }
        }
    }
    Ok(())
}
