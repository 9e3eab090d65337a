//! The adapter process: vectors in, traces out, one JSON document a line.

use holodiff_kona::{
    bench, crash,
    derive::{derive_assembled, derive_recorded},
    trace::{IMPLEMENTATION, Implementation, Trace},
    vector::{FORMAT, Fault, Vector},
};
use serde::Serialize;
use std::{
    env,
    io::{self, BufRead, BufReader, BufWriter, Write},
    process::ExitCode,
    time::Duration,
};

const USAGE: &str = "usage: holodiff-kona [--assembled | --bench MILLISECONDS]";

/// Bytes of standard input that are read at once; vectors of several megabytes are common.
const INPUT_BUFFER: usize = 1 << 20;

enum Mode {
    Recorded,
    Assembled,
    Bench(Duration),
}

#[derive(Serialize)]
struct Handshake {
    holodiff: &'static str,
    implementation: Implementation,
    formats: [u64; 1],
    decompressors: Decompressors,
    dependencies: Dependencies,
}

#[derive(Serialize)]
struct Decompressors {
    zlib: &'static str,
    brotli: &'static str,
}

/// Packages of kona's with versions of their own.
#[derive(Serialize)]
struct Dependencies {
    protocol: &'static str,
    genesis: &'static str,
}

const HANDSHAKE: Handshake = Handshake {
    holodiff: "handshake",
    implementation: IMPLEMENTATION,
    formats: [FORMAT],
    decompressors: Decompressors {
        zlib: concat!("miniz_oxide ", env!("MINIZ_OXIDE_VERSION")),
        brotli: concat!(
            "brotli ",
            env!("BROTLI_VERSION"),
            ", brotli-decompressor ",
            env!("BROTLI_DECOMPRESSOR_VERSION")
        ),
    },
    dependencies: Dependencies { protocol: env!("PROTOCOL_PACKAGE"), genesis: env!("GENESIS_PACKAGE") },
};

#[derive(Serialize)]
struct ErrorLine {
    error: Fault,
}

fn main() -> ExitCode {
    let Some(mode) = read_arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    crash::install_hook();
    match converse(&mode) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("holodiff-kona: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read_arguments() -> Option<Mode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Some(Mode::Recorded),
        ["--assembled"] => Some(Mode::Assembled),
        ["--bench", milliseconds] => Some(Mode::Bench(Duration::from_millis(milliseconds.parse().ok()?))),
        _ => None,
    }
}

/// Speaks the adapter protocol on standard input and output.
///
/// # Errors
/// Those of the two streams.
fn converse(mode: &Mode) -> io::Result<()> {
    let input = BufReader::with_capacity(INPUT_BUFFER, io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    write_line(&mut output, &HANDSHAKE)?;
    match mode {
        Mode::Recorded => answer_each(input, &mut output, derive_recorded),
        Mode::Assembled => answer_each(input, &mut output, derive_assembled),
        Mode::Bench(duration) => {
            let mut vectors = Vec::new();
            each_document(input, |document| {
                vectors.push(Vector::parse(document));
                Ok(())
            })?;
            for vector in vectors {
                match vector {
                    Ok(vector) => write_line(&mut output, &bench::measure(&vector, *duration))?,
                    Err(error) => write_line(&mut output, &ErrorLine { error })?,
                }
            }
            Ok(())
        }
    }
}

fn answer_each(input: impl BufRead, output: &mut impl Write, derive: fn(&Vector) -> Trace) -> io::Result<()> {
    each_document(input, |document| match Vector::parse(document) {
        Ok(vector) => write_line(output, &derive(&vector)),
        Err(error) => write_line(output, &ErrorLine { error }),
    })
}

/// Hands each line that is not blank to `handle`.
fn each_document(mut input: impl BufRead, mut handle: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? != 0 {
        let document = line.trim_ascii();
        if !document.is_empty() {
            handle(document)?;
        }
        line.clear();
    }
    Ok(())
}

fn write_line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    output.write_all(b"\n")?;
    output.flush()
}
