//! `Clone` whose `clone_from` reuses the memory of the target, field by field; the derived one would allocate anew, and a snapshot is
//! saved at every communication step of a co-simulation.

/// Implements `Clone` for a struct with the fields listed; a field forgotten does not compile.
macro_rules! clone_in_place {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),+ }
            }
            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)+
            }
        }
    };
}
pub(super) use clone_in_place;

/// The same, and [`Stored`](fourbar_linalg::checkpoint::Stored), for a struct of which a checkpoint on disk keeps all fields too.
macro_rules! kept {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        $crate::integrator::copying::clone_in_place!($name { $($field),+ });
        fourbar_linalg::stored!(struct $name { $($field),+ });
    };
}
pub(super) use kept;
