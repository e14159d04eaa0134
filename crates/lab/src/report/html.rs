//! Pages as HTML files that need nothing else.

use super::{Block, Page, Table};
use crate::plot::escape;

const STYLE: &str = "
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:0 auto;padding:1rem;color:#222}
h1{line-height:1.2}
.caption{font-weight:600;margin:1.5rem 0 .3rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:0 0 1rem;font-size:.85rem}
th,td{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:right;vertical-align:top}
td{white-space:nowrap}
th:first-child,td:first-child,.words{text-align:left}
thead th{border-bottom:2px solid #888}
figure{margin:1rem 0}
figure svg{width:100%;height:auto}
figcaption{font-size:.9rem}
code{background:#f3f3f3;padding:0 .2rem}
@media(min-width:72rem){.wide{margin:0 -7rem 0 0}}
@media print{body{max-width:none;font-size:11pt}.wide{overflow:visible;margin:0}table{font-size:7.5pt}td{white-space:normal}tr,figure{break-inside:avoid}}
";

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

pub(super) fn index(pages: &[Page]) -> String {
    let item = |page: &Page| format!("<li><a href=\"{}.html\">{}</a></li>\n", page.name, inline(page.title));
    let items: String = pages.iter().map(item).collect();
    document(
        "Published experiments, made again",
        &format!("<h1>Published experiments, made again</h1>\n<ul>\n{items}</ul>\n"),
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
    // A column of words stands to the left, one of numbers to the right.
    let begins_with_a_letter = |row: &Vec<String>, column: usize| {
        row.get(column).is_some_and(|text| text.trim_start_matches('`').starts_with(char::is_alphabetic))
    };
    let words: Vec<bool> = (0..table.head.len())
        .map(|column| table.rows.iter().any(|row| begins_with_a_letter(row, column)))
        .collect();
    let cells = |row: &[String], tag: &str| -> String {
        let class = |column| if words.get(column) == Some(&true) { " class=\"words\"" } else { "" };
        let cell =
            |(column, text): (usize, &String)| format!("<{tag}{}>{}</{tag}>", class(column), inline(text));
        format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = table.rows.iter().map(|row| cells(row, "td")).collect();
    format!(
        "<p class=\"caption\">{}</p>\n<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
        inline(&table.caption),
        cells(&table.head, "th")
    )
}

/// Text with the little Markdown that our paragraphs have: `**bold**` and `` `code` ``.
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
