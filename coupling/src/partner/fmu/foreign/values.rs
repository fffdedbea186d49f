//! Numbers to and from an FMU, one call for all of a type.

use super::functions::Text;
use super::{Api, Instance, absent};
use crate::function::Failure;
use crate::partner::fmu::model::FmuType;
use std::ffi::{CString, c_int};

/// Variables of one type, written or read together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    kind: Option<FmuType>,
    references: Vec<u32>,
    /// Places of the values in the caller's array, arrays of FMI 3.0 element by element.
    places: Vec<usize>,
    /// Whether they are real numbers at the places 0, 1, 2 and so on: then nothing is moved.
    direct: bool,
    /// Names of the values, for messages.
    names: Vec<String>,
    /// Numbers of the items of each value that is an enumeration with known ones.
    items: Vec<Vec<f64>>,
    /// Room for the values as the FMU has them, eight bytes each at most.
    raw: Vec<u64>,
    /// Orders of derivatives, 1 each.
    orders: Vec<c_int>,
}

/// Calls with the C type of a kind.
macro_rules! by_type {
    ($kind:expr, $two:expr, $call:ident) => {
        match $kind {
            FmuType::Float32 => $call!(f32),
            FmuType::Int8 => $call!(i8),
            FmuType::UInt8 => $call!(u8),
            FmuType::Int16 => $call!(i16),
            FmuType::UInt16 => $call!(u16),
            FmuType::Int32 | FmuType::Enumeration32 => $call!(i32),
            FmuType::UInt32 => $call!(u32),
            FmuType::Int64 | FmuType::Enumeration64 => $call!(i64),
            FmuType::UInt64 => $call!(u64),
            FmuType::Boolean if $two => $call!(c_int),
            FmuType::Boolean => $call!(u8),
            FmuType::Float64 | FmuType::String | FmuType::Binary | FmuType::Clock => $call!(f64),
        }
    };
}

impl Group {
    /// An empty group of a type.
    pub(crate) fn new(kind: FmuType) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }

    pub(crate) fn kind(&self) -> Option<FmuType> {
        self.kind
    }

    pub(crate) fn is_float64(&self) -> bool {
        self.kind == Some(FmuType::Float64)
    }

    /// Whether nothing is moved on the way.
    pub(crate) fn is_direct(&self) -> bool {
        self.direct
    }

    /// Adds a variable with these places and their names.
    pub(crate) fn add(&mut self, reference: u32, values: impl IntoIterator<Item = (usize, String)>) {
        self.references.push(reference);
        self.orders.push(1);
        for (place, name) in values {
            self.places.push(place);
            self.names.push(name);
            self.items.push(Vec::new());
            self.raw.push(0);
        }
        self.direct = self.is_float64() && self.places.iter().enumerate().all(|(i, place)| i == *place);
    }

    /// The last `count` values take the numbers of these items alone, if there are any.
    pub(crate) fn limit(&mut self, count: usize, items: &[(String, i64)]) {
        let numbers: Vec<f64> = items.iter().map(|(_, number)| *number as f64).collect();
        self.items.iter_mut().rev().take(count).for_each(|own| own.clone_from(&numbers));
    }

    /// Value references, and places in the caller's array.
    pub(crate) fn references(&self) -> &[u32] {
        &self.references
    }

    pub(crate) fn places(&self) -> &[usize] {
        &self.places
    }

    /// Names of the values.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a value of the group is another one in these arrays; a NaN is a value that was not set.
    pub(crate) fn differs(&self, set: &[f64], values: &[f64]) -> bool {
        self.places.iter().any(|place| set[*place] != values[*place])
    }

    /// The values as the FMU has them.
    #[inline(never)]
    fn pack(&mut self, values: &[f64], two: bool) -> Result<(), Failure> {
        let Some(kind) = self.kind else { return Ok(()) };
        let (low, high) = kind.range();
        for (i, place) in self.places.iter().enumerate() {
            let value = values[*place];
            let value = if kind.is_float() { value } else { value.round() };
            if !(value >= low && value <= high) {
                let problem = format!("{} is {}, outside of {low} to {high}", self.names[i], values[*place]);
                return Err(Failure::new(format!("{problem}, which a {} can hold", kind.name())));
            }
            if !self.items[i].is_empty() && !self.items[i].contains(&value) {
                let problem = format!("{} is {}, and its enumeration has no such item", self.names[i], values[*place]);
                return Err(Failure::new(problem));
            }
            macro_rules! write {
                ($type:ty) => {
                    // SAFETY: `raw` has eight bytes for each value, and place i of a smaller type lies within them. The value fits the type.
                    unsafe { self.raw.as_mut_ptr().cast::<$type>().add(i).write(value as $type) }
                };
            }
            by_type!(kind, two, write);
        }
        Ok(())
    }

    /// Whole numbers, one for each value of the group in its order, as the FMU has them.
    fn pack_whole(&mut self, values: &[i128], two: bool) {
        let Some(kind) = self.kind else { return };
        for (i, value) in values.iter().enumerate().take(self.raw.len()) {
            macro_rules! write {
                ($type:ty) => {
                    // SAFETY: as in `pack`; whoever gives the values has checked their range.
                    unsafe { self.raw.as_mut_ptr().cast::<$type>().add(i).write(*value as $type) }
                };
            }
            by_type!(kind, two, write);
        }
    }

    #[inline(never)]
    fn unpack(&self, values: &mut [f64], two: bool) {
        let Some(kind) = self.kind else { return };
        for (i, place) in self.places.iter().enumerate() {
            macro_rules! read {
                ($type:ty) => {
                    // SAFETY: as in `pack`; every pattern of bits is a value of these types.
                    values[*place] = unsafe { self.raw.as_ptr().cast::<$type>().add(i).read() } as f64
                };
            }
            by_type!(kind, two, read);
        }
    }
}

