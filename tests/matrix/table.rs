//! The page with the tables: rows by groups, and the refusals as footnotes in the words of the program.

use super::Cell;
use super::feature::Feature;
use super::uses::{Fault, USES};
use std::fmt::Write as _;

const HEAD: &str = "# What works with what

Every cell of these tables is tried: a small model with what the row names, used as the column says. `yes` means that it works, and ends as the run by itself does.
A letter is a refusal, in the words of the program below; a dash means that there is nothing to try.
`UPDATE_MATRIX=1 cargo test -p fourbar --test all matrix` writes this page.

Numbers agree to 1e-5 of their value with the run by itself; by kinematics to 1e-4. In fixed steps an element beside contacts agrees to 5 % with its motion without them,
and a function of the host to 1e-3 with the expression. Of statics and linear only that they end, with finite numbers, is tried. The balance of energy is even to 1e-3, where a run has one:
with contacts none is checked.

| column | what is tried |
|---|---|
| run | `fourbar run`. The element changes the motion; contacts that do not touch it do not change it |
| coupled | a simulator of a coupled model with a partner |
| FMI 2.0, FMI 3.0 | the description and the steps of a unit for co-simulation |
| model exchange | the equations of a unit (FMI 3.0) under an integrator of the importer |
| statics, linear | the equilibrium; poles and matrices there, or of a linear system |
| kinematics | with motions that leave no degree of freedom, against the run of the same |
| sweep | a member of a sweep |
| host steps | steps in the loop of another program, as from C and Python |
| host functions | a force that is computed by the program around |
| checkpoint | saved half way and put back: bit for bit; as bytes in another compilation of the model |
| contact measures | all quantities of the contact, in a run, as outputs of a coupled simulator, in steps of a host |
| reactions | force and torque of the element as measures |
| energy | the measure against the account of the run, and the balance of the account |
| pictures | frames and a drawing of the run |
";

pub(crate) fn headings() -> impl Iterator<Item = &'static str> {
    std::iter::once("run").chain(USES.iter().map(|own| own.heading))
}

/// The refusals so far, each once.
#[derive(Default)]
struct Footnotes(Vec<String>);

impl Footnotes {
    /// The letter of a refusal.
    fn letter(&mut self, fault: &Fault) -> String {
        let text = match fault {
            Fault::Refused(message) => short(message),
            Fault::Wrong(what, _) => format!("**It gives {what}.**"),
        };
        let index = self.0.iter().position(|own| *own == text).unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        });
        letter(index)
    }
}

/// a to z, then aa, ab, ..
fn letter(index: usize) -> String {
    let last = char::from(b'a' + (index % 26) as u8);
    if index < 26 { last.to_string() } else { format!("{}{last}", letter(index / 26 - 1)) }
}

/// What is refused and the remedy: without file, line and the name of the element.
fn short(message: &str) -> String {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or_default();
    let problem =
        first.split_once(".toml:").map_or(first, |(_, rest)| rest.split_once(": ").map_or(rest, |(_, own)| own));
    // The last line of a fault of a file is what to do.
    let remedy = lines.next_back().and_then(|line| line.trim_start().strip_prefix("= "));
    let whole = remedy.map_or_else(|| problem.to_owned(), |remedy| format!("{problem}; {remedy}"));
    masked(&sentences(without_subject(&whole)))
}

/// Parts between semicolons as sentences of their own.
fn sentences(text: &str) -> String {
    let mut parts = text.split("; ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let mut letters = part.chars();
        let begin = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        format!("{all}. {begin}{}", letters.as_str())
    })
}

/// Without what begins as `sensor "reached": ` or ``force "kick", `active`: ``.
fn without_subject(text: &str) -> &str {
    let Some((subject, rest)) = text.split_once("\": ").or_else(|| text.split_once("`: ")) else { return text };
    let is_subject =
        subject.split_once(" \"").is_some_and(|(kind, _)| kind.chars().all(|c| c.is_alphanumeric() || c == '_'));
    if is_subject { rest } else { text }
}

/// With the names of elements and long numbers left out, which differ from model to model.
fn masked(text: &str) -> String {
    let named = text.split('"').enumerate().map(|(k, part)| if k % 2 == 1 { ".." } else { part });
    let named: String = named.collect::<Vec<_>>().join("\"").replace("\"..\", \"..\"", "\"..\"");
    let word =
        |word: &str| if word.contains('.') && word.parse::<f64>().is_ok() { "..".to_owned() } else { word.to_owned() };
    named.split(' ').map(word).collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The page.
pub(crate) fn page<'a>(groups: impl IntoIterator<Item = (&'a str, Vec<(&'a Feature, &'a Vec<Cell>)>)>) -> String {
    let (mut page, mut notes) = (HEAD.to_owned(), Footnotes::default());
    for (heading, rows) in groups {
        let columns = headings().collect::<Vec<_>>();
        let _ =
            write!(page, "\n## {heading}\n\n| | {} |\n|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        for (feature, cells) in rows {
            let cells = cells.iter().map(|cell| match cell {
                Cell::Works => "yes".to_owned(),
                Cell::Nothing => "–".to_owned(),
                Cell::Fails(fault) => notes.letter(fault),
                Cell::Panics(_) => "panic".to_owned(),
            });
            let _ = writeln!(page, "| {} | {} |", feature.name, cells.collect::<Vec<_>>().join(" | "));
        }
    }
    page.push_str("\n## Refusals\n\n| | |\n|---|---|\n");
    for (index, note) in notes.0.iter().enumerate() {
        let _ = writeln!(page, "| {} | {note} |", letter(index));
    }
    page
}
