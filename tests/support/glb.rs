//! Binary glTF files taken apart.

use fourbar::scene::{Film, glb};
use serde_json::Value;

/// A `.glb` file taken apart.
pub(crate) struct Parsed {
    pub(crate) json: Value,
    bytes: Vec<u8>,
}

impl Parsed {
    pub(crate) fn of(film: &Film) -> Self {
        Self::read(&glb(film).unwrap())
    }

    pub(crate) fn read(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let length = word(12);
        assert_eq!(&file[16..20], b"JSON");
        let json: Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
        let bytes = match file.get(20 + length..).filter(|rest| !rest.is_empty()) {
            Some(rest) => {
                assert_eq!(&rest[4..8], b"BIN\0");
                rest[8..].to_vec()
            }
            None => Vec::new(),
        };
        Self { json, bytes }
    }

    pub(crate) fn node(&self, name: &str) -> usize {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Rows of an accessor of single precision.
    pub(crate) fn floats(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        assert_eq!(accessor["componentType"], 5126);
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("{other}"),
        };
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let (count, own) = (number(&accessor["count"]), number(&accessor["byteOffset"]));
        assert!(own + 4 * width * count <= number(&view["byteLength"]));
        let begin = number(&view["byteOffset"]) + own;
        let bytes = &self.bytes[begin..begin + 4 * width * count];
        let float = |four: &[u8]| f64::from(f32::from_le_bytes(four.try_into().unwrap()));
        bytes.chunks_exact(4 * width).map(|row| row.chunks_exact(4).map(float).collect()).collect()
    }

    /// Times and values of the channel of a node.
    pub(crate) fn channel(&self, node: usize, path: &str) -> (Vec<f64>, Vec<Vec<f64>>) {
        let animation = &self.json["animations"][0];
        let channels = animation["channels"].as_array().unwrap();
        let is_own = |c: &&Value| c["target"]["node"] == node && c["target"]["path"] == path;
        let sampler =
            &animation["samplers"][channels.iter().find(is_own).unwrap()["sampler"].as_u64().unwrap() as usize];
        (self.floats(&sampler["input"]).concat(), self.floats(&sampler["output"]))
    }
}
