//! Learning to solve (paper 4): patterns around moves, and priors for leaves trained from solved trees.

pub mod capture;
