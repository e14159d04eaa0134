//! Pages as self-contained HTML files.

use super::{Block, Index, Page, TITLE, Table};
use crate::claim::{Judged, Ruling, summary};
use crate::text::escape;

const STYLE: &str = "
body{font:16px/1.5 system-ui,sans-serif;max-width:76rem;margin:0 auto;padding:1rem;color:#222}
p,ul,figure{max-width:56rem}
h1{line-height:1.2}
.caption{font-weight:600;margin:1.5rem 0 .3rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:0 0 1rem;font-size:.85rem}
th,td{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:right;vertical-align:top}
td{white-space:nowrap}
.long{white-space:normal;text-align:left;min-width:12rem}
.claims td{white-space:normal;text-align:left}
.claims .why{min-width:16rem}
.claims th{text-align:left}
.holds{color:#00684a}.contradicted{color:#a33c00;font-weight:600}
th:first-child,td:first-child,.words{text-align:left}
thead th{border-bottom:2px solid #888}
figure{margin:1rem 0}
figure svg{width:100%;height:auto}
figcaption{font-size:.9rem}
code{background:#f3f3f3;padding:0 .2rem}
@media(max-width:76rem){td{white-space:normal}}
@media print{body{max-width:none;font-size:11pt}.wide{overflow:visible;margin:0}table{font-size:7.5pt}td{white-space:normal}tr,figure{break-inside:avoid}}
";

/// Cells with more characters than this may be broken into lines.
const LONG: usize = 36;

pub(super) fn page(page: &Page) -> String {
    let mut body =
        format!("<p><a href=\"index.html\">All experiments</a></p>\n<h1>{}</h1>\n", inline(page.title));
    for block in &page.blocks {
        body += &match block {
            Block::Heading(heading) => format!("<h2>{}</h2>\n", inline(heading)),
            Block::Text(text) => format!("<p>{}</p>\n", inline(text)),
            Block::List(points) => {
                let points = points.iter().map(|point| format!("<li>{}</li>\n", inline(point)));
                format!("<ul>\n{}</ul>\n", points.collect::<String>())
            }
            Block::Table(table) => html_table(table),
            Block::Claims(judged) => claims(judged),
            Block::Link(text, file) => format!("<p><a href=\"{file}\">{}</a></p>\n", inline(text)),
            Block::Figure(figure) => format!(
                "<figure>\n{}<figcaption>{} (<a href=\"{}-{}.csv\">numbers</a>)</figcaption>\n</figure>\n",
                figure.svg,
                inline(&figure.caption),
                page.name,
                figure.slug
            ),
        };
    }
    document(page.title, &body)
}

/// The index: one table over all claims of all papers.
pub(super) fn index(index: &Index) -> String {
    let mut rows = String::new();
    for entry in &index.entries {
        for judged in &entry.judged {
            let page = if entry.written {
                format!("<a href=\"{}.html#claims\">{}</a>", entry.name, entry.name)
            } else {
                entry.name.to_owned()
            };
            rows += &claim_row(judged, &[judged.paper().to_owned()], &[page]);
        }
    }
    let all = index.entries.iter().flat_map(|entry| &entry.judged);
    let pages: String = index
        .entries
        .iter()
        .filter(|entry| entry.written)
        .map(|entry| format!("<li><a href=\"{}.html\">{}</a></li>\n", entry.name, inline(entry.title)))
        .collect();
    let head = claim_head(&["paper"], &["page"]);
    document(
        TITLE,
        &format!(
            "<h1>{TITLE}</h1>\n<p>{}: {}.</p>\n<ul>\n{pages}</ul>\n<div class=\"wide\"><table class=\"claims\">\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
            "Claims of five papers",
            summary(all)
        ),
    )
}

fn claim_head(before: &[&str], after: &[&str]) -> String {
    let names = ["where", "claim", "paper's figure", "ours (95 %)", "verdict", "in words"];
    let cells = before.iter().chain(&names).chain(after).map(|name| format!("<th>{name}</th>"));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

/// A row about a claim; `before` and `after` are cells of HTML.
fn claim_row(judged: &Judged, before: &[String], after: &[String]) -> String {
    let class = match judged.finding.ruling {
        Ruling::Holds | Ruling::HoldsAtReducedScale => " class=\"holds\"",
        Ruling::Contradicted => " class=\"contradicted\"",
        Ruling::Undecided | Ruling::NotTestable | Ruling::NotRun => "",
    };
    let Judged { place, says, figure, finding, .. } = judged;
    let plain = [*place, *says, *figure, &finding.ours].map(|text| format!("<td>{}</td>", inline(text)));
    let ruling =
        format!("<td{class}>{}</td><td class=\"why\">{}</td>", finding.ruling, inline(&finding.words));
    let cell = |text: &String| format!("<td>{text}</td>");
    let (before, after): (String, String) =
        (before.iter().map(cell).collect(), after.iter().map(cell).collect());
    format!("<tr>{before}{}{ruling}{after}</tr>\n", plain.concat())
}

fn claims(judged: &[Judged]) -> String {
    let rows: String = judged.iter().map(|one| claim_row(one, &[], &[])).collect();
    format!(
        "<h2 id=\"claims\">Verdicts</h2>\n<p>{}.</p>\n<div class=\"wide\"><table class=\"claims\">\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
        summary(judged),
        claim_head(&[], &[])
    )
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

fn html_table(table: &Table) -> String {
    // A column of words is aligned to the left, one of numbers to the right.
    let begins_with_a_letter = |row: &Vec<String>, column: usize| {
        row.get(column).is_some_and(|text| text.trim_start_matches('`').starts_with(char::is_alphabetic))
    };
    let words: Vec<bool> = (0..table.head.len())
        .map(|column| table.rows.iter().any(|row| begins_with_a_letter(row, column)))
        .collect();
    let cells = |row: &[String], tag: &str| -> String {
        let class = |column, text: &str| match (tag == "td" && text.chars().count() > LONG, words.get(column))
        {
            (true, _) => " class=\"long\"",
            (false, Some(true)) => " class=\"words\"",
            (false, _) => "",
        };
        let cell = |(column, text): (usize, &String)| {
            format!("<{tag}{}>{}</{tag}>", class(column, text), inline(text))
        };
        format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = table.rows.iter().map(|row| cells(row, "td")).collect();
    format!(
        "<p class=\"caption\">{}</p>\n<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
        inline(&table.caption),
        cells(&table.head, "th")
    )
}

/// Text with the Markdown that paragraphs use: `**bold**` and `` `code` ``.
fn inline(text: &str) -> String {
    let mut html = escape(text);
    for (mark, tag) in [("**", "strong"), ("`", "code")] {
        let mut open = true;
        while let Some(at) = html.find(mark) {
            let slash = if open { "" } else { "/" };
            html.replace_range(at..at + mark.len(), &format!("<{slash}{tag}>"));
            open = !open;
        }
        if !open {
            html += &format!("</{tag}>");
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_escaped_and_marked() {
        assert_eq!(inline("**A** < `b`"), "<strong>A</strong> &lt; <code>b</code>");
        assert_eq!(inline("un`closed"), "un<code>closed</code>");
    }
}
