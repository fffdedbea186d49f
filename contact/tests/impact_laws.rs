//! Laws of impact against closed forms: rods with friction, spheres, cradles, rods falling flat.
//!
//! References: `reference/closed_form_values.json` (Routh's method for a rod and oblique bounces, evaluated with mpmath).

use approx::assert_abs_diff_eq;
use fourbar_contact::Error;
use fourbar_contact::law::{Applied, Impact, ImpactLaw, Restitution, Sequence};
use fourbar_contact::unilateral::Surface;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use serde_json::Value;

const LAWS: [(Restitution, &str); 3] =
    [(Restitution::Newton, "newton"), (Restitution::Poisson, "poisson"), (Restitution::Energetic, "stronge")];

fn reference() -> Value {
    serde_json::from_str(include_str!("reference/closed_form_values.json")).unwrap()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap()
}

fn surface(restitution: f64, friction: f64) -> Surface {
    Surface { restitution, friction, ..Surface::smooth() }
}

fn law(restitution: Restitution) -> ImpactLaw {
    ImpactLaw { restitution, energy_tolerance: 1e-12, ..ImpactLaw::default() }
}

/// W of the tip of a rod at the angle `degrees`: normal, tangential, and a second tangential direction across the plane.
fn rod(degrees: f64, m: f64) -> DMatrix<f64> {
    let (s, c) = degrees.to_radians().sin_cos();
    let (nn, tt, nt) = ((1.0 + 3.0 * c * c) / m, (1.0 + 3.0 * s * s) / m, -3.0 * s * c / m);
    DMatrix::from_row_slice(3, 3, &[nn, nt, 0.0, nt, tt, 0.0, 0.0, 0.0, 4.0 / m])
}

#[test]
fn rod_with_friction_follows_each_law() {
    for case in reference()["rod_impacts"].as_array().unwrap() {
        let w = rod(number(case, "theta_deg"), number(case, "m"));
        let rates = [number(case, "vn"), number(case, "vt"), 0.0];
        let surfaces = [surface(number(case, "e"), number(case, "mu"))];
        for (restitution, name) in LAWS {
            let expected = &case[name];
            let result = law(restitution).solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }).unwrap();
            assert_eq!(result.applied, Applied::AsAsked, "{name}");
            assert_abs_diff_eq!(result.impulses[0], number(expected, "pn"), epsilon = 1e-12);
            assert_abs_diff_eq!(result.impulses[1], number(expected, "pt"), epsilon = 1e-12);
            assert_abs_diff_eq!(result.rates[0], number(expected, "vn_plus"), epsilon = 1e-12);
            assert_abs_diff_eq!(result.rates[1], number(expected, "vt_plus"), epsilon = 1e-12);
            assert_abs_diff_eq!(result.energy, number(expected, "energy_change"), epsilon = 1e-12);
        }
    }
}

#[test]
fn rod_in_space_is_the_rod_in_its_plane() {
    // The same impact with the tangential axes turned: the hodograph is then integrated, not solved phase by phase.
    let (w, turn) = (rod(60.0, 1.0), 0.7_f64);
    let r = DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 0.0, 0.0, turn.cos(), -turn.sin(), 0.0, turn.sin(), turn.cos()]);
    let turned = &r * &w * r.transpose();
    for restitution in LAWS.map(|(law, _)| law) {
        let surfaces = [surface(0.7, 0.8)];
        let plane = law(restitution).solve(&Impact { w: &w, rates: &[-1.0, 0.4, 0.0], surfaces: &surfaces }).unwrap();
        let rates = &r * DVector::from_vec(vec![-1.0, 0.4, 0.0]);
        let space =
            law(restitution).solve(&Impact { w: &turned, rates: rates.as_slice(), surfaces: &surfaces }).unwrap();
        let expected = &r * DVector::from_vec(plane.impulses.clone());
        for (a, b) in space.impulses.iter().zip(expected.iter()) {
            assert_abs_diff_eq!(a, b, epsilon = 1e-9);
        }
    }
}

