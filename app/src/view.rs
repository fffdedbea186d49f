//! `fourbar view`: results of an earlier run as a page.

use crate::exit::{Exit, Failure};
use crate::{files, page};
use clap::Args;
use fourbar::coupling::application::same;
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use fourbar::results::{AnalysisPage, StoredTable};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// Results: a table as `fourbar run --out` or an analysis has written it (.csv, .json, .parquet)
    results: PathBuf,

    /// The model file that they come from: its name and description stand on the page
    model: Option<PathBuf>,

    /// Write the page to this file, in place of opening it in a browser
    #[arg(long, short, value_name = "FILE.html")]
    output: Option<PathBuf>,
}

pub(crate) fn view(arguments: &ViewArguments) -> Result<Exit, Failure> {
    let ViewArguments { results, model, output } = arguments;
    let model = model.as_deref().map(|path| Ok::<_, Failure>((path, ModelFile::load(path).map_err(Failure::Model)?)));
    let model = model.transpose()?;
    if let Some(output) = output {
        files::named("--output", output)?;
        if let Some((path, file)) = &model {
            files::spare("--output", output, path, file)?;
        }
        if same(output, results) {
            let text = format!("--output {} would overwrite the results; choose another file", output.display());
            return Err(Failure::Usage(text));
        }
    }
    let table = StoredTable::read(results).map_err(Failure::Stored)?;
    let shown = page_of(&table, results, model.as_ref().map(|(_, file)| file));
    match output {
        Some(output) => page::write(&shown, output)?,
        None => open_page(&shown)?,
    }
    Ok(Exit::Done)
}

/// The page of `table`, which was read from `path`.
fn page_of(table: &StoredTable, path: &Path, model: Option<&ModelFile>) -> AnalysisPage {
    let name = printable(&path.display().to_string()).into_owned();
    let done = format!("Results read from {name}");
    let mut page = match model {
        Some(file) => page::begin(file, &done),
        None => AnalysisPage::new(&path.file_stem().unwrap_or_default().to_string_lossy(), format!("{done}.")),
    };
    page.add_curves(&table.columns, &table.rows);
    let at = |row: Option<&Vec<f64>>| row.map_or_else(String::new, |row| row[0].to_string());
    page.settings = [
        ("file", name),
        ("rows", table.rows.len().to_string()),
        ("first row at", at(table.rows.first())),
        ("last row at", at(table.rows.last())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    page
}

/// Writes the page to the folder of temporary files, where it stays for the browser, and opens it.
fn open_page(shown: &AnalysisPage) -> Result<(), Failure> {
    let path = std::env::temp_dir().join(format!("fourbar-view-{}.html", std::process::id()));
    page::write(shown, &path)?;
    writeln!(io::stdout(), "{}", printable(&path.display().to_string())).map_err(Failure::Output)?;
    #[cfg(feature = "serve")]
    if let Err(error) = open::that_detached(&path) {
        eprintln!("fourbar: no browser could be opened ({error}); open the file above in one");
    }
    Ok(())
}
