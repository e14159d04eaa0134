//! Pages: what an experiment says, as Markdown and as one HTML file each, with every figure and its numbers beside them.

mod compare;
mod html;
mod markdown;

pub use compare::{Number, grouped, range, ratio, seconds, short};

use crate::run::distinct;
use crate::{Experiment, LabError, Ledger, Run, Scale};
use delphic_game::files;
use std::fs;
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
        let line =
            |row: &Vec<String>| row.iter().map(|cell| csv_field(cell)).collect::<Vec<_>>().join(",") + "\n";
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

/// A field of comma-separated values, in quotation marks where it must be.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A page about one experiment.
pub(crate) struct Page {
    name: &'static str,
    title: &'static str,
    blocks: Vec<Block>,
}

/// The page of an experiment at the scale it was last run at, or another; `None` if it was never run.
pub(crate) fn page(
    experiment: &dyn Experiment,
    ledger: &Ledger,
    scale: Option<Scale>,
) -> Result<Option<Page>, LabError> {
    let (name, about) = (experiment.name(), experiment.about());
    let Some(Run { scale: last, threads, version }) = ledger.last(name)? else { return Ok(None) };
    let scale = scale.unwrap_or(last);
    let known = ledger.results(name)?;
    let cells = distinct(experiment, scale, &known);
    let done = cells.iter().filter(|cell| known.get(cell).is_some()).count();
    let mut blocks = vec![Block::text(format!("Paper {}", about.paper))];
    for (what, text) in [
        ("Claim", about.claim),
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
    blocks.push(Block::text(format!(
        "**This page** shows scale {scale}: {} of {} cells done, {threads} threads, Delphic {version} on {} {}. Made by \
         `delphic lab run {name} --scale {scale}` and `delphic lab report {name}`.",
        grouped(done as u64),
        grouped(cells.len() as u64),
        std::env::consts::OS,
        std::env::consts::ARCH,
    )));
    blocks.extend(experiment.report(scale, &known));
    Ok(Some(Page { name, title: about.title, blocks }))
}

/// Writes the pages of these experiments, and an index, into a folder. Experiments that were never run have none. Returns the names of the
/// pages.
pub fn write(
    experiments: &[&dyn Experiment],
    ledger: &Ledger,
    scale: Option<Scale>,
    folder: &Path,
) -> Result<Vec<&'static str>, LabError> {
    let mut pages = Vec::new();
    for experiment in experiments {
        pages.extend(page(*experiment, ledger, scale)?);
    }
    fs::create_dir_all(folder)?;
    for page in &pages {
        put(folder, &format!("{}.html", page.name), &html::page(page))?;
        put(folder, &format!("{}.md", page.name), &markdown::page(page))?;
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
                Block::Heading(_) | Block::Text(_) | Block::List(_) => {}
            }
        }
    }
    if !pages.is_empty() {
        put(folder, "index.html", &html::index(&pages))?;
        put(folder, "README.md", &markdown::index(&pages))?;
    }
    Ok(pages.iter().map(|page| page.name).collect())
}

fn put(folder: &Path, name: &str, text: &str) -> Result<(), LabError> {
    Ok(files::write(&folder.join(name), text.as_bytes())?)
}
