//! `delphic solve`.

use crate::args::{Effort, Solve};
use crate::interrupt::{self, INTERRUPT};
use crate::progress::{Line, Phase, Subject};
use crate::{Failure, batch, checkpoints, exit, output, position, strong, text, version};
use delphic_base::atomic_file::AtomicFile;
use delphic_engine::{
    Answer, AnyPosition, Ask, Bundle, Conclusion, Limits, ProofError, Request, Solver, StopReason, Value,
    Workers, game, json,
};
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(options: &Solve) -> Result<u8, Failure> {
    let game = game(&options.at.game)?;
    interrupt::listen()?;
    let mut request = request(&options.effort, options.question.unwrap_or(Ask::Value), 1);
    request.limits.workers = Workers {
        lockstep: options.lockstep.map_or(0, usize::from),
        shuffle: 0,
        spread: options.spread,
        virtual_value: options.virtual_value,
    };
    request.player = options.player;
    if options.at.is_batch() {
        let single = [
            ("--proof", &options.proof),
            ("--table", &options.table),
            ("--checkpoint", &options.checkpoint),
            ("--resume", &options.resume),
        ];
        if let Some((option, _)) = single.iter().find(|(_, path)| path.is_some()) {
            return Err(Failure::Usage(format!("{option} is for one position, not for a batch")));
        }
        request.prepare(&*game)?;
        return batch::run(&*game, options, request);
    }
    let folder = options.checkpoint.as_deref().or(options.resume.as_deref());
    if folder.is_none() && options.every.is_some() {
        return Err(Failure::Usage("--every needs --checkpoint or --resume".to_owned()));
    }
    let saved =
        options.resume.as_deref().map(|folder| checkpoints::open(folder, options.quiet)).transpose()?;
    let mut at = options.at.position.clone();
    if let Some(saved) = &saved {
        let said = saved.identity();
        if at.is_none() && options.at.moves.is_none() && said.game == game.spec() {
            at = Some(said.position.clone());
        }
        checkpoints::fill_in(&mut request, options, said);
    }
    request.limits.threads = threads(options, &request.solver);
    request.prepare(&*game)?;
    let position = position::read(&*game, at.as_deref(), options.at.moves.as_deref())?;
    if let Some(path) = &options.table {
        return strong::solve(options, &*position, &request, path);
    }
    let checkpoint = checkpoints::keep(saved, options, &request, &*position)?;
    request.checkpoint = checkpoint.as_ref();
    let mut line = Line::new(options.quiet, Subject::of(&request, game.spec()));
    if let Some(folder) = &options.resume {
        line.show(&Phase::Loading(&folder.to_string_lossy()));
    }
    if let Some(folder) = folder.filter(|_| !options.quiet) {
        interrupt::notice(format!("stopping: the checkpoint is being saved in {}", folder.display()));
    }
    match &options.proof {
        None => answer(options, &*position, &request, &mut line, folder),
        Some(file) => prove(options, &*position, &request, &mut line, folder, file),
    }
}

fn answer(
    options: &Solve,
    position: &dyn AnyPosition,
    request: &Request<'_>,
    line: &mut Line,
    folder: Option<&Path>,
) -> Result<u8, Failure> {
    let answer = position.solve_with_line(request, line);
    line.clear();
    checkpoints::check(request.checkpoint, &answer)?;
    output(&match options.json {
        true => format!("{}\n", json::answer(&answer, version::REVISION)),
        false => text::answer(&answer, folder),
    })?;
    checkpoints::note_solved(&answer, folder);
    Ok(exit_code(&answer))
}

