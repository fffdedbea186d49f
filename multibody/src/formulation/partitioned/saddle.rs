//! The saddle-point system of accelerations: by elimination of the bodies, as a whole where that does not reach.

use super::elimination::Elimination;
use super::joined::Joined;
use crate::formulation::supplement::Supplement;
use crate::mechanism::Mechanism;
use crate::space::Pose;
use fourbar_linalg::{Error as LinearError, Kkt, Refactored};

/// [[M, Phi_q^T], [Phi_q, 0]], factored.
#[derive(Debug, Clone)]
pub(super) struct Saddle {
    /// None where it does not reach.
    elimination: Option<Elimination>,
    /// Made when the elimination fails.
    whole: Option<Box<Kkt>>,
    /// Whether the last factors are those of the elimination.
    eliminated: bool,
    /// Whether a solution by the elimination was refused, here or before.
    pub(super) refused: bool,
    /// A right-hand side, kept until its solution is known to be good.
    kept: Vec<f64>,
}

impl Saddle {
    /// Orders the system at the values `joined` holds, those at `poses`; without an elimination if one was `refused` before.
    pub(super) fn new<S: Supplement>(
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        poses: &[Pose],
        refused: bool,
    ) -> Result<Self, LinearError> {
        let elimination = if refused { None } else { Elimination::new(mechanism, &joined.held, poses) };
        let eliminated = elimination.is_some();
        let kept = vec![0.0; joined.system.mass.ncols() + joined.joint_rows()];
        let mut saddle = Self { elimination, whole: None, eliminated, refused, kept };
        if !eliminated {
            let _ = saddle.factor_whole(mechanism, joined, poses)?;
        }
        Ok(saddle)
    }

    /// Factors at the poses at which `joined` was evaluated last. Returns whether pivots were chosen afresh.
    pub(super) fn factor<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        poses: &[Pose],
    ) -> Result<bool, LinearError> {
        match self.elimination.as_mut().map(|elimination| elimination.factor(&joined.held, poses)) {
            Some(Ok(refactored)) => {
                self.eliminated = true;
                Ok(matches!(refactored, Refactored::FreshPivots(_)))
            }
            Some(Err(_)) => self.factor_whole(mechanism, joined, poses).map(|_| true),
            None => self.factor_whole(mechanism, joined, poses),
        }
    }

    fn factor_whole<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        poses: &[Pose],
    ) -> Result<bool, LinearError> {
        self.eliminated = false;
        joined.system.evaluate_mass(mechanism, poses);
        joined.held.fill(&mut joined.system.phi);
        let (mass, phi) = (&joined.system.mass, &joined.system.phi);
        match &mut self.whole {
            Some(kkt) => kkt
                .refactor(mass.values(), phi.values())
                .map(|refactored| matches!(refactored, Refactored::FreshPivots(_))),
            None => {
                self.whole = Some(Box::new(Kkt::new(mass, phi)?));
                Ok(true)
            }
        }
    }

    /// Solves in place: `top` becomes the accelerations, `bottom` the multipliers. Returns whether pivots were chosen afresh.
    pub(super) fn solve<S: Supplement>(
        &mut self,
        mechanism: &Mechanism,
        joined: &mut Joined<S>,
        poses: &[Pose],
        top: &mut [f64],
        bottom: &mut [f64],
    ) -> Result<bool, LinearError> {
        let mut fresh = false;
        if let (Some(elimination), true) = (&mut self.elimination, self.eliminated) {
            let (of_bodies, of_joints) = self.kept.split_at_mut(top.len());
            of_bodies.copy_from_slice(top);
            of_joints.copy_from_slice(bottom);
            if elimination.solve(&joined.held, top, bottom) {
                return Ok(false);
            }
            top.copy_from_slice(of_bodies);
            bottom.copy_from_slice(of_joints);
            // Tried again, it would be refused at each evaluation of such a mechanism, and be work for nothing.
            (self.elimination, self.refused) = (None, true);
            let _ = self.factor_whole(mechanism, joined, poses)?;
            // Its pivots are those of this point: set up anew where a restored run does, too.
            fresh = true;
        }
        match &mut self.whole {
            Some(kkt) => kkt.solve(top, bottom).map(|solved| fresh || solved.fresh_pivoting),
            None => Ok(false),
        }
    }
}
