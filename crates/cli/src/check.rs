//! `delphic check`.

use crate::args::Check;
use crate::text::moves;
use crate::{Failure, exit, output, units};
use delphic_engine::{Refusal, claim_in_words, open_certificate};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::time::Instant;

pub(crate) fn run(options: &Check) -> Result<u8, Failure> {
    let path = options.file.display();
    let file =
        File::open(&options.file).map_err(|error| Failure::Other(format!("cannot read {path}: {error}")))?;
    let size = file.metadata()?.len();
    match check(options, file, size) {
        Ok(report) => {
            output(&report)?;
            Ok(0)
        }
        Err(Refusal::File(error)) => Err(error.into()),
        Err(refusal) => {
            output(&format!("NOT VALID: {refusal}\n"))?;
            Ok(exit::ERROR)
        }
    }
}

fn check(options: &Check, file: File, size: u64) -> Result<String, Refusal> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (header, game) = open_certificate(&mut file)?;
    let started = Instant::now();
    let checked = if options.print {
        let mut out = BufWriter::new(std::io::stdout().lock());
        writeln!(out, "game     {}\nposition {}", header.game, header.position)?;
        let checked = game.check(&header, &mut file, options.memory, Some(&mut out))?;
        writeln!(out)?;
        out.flush()?;
        checked
    } else {
        game.check(&header, &mut file, options.memory, None)?
    };
    let time = started.elapsed();
    let payoffs = game.payoffs();
    let words: Vec<String> = header.claims.iter().map(|&claim| claim_in_words(claim, &payoffs)).collect();
    let mut text = format!("VALID: {}\n", words.join("; "));
    let mut row = |label: &str, content: String| text += &format!("{label:<9}{content}\n");
    row("game", header.game);
    row("position", header.position);
    if !checked.line.is_empty() {
        row("line", moves(&checked.line));
        row("length", format!("at most {} plies", checked.plies));
    }
    let each = size as f64 / checked.strategy.max(1) as f64;
    row(
        "size",
        format!(
            "{} strategy positions, {} ({each:.2} bytes each)",
            units::grouped(checked.strategy),
            units::size(size)
        ),
    );
    let speed = checked.looked_at as f64 / time.as_secs_f64().max(1e-9);
    row(
        "effort",
        format!(
            "{}, {} positions looked at, {} per second",
            units::time(time),
            units::grouped(checked.looked_at),
            units::grouped(speed as u64)
        ),
    );
    Ok(text)
}
