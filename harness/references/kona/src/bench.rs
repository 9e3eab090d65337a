//! How long a derivation takes.

use crate::{
    derive::{TimedRun, derived_hashes},
    vector::Vector,
};
use serde::Serialize;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The measurement of one vector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measurement {
    pub name: String,
    pub iterations: usize,
    pub median_nanoseconds: u128,
}

/// Derives from `vector` again and again for about `duration`, after a warm-up of a fifth of it.
pub fn measure(vector: &Vector, duration: Duration) -> Measurement {
    let hashes = derived_hashes(vector);
    time_runs(vector, &hashes, duration / 5);
    let mut times = time_runs(vector, &hashes, duration);
    times.sort_unstable();
    Measurement {
        name: vector.name.clone(),
        iterations: times.len(),
        median_nanoseconds: times[times.len() / 2].as_nanos(),
    }
}

/// The times of at least one run.
fn time_runs(vector: &Vector, hashes: &Arc<[alloy_primitives::B256]>, duration: Duration) -> Vec<Duration> {
    let start = Instant::now();
    let mut times = Vec::new();
    loop {
        let run = TimedRun::new(vector, hashes.clone());
        let run_start = Instant::now();
        // Dropped after the clock is read.
        let _chain = run.run();
        times.push(run_start.elapsed());
        if start.elapsed() >= duration {
            return times;
        }
    }
}
