//! `delphic check`.

use crate::args::Check;
use crate::text::moves;
use crate::{Failure, exit, output, progress, units};
use delphic_engine::{
    BundleRefusal, Checked, Header, Refusal, check_bundle, claim_in_words, json, open_certificate,
};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::time::{Duration, Instant};

pub(crate) fn run(options: &Check) -> Result<u8, Failure> {
    // A file that cannot be read is bad input, and must not have the exit code of an invalid certificate.
    let unreadable =
        |error: std::io::Error| Failure::Usage(format!("cannot read {}: {error}", options.file.display()));
    if options.file.is_dir() {
        return in_parts(options);
    }
    let file = File::open(&options.file).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    match check(options, file) {
        Ok(valid) => {
            output(&if options.json { valid.json(size) } else { valid.text(size) })?;
            Ok(0)
        }
        Err(Refusal::File(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Err(Failure::PipeClosed)
        }
        Err(Refusal::File(error)) => Err(unreadable(error)),
        Err(refusal) => refused(options, &refusal.to_string()),
    }
}

fn refused(options: &Check, reason: &str) -> Result<u8, Failure> {
    output(&match options.json {
        true => format!("{}\n", json::refused(reason)),
        false => format!("NOT VALID: {reason}\n"),
    })?;
    Ok(exit::ERROR)
}

/// Checks a folder.
fn in_parts(options: &Check) -> Result<u8, Failure> {
    if options.print {
        return Err(Failure::Usage("--print is for a certificate in one file".to_owned()));
    }
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = options.threads.map_or_else(available, std::num::NonZero::get);
    let bar = progress::bar(options.json, Some(0), "{bar:30} {pos} of {len} parts checked, {eta} left");
    let started = Instant::now();
    let checked = check_bundle(&options.file, threads, options.memory / threads as u64, &|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let checked = match checked {
        Ok(checked) => checked,
        Err(BundleRefusal { part: None, reason: Refusal::File(error) }) => {
            return Err(Failure::Usage(format!("cannot read {}: {error}", options.file.display())));
        }
        Err(refusal) => return refused(options, &refusal.to_string()),
    };
    let time = started.elapsed();
    if options.json {
        output(&format!("{}\n", json::checked_bundle(&checked, time)))?;
        return Ok(0);
    }
    let claims: Vec<String> =
        checked.claims.iter().map(|&claim| claim_in_words(claim, &checked.payoffs)).collect();
    let speed = checked.looked_at as f64 / time.as_secs_f64().max(1e-9);
    output(&format!(
        "VALID: {}\ngame     {}\nposition {}\nparts    {}, {}\nsize     {}, {}\neffort   {}, {} visited, {} per second\n",
        claims.join("; "),
        checked.game,
        checked.position,
        units::grouped(checked.parts as u64),
        units::plural(checked.citations as u64, "citation"),
        units::plural(checked.strategy, "strategy position"),
        units::size(checked.bytes),
        units::time(time),
        units::plural(checked.looked_at, "position"),
        units::grouped(speed as u64)
    ))?;
    Ok(0)
}

/// A certificate that was accepted.
struct Valid {
    header: Header,
    payoffs: Vec<i16>,
    checked: Checked,
    time: Duration,
}

fn check(options: &Check, file: File) -> Result<Valid, Refusal> {
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
    Ok(Valid { header, payoffs: game.payoffs(), checked, time: started.elapsed() })
}

impl Valid {
    fn text(&self, size: u64) -> String {
        let Valid { header, checked, time, .. } = self;
        let mut text = format!("VALID: {}\n", json::claims_in_words(header, &self.payoffs).join("; "));
        let mut row = |label: &str, content: String| text += &format!("{label:<9}{content}\n");
        row("game", header.game.clone());
        row("position", header.position.clone());
        if !checked.line.is_empty() {
            row("line", moves(&checked.line));
            row(
                "length",
                match checked.endless {
                    true => "endless play is possible, and agrees with the claim".to_owned(),
                    false => format!("at most {}", units::plies(checked.plies)),
                },
            );
        }
        let each = size as f64 / checked.strategy.max(1) as f64;
        let positions = units::plural(checked.strategy, "strategy position");
        row("size", format!("{positions}, {} ({each:.2} bytes each)", units::size(size)));
        let speed = checked.looked_at as f64 / time.as_secs_f64().max(1e-9);
        row(
            "effort",
            format!(
                "{}, {} visited, {} per second",
                units::time(*time),
                units::plural(checked.looked_at, "position"),
                units::grouped(speed as u64)
            ),
        );
        text
    }

    fn json(&self, size: u64) -> String {
        let Valid { header, checked, time, .. } = self;
        format!("{}\n", json::checked(header, &self.payoffs, checked, size, *time))
    }
}
