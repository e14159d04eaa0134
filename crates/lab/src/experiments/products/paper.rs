//! Tables 4 to 7 of paper 2.

use crate::report::Number::{self, Above, Is, Missing};

/// A game of the paper.
pub(super) struct Domain {
    pub(super) name: &'static str,
    /// The paper's tables of nodes and of times.
    pub(super) tables: [u8; 2],
    pub(super) boards: &'static [Board],
}

/// A board with the paper's nodes and seconds for αβ, PNT, PN², PP, PPT and PP².
pub(super) struct Board {
    pub(super) name: &'static str,
    pub(super) game: &'static str,
    pub(super) nodes: [Number; 6],
    pub(super) seconds: [Number; 6],
}

pub(super) const DOMAINS: [Domain; 2] = [
    Domain {
        name: "Domineering",
        tables: [4, 5],
        boards: &[
            Board {
                name: "5×6",
                game: "domineering:6x5",
                nodes: [
                    Is(701_559.0),
                    Is(1_002_277.0),
                    Is(17_236.0),
                    Is(101_244.0),
                    Is(27_766.0),
                    Is(3_634.0),
                ],
                seconds: [Is(0.87), Is(5.92), Is(78.7), Is(0.24), Is(0.17), Is(0.22)],
            },
            Board {
                name: "6×6",
                game: "domineering:6x6",
                nodes: [
                    Is(38_907_049.0),
                    Above(1e7),
                    Above(154_107.0),
                    Is(5_525_608.0),
                    Is(528_032.0),
                    Is(24_190.0),
                ],
                seconds: [Is(40.68), Missing, Above(10_660.0), Is(20.1), Is(5.33), Is(15.5)],
            },
            Board {
                name: "7×6",
                game: "domineering:6x7",
                nodes: [
                    Is(6_387_283_988.0),
                    Above(1e7),
                    Above(511_568.0),
                    Above(1e7),
                    Is(4_294_785.0),
                    Is(145_757.0),
                ],
                seconds: [Is(5_656.0), Missing, Above(153_000.0), Above(35.84), Is(55.13), Is(320.3)],
            },
        ],
    },
    Domain {
        name: "NoGo",
        tables: [6, 7],
        boards: &[
            Board {
                name: "4×4",
                game: "nogo:4x4",
                nodes: [
                    Is(17_194_590.0),
                    Is(3_575_076.0),
                    Is(77_010.0),
                    Above(1e7),
                    Is(2_319_816.0),
                    Missing,
                ],
                seconds: [Is(33.05), Is(436.6), Is(27_519.0), Above(338.84), Is(396.36), Missing],
            },
            Board {
                name: "18×1",
                game: "nogo:1x18",
                nodes: [
                    Is(4_444_384.0),
                    Is(2_015_179.0),
                    Above(22_679.0),
                    Is(864_951.0),
                    Is(98_991.0),
                    Is(14_246.0),
                ],
                seconds: [Is(10.43), Is(144.2), Above(3_607.0), Is(21.39), Is(9.46), Is(109.7)],
            },
            Board {
                name: "20×1",
                game: "nogo:1x20",
                nodes: [
                    Is(154_006_001.0),
                    Above(1e7),
                    Above(29_098.0),
                    Is(6_173_393.0),
                    Is(389_119.0),
                    Missing,
                ],
                seconds: [Is(361.0), Above(809.0), Above(4_583.0), Is(156.3), Is(46.3), Missing],
            },
            Board {
                name: "22×1",
                game: "nogo:1x22",
                nodes: [Is(3_133_818_285.0), Above(1e7), Missing, Above(1e7), Is(2_814_553.0), Missing],
                seconds: [Is(7_564.0), Missing, Missing, Above(307.55), Is(446.58), Missing],
            },
        ],
    },
];
