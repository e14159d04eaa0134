//! Pages: verdicts, tables and figures of an experiment as Markdown and as one HTML file, with all numbers and rows beside them.

mod compare;
mod html;
mod markdown;

pub use compare::{Number, range, ratio, seconds, short};

use crate::claim::Judged;
use crate::run::distinct;
use crate::text::{csv_line, grouped};
use crate::{Algorithm, Experiment, LabError, Ledger, Provenance, Results, Run, Scale};
use delphic_base::atomic_file;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;

/// A piece of a page.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// A heading within the page.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// Points, one under the other.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture.
    Figure(Figure),
    /// The verdicts on claims.
    Claims(Vec<Judged>),
    /// A line with a link: its text, and a file beside the page.
    Link(String, String),
}

impl Block {
    /// A heading.
    pub fn heading(text: impl Into<String>) -> Block {
        Block::Heading(text.into())
    }

    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Block {
        Block::Text(text.into())
    }
}

/// A table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new<const N: usize>(caption: impl Into<String>, head: [&str; N]) -> Table {
        Table { caption: caption.into(), head: head.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, row: [String; N]) {
        self.rows.push(row.to_vec());
    }

    /// As comma-separated values.
    pub fn csv(&self) -> String {
        let line = |row: &Vec<String>| csv_line(row.iter().map(String::as_str));
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Block {
        Block::Table(table)
    }
}

/// A picture and the numbers in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The name of its files, after that of the experiment.
    pub slug: String,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub svg: String,
    /// Its numbers.
    pub csv: String,
}

impl From<Figure> for Block {
    fn from(figure: Figure) -> Block {
        Block::Figure(figure)
    }
}

/// The heading of the index.
const TITLE: &str = "Published experiments, reproduced";

/// A page about one experiment.
pub(crate) struct Page {
    name: &'static str,
    title: &'static str,
    blocks: Vec<Block>,
}

/// All experiments with their claims.
pub(crate) struct Index {
    entries: Vec<Entry>,
}

/// An experiment in the index.
struct Entry {
    name: &'static str,
    title: &'static str,
    judged: Vec<Judged>,
    /// Whether it has a page.
    written: bool,
}

/// What a report shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// The scale; by default that of each experiment's last run.
    pub scale: Option<Scale>,
    /// Whether rows that other revisions made are shown where this one has made none.
    pub reuse: bool,
}

/// The rows behind a page, and where they come from.
fn sources(
    experiment: &dyn Experiment,
    ledger: &Ledger,
    scale: Scale,
    reuse: bool,
    known: &Results,
) -> Result<Vec<Block>, LabError> {
    let name = experiment.name();
    let cells = distinct(experiment, scale, known);
    let (mut rows, mut seeds, mut done) = (BTreeMap::new(), BTreeSet::new(), 0);
    for cell in &cells {
        if let Some(run) = known.run(cell) {
            let Provenance { revision, code, compiler, .. } = &run.provenance;
            let key = (revision.clone(), code.clone(), run.provenance.machine(), compiler.clone());
            let (count, first, last, threads) =
                rows.entry(key).or_insert((0_u64, String::new(), String::new(), BTreeSet::new()));
            let day = run.provenance.day().to_owned();
            *count += 1;
            threads.insert(run.threads);
            if first.is_empty() || day < *first {
                first.clone_from(&day);
            }
            if day > *last {
                *last = day;
            }
            seeds.insert(cell.seed);
            done += 1;
        }
    }
    let mut table = Table::new(
        "Where the rows of this page come from",
        ["revision", "code", "rows", "date", "machine", "threads", "compiler"],
    );
    let current = Provenance::code();
    let mut foreign = 0;
    for ((revision, code, machine, compiler), (count, first, last, threads)) in rows {
        let date = if first == last { first } else { format!("{first} to {last}") };
        let mark = if code == current { code } else { format!("{code} (another revision)") };
        foreign += if mark == current { 0 } else { count };
        let threads: Vec<String> = threads.iter().map(usize::to_string).collect();
        table.row([revision, mark, grouped(count), date, machine, threads.join(", "), compiler]);
    }
    let seeds = match (seeds.first(), seeds.last()) {
        (Some(first), Some(last)) if first != last => format!("seeds {first} to {last}"),
        (Some(only), _) => format!("seed {only}"),
        _ => "no seeds".to_owned(),
    };
    let mut text = format!(
        "**This page** shows scale {scale}: {} of {} cells are done, {seeds}. Made by `delphic lab run {name} --scale {scale}{}` and `delphic lab report {name}`.",
        grouped(done),
        grouped(cells.len() as u64),
        experiment.options(),
    );
    if foreign > 0 {
        text += &format!(
            " {} rows were made by other revisions and are shown because `--reuse` was given.",
            grouped(foreign)
        );
    }
    let others = ledger.foreign(name)?;
    if !reuse && !others.is_empty() {
        let list: Vec<String> =
            others.iter().map(|(revision, rows)| format!("{} by {revision}", grouped(*rows))).collect();
        text += &format!(
            " The ledger also has rows of other revisions, which are not shown: {}.",
            list.join(", ")
        );
    }
    let mut blocks = vec![Block::text(text)];
    if !table.rows.is_empty() {
        blocks.push(table.into());
        blocks.push(Block::Link(
            "All rows, as compressed comma-separated values".to_owned(),
            format!("{name}-rows.csv.gz"),
        ));
    }
    Ok(blocks)
}