impl Instance {
    /// Writes the values of a group.
    // Once or twice a step of each FMU: within their caller the calls cost half.
    #[inline(always)]
    pub(crate) fn set(&mut self, group: &mut Group, values: &[f64]) -> Result<(), Failure> {
        self.ready()?;
        let from: *const std::ffi::c_void = if group.direct {
            values.as_ptr().cast()
        } else {
            group.pack(values, matches!(self.api, Api::Two(_)))?;
            group.raw.as_ptr().cast()
        };
        // SAFETY: as many values as the group has, of its type.
        unsafe { self.hand_over(group, from) }
    }

    /// Writes whole numbers with all their digits, one for each value of the group in its order; they are within the range of its type.
    pub(crate) fn set_whole(&mut self, group: &mut Group, values: &[i128]) -> Result<(), Failure> {
        self.ready()?;
        group.pack_whole(values, matches!(self.api, Api::Two(_)));
        // SAFETY: as many values as the group has, of its type.
        unsafe { self.hand_over(group, group.raw.as_ptr().cast()) }
    }

    /// # Safety
    /// `from` has as many values as the group, of the type of the call.
    #[inline(always)]
    unsafe fn hand_over(&mut self, group: &Group, from: *const std::ffi::c_void) -> Result<(), Failure> {
        let (Some(kind), count) = (group.kind, group.references.len()) else { return Ok(()) };
        let (pointer, references) = (self.pointer(), group.references.as_ptr());
        // SAFETY: the instance lives, the arrays have `count` references and as many values as these have elements, of the type of the call.
        let status = unsafe {
            match &self.api {
                Api::Two(api) => match kind {
                    FmuType::Float64 => api.set_real.map(|set| set(pointer, references, count, from.cast())),
                    FmuType::Boolean => api.set_boolean.map(|set| set(pointer, references, count, from.cast())),
                    _ => api.set_integer.map(|set| set(pointer, references, count, from.cast())),
                },
                Api::Three(_, numbers) => {
                    numbers.of(kind).set.map(|set| set(pointer, references, count, from, group.places.len()))
                }
            }
        };
        let Some(status) = status else { return Err(absent("setting variables of one of its types")) };
        if status == super::OK { Ok(()) } else { self.done(setter(kind), status) }
    }

    /// Reads the values of a group.
    #[inline(always)]
    pub(crate) fn get(&mut self, group: &mut Group, values: &mut [f64]) -> Result<(), Failure> {
        self.ready()?;
        let (Some(kind), count) = (group.kind, group.references.len()) else { return Ok(()) };
        let to: *mut std::ffi::c_void =
            if group.direct { values.as_mut_ptr().cast() } else { group.raw.as_mut_ptr().cast() };
        let (pointer, references) = (self.pointer(), group.references.as_ptr());
        // SAFETY: as in `set`.
        let status = unsafe {
            match &self.api {
                Api::Two(api) => match kind {
                    FmuType::Float64 => api.get_real.map(|get| get(pointer, references, count, to.cast())),
                    FmuType::Boolean => api.get_boolean.map(|get| get(pointer, references, count, to.cast())),
                    _ => api.get_integer.map(|get| get(pointer, references, count, to.cast())),
                },
                Api::Three(_, numbers) => {
                    numbers.of(kind).get.map(|get| get(pointer, references, count, to, group.places.len()))
                }
            }
        };
        let Some(status) = status else { return Err(absent("reading variables of one of its types")) };
        if status != super::OK {
            self.done("the getter of its outputs", status)?;
        }
        if !group.direct {
            group.unpack(values, matches!(self.api, Api::Two(_)));
        }
        Ok(())
    }

