//! What a host is told of the library that it is to load.

use crate::partner::library::LibraryOptions;
use crate::partner::wire::{Content, put_f64, put_named, put_text};

pub(super) fn put_options(to: &mut Vec<u8>, path: &str, options: &LibraryOptions) {
    put_text(to, path);
    put_text(to, &options.name);
    put_f64(to, options.start);
    put_named(to, &options.parameters);
}

pub(super) fn options(content: &mut Content<'_>) -> std::io::Result<(String, LibraryOptions)> {
    let path = content.text()?;
    let (name, start) = (content.text()?, content.f64()?);
    Ok((path, LibraryOptions { name, start, parameters: content.named()? }))
}
