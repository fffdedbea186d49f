//! Numbers, arrays and lists as bytes.

use super::{CheckpointError, Source, Stored, store_list};

/// Counts above this are none: the largest still leaves room to count on.
const MOST: u64 = 1 << 62;

macro_rules! number {
    ($($type:ty),+) => {$(
        impl Stored for $type {
            fn store(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
            fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
                let mut bytes = [0; size_of::<$type>()];
                bytes.copy_from_slice(from.take(size_of::<$type>())?);
                *self = <$type>::from_le_bytes(bytes);
                Ok(())
            }
        }
    )+};
}
number!(f64, u32, u8, i8);

impl Stored for u64 {
    fn store(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.to_le_bytes());
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(from.take(8)?);
        *self = Self::from_le_bytes(bytes);
        if *self <= MOST { Ok(()) } else { Err(from.refuse("a count")) }
    }
}

impl Stored for usize {
    fn store(&self, to: &mut Vec<u8>) {
        (*self as u64).store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = Self::try_from(from.value::<u64>()?).map_err(|_| from.refuse("a count"))?;
        Ok(())
    }
}

impl Stored for bool {
    fn store(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = match from.value::<u8>()? {
            0 => false,
            1 => true,
            _ => return Err(from.refuse("a yes or no")),
        };
        Ok(())
    }
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    fn store(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|value| value.store(to));
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.iter_mut().try_for_each(|value| value.load(from))
    }
}

/// Of the length that it has.
impl<T: Stored> Stored for Vec<T> {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(self, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        if from.value::<usize>()? != self.len() {
            return Err(from.refuse("the length of an array"));
        }
        self.iter_mut().try_for_each(|value| value.load(from))
    }
}

impl<T: Stored + Default> Stored for Option<T> {
    fn store(&self, to: &mut Vec<u8>) {
        self.is_some().store(to);
        if let Some(value) = self {
            value.store(to);
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = if from.value()? { Some(from.value()?) } else { None };
        Ok(())
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn store(&self, to: &mut Vec<u8>) {
        self.0.store(to);
        self.1.store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.0.load(from)?;
        self.1.load(from)
    }
}

/// Column after column.
impl<const R: usize, const C: usize> Stored for nalgebra::SMatrix<f64, R, C> {
    fn store(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|value| value.store(to));
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.iter_mut().try_for_each(|value| value.load(from))
    }
}
