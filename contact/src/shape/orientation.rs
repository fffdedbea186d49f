//! Which side of a mesh is outside: by the order of the corners of its triangles, which must agree, and by the sign of the volume that they enclose.

use parry3d_f64::math::Vec3;
use std::collections::HashMap;

/// Two triangles that are turned against each other, or that have one edge the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Against(pub(super) usize, pub(super) usize);

/// Turns the triangles of a closed mesh outwards, so that the volume they enclose is positive; whether it did. Open ones remain as they are.
///
/// # Errors
/// Two triangles that meet at an edge and see different sides of the mesh.
pub(super) fn outwards(vertices: &[Vec3], triangles: &mut [[u32; 3]]) -> Result<bool, Against> {
    let places = welded(vertices);
    // For each edge the triangles that go it from its first vertex to the second one, and those that go back.
    let mut edges: HashMap<[u32; 2], [Vec<usize>; 2]> = HashMap::new();
    for (k, triangle) in triangles.iter().enumerate() {
        let own = triangle.map(|vertex| places[vertex as usize]);
        for (from, to) in [(own[0], own[1]), (own[1], own[2]), (own[2], own[0])] {
            let back = from > to;
            let edge = if back { [to, from] } else { [from, to] };
            edges.entry(edge).or_default()[usize::from(back)].push(k);
        }
    }
    let against = edges.values().filter_map(|[there, back]| match (there.as_slice(), back.as_slice()) {
        ([one, two], []) | ([], [one, two]) => Some(Against(*one, *two)),
        _ => None,
    });
    if let Some(first) = against.min_by_key(|against| (against.0, against.1)) {
        return Err(first);
    }
    let is_closed = edges.values().all(|[there, back]| there.len() == back.len());
    let turned = is_closed && volume(vertices, triangles) < 0.0;
    if turned {
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    Ok(turned)
}

/// The first vertex at the place of each one.
fn welded(vertices: &[Vec3]) -> Vec<u32> {
    let mut first: HashMap<[u64; 3], u32> = HashMap::new();
    // Zeros of both signs are one place.
    let bits = |x: f64| (x + 0.0).to_bits();
    (0..).zip(vertices).map(|(k, v)| *first.entry([bits(v.x), bits(v.y), bits(v.z)]).or_insert(k)).collect()
}

/// Six times the volume that closed triangles enclose, positive where their normals point outwards.
fn volume(vertices: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    // About a vertex of its own, so that a mesh far away keeps its digits.
    let origin = vertices.first().copied().unwrap_or(Vec3::ZERO);
    let corner = |vertex: u32| vertices[vertex as usize] - origin;
    triangles.iter().map(|[a, b, c]| corner(*a).dot(corner(*b).cross(corner(*c)))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let corner = |x, y, z| Vec3::new(x, y, z);
        let vertices = vec![corner(5.0, 0.0, 0.0), corner(6.0, 0.0, 0.0), corner(5.0, 1.0, 0.0), corner(5.0, 0.0, 1.0)];
        (vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    }

    #[test]
    fn closed_meshes_are_turned_outwards() {
        let (vertices, outside) = tetrahedron();
        let mut same = outside.clone();
        assert_eq!(outwards(&vertices, &mut same), Ok(false));
        assert_eq!(same, outside);
        let mut inside: Vec<[u32; 3]> = outside.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        assert_eq!(outwards(&vertices, &mut inside), Ok(true));
        assert_eq!(inside, outside);
        // Each triangle with corners of its own, as from STL.
        let apart: Vec<Vec3> = outside.iter().flatten().map(|corner| vertices[*corner as usize]).collect();
        let mut loose: Vec<[u32; 3]> = (0..4).map(|k| [3 * k, 3 * k + 2, 3 * k + 1]).collect();
        assert_eq!(outwards(&apart, &mut loose), Ok(true));
    }

    #[test]
    fn open_meshes_remain_and_inconsistent_ones_are_refused() {
        let (vertices, mut triangles) = tetrahedron();
        let mut open = triangles[..3].iter().map(|[a, b, c]| [*a, *c, *b]).collect::<Vec<_>>();
        assert_eq!(outwards(&vertices, &mut open), Ok(false));
        triangles[2].swap(0, 1);
        assert_eq!(outwards(&vertices, &mut triangles), Err(Against(0, 2)));
    }
}
