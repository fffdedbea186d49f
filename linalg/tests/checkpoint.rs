//! Checkpoints as bytes: what is read is what was written; what is not is refused.

use fourbar_linalg::checkpoint::{CheckpointError, Fingerprint, Header, Source, Stored, store_list};
use fourbar_linalg::{Calahan, CalahanOptions, CscMatrix, stored};
use nalgebra_sparse::CooMatrix;
use proptest::prelude::*;

/// The vectors of Fowler, Noll and Vo (draft-eastlake-fnv, FNV-1a of 64 bits).
#[test]
fn fingerprints_are_fnv_1a() {
    let of = |text: &str| Fingerprint::default().bytes(text.as_bytes()).value();
    assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    // The lengths of lists count, so that what stands in two of them cannot be moved.
    let lists = |a: &[f64], b: &[f64]| Fingerprint::default().numbers(a).numbers(b).value();
    assert_ne!(lists(&[1.0], &[2.0, 3.0]), lists(&[1.0, 2.0], &[3.0]));
    assert_ne!(lists(&[0.0], &[]), lists(&[-0.0], &[]));
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Sample {
    time: f64,
    fixed: Vec<f64>,
    pairs: [(u32, i8); 2],
    maybe: Option<u64>,
    kind: Kind,
    scratch: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Slow,
    Fast,
}

stored!(struct Sample { time, fixed, pairs, maybe, kind });
stored!(
    enum Kind {
        Slow = 0,
        Fast = 1,
    }
);

const HEADER: Header = Header { kind: "a sample", fingerprint: 7 };

proptest! {
    #[test]
    fn what_is_read_is_what_was_written(
        time in any::<f64>(),
        fixed in prop::collection::vec(any::<f64>(), 3),
        pairs in prop::array::uniform2((any::<u32>(), any::<i8>())),
        maybe in prop::option::of(0_u64..1 << 62),
        fast in any::<bool>(),
        list in prop::collection::vec(any::<f64>(), 0..9),
    ) {
        let kind = if fast { Kind::Fast } else { Kind::Slow };
        let sample = Sample { time, fixed, pairs, maybe, kind, scratch: 0.0 };
        let bytes = HEADER.write(|to| {
            sample.store(to);
            store_list(&list, to);
        });
        let mut from = HEADER.read(&bytes).unwrap();
        let mut read = Sample { fixed: vec![0.0; 3], ..Sample::default() };
        let mut values = Vec::new();
        read.load(&mut from).unwrap();
        from.list(&mut values).unwrap();
        from.finish().unwrap();
        // Bit for bit: a NaN too.
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&[&[read.time], &read.fixed[..], &values].concat()), bits(&[&[time], &sample.fixed[..], &list].concat()));
        prop_assert_eq!((read.pairs, read.maybe, read.kind), (pairs, maybe, kind));
    }
}

#[test]
fn lengths_and_codes_are_not_trusted() {
    let stored = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        write(&mut bytes);
        bytes
    };
    let refused = |result: Result<(), CheckpointError>| {
        assert!(matches!(result, Err(CheckpointError::Content { .. })), "{result:?}")
    };
    // An array of another length, a list longer than its bytes, a count beyond all, no variant, no yes or no, a rest.
    let bytes = stored(&|to| vec![1.0; 4].store(to));
    refused(vec![0.0; 3].load(&mut Source::new(&bytes)));
    let bytes = stored(&|to| (1_usize << 40).store(to));
    refused(Source::new(&bytes).list(&mut Vec::<f64>::new()));
    refused(0_u64.load(&mut Source::new(&[0xff; 8])));
    refused(Kind::Slow.load(&mut Source::new(&[2])));
    refused(true.load(&mut Source::new(&[2])));
    refused(0.0.load(&mut Source::new(&[0; 7])));
    refused(Source::new(&[0]).finish());
}

/// Pivots that were chosen for other values than those of now are the same in the copy, and with them every digit of a solution.
#[test]
fn a_matrix_keeps_its_pivots() {
    let n = 12;
    let mut entries = CooMatrix::new(n, n);
    let value = |i: usize, j: usize, t: f64| (1.0 + (3 * i + 5 * j) as f64 * t).sin() + if i == j { 4.0 } else { 0.0 };
    for i in 0..n {
        for j in 0..n {
            if i.abs_diff(j) < 2 || (i * j) % 5 == 1 {
                entries.push(i, j, value(i, j, 0.3));
            }
        }
    }
    let matrix = CscMatrix::from(&entries);
    let options = CalahanOptions::default();
    let at = |t: f64| -> Vec<f64> { matrix.triplet_iter().map(|(i, j, _)| value(i, j, t)).collect() };
    let mut first = Calahan::new(matrix.pattern(), &at(0.3), &options).unwrap();
    first.refactor(&at(0.5)).unwrap();
    let mut bytes = Vec::new();
    first.store(&mut bytes);
    let mut second = Calahan::from_stored(matrix.pattern(), &options, &mut Source::new(&bytes)).unwrap();
    let mut third = Calahan::new(matrix.pattern(), &at(0.9), &options).unwrap();
    third.load(&mut Source::new(&bytes)).unwrap();
    let solve = |lu: &mut Calahan| {
        lu.refactor(&at(0.7)).unwrap();
        let mut x: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect();
        lu.solve(&mut x);
        x
    };
    let expected = solve(&mut first);
    assert_eq!(solve(&mut second), expected);
    assert_eq!(solve(&mut third), expected);
    // Values that no pivots can be chosen for.
    let bytes = [&bytes[..8], &vec![0; bytes.len() - 8][..]].concat();
    assert!(matches!(third.load(&mut Source::new(&bytes)), Err(CheckpointError::Content { .. })));
}
