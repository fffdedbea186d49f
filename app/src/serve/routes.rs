//! The addresses of the server: the page and its parts, the live stream, settings, commands, results.

use super::form::{FieldError, Form};
use super::parameters::{Changes, Parameter};
use super::{AppState, film, guard, live, results};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use fourbar::coupling::Causality;
use fourbar::coupling::application::CommandError;
use fourbar::linalg::text::printable;
use fourbar::results::chart;
use fourbar::scene::is_hidden;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPTS: [(&str, &str); 13] = [
    ("words.js", include_str!("page/words.js")),
    ("memory.js", include_str!("page/memory.js")),
    ("settings.js", include_str!("page/settings.js")),
    ("charts.js", include_str!("page/charts.js")),
    ("columns.js", include_str!("page/columns.js")),
    ("faults.js", include_str!("page/faults.js")),
    ("page.js", include_str!("page/page.js")),
    ("inputs.js", include_str!("page/inputs.js")),
    ("runs.js", include_str!("page/runs.js")),
    ("bodies.js", include_str!("page/bodies.js")),
    ("plots.js", chart::PLOTS),
    ("view.js", chart::VIEW),
    ("uplot.js", chart::SCRIPT),
];

/// Digits of parameters in the name of a run.
const SHORT: usize = 4;

type Shared = State<Arc<AppState>>;

pub(super) fn router(app: Arc<AppState>) -> Router {
    let at = |path: &str| format!("/{}/{path}", app.guard.token());
    let home = at("");
    let mut router = Router::new()
        .route(&home, get(|| async { file("text/html; charset=utf-8", PAGE) }))
        .route(
            home.trim_end_matches('/'),
            get({
                let home = home.clone();
                || async move { Redirect::permanent(&home) }
            }),
        )
        .route(&at("page.css"), get(|| async { file("text/css; charset=utf-8", STYLE) }))
        .route(&at("plots.css"), get(|| async { file("text/css; charset=utf-8", chart::PLOTS_STYLE) }))
        .route(&at("view.css"), get(|| async { file("text/css; charset=utf-8", chart::VIEW_STYLE) }))
        .route(&at("three.js"), get(three))
        .route(&at("scene.glb"), get(scene))
        .route(&at("uplot.css"), get(|| async { file("text/css; charset=utf-8", chart::STYLE) }))
        .route(&at("events"), get(|State(app): Shared| async { live::events(app) }))
        .route(&at("setup.json"), get(setup))
        .route(&at("settings"), post(configure))
        .route(&at("command"), post(command))
        .route(&at("input"), post(input))
        .route(&at("parameter"), post(parameter))
        .route(&at("result.csv"), get(csv))
        .route(&at("result.json"), get(json))
        .route(&at("report.html"), get(report));
    for (name, text) in SCRIPTS {
        router = router.route(&at(name), get(move || async move { file("text/javascript; charset=utf-8", text) }));
    }
    let guarded = middleware::from_fn_with_state(Arc::clone(&app), guard::watch);
    router.layer(middleware::from_fn(quietly)).layer(guarded).with_state(app)
}

/// What the page says of itself: it reads refusals in what it gets, and a browser logs every answer that fails.
const PAGE_ASKS: &str = "x-fourbar-page";

/// Answers refusals of settings and commands to the page as 200; programs get their status.
async fn quietly(request: Request, next: Next) -> Response {
    let is_page = request.headers().contains_key(PAGE_ASKS);
    let mut response = next.run(request).await;
    if is_page && matches!(response.status(), StatusCode::UNPROCESSABLE_ENTITY | StatusCode::CONFLICT) {
        *response.status_mut() = StatusCode::OK;
    }
    response
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Every browser unpacks what it gets.
async fn three() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8"), (header::CONTENT_ENCODING, "deflate")];
    (headers, chart::THREE_DEFLATED).into_response()
}

