//! Model exchange through the functions of both versions: the same bits, and what is refused.

use super::unit::{ERROR, OK, Unit};
use super::{VERSIONS, library, references, resources, resources_with};
use fourbar::fmi::Causality;

/// Steps of Euler's method, which are none of anybody's but both versions'.
fn euler(unit: &Unit<'_>, states: &mut [f64], from: u32) -> Vec<u64> {
    let mut all = Vec::new();
    for k in from..from + 20 {
        let mut slopes = vec![0.0; states.len()];
        assert_eq!(unit.read(slope_name(unit), slopes.as_mut_ptr(), slopes.len()), OK, "{}", unit.told());
        states.iter_mut().zip(&slopes).for_each(|(state, slope)| *state += 1e-3 * slope);
        assert_eq!((unit.set_time(1e-3 * f64::from(k + 1)), unit.set_states(states)), (OK, OK), "{}", unit.told());
        let (status, enter) = unit.completed();
        assert_eq!(status, OK, "{}", unit.told());
        if enter {
            assert_eq!((unit.plain("EnterEventMode"), unit.update().0), (OK, OK), "{}", unit.told());
            assert_eq!(unit.plain("EnterContinuousTimeMode"), OK, "{}", unit.told());
            assert_eq!(unit.read("GetContinuousStates", states.as_mut_ptr(), states.len()), OK);
        }
        all.extend(states.iter().map(|state| state.to_bits()));
    }
    all
}

fn slope_name(unit: &Unit<'_>) -> &'static str {
    if unit.version() == 2 { "GetDerivatives" } else { "GetContinuousStateDerivatives" }
}

#[test]
fn equations_are_the_same_in_both_versions_and_wrong_calls_leave_them_as_they_were() {
    let library = library();
    let (folder, instance) = resources_with(&["quarter-car.toml"], "both");
    let token = instance.contents().token();
    let n = instance.variables().states();
    let output = references(&instance, Causality::Output)[0];
    let mut found = Vec::new();
    for version in VERSIONS {
        let unit = Unit::with(&library, version, folder.path(), token, true);
        assert!(!unit.is_null(), "{}", unit.told());
        let refused = |status: i32, words: &str| {
            assert_eq!(status, ERROR, "{words}");
            assert!(unit.told().contains(words), "{} does not say {words}", unit.told());
        };
        let mut states = vec![0.0; n];
        refused(unit.update().0, "not allowed before the initialization");
        assert_eq!((unit.enter(1.0), unit.plain("ExitInitializationMode")), (OK, OK), "{}", unit.told());
        refused(unit.set_states(&states), "not allowed in the event mode");
        refused(unit.step(0.0, 1e-3), "not allowed in the event mode");
        assert_eq!(unit.update().0, OK, "{}", unit.told());
        assert_eq!(unit.plain("EnterContinuousTimeMode"), OK, "{}", unit.told());
        refused(unit.plain("EnterContinuousTimeMode"), "not allowed in the continuous-time mode");
        refused(unit.update().0, "not allowed in the continuous-time mode");
        assert_eq!(unit.read("GetContinuousStates", states.as_mut_ptr(), n), OK, "{}", unit.told());
        refused(unit.read("GetContinuousStates", states.as_mut_ptr(), n - 1), "the unit has");
        refused(unit.read(slope_name(&unit), std::ptr::null_mut(), n), "NULL");
        refused(unit.set_states(&vec![f64::NAN; n]), "cannot become NaN");
        refused(unit.set_time(f64::INFINITY), "cannot become inf");
        let mut nominals = vec![0.0; n];
        assert_eq!(unit.read("GetNominalsOfContinuousStates", nominals.as_mut_ptr(), n), OK);
        assert!(nominals.iter().all(|nominal| *nominal > 0.0));
        let mut indicators = vec![0.0; instance.variables().indicators()];
        assert_eq!(unit.read("GetEventIndicators", indicators.as_mut_ptr(), indicators.len()), OK);
        let mut path = euler(&unit, &mut states, 0);
        let (state, kept) = (unit.save(), states.clone());
        let bytes = unit.bytes(state);
        let on = euler(&unit, &mut states, 20);
        assert_eq!(unit.restore(state), OK, "{}", unit.told());
        states.clone_from(&kept);
        assert!(euler(&unit, &mut states, 20) == on, "the saved state");
        let loaded = unit.state_of(&bytes).unwrap();
        assert_eq!(unit.restore(loaded), OK, "{}", unit.told());
        states.clone_from(&kept);
        assert!(euler(&unit, &mut states, 20) == on, "the state of bytes");
        let mut value = [0.0];
        assert_eq!(unit.get(&[output], value.as_mut_ptr()), OK, "{}", unit.told());
        path.extend(on);
        path.push(value[0].to_bits());
        found.push(path);
        unit.free_state(state);
        unit.free_state(loaded);
        assert_eq!(unit.plain("Terminate"), OK);
        // A state of the other interface is none of this one.
        let other = Unit::new(&library, version, folder.path(), token);
        assert!(other.state_of(&bytes).is_none(), "{}", other.told());
    }
    assert!(found[0] == found[1]);
    let (folder, instance) = resources(&["quarter-car.toml"]);
    for version in VERSIONS {
        let unit = Unit::with(&library, version, folder.path(), instance.contents().token(), true);
        assert!(unit.is_null() && unit.told().contains("for co-simulation alone"), "{}", unit.told());
    }
}