/// The page of an experiment, and its claims. There is no page if it was never run.
fn page(
    experiment: &dyn Experiment,
    ledger: &Ledger,
    selection: Selection,
) -> Result<(Option<Page>, Vec<Judged>), LabError> {
    let (name, about) = (experiment.name(), experiment.about());
    let Some(Run { scale: last, .. }) = ledger.last(name)? else {
        return Ok((None, experiment.claims(Scale::Smoke, &Results::default())));
    };
    let scale = selection.scale.unwrap_or(last);
    let known = ledger.results(name, selection.reuse)?;
    let judged = experiment.claims(scale, &known);
    let mut blocks = vec![Block::text(format!("Paper {}", about.paper)), Block::Claims(judged.clone())];
    blocks.push(Block::heading("How it was done"));
    for (what, text) in [
        ("Instances", about.instances),
        ("Solvers", about.solvers),
        ("Limits", about.limits),
        ("Counted", about.counted),
    ] {
        blocks.push(Block::text(format!("**{what}.** {text}")));
    }
    if !about.deviations.is_empty() {
        blocks.push(Block::text("**Deviations.**"));
        blocks.push(Block::List(about.deviations.iter().map(|&text| text.to_owned()).collect()));
    }
    if !about.algorithms.is_empty() {
        let mut table = Table::new("The algorithms", ["algorithm", "ours", "in words"]);
        for Algorithm { name, mark, words } in about.algorithms {
            table.row([(*name).to_owned(), mark.to_string(), (*words).to_owned()]);
        }
        blocks.push(table.into());
    }
    blocks.extend(sources(experiment, ledger, scale, selection.reuse, &known)?);
    blocks.extend(experiment.report(scale, &known));
    Ok((Some(Page { name, title: about.title, blocks }), judged))
}

/// Writes the pages of the experiments with these names, with the raw rows beside them, and an index over all experiments, into a folder.
/// Experiments that were never run have no page. Returns the names of the pages.
pub fn write(
    experiments: &[Box<dyn Experiment>],
    names: &[&str],
    ledger: &Ledger,
    selection: Selection,
    folder: &Path,
) -> Result<Vec<&'static str>, LabError> {
    let (mut pages, mut entries) = (Vec::new(), Vec::new());
    for experiment in experiments {
        let (found, judged) = page(&**experiment, ledger, selection)?;
        let (name, title) = (experiment.name(), experiment.about().title);
        let asked = names.contains(&name);
        // A page of an earlier call stays in the folder, and in the index.
        let written = found.is_some() && (asked || folder.join(format!("{name}.md")).exists());
        pages.extend(found.filter(|_| asked));
        entries.push(Entry { name, title, judged, written });
    }
    if pages.is_empty() {
        return Ok(Vec::new());
    }
    fs::create_dir_all(folder)?;
    for page in &pages {
        put(folder, &format!("{}.html", page.name), &html::page(page))?;
        put(folder, &format!("{}.md", page.name), &markdown::page(page))?;
        let rows = ledger.csv(Some(page.name))?;
        atomic_file::write(&folder.join(format!("{}-rows.csv.gz", page.name)), &compressed(&rows)?)?;
        let mut tables = 0;
        for block in &page.blocks {
            match block {
                Block::Figure(figure) => {
                    let name = format!("{}-{}", page.name, figure.slug);
                    put(folder, &format!("{name}.svg"), &figure.svg)?;
                    put(folder, &format!("{name}.csv"), &figure.csv)?;
                }
                Block::Table(table) => {
                    tables += 1;
                    put(folder, &format!("{}-table{tables}.csv", page.name), &table.csv())?;
                }
                Block::Heading(_) | Block::Text(_) | Block::List(_) | Block::Claims(_) | Block::Link(..) => {}
            }
        }
    }
    let index = Index { entries };
    put(folder, "index.html", &html::index(&index))?;
    put(folder, "README.md", &markdown::index(&index))?;
    Ok(pages.iter().map(|page| page.name).collect())
}

/// Text compressed with gzip, the same bytes for the same text.
pub fn compressed(text: &str) -> Result<Vec<u8>, LabError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.finish()?)
}

fn put(folder: &Path, name: &str, text: &str) -> Result<(), LabError> {
    Ok(atomic_file::write(&folder.join(name), text.as_bytes())?)
}