#[test]
fn newtons_law_gives_way_where_it_would_create_energy() {
    let (w, surfaces) = (rod(55.0, 1.0), [surface(1.0, 0.8)]);
    let impact = Impact { w: &w, rates: &[-1.0, 0.7, 0.0], surfaces: &surfaces };
    let asked = ImpactLaw { energy_tolerance: f64::INFINITY, ..law(Restitution::Newton) }.solve(&impact).unwrap();
    assert_abs_diff_eq!(asked.energy, 0.12496741362434674, epsilon = 1e-12);
    let result = law(Restitution::Newton).solve(&impact).unwrap();
    let Applied::Instead { restitution: Restitution::Energetic, gain } = result.applied else {
        panic!("{:?}", result.applied)
    };
    assert_abs_diff_eq!(gain, 0.12496741362434674, epsilon = 1e-12);
    assert!(result.energy <= 1e-15);
}

#[test]
fn oblique_bounce_of_a_sphere() {
    for case in reference()["sphere_oblique"].as_array().unwrap() {
        let (m, k) = (number(case, "m"), 0.4);
        let t = (1.0 + 1.0 / k) / m;
        let w = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0 / m, t, t]));
        let rates = [number(case, "vn"), number(case, "s0"), 0.0];
        let surfaces = [surface(number(case, "e"), number(case, "mu"))];
        for (restitution, _) in LAWS {
            let result = law(restitution).solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }).unwrap();
            assert_abs_diff_eq!(result.impulses[0], number(case, "pn"), epsilon = 1e-13);
            assert_abs_diff_eq!(result.impulses[1], number(case, "pt"), epsilon = 1e-13);
            assert_abs_diff_eq!(result.rates[1], number(case, "s_plus"), epsilon = 1e-13);
        }
    }
}

/// W and the closing velocities of n equal balls of 1 kg in a row, the first arriving with v.
fn cradle(n: usize, v: f64) -> (DMatrix<f64>, Vec<f64>) {
    let w = DMatrix::from_fn(n - 1, n - 1, |i, j| match i.abs_diff(j) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    let mut rates = vec![0.0; n - 1];
    rates[0] = -v;
    (w, rates)
}

/// Velocities of the balls after the impulses between them.
fn balls(impulses: &[f64], v: f64) -> Vec<f64> {
    let s = |k: usize| impulses.get(k).copied().unwrap_or(0.0);
    (0..=impulses.len()).map(|k| f64::from(u8::from(k == 0)) * v - s(k) + if k > 0 { s(k - 1) } else { 0.0 }).collect()
}

fn run_cradle(n: usize, e: &[f64], law: ImpactLaw) -> Vec<f64> {
    let (w, rates) = cradle(n, 1.0);
    let surfaces: Vec<Surface> = e.iter().map(|e| surface(*e, 0.0)).collect();
    let result = law.solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }).unwrap();
    assert_eq!(result.applied, Applied::AsAsked);
    balls(&result.impulses, 1.0)
}

fn assert_balls(found: &[f64], expected: &[f64]) {
    for (a, b) in found.iter().zip(expected) {
        assert_abs_diff_eq!(a, b, epsilon = 1e-12);
    }
}

#[test]
fn cradles_do_what_their_law_says() {
    for (restitution, _) in LAWS {
        for e in [1.0, 0.6] {
            let simultaneous = run_cradle(5, &[e; 4], law(restitution));
            assert_balls(
                &simultaneous,
                &[(1.0 - 4.0 * e) / 5.0, 0.2 + 0.2 * e, 0.2 + 0.2 * e, 0.2 + 0.2 * e, 0.2 + 0.2 * e],
            );
        }
        let pairwise = ImpactLaw { sequence: Sequence::Pairwise, ..law(restitution) };
        assert_balls(&run_cradle(5, &[1.0; 4], pairwise), &[0.0, 0.0, 0.0, 0.0, 1.0]);
    }
    let (newton, poisson) = (law(Restitution::Newton), law(Restitution::Poisson));
    assert_balls(&run_cradle(3, &[0.0, 1.0], newton), &[1.0 / 3.0; 3]);
    assert_balls(&run_cradle(3, &[0.0, 1.0], poisson), &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0]);
    for law in [newton, poisson] {
        assert_balls(&run_cradle(3, &[1.0, 0.0], law), &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    }
}

