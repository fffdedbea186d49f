//! `fourbar serve`: a local page on which a person sets, starts, watches and steers a run of any model (R9 to R14). One of another kind is taken
//! as a coupled model with one simulator: one page, one protocol.
//!
//! The page talks to a [`Session`] of the coupling's application layer and to nothing below it. The server listens on this machine alone,
//! and everything it gives is inside the command.

mod film;
mod form;
mod grouping;
mod guard;
mod live;
mod parameters;
mod results;
mod routes;

use crate::args::ServeArguments;
use crate::exit::{Exit, Failure};
use crate::{files, signals};
use axum::Router;
use film::Filmed;
use fourbar::Error;
use fourbar::coupled::{CoupledModel, CoupledSettings};
use fourbar::coupling::application::{Session, Settings, numbered};
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use guard::Guard;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use live::Broadcast;
use parameters::Values;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// Runs of one page whose files are looked at before the first.
const LATER_RUNS: u64 = 100;
/// How long open connections may take to end.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long a connection may take to say what it asks for, from its beginning or from the last answer: the head of its request. Without a limit
/// connections that never do hold the server's sockets for ever. Browsers send it in one piece.
const HEADERS: Duration = Duration::from_secs(5);
/// Pause after a connection that could not be accepted, for want of sockets say.
const BREATH: Duration = Duration::from_millis(200);

/// What all requests share.
struct AppState {
    session: Session,
    model: CoupledModel,
    values: Values,
    /// Parameters that a run under way goes on with other values of.
    tunable: BTreeSet<String>,
    /// Units of parameters, of those that have one.
    units: BTreeMap<String, String>,
    filmed: Filmed,
    guard: Guard,
    broadcast: Broadcast,
    /// Counts changes of the settings, for pages beside the one that made them.
    revision: AtomicU64,
    closing: AtomicBool,
}

pub(crate) fn serve(arguments: &ServeArguments) -> Result<Exit, Failure> {
    let file = arguments.variant.load(&arguments.model)?;
    let model = CoupledModel::around(file.document()).map_err(|error| Failure::Model(file.explain_start(error)))?;
    check_files(arguments, &file)?;
    let values = Values::new(model.clone());
    let filmed = Filmed::new(&model, !arguments.no_3d);
    let session = session(&file, &values, filmed)?.capacity(filmed.points());
    let session = match &arguments.out {
        Some(path) => session.record_to(path, arguments.out_every),
        None => session,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(Failure::Serve)?;
    let result = runtime.block_on(listen(arguments, model, values, filmed, session));
    // A partner that hangs shall not keep the command.
    runtime.shutdown_timeout(LAST_WORDS);
    result
}

/// Refuses a table that would overwrite a file of the model, itself, by the JSON file beside it or by those of later runs, and one that
/// cannot be written.
fn check_files(arguments: &ServeArguments, file: &ModelFile) -> Result<(), Failure> {
    let Some(out) = &arguments.out else { return Ok(()) };
    files::named("--out", out)?;
    // Whoever starts more runs than this has the numbers before them on disk.
    for path in (1..=LATER_RUNS).map(|run| numbered(out, run)) {
        files::spare("--out", &path, &arguments.model, file)?;
        files::spare("--out", &path.with_extension("json"), &arguments.model, file)?;
    }
    crate::table::check(out)?;
    files::probe(out)?;
    files::probe(&out.with_extension("json"))
}

/// A session with the settings of the model.
fn session(file: &ModelFile, values: &Values, filmed: Filmed) -> Result<Session, Failure> {
    let refused = |error| Failure::Model(file.explain_start(error));
    let model = values.model();
    let options = model.options(&CoupledSettings::default()).map_err(refused)?;
    let connections = model.connections().map_err(refused)?;
    let own = values.clone();
    let opened =
        Session::open(move || Ok(filmed.with_poses(own.model())?.partners()?), Settings { options, connections });
    opened.map_err(|problem| match problem.downcast::<Error>() {
        Ok(error) => refused(*error),
        Err(problem) => Failure::Serve(io::Error::other(problem)),
    })
}

async fn listen(
    arguments: &ServeArguments,
    model: CoupledModel,
    values: Values,
    filmed: Filmed,
    session: Session,
) -> Result<Exit, Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let listener = TcpListener::bind(address).await.map_err(Failure::Serve)?;
    let address = listener.local_addr().map_err(Failure::Serve)?;
    let guard = Guard::new(address.port()).map_err(Failure::Serve)?;
    let url = format!("http://{address}/{}/", guard.token());
    writeln!(io::stdout(), "{}: {url}\nCtrl-C ends it.", printable(&model.name)).map_err(Failure::Output)?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(&url)
    {
        say!("fourbar: no browser could be opened ({error}); open the address above in one");
    }
    let (revision, closing) = (AtomicU64::new(0), AtomicBool::new(false));
    let broadcast = Broadcast::new(&session, filmed.length);
    // Before a run nobody is waited for.
    let told = session.parameters().unwrap_or_default();
    let tunable = told.iter().filter(|own| own.is_tunable).map(|own| own.name.clone()).collect();
    let units = told.into_iter().filter(|own| !own.unit.is_empty()).map(|own| (own.name, own.unit)).collect();
    let app =
        Arc::new(AppState { session, model, values, tunable, units, filmed, guard, broadcast, revision, closing });
    let stop = Arc::new(Notify::new());
    let interrupted = Arc::clone(&stop);
    signals::on_end(move |_| interrupted.notify_one()).map_err(Failure::Serve)?;
    let connections = Arc::new(GracefulShutdown::new());
    let accepting = tokio::spawn(accept(listener, routes::router(Arc::clone(&app)), Arc::clone(&connections)));
    stop.notified().await;
    accepting.abort();
    // It was aborted.
    let _ = accepting.await;
    app.closing.store(true, Ordering::Release);
    // Whoever has not finished by then is cut off.
    if let Some(connections) = Arc::into_inner(connections) {
        let _ = tokio::time::timeout(LAST_WORDS, connections.shutdown()).await;
    }
    Ok(Exit::Done)
}

/// Takes connections, each served beside the others.
async fn accept(listener: TcpListener, router: Router, connections: Arc<GracefulShutdown>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks, or is cut off, has nobody to tell.
            let _ = connection.await;
        });
    }
}
