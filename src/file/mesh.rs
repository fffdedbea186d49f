//! Surfaces of triangles in files, which the `[[display]]` entries of a model name: STL, as text or binary, and Wavefront OBJ.

use super::issue::{Issue, Segment};
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
                formats::mesh(&path, &bytes).map_err(|problem| fault(format!("{}: {problem}", path.display())))?;
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

#[cfg(feature = "scene")]
mod formats {
    use crate::mechanism::DisplayMesh;
    use std::io::Cursor;
    use std::path::Path;

    /// The triangles of a file by the ending of its name.
    pub(super) fn mesh(path: &Path, bytes: &[u8]) -> Result<DisplayMesh, String> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let mesh = match ending.as_str() {
            "stl" => stl(bytes)?,
            "obj" => obj(bytes)?,
            other => return Err(format!("`.{other}` is no kind of mesh that is read; write an .stl or .obj file")),
        };
        if mesh.triangles.is_empty() {
            return Err("the mesh is empty; write a file with triangles".to_owned());
        }
        if mesh.vertices.iter().flatten().any(|number| !number.is_finite()) {
            return Err("a vertex is not finite; export the mesh again".to_owned());
        }
        let count = mesh.vertices.len() as u32;
        if mesh.triangles.iter().flatten().any(|vertex| *vertex >= count) {
            return Err(format!("a triangle names a vertex beyond the {count} there are; export the mesh again"));
        }
        Ok(mesh)
    }

    /// Bytes of the header of a binary STL, whose count of triangles follows as a little-endian number of four bytes, and of a triangle.
    const HEADER: usize = 80;
    const TRIANGLE: usize = 50;

    /// Whether it is as long as a binary STL of that many triangles: many programs begin its header with `solid`, as texts begin.
    fn is_binary(bytes: &[u8]) -> bool {
        let count = bytes.get(HEADER..HEADER + 4).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
        count.is_some_and(|count| bytes.len() as u64 == (HEADER + 4) as u64 + TRIANGLE as u64 * u64::from(count))
    }

    fn stl(bytes: &[u8]) -> Result<DisplayMesh, String> {
        // The reader goes by the first word, and a space behind it.
        let mut bytes = std::borrow::Cow::Borrowed(bytes);
        if bytes.starts_with(b"solid") {
            if is_binary(&bytes) {
                bytes.to_mut()[..HEADER].fill(b' ');
            } else if bytes.get(5).is_some_and(|next| b"\r\n".contains(next)) {
                bytes.to_mut().insert(5, b' ');
            }
        }
        let read = stl_io::read_stl(&mut Cursor::new(&bytes[..]));
        let mesh = read.map_err(|error| format!("no STL: {error}; export the mesh again"))?;
        let vertices = mesh.vertices.iter().map(|v| [v[0], v[1], v[2]].map(f64::from)).collect();
        let triangles = mesh.faces.iter().map(|face| face.vertices.map(|vertex| vertex as u32)).collect();
        Ok(DisplayMesh { vertices, triangles })
    }

    /// All objects of the file in one; materials are left out.
    fn obj(bytes: &[u8]) -> Result<DisplayMesh, String> {
        let options =
            tobj::LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..Default::default() };
        let read = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, |_| Ok(Default::default()));
        let (models, _) = read.map_err(|error| format!("no OBJ: {error}; export the mesh again"))?;
        let mut mesh = DisplayMesh::default();
        for model in models {
            let first = mesh.vertices.len() as u32;
            let vertices = model.mesh.positions.chunks_exact(3).map(|v| [v[0], v[1], v[2]].map(f64::from));
            mesh.vertices.extend(vertices);
            let triangles = model.mesh.indices.chunks_exact(3).map(|t| [t[0] + first, t[1] + first, t[2] + first]);
            mesh.triangles.extend(triangles);
        }
        Ok(mesh)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];

        /// A tetrahedron under a header.
        fn binary(header: &[u8]) -> Vec<u8> {
            let mut bytes = header.to_vec();
            bytes.resize(HEADER, 0);
            bytes.extend(4_u32.to_le_bytes());
            for left_out in 0..4 {
                let corners = (0..4).filter(|k| *k != left_out).map(|k| CORNERS[k]);
                let numbers = std::iter::once([0.0; 3]).chain(corners).flatten();
                bytes.extend(numbers.flat_map(f32::to_le_bytes));
                bytes.extend([0, 0]);
            }
            bytes
        }

        #[test]
        fn a_binary_stl_is_known_by_its_size_whatever_its_header_says() {
            for header in
                [&b"made by hand"[..], b"", b"solid", b"solid part", b"solid\r\nfacet normal 0 0 1", &[0xff; 80]]
            {
                let mesh = stl(&binary(header)).unwrap_or_else(|problem| panic!("{header:?}: {problem}"));
                assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 4), "{header:?}");
            }
            // One that is cut off is none.
            let mut cut = binary(b"solid part");
            cut.pop();
            assert!(stl(&cut).is_err());
        }

        #[test]
        fn a_text_is_one_with_a_name_and_without() {
            for name in [" part", "", " two words"] {
                for end in ["\n", "\r\n"] {
                    let lines = [
                        &format!("solid{name}"),
                        "facet normal 0 0 1",
                        "outer loop",
                        "vertex 0 0 0",
                        "vertex 1 0 0",
                        "vertex 0 1 0",
                        "endloop",
                        "endfacet",
                        &format!("endsolid{name}"),
                        "",
                    ];
                    let mesh = stl(lines.join(end).as_bytes()).unwrap_or_else(|problem| panic!("{name:?}: {problem}"));
                    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (3, 1), "{name:?}");
                }
            }
        }
    }
}