/// Solves and writes a certificate. The verdict is printed as soon as it is known, because writing may take longer than the search.
fn prove(
    options: &Solve,
    position: &dyn AnyPosition,
    request: &Request<'_>,
    line: &mut Line,
    folder: Option<&Path>,
    path: &Path,
) -> Result<u8, Failure> {
    let name = path.display().to_string();
    let in_parts = path.is_dir() || name.ends_with(std::path::is_separator);
    if in_parts {
        std::fs::create_dir_all(path)?;
    }
    let target = if in_parts { path.join(Bundle::PARTS) } else { path.to_owned() };
    let mut file = ProofFile { file: AtomicFile::new(&target)?, bytes: 0, name: &name, line: line.again() };
    let (mut writing, mut printed) = (line.again(), None);
    let mut announce = |answer: &Answer| {
        if !matches!(answer.conclusion, Conclusion::Proved | Conclusion::Disproved) {
            return;
        }
        let headline = format!("{}\n", text::headline(answer));
        match options.json {
            false => printed = Some(writing.suspend(|| output(&headline))),
            // Standard output is for the JSON object.
            true if !options.quiet => writing.print(headline.trim_end()),
            true => {}
        }
        writing.show(&Phase::WritingProof { file: &name, bytes: 0 });
    };
    let (answer, certified) = match in_parts {
        false => {
            let (answer, certified) = position.prove_announced(request, line, &mut announce, &mut file);
            (answer, certified.map(|certified| (certified, None)))
        }
        true => {
            let (most, known) = (options.part_size, &mut announce);
            let (answer, certified) = position.prove_in_parts(request, most, line, known, &mut file);
            (answer, certified.map(|(certified, list)| (certified, Some(list))))
        }
    };
    line.clear();
    checkpoints::check(request.checkpoint, &answer)?;
    let written = certified.as_ref().ok().map(|(certified, _)| certified);
    if options.json {
        output(&format!("{}\n", json::proved(&answer, written, version::REVISION)))?;
    } else {
        printed.unwrap_or_else(|| output(&format!("{}\n", text::headline(&answer))))?;
        output(&(text::details(&answer, folder) + &text::certified(written)))?;
    }
    checkpoints::note_solved(&answer, folder);
    match certified {
        Ok((_, list)) => {
            file.file.finish()?;
            // The list is written last: a folder without a list is not a proof.
            if let Some(list) = list {
                let mut file = AtomicFile::new(&path.join(Bundle::LIST))?;
                list.write(&mut file)?;
                file.finish()?;
            }
            Ok(exit_code(&answer))
        }
        Err(ProofError::NoAnswer) => Ok(exit_code(&answer)),
        Err(ProofError::Stopped(StopReason::Interrupted)) => Err(Failure::Interrupted(format!(
            "the verdict is proved, but the certificate was not written to {name}"
        ))),
        // The answer is proved, but the requested file is missing.
        Err(error) => Err(Failure::Other(format!("no certificate in {name}: {error}"))),
    }
}

/// A certificate being written, with its size on the live line.
struct ProofFile<'a> {
    file: AtomicFile,
    bytes: u64,
    name: &'a str,
    line: Line,
}

impl Write for ProofFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        self.line.show(&Phase::WritingProof { file: self.name, bytes: self.bytes });
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A request with the given limits, which Ctrl-C can stop.
pub(crate) fn request(effort: &Effort, ask: Ask, threads: usize) -> Request<'static> {
    let limits = Limits {
        nodes: effort.nodes,
        time: effort.time,
        memory: Some(effort.memory),
        interrupt: Some(&INTERRUPT),
        threads,
        ..Limits::default()
    };
    let solver = effort.solver.clone().unwrap_or_default();
    Request { ask, solver, limits, seed: effort.seed.unwrap_or(1), ..Request::default() }
}

/// The given number of threads. The default is one per core for `auto` and for batches; a named solver uses one, so that its node counts
/// are reproducible.
pub(crate) fn threads(options: &Solve, solver: &Solver) -> usize {
    let default = match *solver == Solver::default() || options.at.is_batch() {
        true => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        false => 1,
    };
    options.threads.map_or(default, usize::from)
}

pub(crate) fn exit_code(answer: &Answer) -> u8 {
    let exact = ["value", "maxn"].contains(&answer.question.as_str());
    match (answer.conclusion, answer.value()) {
        (Conclusion::Estimated, _) => exit::UNDECIDED,
        (Conclusion::Unknown, _) if answer.stop == StopReason::Interrupted => exit::INTERRUPTED,
        (Conclusion::Unknown, _) => exit::UNDECIDED,
        (Conclusion::Proved, Some(Value::Draw | Value::Score(_))) if exact => exit::OTHER_VALUE,
        (Conclusion::Proved, _) => exit::PROVED,
        (Conclusion::Disproved, Some(Value::Score(_))) if exact => exit::OTHER_VALUE,
        (Conclusion::Disproved, _) => exit::DISPROVED,
    }
}
