//! The binary part of the file: accessors, views, chunks.

use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Buffer, Target, View};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Index, Root};
use std::io;

/// Header of the file: `glTF` and version 2; names of its two chunks.
const MAGIC: &[u8; 4] = b"glTF";
const JSON: &[u8; 4] = b"JSON";
const BIN: &[u8; 4] = b"BIN\0";

/// Bytes of the buffer. Those of the animation come behind those of the shapes, in a view of their own.
#[derive(Default)]
pub(super) struct Data {
    shapes: Vec<u8>,
    motion: Vec<u8>,
    /// Accessors of the motion, whose view comes last.
    of_motion: Vec<Index<Accessor>>,
}

fn accessor(count: usize, component: ComponentType, kind: Type) -> Accessor {
    Accessor {
        buffer_view: None,
        byte_offset: None,
        count: count.into(),
        component_type: Valid(GenericComponentType(component)),
        extensions: None,
        extras: None,
        type_: Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

fn view(offset: usize, length: usize, target: Option<Target>) -> View {
    View {
        buffer: Index::new(0),
        byte_length: length.into(),
        byte_offset: Some(offset.into()),
        byte_stride: None,
        name: None,
        target: target.map(Valid),
        extensions: None,
        extras: None,
    }
}

impl Data {
    /// Three numbers for each vertex; with the smallest and largest of each where `bounded`.
    pub(super) fn vertices(&mut self, root: &mut Root, values: &[[f32; 3]], bounded: bool) -> Index<Accessor> {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.push(root, &bytes, Target::ArrayBuffer);
        let mut own = Accessor { buffer_view: Some(view), ..accessor(values.len(), ComponentType::F32, Type::Vec3) };
        if bounded {
            let of = |start: f32, pick: fn(f32, f32) -> f32| {
                let all = values.iter().fold([start; 3], |all, v| [0, 1, 2].map(|axis| pick(all[axis], v[axis])));
                Some(serde_json::json!(all))
            };
            (own.min, own.max) = (of(f32::INFINITY, f32::min), of(f32::NEG_INFINITY, f32::max));
        }
        root.push(own)
    }

    /// Places of vertices.
    pub(super) fn indices(&mut self, root: &mut Root, values: &[u32]) -> Index<Accessor> {
        // The largest of each width stands for a new beginning.
        let short = values.iter().all(|value| *value < u32::from(u16::MAX));
        let (bytes, component): (Vec<u8>, _) = match short {
            true => (values.iter().flat_map(|value| (*value as u16).to_le_bytes()).collect(), ComponentType::U16),
            false => (values.iter().flat_map(|value| value.to_le_bytes()).collect(), ComponentType::U32),
        };
        let view = self.push(root, &bytes, Target::ElementArrayBuffer);
        root.push(Accessor { buffer_view: Some(view), ..accessor(values.len(), component, Type::Scalar) })
    }

    fn push(&mut self, root: &mut Root, bytes: &[u8], target: Target) -> Index<View> {
        let offset = self.shapes.len();
        self.shapes.extend_from_slice(bytes);
        self.shapes.resize(self.shapes.len().next_multiple_of(4), 0);
        root.push(view(offset, bytes.len(), Some(target)))
    }

    /// The times of an animation \[s\].
    pub(super) fn times(&mut self, root: &mut Root, times: &[f32]) -> Index<Accessor> {
        let index = self.track(root, times, Type::Scalar);
        let own = &mut root.accessors[index.value()];
        (own.min, own.max) =
            (times.first().map(|t| serde_json::json!([t])), times.last().map(|t| serde_json::json!([t])));
        index
    }

    /// Numbers of an animation, as many together as `kind` says.
    pub(super) fn track(&mut self, root: &mut Root, values: &[f32], kind: Type) -> Index<Accessor> {
        let own = Accessor {
            byte_offset: Some(self.motion.len().into()),
            ..accessor(values.len() / kind.multiplicity(), ComponentType::F32, kind)
        };
        self.motion.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let index = root.push(own);
        self.of_motion.push(index);
        index
    }

    /// The whole file.
    pub(super) fn file(self, mut root: Root) -> io::Result<Vec<u8>> {
        let Self { shapes: mut bytes, motion, of_motion } = self;
        if !motion.is_empty() {
            let last = root.push(view(bytes.len(), motion.len(), None));
            for index in of_motion {
                root.accessors[index.value()].buffer_view = Some(last);
            }
            bytes.extend(motion);
        }
        if !bytes.is_empty() {
            let byte_length = bytes.len().into();
            root.push(Buffer { byte_length, name: None, uri: None, extensions: None, extras: None });
        }
        let mut json = root.to_vec().map_err(io::Error::from)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        let chunks = [(JSON, json), (BIN, bytes)];
        let chunks = || chunks.iter().filter(|(_, chunk)| !chunk.is_empty());
        let total = 12 + chunks().map(|(_, chunk)| 8 + chunk.len()).sum::<usize>();
        let length = |length: usize| u32::try_from(length).map(u32::to_le_bytes).map_err(|_| too_large());
        let mut file = Vec::with_capacity(total);
        file.extend_from_slice(MAGIC);
        file.extend_from_slice(&2_u32.to_le_bytes());
        file.extend_from_slice(&length(total)?);
        for (name, chunk) in chunks() {
            file.extend_from_slice(&length(chunk.len())?);
            file.extend_from_slice(*name);
            file.extend_from_slice(chunk);
        }
        Ok(file)
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "a .glb file holds at most 4 GiB; raise the output step")
}