#[test]
fn rod_falling_flat() {
    // A slender rod on its two ends: W11 = W22 = 4/m, W12 = -2/m; here m = 1.
    let w = DMatrix::from_row_slice(2, 2, &[4.0, -2.0, -2.0, 4.0]);
    for e in [0.0, 0.5, 1.0] {
        let surfaces = [surface(e, 0.0); 2];
        let impact = Impact { w: &w, rates: &[-1.0, -1.0], surfaces: &surfaces };
        for (restitution, _) in LAWS {
            let together = law(restitution).solve(&impact).unwrap();
            for end in 0..2 {
                assert_abs_diff_eq!(together.rates[end], e, epsilon = 1e-12);
                assert_abs_diff_eq!(together.impulses[end], (1.0 + e) / 2.0, epsilon = 1e-12);
            }
            let one_by_one = ImpactLaw { sequence: Sequence::Pairwise, ..law(restitution) }.solve(&impact).unwrap();
            let total: f64 = one_by_one.impulses.iter().sum();
            if e == 1.0 {
                assert_eq!(one_by_one.impacts, 3);
                assert_abs_diff_eq!(one_by_one.rates[0], 1.0, epsilon = 1e-13);
                assert_abs_diff_eq!(one_by_one.rates[1], 1.0, epsilon = 1e-13);
            } else if e == 0.0 {
                // Without end, velocities halved by each; the total impulse m v stops the rod.
                assert!((20..200).contains(&one_by_one.impacts), "{}", one_by_one.impacts);
                assert_abs_diff_eq!(total, 1.0, epsilon = 1e-13);
                assert!(one_by_one.rates.iter().all(|u| u.abs() < 1e-14));
            }
        }
    }
}

#[test]
fn slip_that_turns_follows_the_path() {
    // W without symmetry in the plane: the direction of slip turns. Against small steps along the normal impulse.
    let w = DMatrix::from_row_slice(3, 3, &[2.0, -0.5, 0.3, -0.5, 3.0, 0.4, 0.3, 0.4, 1.5]);
    let (mut u, mut s, mu, dp) = ([-1.0, 2.0, -1.0], [0.0; 3], 0.4, 1e-6);
    while u[0] < 0.0 {
        let speed = f64::hypot(u[1], u[2]);
        let step = [dp, -mu * dp * u[1] / speed, -mu * dp * u[2] / speed];
        for i in 0..3 {
            u[i] += (0..3).map(|j| w[(i, j)] * step[j]).sum::<f64>();
            s[i] += step[i];
        }
    }
    let surfaces = [surface(0.0, mu)];
    let result =
        law(Restitution::Newton).solve(&Impact { w: &w, rates: &[-1.0, 2.0, -1.0], surfaces: &surfaces }).unwrap();
    for i in 0..3 {
        assert_abs_diff_eq!(result.impulses[i], s[i], epsilon = 5e-6);
        assert_abs_diff_eq!(result.rates[i], u[i], epsilon = 5e-6);
    }
}

