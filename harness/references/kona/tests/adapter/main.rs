//! The adapter's library from outside.

mod derive;
mod scenario;
mod vector_faults;
