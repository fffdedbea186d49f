//! Tables as text.

pub(crate) use fourbar::results::number;

/// Lines of two columns, the first as wide as its widest entry, indented by two blanks.
pub(crate) fn two_columns(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("  {name:width$}  {value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [("a".to_owned(), "1".to_owned()), ("long".to_owned(), "2".to_owned())];
        assert_eq!(two_columns(&rows), "  a     1\n  long  2\n");
    }
}
