//! Triangles of STL, as text or binary, and of Wavefront OBJ.

use crate::mechanism::DisplayMesh;
use earcut::Earcut;
use earcut::utils3d::project3d_to_2d;
use fourbar_multibody::space::V3;
use std::borrow::Cow;
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
    let begin = bytes.trim_ascii_start();
    let is_text = begin.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && !is_binary(bytes);
    let bytes = if is_text { one_solid(begin).into_bytes().into() } else { unnamed(bytes) };
    let read = stl_io::read_stl(&mut Cursor::new(&bytes[..]));
    let mesh = read.map_err(|error| format!("no STL: {error}; export the mesh again"))?;
    if is_text && mesh.faces.is_empty() {
        return Err("no STL: a text without facets, and no binary file, which would be longer; export the mesh again"
            .to_owned());
    }
    let vertices = mesh.vertices.iter().map(|v| [v[0], v[1], v[2]].map(f64::from)).collect();
    let triangles = mesh.faces.iter().map(|face| face.vertices.map(|vertex| vertex as u32)).collect();
    Ok(DisplayMesh { vertices, triangles })
}

/// A binary file under a header that the reader does not take for a text, which it knows by its first word.
fn unnamed(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut bytes = Cow::Borrowed(bytes);
    if bytes.starts_with(b"solid") {
        bytes.to_mut()[..HEADER].fill(b' ');
    }
    bytes
}

/// The text with all its solids in one, in small letters and without blank lines, as the reader wants it.
fn one_solid(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).to_ascii_lowercase();
    let facets = text.lines().map(str::trim).filter(|line| {
        let word = line.split_whitespace().next();
        !matches!(word, None | Some("solid" | "endsolid"))
    });
    let mut solid = "solid all\n".to_owned();
    for line in facets {
        solid += line;
        solid.push('\n');
    }
    solid + "endsolid all\n"
}

/// All objects of the file in one; materials are left out.
fn obj(bytes: &[u8]) -> Result<DisplayMesh, String> {
    let options = tobj::LoadOptions { ignore_points: true, ignore_lines: true, ..Default::default() };
    let text = whole_lines(bytes);
    let read = tobj::load_obj_buf(&mut Cursor::new(&text[..]), &options, |_| Ok(Default::default()));
    let (models, _) = read.map_err(|error| format!("no OBJ: {error}; export the mesh again"))?;
    let mut mesh = DisplayMesh::default();
    let mut cutter = Earcut::new();
    for tobj::Model { mesh: own, .. } in models {
        let first = mesh.vertices.len() as u32;
        let vertices: Vec<[f64; 3]> =
            own.positions.chunks_exact(3).map(|v| [v[0], v[1], v[2]].map(f64::from)).collect();
        let mut rest = &own.indices[..];
        // Where all faces are triangles there is no list of their sizes.
        let all = if own.face_arities.is_empty() { vec![3; rest.len() / 3] } else { own.face_arities };
        for corners in all {
            let Some((face, behind)) = rest.split_at_checked(corners as usize) else { break };
            rest = behind;
            let triangles = cut(&mut cutter, &vertices, face)?;
            mesh.triangles.extend(triangles.into_iter().map(|triangle| triangle.map(|vertex| vertex + first)));
        }
        mesh.vertices.extend(vertices);
    }
    Ok(mesh)
}

/// The text with lines that end in `\\` joined to those behind them.
fn whole_lines(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        match text.strip_suffix(b"\\") {
            Some(part) => {
                whole.extend_from_slice(part);
                whole.push(b' ');
            }
            None => whole.extend_from_slice(line),
        }
    }
    whole
}

