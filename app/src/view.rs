//! `fourbar view`: results of an earlier run as a page.

use crate::exit::{Exit, Failure};
use crate::{draw, files, page};
use clap::Args;
use fourbar::coupling::application::same;
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use fourbar::results::{AnalysisPage, Animation, Content, Locus, StoredTable};
use fourbar::scene::{NoFilm, is_hidden};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Rows of poles that are listed beside their picture at most: more nobody reads, and a browser lays them out slowly.
const LISTED: usize = 1000;

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// Results: a table as `fourbar run --out` or an analysis has written it (.csv, .json, .parquet)
    results: PathBuf,

    /// The model file that they come from: its name and description stand on the page
    model: Option<PathBuf>,

    /// Leave the bodies in motion out of the page
    #[arg(long)]
    no_3d: bool,

    /// Write the page to this file, in place of opening it in a browser
    #[arg(long, short, alias = "output", value_name = "FILE.html")]
    out: Option<PathBuf>,
}

pub(crate) fn view(arguments: &ViewArguments) -> Result<Exit, Failure> {
    let ViewArguments { results, model, out, no_3d } = arguments;
    in_order(results, model.as_deref())?;
    let model = model.as_deref().map(|path| Ok::<_, Failure>((path, ModelFile::load(path).map_err(Failure::Model)?)));
    let model = model.transpose()?;
    if let Some(out) = out {
        files::ends_in("--out", out, files::PAGES)?;
        if let Some((path, file)) = &model {
            files::spare("--out", out, path, file)?;
        }
        if same(out, results) {
            let text = format!("--out {} would overwrite the results; choose another file", out.display());
            return Err(Failure::Usage(text));
        }
    }
    let table = StoredTable::read(results).map_err(Failure::Stored)?;
    let mut shown = page_of(&table, results, model.as_ref().map(|(_, file)| file));
    if let Some((_, file)) = model.as_ref().filter(|_| !no_3d) {
        shown.animation = bodies_of(&table, file)?;
    }
    match out {
        Some(out) => page::write(&shown, out)?,
        None => open_page(&shown)?,
    }
    Ok(Exit::Done)
}

/// Refuses a model in the place of the results, and results in that of the model.
fn in_order(results: &Path, model: Option<&Path>) -> Result<(), Failure> {
    let is = |path: &Path, ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let wrong = if is(results, "toml") {
        format!("{} is a model file, where results are expected", results.display())
    } else if let Some(table) = model.filter(|path| ["csv", "parquet"].iter().any(|ending| is(path, ending))) {
        format!("{} is a table, where the model file is expected", table.display())
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!("{wrong}; give the results first, as in `fourbar view RESULT.csv MODEL.toml`")))
}

/// The page of `table`, which was read from `path`.
fn page_of(table: &StoredTable, path: &Path, model: Option<&ModelFile>) -> AnalysisPage {
    let name = printable(&path.display().to_string()).into_owned();
    let done = format!("Results read from {name}");
    let mut page = match model {
        Some(file) => page::begin(file, &done),
        None => AnalysisPage::new(&path.file_stem().unwrap_or_default().to_string_lossy(), format!("{done}.")),
    };
    add_rows(&mut page, table);
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

/// Curves, or poles as points and as a table: rows of several poles at one value of a parameter are no curve.
fn add_rows(page: &mut AnalysisPage, table: &StoredTable) {
    let StoredTable { columns, rows } = table;
    let (parameter, caption, first) = match table.content() {
        Content::Curves => return add_curves(page, table),
        Content::Poles => (String::new(), "Poles", 0),
        Content::Locus => (columns[0].clone(), "Poles over the parameter", 1),
    };
    let point = |row: &Vec<f64>| [if first == 1 { row[0] } else { 0.0 }, row[first], row[first + 1]];
    page.locus = Some(Locus { parameter, points: rows.iter().map(point).collect() });
    if rows.len() <= LISTED {
        page.table = Some((caption.to_owned(), columns.clone(), rows.clone()));
    }
}

/// All columns but poses, which are seen as bodies.
fn add_curves(page: &mut AnalysisPage, table: &StoredTable) {
    let seen: Vec<usize> = (0..table.columns.len()).filter(|&k| !is_hidden(&table.columns[k])).collect();
    let columns: Vec<String> = seen.iter().map(|&k| table.columns[k].clone()).collect();
    let rows: Vec<Vec<f64>> = table.rows.iter().map(|row| seen.iter().map(|&k| row[k]).collect()).collect();
    page.add_curves(&columns, &rows);
}

/// The bodies of the model as the table has them; none for a model without bodies. What is missing is said; a table of other bodies is refused.
fn bodies_of(table: &StoredTable, file: &ModelFile) -> Result<Option<Animation>, Failure> {
    let Some(stage) = draw::stage_if_any(file)? else { return Ok(None) };
    match stage.film_of_table(&table.columns, &table.rows) {
        Ok(film) => page::animation(Some(&film)),
        Err(NoFilm::Scene(error)) => Err(Failure::Model(error)),
        Err(other @ NoFilm::Other { .. }) => {
            let text = format!("{}, or --no-3d for the curves alone", printable(&other.to_string()));
            Err(Failure::Usage(text))
        }
        Err(missing) => {
            say!("fourbar: the bodies are not shown: {}", printable(&missing.to_string()));
            Ok(None)
        }
    }
}

/// Writes the page to the folder of temporary files, where it stays for the browser, and opens it.
fn open_page(shown: &AnalysisPage) -> Result<(), Failure> {
    let path = std::env::temp_dir().join(format!("fourbar-view-{}.html", std::process::id()));
    page::write(shown, &path)?;
    writeln!(io::stdout(), "{}", printable(&path.display().to_string())).map_err(Failure::Output)?;
    #[cfg(feature = "serve")]
    if let Err(error) = open::that_detached(&path) {
        say!("fourbar: no browser could be opened ({error}); open the file above in one");
    }
    Ok(())
}
