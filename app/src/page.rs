//! `--html FILE`: the page of an analysis.

use crate::exit::Failure;
use crate::files::{PAGES, ends_in, spare};
use crate::sinks::whole;
use fourbar::coupling::application::OutputFile;
use fourbar::file::ModelFile;
use fourbar::results::{AnalysisPage, Animation};
use fourbar::scene::Film;
use std::path::Path;

/// Refuses a page in place of a file that the analysis reads.
pub(crate) fn check(html: Option<&Path>, model: &Path, file: &ModelFile) -> Result<(), Failure> {
    html.map_or(Ok(()), |path| ends_in("--html", path, PAGES).and_then(|()| spare("--html", path, model, file)))
}

/// An empty page on the model in `file`; `done` says what was done.
pub(crate) fn begin(file: &ModelFile, done: &str) -> AnalysisPage {
    let document = file.document();
    let description = match document.description() {
        "" => String::new(),
        text => format!("{}. ", text.trim_end_matches('.')),
    };
    AnalysisPage::new(document.name(), format!("{description}{done}."))
}

/// The bodies of a film, if there is one.
pub(crate) fn animation(film: Option<&Film>) -> Result<Option<Animation>, Failure> {
    film.map(Film::animation).transpose().map_err(Failure::Output)
}

/// Writes it.
pub(crate) fn write(page: &AnalysisPage, path: &Path) -> Result<(), Failure> {
    let file = OutputFile::create(path).map_err(Failure::write(path))?;
    whole(file, |sink| page.write(sink)).map_err(Failure::write(path))
}
