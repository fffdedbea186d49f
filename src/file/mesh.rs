//! Surfaces of triangles in files, which the `[[display]]` entries of a model name: STL, as text or binary, and Wavefront OBJ.

use super::issue::{Issue, Segment};
#[cfg(feature = "scene")]
use super::mesh_formats;
use crate::mechanism::{Display, DisplayKind};
use fourbar_multibody::model::SourceFile;
use serde::de::Error as _;
use std::path::Path;
use toml::Spanned;
use toml::de::DeTable;

/// Reads the files that `displays` name, which lie in `folder`; `file` is the table in which they are written. Without the feature `scene`
/// they need but be there.
pub(super) fn read(displays: &mut [Display], file: &DeTable<'_>, folder: &Path) -> Result<(), Issue> {
    for (index, display) in displays.iter_mut().enumerate() {
        let Some(name) = display.file.as_ref().filter(|_| display.kind == DisplayKind::Mesh) else { continue };
        let path = folder.join(name);
        let entry = file.get("display").and_then(|section| section.get_ref().get(index));
        let fault = |message: String| {
            let value = entry.and_then(|entry| entry.get_ref().get("file")).or(entry);
            let issue = Issue::custom(message).at(value.map_or(0..0, Spanned::span));
            issue
                .within(Segment::Key("file".to_owned()))
                .within(Segment::Index(index))
                .within(Segment::Key("display".to_owned()))
        };
        let bytes = bytes(&path).map_err(|error| fault(format!("cannot read {}: {error}", path.display())))?;
        #[cfg(feature = "scene")]
        {
            let mesh =
                mesh_formats::mesh(&path, &bytes).map_err(|problem| fault(format!("{}: {problem}", path.display())))?;
            display.mesh = Some(std::sync::Arc::new(mesh));
        }
        #[cfg(not(feature = "scene"))]
        drop(bytes);
        display.source = Some(SourceFile::new(path));
    }
    Ok(())
}

/// What the file holds; its first byte where nothing reads it.
fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let most = if cfg!(feature = "scene") { super::LARGEST + 1 } else { 1 };
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > super::LARGEST {
        let problem = format!("it is larger than {} MiB; write a coarser mesh", super::LARGEST >> 20);
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}