#[test]
fn bad_impacts_are_refused() {
    let w = DMatrix::from_element(1, 1, 1.0);
    let surfaces = [surface(0.5, 0.3)];
    let short = law(Restitution::Newton).solve(&Impact { w: &w, rates: &[-1.0], surfaces: &surfaces });
    assert!(short.unwrap_err().to_string().contains("3 rows"));
    let surfaces = [surface(0.5, 0.0)];
    let nan = law(Restitution::Newton).solve(&Impact { w: &w, rates: &[f64::NAN], surfaces: &surfaces });
    assert!(nan.unwrap_err().to_string().contains("not finite"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_law_creates_energy(
        entries in prop::collection::vec(-1.0..1.0f64, 36),
        velocities in prop::collection::vec(-1.0..1.0f64, 6),
        e in 0.0..1.0f64,
        mu in 0.0..1.0f64,
        pairwise in any::<bool>(),
    ) {
        let j = DMatrix::from_vec(6, 6, entries);
        let w = &j * j.transpose() + DMatrix::identity(6, 6) * 0.1;
        let sequence = if pairwise { Sequence::Pairwise } else { Sequence::Simultaneous };
        let surfaces = [surface(e, mu.max(0.01)); 2];
        for (restitution, _) in LAWS {
            let impact = Impact { w: &w, rates: &velocities, surfaces: &surfaces };
            let result = ImpactLaw { restitution, sequence, ..ImpactLaw::default() }.solve(&impact).unwrap();
            prop_assert!(result.energy <= 1e-9, "{result:?}");
            for c in 0..2 {
                prop_assert!(result.rates[3 * c] >= -1e-9, "{result:?}");
                prop_assert!(result.impulses[3 * c] >= 0.0);
                let s = &result.impulses[3 * c..3 * c + 3];
                prop_assert!(s[1].hypot(s[2]) <= mu.max(0.01) * s[0] * (1.0 + 1e-9) + 1e-15, "{result:?}");
            }
        }
    }

    /// T+ - T- = -1/2 (1 - e)/(1 + e) S^T W S for equal e without friction, where all contacts close.
    #[test]
    fn energy_of_frictionless_impacts(
        entries in prop::collection::vec(-1.0..1.0f64, 16),
        velocities in prop::collection::vec(-1.0..0.0f64, 4),
        e in 0.0..=1.0f64,
    ) {
        let j = DMatrix::from_vec(4, 4, entries);
        let w = &j * j.transpose() + DMatrix::identity(4, 4) * 0.1;
        let surfaces = [surface(e, 0.0); 4];
        let result = law(Restitution::Newton).solve(&Impact { w: &w, rates: &velocities, surfaces: &surfaces }).unwrap();
        let s = DVector::from_vec(result.impulses);
        let expected = -0.5 * (1.0 - e) / (1.0 + e) * s.dot(&(&w * &s));
        prop_assert!((result.energy - expected).abs() <= 1e-9 * (1.0 + expected.abs()));
    }
}

#[test]
fn bodies_that_are_squeezed_are_refused() {
    // Two walls close on a ball from both sides: no impulse stops both, with friction or without.
    let w = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    let surfaces = [surface(0.5, 0.0); 2];
    for (restitution, _) in LAWS {
        let refused = law(restitution).solve(&Impact { w: &w, rates: &[-1.0, -1.0], surfaces: &surfaces });
        assert!(matches!(refused, Err(Error::Unstopped { .. })), "{refused:?}");
    }
    let j = DMatrix::from_row_slice(6, 3, &[1., 0., 0., 0., 1., 0., 0., 0., 1., -1., 0., 0., 0., 1., 0., 0., 0., 1.]);
    let w = &j * j.transpose();
    for mu in [0.1, 0.3, 0.8, 2.0] {
        let surfaces = [surface(0.5, mu); 2];
        let rates = [-1.0, 0.0, 0.1, -1.0, 0.0, 0.1];
        let refused = law(Restitution::Newton).solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces });
        assert!(matches!(refused, Err(Error::Unstopped { .. })), "mu {mu}: {refused:?}");
    }
}

#[test]
fn surfaces_that_cannot_be_are_refused() {
    let w = DMatrix::identity(3, 3);
    for (e, mu, name) in [
        (-0.5, 0.0, "restitution"),
        (1.5, 0.0, "restitution"),
        (f64::NAN, 0.0, "restitution"),
        (0.5, -1.0, "friction"),
        (0.5, f64::NAN, "friction"),
        (0.5, f64::INFINITY, "friction"),
    ] {
        let surfaces = [surface(e, mu)];
        let refused = ImpactLaw::default().solve(&Impact { w: &w, rates: &[-1.0, 0.0, 0.0], surfaces: &surfaces });
        let error = refused.unwrap_err();
        assert!(matches!(error, Error::Coefficient { .. }) && error.to_string().contains(name), "{error}");
    }
}

/// A ball of 1 kg that does not turn falls at 4 m/s into a groove whose faces are inclined by `angle`, e = 0.5 and mu = 0.3.
fn into_a_groove(angle: f64) -> (DMatrix<f64>, Vec<f64>) {
    let (s, c) = angle.to_radians().sin_cos();
    let j = DMatrix::from_row_slice(6, 3, &[s, c, 0., c, -s, 0., 0., 0., 1., -s, c, 0., -c, -s, 0., 0., 0., 1.]);
    let rates = (&j * DVector::from_vec(vec![0.0, -4.0, 0.0])).iter().copied().collect();
    (&j * j.transpose(), rates)
}

