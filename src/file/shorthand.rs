//! Short forms of a mechanism, written out: a joint by its place and axis in the drawing, measures and forces between the markers of a joint, reactions
//! whose quantity follows from what they are of.
//!
//! What is written out keeps the places of the text that it comes from, so faults are shown there.

use super::issue::{Issue, IssueKind, Segment};
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Entry<'i> = Spanned<DeValue<'i>>;

/// Joints that one axis does not place: the fields that they need instead.
const BY_MARKERS: [(&str, &str); 3] =
    [("distance", "it joins two points"), ("universal", "it has two axes"), ("perpendicular", "it has two axes")];

/// Forces that have no marker J.
const AT_ONE_MARKER: [&str; 4] = ["force", "torque", "gforce", "gyroscopic_couple"];

/// Elements whose reaction is a torque where nothing else is said.
const TORQUES: [&str; 4] = ["torque", "torsion_spring_damper", "axial_torque", "gyroscopic_couple"];

/// The file with all short forms written out; itself if there are none.
///
/// # Errors
/// A short form beside the long one, of a joint that does not exist, or where it does not say enough.
pub(super) fn write_out<'a, 'i>(file: &'a DeTable<'i>) -> Result<Cow<'a, DeTable<'i>>, Issue> {
    let is_short = |(section, entry): (&str, &DeTable<'_>)| match section {
        "joint" => entry.contains_key("at") || entry.contains_key("axis"),
        "measure" if is_of(entry, "reaction") => !entry.contains_key("quantity"),
        "measure" => entry.contains_key("joint"),
        "force" => entry.contains_key("joint") && has_two_markers(entry),
        _ => false,
    };
    let all = ["joint", "measure", "force"].into_iter();
    if !all.flat_map(|section| tables(file, section).map(move |entry| (section, entry))).any(is_short) {
        return Ok(Cow::Borrowed(file));
    }
    let mut whole = file.clone();
    each(&mut whole, "joint", &mut |entry, span| by_place(entry, span))?;
    let drawn = whole.clone();
    each(&mut whole, "measure", &mut |entry, span| match is_of(entry, "reaction") {
        true => {
            with_quantity(&drawn, entry, span);
            Ok(())
        }
        false => between_markers(&drawn, entry),
    })?;
    each(&mut whole, "force", &mut |entry, _| {
        if has_two_markers(entry) { between_markers(&drawn, entry) } else { Ok(()) }
    })?;
    Ok(Cow::Owned(whole))
}

/// The tables of a section.
fn tables<'a, 'i>(file: &'a DeTable<'i>, section: &str) -> impl Iterator<Item = &'a DeTable<'i>> {
    let array = match file.get(section).map(Spanned::get_ref) {
        Some(DeValue::Array(array)) => Some(array),
        _ => None,
    };
    array.into_iter().flat_map(|array| array.iter()).filter_map(|entry| match entry.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    })
}

type Change<'c, 'i> = &'c mut dyn FnMut(&mut DeTable<'i>, Range<usize>) -> Result<(), Issue>;

fn each<'i>(file: &mut DeTable<'i>, section: &str, change: Change<'_, 'i>) -> Result<(), Issue> {
    let Some(DeValue::Array(array)) = file.get_mut(section).map(Spanned::get_mut) else { return Ok(()) };
    for (index, entry) in array.iter_mut().enumerate() {
        let span = entry.span();
        if let DeValue::Table(table) = entry.get_mut() {
            let within = |issue: Issue| {
                issue.at(span.clone()).within(Segment::Index(index)).within(Segment::Key(section.to_owned()))
            };
            change(table, span.clone()).map_err(within)?;
        }
    }
    Ok(())
}