    /// Writes one text variable, all elements of an array.
    pub(crate) fn set_texts(&mut self, reference: u32, texts: &[String]) -> Result<(), Failure> {
        self.ready()?;
        let texts: Result<Vec<CString>, _> = texts.iter().map(|text| CString::new(text.as_str())).collect();
        let texts = texts.map_err(|_| Failure::new("a text holds a zero byte: remove it"))?;
        let values: Vec<Text> = texts.iter().map(|text| text.as_ptr()).collect();
        let (pointer, count) = (self.pointer(), values.len());
        // SAFETY: the instance lives; one reference, as many texts as it has elements, which the FMU copies. Version 2.0 has no arrays.
        let status = unsafe {
            match &self.api {
                Api::Two(api) => api.set_string.map(|set| set(pointer, &reference, 1, values.as_ptr())),
                Api::Three(api, _) => api.set_string.map(|set| set(pointer, &reference, 1, values.as_ptr(), count)),
            }
        };
        let status = status.ok_or(Failure::Unsupported("setting texts"))?;
        self.done("the setter of texts", status)
    }

    /// Reads one text variable of so many elements.
    pub(crate) fn texts(&mut self, reference: u32, count: usize) -> Result<Vec<String>, Failure> {
        self.ready()?;
        let mut values: Vec<Text> = vec![std::ptr::null(); count];
        let pointer = self.pointer();
        // SAFETY: the instance lives; one reference, and room for as many pointers as it has elements. Version 2.0 has no arrays.
        let status = unsafe {
            match &self.api {
                Api::Two(api) => api.get_string.map(|get| get(pointer, &reference, 1, values.as_mut_ptr())),
                Api::Three(api, _) => api.get_string.map(|get| get(pointer, &reference, 1, values.as_mut_ptr(), count)),
            }
        };
        self.done("the getter of texts", status.ok_or(Failure::Unsupported("reading texts"))?)?;
        let text = |value: &Text| match value.is_null() {
            true => String::new(),
            // SAFETY: the standard has texts end with a zero byte and stay until the next call.
            false => unsafe { std::ffi::CStr::from_ptr(*value) }.to_string_lossy().into_owned(),
        };
        Ok(values.iter().map(text).collect())
    }

    /// Writes the first derivatives of inputs in places of `rates`; of FMI 2.0.
    pub(crate) fn set_input_derivatives(&mut self, group: &mut Group, rates: &[f64]) -> Result<(), Failure> {
        self.ready()?;
        let Api::Two(api) = &self.api else { return Ok(()) };
        let set = api.set_input_derivatives.ok_or(Failure::Unsupported("fmi2SetRealInputDerivatives"))?;
        group.pack(rates, true)?;
        let (references, count) = (group.references.as_ptr(), group.references.len());
        // SAFETY: as in `set`; `orders` has as many entries.
        let status =
            unsafe { set(self.pointer(), references, count, group.orders.as_ptr(), group.raw.as_ptr().cast()) };
        self.done("fmi2SetRealInputDerivatives", status)
    }
}

impl Instance {
    /// Reads the first derivatives of the outputs of a group into their places of `rates`.
    pub(crate) fn output_derivatives(&mut self, group: &mut Group, rates: &mut [f64]) -> Result<(), Failure> {
        self.ready()?;
        let (pointer, count) = (self.pointer(), group.references.len());
        let (references, orders) = (group.references.as_ptr(), group.orders.as_ptr());
        let (values, value_count) = (group.raw.as_mut_ptr().cast(), group.places.len());
        // SAFETY: as in `set`; `orders` has as many entries as there are references.
        let status = unsafe {
            match &self.api {
                Api::Two(api) => api.output_derivatives.map(|get| get(pointer, references, count, orders, values)),
                Api::Three(api, _) => {
                    api.output_derivatives.map(|get| get(pointer, references, count, orders, values, value_count))
                }
            }
        };
        let status = status.ok_or(Failure::Unsupported("derivatives of outputs, although it says so"))?;
        self.done("the getter of derivatives of its outputs", status)?;
        group.unpack(rates, false);
        Ok(())
    }

    /// Writes to `product` what the variables `unknowns` change by where the variables `knowns` change by `seed`.
    pub(crate) fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        product: &mut [f64],
    ) -> Result<(), Failure> {
        self.ready()?;
        let pointer = self.pointer();
        let (u, nu, k, nk) = (unknowns.as_ptr(), unknowns.len(), knowns.as_ptr(), knowns.len());
        let (dk, du) = (seed.as_ptr(), product.as_mut_ptr());
        // SAFETY: the instance lives; the arrays have the lengths that are told: as many values as the variables have elements.
        let status = unsafe {
            match &self.api {
                Api::Two(api) => api.directional.map(|get| get(pointer, u, nu, k, nk, dk, du)),
                Api::Three(api, _) => {
                    api.directional.map(|get| get(pointer, u, nu, k, nk, dk, seed.len(), du, product.len()))
                }
            }
        };
        let status = status.ok_or(Failure::Unsupported("directional derivatives, although it says so"))?;
        self.done("GetDirectionalDerivative", status)
    }
}

fn setter(kind: FmuType) -> &'static str {
    if kind.is_float() { "the setter of its real inputs" } else { "the setter of its whole inputs" }
}