/// Triangles of a face that lies nearly in a plane and may be hollow, in the sense in which its corners follow each other.
fn cut(cutter: &mut Earcut<f64>, vertices: &[[f64; 3]], face: &[u32]) -> Result<Vec<[u32; 3]>, String> {
    let corners: Option<Vec<V3>> = face.iter().map(|k| vertices.get(*k as usize).map(|v| V3::from(*v))).collect();
    let corners = corners.ok_or_else(|| {
        format!("a face names a vertex beyond the {} there are; export the mesh again", vertices.len())
    })?;
    let fan = || (1..face.len().max(2) - 1).map(|k| [face[0], face[k], face[k + 1]]).collect();
    if corners.len() < 4 {
        return Ok(fan());
    }
    let size = corners.iter().map(|corner| (corner - corners[0]).amax()).fold(0.0, f64::max);
    let scaled: Vec<[f64; 3]> = corners.iter().map(|corner| ((corner - corners[0]) / size).into()).collect();
    let (mut flat, mut found) = (Vec::new(), Vec::<usize>::new());
    // One whose corners lie in a line, or in one point, has no area.
    if !(size > 0.0) || !project3d_to_2d(&scaled, scaled.len(), &mut flat) {
        return Ok(fan());
    }
    cutter.earcut(flat, &[], &mut found);
    let normal: V3 = (0..corners.len()).map(|k| corners[k].cross(&corners[(k + 1) % corners.len()])).sum();
    let turned = |triangle: &[usize]| {
        let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
        let own = (corners[b] - corners[a]).cross(&(corners[c] - corners[a]));
        if own.dot(&normal) < 0.0 { [a, c, b] } else { [a, b, c] }
    };
    Ok(found.chunks_exact(3).map(|triangle| turned(triangle).map(|corner| face[corner])).collect())
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
        for header in [&b"made by hand"[..], b"", b"solid", b"solid part", b"solid\r\nfacet normal 0 0 1", &[0xff; 80]]
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

    const FACET: &str = "facet normal 0 0 1\nouter loop\nvertex 0 0 X\nvertex 1 0 X\nvertex 0 1 X\nendloop\nendfacet\n";

    #[test]
    fn texts_of_several_solids_in_capitals_and_behind_blank_lines_are_whole() {
        let [one, two] = ["0", "1"].map(|place| FACET.replace('X', place));
        let several = format!("solid a\n{one}endsolid a\nsolid b\n{two}endsolid b\n");
        let blank = format!("\n\n  solid a\n\n{one}\n{two}endsolid\n\n");
        for text in [several.clone(), several.to_ascii_uppercase(), blank, several.replace('\n', "\r\n")] {
            let mesh = stl(text.as_bytes()).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (6, 2), "{text}");
        }
    }

    /// The area of all triangles, by their normals along z.
    fn area(mesh: &DisplayMesh) -> (f64, f64) {
        let of = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|k| V3::from(mesh.vertices[k as usize]));
            0.5 * (b - a).cross(&(c - a)).z
        };
        let areas: Vec<f64> = mesh.triangles.iter().map(of).collect();
        (areas.iter().sum(), areas.iter().map(|area| area.abs()).sum())
    }

    #[test]
    fn hollow_faces_are_cut_where_they_are_not() {
        // A chevron: the fan about its first corner covers what is outside.
        let chevron = "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\n";
        for (face, sign) in [("f 1 2 3 4", 1.0), ("f 4 3 2 1", -1.0), ("f 2 3 4 1", 1.0), ("f 1 \\\n 2 3 \\\r\n4", 1.0)]
        {
            let mesh = obj(format!("{chevron}{face}\n").as_bytes()).unwrap_or_else(|problem| panic!("{problem}"));
            let (signed, whole) = area(&mesh);
            assert!((signed - sign).abs() < 1e-12 && (whole - 1.0).abs() < 1e-12, "{face}: {signed} {whole}");
        }
        // A comb with 40 teeth of different heights, turned out of the plane and small.
        let heights: Vec<f64> = (0..40).map(|k| 1.0 + f64::from(k * 7 % 5)).collect();
        let mut points = vec![[0.0, -1.0], [40.0, -1.0]];
        for (k, height) in heights.iter().enumerate().rev() {
            points.push([k as f64 + 1.0, 0.0]);
            points.push([k as f64 + 0.5, *height]);
        }
        points.push([0.0, 0.0]);
        let own: f64 = 40.0 + heights.iter().map(|height| 0.5 * height).sum::<f64>();
        for scale in [1e-6, 1.0, 1e6] {
            let lines =
                points.iter().map(|[x, y]| format!("v {} {} {}\n", x * scale, 0.6 * y * scale, 0.8 * y * scale));
            let face: String = (1..=points.len()).map(|k| format!(" {k}")).collect();
            let mesh = obj(format!("{}f{face}\n", lines.collect::<String>()).as_bytes()).unwrap();
            let (signed, whole) = area(&mesh);
            let expected = 0.6 * own * scale * scale;
            assert!(
                (signed / expected - 1.0).abs() < 1e-5 && (whole / expected - 1.0).abs() < 1e-5,
                "{signed} {expected}"
            );
            assert_eq!(mesh.triangles.len(), points.len() - 2);
        }
    }
}
