//! The other federates: their names behind the numbers that HELICS tells, and who of them has ended.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::Value;

use super::foreign::Handles;

/// How long the broker may take to answer.
const ANSWER: Duration = Duration::from_secs(1);
/// Identifiers have at least as many digits, federates from 131072 on: shorter numbers in messages are others.
const DIGITS: usize = 6;

/// The answer to a question, if it comes in time: a broker that waits for a lost federate says nothing.
pub(super) fn asked<T: Send + 'static>(
    handles: &Handles,
    question: impl FnOnce(&Handles) -> Option<T> + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = channel();
    let asking = handles.clone();
    let spawned = std::thread::Builder::new().spawn(move || {
        // Nobody listens any more if it took too long.
        let _ = sender.send(question(&asking));
    });
    spawned.ok()?;
    receiver.recv_timeout(ANSWER).ok()?
}

/// Federates by the numbers of themselves and of their cores.
#[derive(Debug, Default)]
pub(super) struct Federates(BTreeMap<u64, Vec<String>>);

impl Federates {
    /// Asks the broker, which knows all once values of the start are exchanged.
    pub(super) fn of(handles: &Handles) -> Self {
        asked(handles, |handles| handles.query("root", "federate_map"))
            .map_or(Self::default(), |map| Self::in_map(&map))
    }

    /// Those of the answer to `federate_map`: brokers hold cores, and cores federates.
    fn in_map(map: &Value) -> Self {
        let mut found = Self::default();
        let entries = |of: &Value, key: &str| of.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut brokers = vec![map.clone()];
        while let Some(broker) = brokers.pop() {
            brokers.extend(entries(&broker, "brokers"));
            for core in entries(&broker, "cores") {
                for federate in entries(&core, "federates") {
                    let Some(name) = attribute(&federate, "name").and_then(|name| name.as_str().map(str::to_owned))
                    else {
                        continue;
                    };
                    for id in [&core, &federate].into_iter().filter_map(|of| attribute(of, "id")?.as_u64()) {
                        found.0.entry(id).or_default().push(name.clone());
                    }
                }
            }
        }
        found
    }

    /// The name of one federate.
    fn name(&self, id: u64) -> Option<&str> {
        self.0.get(&id)?.first().map(String::as_str)
    }

    /// A message of HELICS with the names behind its numbers.
    pub(super) fn named(&self, words: &str) -> String {
        let mut named = String::new();
        let mut rest = words;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let length = rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
            let (before, number) = (&rest[..start], &rest[start..start + length]);
            rest = &rest[start + length..];
            named.push_str(before);
            named.push_str(number);
            let names = number.parse().ok().filter(|_| length >= DIGITS).and_then(|id: u64| self.0.get(&id));
            if let Some(names) = names {
                named.push_str(&format!(" (federate {})", names.join(", ")));
            }
        }
        named + rest
    }

    /// Federates from which values are received and that have left the federation.
    pub(super) fn ended(&self, handles: &Handles, own: &str) -> Vec<String> {
        let own = own.to_owned();
        let ids = asked(handles, move |handles| handles.query(&own, "dependencies"));
        let ids = ids.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
        // Numbers come as texts.
        let id = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let names = ids.iter().filter_map(id).filter_map(|id| self.name(id).map(str::to_owned));
        let has_ended = |name: &String| {
            let name = name.clone();
            let state = asked(handles, move |handles| handles.query(&name, "state"));
            state.as_ref().and_then(Value::as_str) == Some("disconnected")
        };
        names.filter(has_ended).collect()
    }
}

fn attribute<'a>(of: &'a Value, key: &str) -> Option<&'a Value> {
    of.get("attributes")?.get(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As HELICS 3.6.1 answers.
    const MAP: &str = r#"{"attributes":{"id":1,"name":"24320-rIRld","parent":0},"brokers":[],"cores":[
        {"attributes":{"id":1879048193,"name":"B_core_yGXT5w","parent":1},"federates":[{"attributes":{"id":131073,"name":"B","parent":1879048193}}]},
        {"attributes":{"id":1879048192,"name":"A_core_aLOPg8","parent":1},"federates":[{"attributes":{"id":131072,"name":"A","parent":1879048192}}]}]}"#;

    #[test]
    fn numbers_in_messages_get_the_names_behind_them() {
        let federates = Federates::in_map(&serde_json::from_str(MAP).unwrap());
        assert_eq!(federates.name(131_073), Some("B"));
        for (words, expected) in [
            ("lost comms with 1879048193", "lost comms with 1879048193 (federate B)"),
            (
                "131072 and 131099: error -3 in 131073",
                "131072 (federate A) and 131099: error -3 in 131073 (federate B)",
            ),
            ("no number", "no number"),
        ] {
            assert_eq!(federates.named(words), expected);
        }
    }
}
