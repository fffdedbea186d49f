//! Simulators of a coupled model as model files of their own.

use super::ModelFile;
use super::locate::simulator_table;
use crate::fmi::export::quoted;
use crate::{Document, Error};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

impl ModelFile {
    /// The model of a simulator, which has a file of its own or stands in this one; None if it is no mechanism, circuit or linear system.
    ///
    /// # Errors
    /// As [`ModelFile::parse`].
    pub(crate) fn simulator(&self, index: usize) -> Option<Result<Self, Error>> {
        if let Some((_, file)) = self.simulators.iter().find(|(own, _)| *own == index) {
            return Some(Ok(file.clone()));
        }
        let Document::Coupled(model) = &self.document else { return None };
        let simulator = model.simulators.get(index)?;
        let table = DeTable::parse(&self.text).ok()?;
        let (_, entry) = simulator_table(table.get_ref(), index)?;
        let DeValue::Table(inner) = entry.get("model")?.get_ref() else { return None };
        let mut text = String::new();
        for (name, value) in inner.iter() {
            text += &format!("{} = {}\n", quoted(name.get_ref()), inline(value.get_ref()));
        }
        let name = self.beside(&simulator.name).display().to_string();
        let read = Self::parse_with(name, text, false, &[]);
        Some(read.map(|file| Self { is_part: true, ..file }))
    }

    /// A name in the folder of this file that no file has.
    fn beside(&self, name: &str) -> PathBuf {
        let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let folder = Path::new(&self.name).parent().unwrap_or(Path::new(""));
        let names = (0u32..).map(|k| if k == 0 { format!("{plain}.toml") } else { format!("{plain}-{k}.toml") });
        names.map(|name| folder.join(name)).find(|path| !path.exists()).unwrap_or_default()
    }
}

/// A value of TOML in one line.
fn inline(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => {
            let prefix = match number.radix() {
                2 => "0b",
                8 => "0o",
                16 => "0x",
                _ => "",
            };
            format!("{prefix}{}", number.as_str())
        }
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(own) => own.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(list) => {
            let all: Vec<String> = list.iter().map(|value| inline(value.get_ref())).collect();
            format!("[{}]", all.join(", "))
        }
        DeValue::Table(table) => {
            let own =
                table.iter().map(|(name, value)| format!("{} = {}", quoted(name.get_ref()), inline(value.get_ref())));
            format!("{{{}}}", own.collect::<Vec<_>>().join(", "))
        }
    }
}