fn object(status: StatusCode, content: &impl Serialize) -> Response {
    match serde_json::to_string(content) {
        Ok(text) => (status, [(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => problem(error),
    }
}

fn problem(error: impl ToString) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response()
}

/// Runs what may take its time beside the requests of others.
async fn aside(app: Arc<AppState>, work: impl FnOnce(&AppState) -> Response + Send + 'static) -> Response {
    tokio::task::spawn_blocking(move || work(&app)).await.unwrap_or_else(problem)
}

/// An end of a connection.
#[derive(Serialize)]
struct End {
    name: String,
    unit: String,
    start: f64,
}

/// What the page shows besides the live data.
#[derive(Serialize)]
struct Setup<'a> {
    name: &'a str,
    description: &'a str,
    version: &'static str,
    revision: u64,
    /// Whether the settings differ from those of the last run.
    pending: bool,
    settings: Form,
    outputs: Vec<End>,
    inputs: Vec<End>,
    /// Inputs that were set by hand.
    set: BTreeMap<String, f64>,
    /// Whether there is one simulator, and nothing to couple.
    single: bool,
    /// Of each mechanism the numbers of bodies and force elements whose columns come with the curves unlisted; none where no bodies are shown.
    bodies: serde_json::Value,
    /// Parameters of the simulators: in the file, and for the next run.
    parameters: Vec<Parameter>,
    /// What the last runs have otherwise than the file.
    runs: Vec<Changes>,
}

async fn setup(State(app): Shared) -> Response {
    let session = &app.session;
    let (settings, begun) = (session.settings(), session.begun());
    let ends = |causality| {
        let variables = session.catalogue().variables(causality);
        variables
            .filter(|(name, _)| !is_hidden(name))
            .map(|(name, v)| End { name, unit: v.unit.clone(), start: v.start })
            .collect()
    };
    let [name, description] = [&app.model.name, &app.model.description].map(|text| printable(text));
    let content = Setup {
        name: &name,
        description: &description,
        version: env!("CARGO_PKG_VERSION"),
        revision: app.revision.load(Ordering::Acquire),
        pending: begun.is_some_and(|begun| begun != settings) || app.values.are_pending(),
        settings: Form::of(&settings),
        outputs: ends(Causality::Output),
        inputs: ends(Causality::Input),
        set: session.inputs(),
        single: app.model.simulators.len() == 1 && app.model.connections.is_empty(),
        bodies: film::widths(&app),
        parameters: app.values.list(|name| app.tunable.contains(name), &app.units),
        runs: app.values.changes(SHORT),
    };
    object(StatusCode::OK, &content)
}

/// Why something was not done: at fields, or in general.
#[derive(Serialize, Default)]
struct Refused {
    errors: Vec<FieldError>,
    message: String,
}

fn answer(result: Result<(), CommandError>) -> Response {
    match result {
        Ok(()) => object(StatusCode::OK, &Refused::default()),
        Err(CommandError::Settings(refusals)) => fields(refusals.into_iter().map(Into::into).collect()),
        Err(error) => {
            let refused = Refused { errors: Vec::new(), message: error.to_string() };
            object(StatusCode::CONFLICT, &refused)
        }
    }
}

fn fields(errors: Vec<FieldError>) -> Response {
    let message = "some settings cannot be used".to_owned();
    object(StatusCode::UNPROCESSABLE_ENTITY, &Refused { errors, message })
}

/// The answer to a body that is not of the form asked for.
fn malformed(error: &serde_json::Error) -> Response {
    (StatusCode::BAD_REQUEST, error.to_string()).into_response()
}

async fn configure(State(app): Shared, body: String) -> Response {
    aside(app, move |app| {
        let form: Form = match serde_json::from_str(&body) {
            Ok(form) => form,
            Err(error) => return malformed(&error),
        };
        let settings = match form.settings(&app.session.settings(), app.session.catalogue()) {
            Ok(settings) => settings,
            Err(errors) => return fields(errors),
        };
        // The same once more would only set the simulators up again.
        if settings == app.session.settings() {
            return answer(Ok(()));
        }
        let result = app.session.configure(settings);
        app.revision.fetch_add(1, Ordering::AcqRel);
        answer(result)
    })
    .await
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Command {
    Start,
    Pause,
    Step,
    Stop,
}

async fn command(State(app): Shared, body: String) -> Response {
    aside(app, move |app| match serde_json::from_str(&body) {
        Ok(Command::Start) => answer(begun(app, app.session.start())),
        Ok(Command::Pause) => answer(app.session.pause()),
        Ok(Command::Step) => answer(begun(app, app.session.step())),
        Ok(Command::Stop) => answer(app.session.stop()),
        Err(error) => malformed(&error),
    })
    .await
}

/// Notes the parameters of a run that was begun; one that was paused goes on with its own.
fn begun(app: &AppState, result: Result<(), CommandError>) -> Result<(), CommandError> {
    if result.is_ok() {
        app.values.begin(app.session.status().run);
    }
    result
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    name: String,
    value: String,
}

async fn input(State(app): Shared, body: String) -> Response {
    aside(app, move |app| {
        let Input { name, value } = match serde_json::from_str(&body) {
            Ok(input) => input,
            Err(error) => return malformed(&error),
        };
        let Ok(number) = value.trim().parse() else {
            let message = "write a number, as in 0.5 or 1e-3".to_owned();
            return fields(vec![FieldError { field: format!("input.{name}"), message }]);
        };
        let result = app.session.set_input(&name, number);
        app.revision.fetch_add(1, Ordering::AcqRel);
        match result {
            Err(CommandError::Input(message)) => fields(vec![FieldError { field: format!("input.{name}"), message }]),
            result => answer(result),
        }
    })
    .await
}

/// Takes a parameter for the next run: everything is set up with it. The run under way takes it too where it can. What either refuses changes neither.
async fn parameter(State(app): Shared, body: String) -> Response {
    aside(app, move |app| {
        let Input { name, value } = match serde_json::from_str(&body) {
            Ok(input) => input,
            Err(error) => return malformed(&error),
        };
        let refuse = |message| fields(vec![FieldError { field: format!("parameter.{name}"), message }]);
        let Ok(number) = value.trim().parse() else {
            return refuse("write a number, as in 0.5 or 1e-3".to_owned());
        };
        let before = match app.values.set(&name, number) {
            Ok(before) => before,
            Err(message) => return refuse(message),
        };
        let result = app.session.configure(app.session.settings());
        if result.is_ok() {
            // The change holds from the communication point on at which it comes.
            let time = app.session.status().time;
            match tune(app, &name, number) {
                Ok(true) => app.values.tuned(&name, time, number),
                Ok(false) => {}
                Err(error) => {
                    app.values.restore(before);
                    // The simulators were set up with the settings and values of before.
                    let back = app.session.configure(app.session.settings());
                    app.revision.fetch_add(1, Ordering::AcqRel);
                    return back.map_or_else(|lost| answer(Err(lost)), |()| refuse(error.to_string()));
                }
            }
        } else {
            app.values.restore(before);
        }
        app.revision.fetch_add(1, Ordering::AcqRel);
        match result {
            Err(CommandError::Settings(refusals)) => {
                refuse(refusals.into_iter().map(|refusal| refusal.message).collect::<Vec<_>>().join(" "))
            }
            result => answer(result),
        }
    })
    .await
}

/// Lets the run under way go on with the parameter, if it is tunable; whether it is.
fn tune(app: &AppState, name: &str, value: f64) -> Result<bool, CommandError> {
    if !app.session.status().state.is_under_way() {
        return Ok(false);
    }
    if !app.tunable.contains(name) {
        return Ok(false);
    }
    match app.session.set_parameter(name, value) {
        // It has ended by now.
        Err(CommandError::NotNow { .. }) => Ok(false),
        set => set.map(|()| true),
    }
}

/// A file to keep.
fn download(kind: &'static str, name: &str, content: impl Into<Body>) -> Response {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let keep = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, keep)], content.into()).into_response()
}

async fn csv(State(app): Shared) -> Response {
    aside(app, |app| match results::csv(app) {
        Ok(text) => download("text/csv; charset=utf-8", &format!("{}.csv", app.model.name), text),
        Err(error) => problem(error),
    })
    .await
}

async fn json(State(app): Shared) -> Response {
    aside(app, |app| match app.session.sidecar() {
        Ok(text) => download("application/json", &format!("{}.json", app.model.name), text),
        Err(error) => problem(error),
    })
    .await
}

async fn scene(State(app): Shared) -> Response {
    aside(app, |app| match film::scene(app) {
        Ok(Some(scene)) => scene,
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => problem(error),
    })
    .await
}

async fn report(State(app): Shared) -> Response {
    aside(app, |app| match results::report(app) {
        Ok(Some(page)) => download("text/html; charset=utf-8", &format!("{}.html", app.model.name), page),
        Ok(None) => (StatusCode::CONFLICT, "there is no run to report on").into_response(),
        Err(error) => problem(error),
    })
    .await
}
