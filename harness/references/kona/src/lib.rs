//! Drives kona's published derivation stages over holodiff vectors and records what crosses each stage boundary.
//!
//! Start at [`derive`]: it strings the stages together and holds the driver loop.

pub mod bench;
pub mod chain;
pub mod crash;
pub mod derive;
pub mod engine;
mod json;
mod kona;
pub mod recorder;
pub mod trace;
pub mod vector;