#[test]
fn the_energy_account_alone_decides_in_a_groove() {
    // 60 degrees: Newton's law throws the ball up at 2 m/s, so 2 S (c - mu s) = 6 N s in all. Friction, which opposes the slip after,
    // works mu S with the mean slip s (4 - 2)/2 on a ball that came down, but all in all energy falls by 1/2 (16 - 4) J.
    let (s, c) = 60.0_f64.to_radians().sin_cos();
    let (w, rates) = into_a_groove(60.0);
    let surfaces = [surface(0.5, 0.3); 2];
    let result = law(Restitution::Newton).solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }).unwrap();
    assert_eq!(result.applied, Applied::AsAsked);
    assert_abs_diff_eq!(result.energy, -6.0, epsilon = 1e-9);
    let newton = 6.0 / (2.0 * (c - 0.3 * s));
    assert_abs_diff_eq!(result.friction_work, 2.0 * 0.3 * newton * s * 1.0, epsilon = 1e-9);
}

#[test]
fn a_groove_that_holds_the_ball_has_no_rebound() {
    // 75 degrees: mu s > c, so that friction against a ball that goes up is more than the normal impulses lift. Newton's law, which
    // wants it up at 2 m/s, has no solution; the energetic law finds that nothing comes back of a compression that wedges the ball.
    let (w, rates) = into_a_groove(75.0);
    let surfaces = [surface(0.5, 0.3); 2];
    let result = law(Restitution::Newton).solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }).unwrap();
    let Applied::Instead { gain, .. } = result.applied else { panic!("{result:?}") };
    assert!(gain <= 0.0, "{result:?}");
    assert_abs_diff_eq!(result.energy, -8.0, epsilon = 1e-9);
    assert!(result.rates.iter().all(|u| u.abs() <= 1e-9), "{result:?}");
}

/// A light ball between two heavy ones, both contacts closed but for round-off: it flies from one to the other, with each impact as the law
/// says, until it comes along with both. The recursion of single collisions is the reference.
#[test]
fn a_light_ball_goes_to_and_fro_between_heavy_ones() {
    for (mass, e) in [(1e-1, 0.7), (1e-3, 0.7), (1e-4, 0.9), (1e-3, 0.3)] {
        let masses = [1.0, mass, 1.0];
        // From the left: the light ball comes from the left one and meets the right one.
        let before = [1.0, 5.0, -1.0];
        let mut v: [f64; 3] = before;
        let mut k = 1;
        while v[k] - v[k + 1] > 1e-14 {
            let (a, b) = (masses[k], masses[k + 1]);
            let impulse = (1.0 + e) * (v[k] - v[k + 1]) / (1.0 / a + 1.0 / b);
            (v[k], v[k + 1]) = (v[k] - impulse / a, v[k + 1] + impulse / b);
            k = 1 - k;
        }
        let inverse = masses.map(|m| 1.0 / m);
        let w = DMatrix::from_row_slice(
            2,
            2,
            &[inverse[0] + inverse[1], -inverse[1], -inverse[1], inverse[1] + inverse[2]],
        );
        let rates = [before[1] - before[0], before[2] - before[1]];
        let surfaces = [surface(e, 0.0); 2];
        for sequence in [Sequence::Simultaneous, Sequence::Pairwise] {
            let law = ImpactLaw { sequence, ..law(Restitution::Newton) };
            let outcome = law.solve(&Impact { w: &w, rates: &rates, surfaces: &surfaces }).unwrap();
            assert_eq!(outcome.applied, Applied::AsAsked, "{mass} {e}");
            let after = [
                before[0] - outcome.impulses[0],
                before[1] + (outcome.impulses[0] - outcome.impulses[1]) / mass,
                before[2] + outcome.impulses[1],
            ];
            for (found, expected) in after.iter().zip(v) {
                assert!((found - expected).abs() < 1e-9, "{mass} {e}: {after:?} instead of {v:?}");
            }
            let energy = |v: [f64; 3]| -> f64 { masses.iter().zip(v).map(|(m, v)| 0.5 * m * v * v).sum() };
            assert!((outcome.energy - energy(v) + energy(before)).abs() < 1e-12, "{mass} {e}: {}", outcome.energy);
            // Round-off of impulses near 1 N s over the light mass.
            assert!(outcome.rates.iter().all(|u| *u >= -1e-14 / mass), "nothing closes any more: {:?}", outcome.rates);
        }
    }
}
