//! What the members of a sweep warn of, each warning once: those that differ in their numbers alone are one.

use super::table::Row;
use fourbar_linalg::text::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A warning of some members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepWarning {
    /// Its words at the first of them.
    pub warning: String,
    /// How many members gave it, perhaps with other numbers.
    pub members: usize,
    /// The first of them.
    pub first: usize,
}

/// As `3 members, first 7: ..`.
impl std::fmt::Display for SweepWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, first {}: {}", counted(self.members, "member"), self.first, self.warning)
    }
}

/// Warnings by their words without numbers.
#[derive(Debug, Default)]
pub(super) struct Gathered(BTreeMap<String, SweepWarning>);

impl Gathered {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut gathered = Self::default();
        for row in rows {
            // A member that says the same of two times counts once.
            let own: BTreeMap<String, &String> = row.warnings.iter().rev().map(|text| (words(text), text)).collect();
            for (key, text) in own {
                gathered.add(key, SweepWarning { warning: text.clone(), members: 1, first: row.member });
            }
        }
        gathered
    }

    /// With those of another shard.
    pub(super) fn and(mut self, others: Vec<SweepWarning>) -> Self {
        others.into_iter().for_each(|other| self.add(words(&other.warning), other));
        self
    }

    fn add(&mut self, key: String, new: SweepWarning) {
        let known = self.0.entry(key).or_insert_with(|| SweepWarning { members: 0, ..new.clone() });
        known.members += new.members;
        if new.first < known.first {
            (known.warning, known.first) = (new.warning, new.first);
        }
    }

    /// In the order of their first members.
    pub(super) fn list(self) -> Vec<SweepWarning> {
        let mut all: Vec<SweepWarning> = self.0.into_values().collect();
        all.sort_by_key(|warning| warning.first);
        all
    }
}

/// A text with `#` for its numbers; those of names, which stand between quotes or hang on letters, stay.
fn words(text: &str) -> String {
    let (mut kept, mut quote, mut before) = (String::new(), None, ' ');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_quote = matches!(character, '"' | '`');
        match quote {
            Some(open) if character == open => quote = None,
            None if is_quote => quote = Some(character),
            _ => {}
        }
        let begins = quote.is_none() && character.is_ascii_digit() && !(before.is_alphanumeric() || before == '_');
        if !begins {
            before = character;
            kept.push(character);
            continue;
        }
        kept.push('#');
        // The rest of it, as 1.5e-3 has one; a full stop ends a sentence.
        let mut last = character;
        while let Some(next) = characters.peek().copied() {
            let goes_on =
                next.is_ascii_alphanumeric() || next == '.' || (matches!(last, 'e' | 'E') && matches!(next, '-' | '+'));
            if !goes_on {
                break;
            }
            last = next;
            characters.next();
        }
        before = '#';
    }
    // A sign belongs to its number.
    kept.replace("-#", "#")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(member: usize, warnings: &[&str]) -> Row {
        let warnings = warnings.iter().map(|text| (*text).to_owned()).collect();
        Row { member, values: Vec::new(), result: Ok(Vec::new()), warnings }
    }

    #[test]
    fn warnings_that_differ_in_their_numbers_are_one_and_names_keep_theirs() {
        let rows = [
            row(1, &["`a1` is off by 1.5e-3 m at t = 2 s.", "`a1` is off by -2 m at t = 3 s.", "plain"]),
            row(4, &["`a1` is off by 7e12 m at t = 0.25 s.", "`a2` is off by 7 m at t = 1 s."]),
            row(5, &["body3 of 4", "body2 of 4"]),
        ];
        let told: Vec<_> = Gathered::of(&rows).list().into_iter().map(|w| (w.warning, w.members, w.first)).collect();
        let expected = [
            ("`a1` is off by 1.5e-3 m at t = 2 s.", 2, 1),
            ("plain", 1, 1),
            ("`a2` is off by 7 m at t = 1 s.", 1, 4),
            ("body2 of 4", 1, 5),
            ("body3 of 4", 1, 5),
        ];
        assert_eq!(told, expected.map(|(text, members, first)| (text.to_owned(), members, first)));
        let (one, other) = (Gathered::of(&rows[1..]), Gathered::of(&rows[..1]).list());
        assert_eq!(one.and(other).list(), Gathered::of(&rows).list());
    }
}