fn text<'a>(entry: &'a DeTable<'_>, field: &str) -> Option<&'a str> {
    match entry.get(field)?.get_ref() {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

/// Whether a force acts between two markers; one at a single marker has no field for a joint.
fn has_two_markers(force: &DeTable<'_>) -> bool {
    !AT_ONE_MARKER.iter().any(|kind| is_of(force, kind))
}

fn is_of(entry: &DeTable<'_>, kind: &str) -> bool {
    text(entry, "type") == Some(kind)
}

fn refuse(message: String, span: Option<Range<usize>>) -> Issue {
    Issue { span, ..Issue::new(IssueKind::Message(message)) }
}

fn put<'i>(table: &mut DeTable<'i>, field: &'static str, value: DeValue<'i>, span: Range<usize>) {
    table.insert(Spanned::new(span.clone(), Cow::Borrowed(field)), Spanned::new(span, value));
}

/// Gives a joint with `at` and `axis` its markers: both at that place and along that axis of the drawing, on the bodies `i` and `j`.
fn by_place<'i>(joint: &mut DeTable<'i>, span: Range<usize>) -> Result<(), Issue> {
    let (at, axis) = (joint.remove("at"), joint.remove("axis"));
    let Some(given) = at.as_ref().or(axis.as_ref()).map(Spanned::span) else { return Ok(()) };
    let kind = text(joint, "type").unwrap_or_default();
    if let Some((kind, reason)) = BY_MARKERS.iter().find(|(name, _)| *name == kind) {
        let message =
            format!("a {kind} joint is not placed by `at` and `axis`: {reason}; write its markers as `i` and `j`");
        return Err(refuse(message, Some(given)));
    }
    let Some(at) = at else {
        return Err(refuse(
            "`axis` needs `at`, the place of the joint in the drawing [x, y, z]".to_owned(),
            Some(given),
        ));
    };
    for field in ["i", "j"] {
        let body = match joint.get(field).map(|value| (value.get_ref(), value.span())) {
            Some((DeValue::String(body), span)) => Spanned::new(span, DeValue::String(body.clone())),
            Some((_, span)) => {
                let message = format!("with `at`, `{field}` is the name of a body: `at` and `axis` are its marker");
                return Err(refuse(message, Some(span)));
            }
            None => continue,
        };
        let mut marker = DeTable::new();
        let place = body.span();
        marker.insert(Spanned::new(place.clone(), Cow::Borrowed("body")), body);
        marker.insert(Spanned::new(place.clone(), Cow::Borrowed("position")), at.clone());
        put(&mut marker, "frame", DeValue::String(Cow::Borrowed("global")), place.clone());
        if let Some(axis) = &axis {
            let mut orientation = DeTable::new();
            orientation.insert(Spanned::new(axis.span(), Cow::Borrowed("z_axis")), axis.clone());
            put(&mut marker, "orientation", DeValue::Table(orientation), axis.span());
        }
        put(joint, field, DeValue::Table(marker), span.clone());
    }
    Ok(())
}

/// Gives an element with `joint` the markers of that joint.
fn between_markers<'i>(file: &DeTable<'i>, entry: &mut DeTable<'i>) -> Result<(), Issue> {
    let Some(name) = entry.remove("joint") else { return Ok(()) };
    let span = name.span();
    if let Some(other) = ["i", "j"].into_iter().find(|field| entry.contains_key(*field)) {
        return Err(refuse(format!("`joint` stands for the markers; leave `{other}` out, or `joint`"), Some(span)));
    }
    let DeValue::String(wanted) = name.get_ref() else {
        return Err(refuse("`joint` is the name of a joint".to_owned(), Some(span)));
    };
    let Some(joint) = named(file, "joint", wanted) else {
        let message =
            format!("there is no joint \"{wanted}\" in this file; name one of them, or the markers `i` and `j`");
        return Err(refuse(message, Some(span)));
    };
    for field in ["i", "j"] {
        if let Some(marker) = joint.get(field) {
            entry.insert(Spanned::new(span.clone(), Cow::Borrowed(field)), Entry::clone(marker));
        }
    }
    Ok(())
}

fn named<'a, 'i>(file: &'a DeTable<'i>, section: &str, name: &str) -> Option<&'a DeTable<'i>> {
    tables(file, section).find(|entry| text(entry, "name") == Some(name))
}

/// Sets a missing `quantity` of a reaction: the torque of rotational motions and torque elements, the force of all others.
fn with_quantity<'i>(file: &DeTable<'i>, measure: &mut DeTable<'i>, span: Range<usize>) {
    if measure.contains_key("quantity") {
        return;
    }
    let turns = |motion: &DeTable<'_>| match text(motion, "direction") {
        Some(direction) => direction.starts_with("rotation") || matches!(direction, "b1" | "b2" | "b3"),
        None => {
            let joint = text(motion, "joint").and_then(|joint| named(file, "joint", joint));
            joint.is_some_and(|joint| is_of(joint, "revolute"))
        }
    };
    let of = |field: &str| text(measure, field).and_then(|name| named(file, field, name));
    let is_torque = of("motion").is_some_and(turns)
        || of("force").is_some_and(|force| TORQUES.iter().any(|kind| is_of(force, kind)));
    let quantity = if is_torque { "torque" } else { "force" };
    put(measure, "quantity", DeValue::String(Cow::Borrowed(quantity)), span);
}
