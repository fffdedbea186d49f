//! What an unknown is to an integrator.

/// How an unknown enters the equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// Its derivative follows from the equations.
    Differential,
    /// It is determined by an algebraic equation.
    Algebraic,
    /// A multiplier: algebraic, and of no size of its own but by what it does to other unknowns. Those of constraints, and those that keep a
    /// stabilized formulation on its constraints; or the integrals of such.
    Multiplier,
}

/// What an unknown is: its role, and the group of unknowns that share an absolute tolerance. Equations choose the groups and name them; kinds are the
/// same where role and name are.
///
/// ```
/// use fourbar_dae::{Kind, Role};
///
/// const PRESSURE: Kind = Kind::differential("pressures");
/// assert_eq!((PRESSURE.role(), PRESSURE.name()), (Role::Differential, "pressures"));
/// assert_ne!(PRESSURE, Kind::STATE);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind {
    role: Role,
    name: &'static str,
    by_typical: bool,
}

impl Kind {
    /// A differential unknown of no further kind (a chemical concentration, a controller's state).
    pub const STATE: Self = Self::differential("states");
    /// An unknown determined by an algebraic equation.
    pub const ALGEBRAIC: Self = Self::algebraic("algebraic unknowns");

    /// Differential unknowns; `name` in the plural, for messages.
    #[must_use]
    pub const fn differential(name: &'static str) -> Self {
        Self { role: Role::Differential, name, by_typical: false }
    }

    /// Algebraic unknowns.
    #[must_use]
    pub const fn algebraic(name: &'static str) -> Self {
        Self { role: Role::Algebraic, name, by_typical: false }
    }

    /// Multipliers.
    #[must_use]
    pub const fn multiplier(name: &'static str) -> Self {
        Self { role: Role::Multiplier, name, by_typical: false }
    }

    /// The same, its absolute tolerance given in typical sizes ([`Unknown::typical`](super::Unknown::typical)) also where the system measures errors
    /// itself, as that of an angular momentum by the angular velocity.
    #[must_use]
    pub const fn by_typical(self) -> Self {
        Self { by_typical: true, ..self }
    }

    /// How it enters the equations.
    #[must_use]
    pub const fn role(self) -> Role {
        self.role
    }

    /// Name of the group.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Whether its absolute tolerance is given in typical sizes.
    #[must_use]
    pub const fn is_by_typical(self) -> bool {
        self.by_typical
    }
}
