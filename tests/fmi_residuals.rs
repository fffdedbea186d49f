//! Units with residuals (FMI-LS-DAE): what the manifest and the description say, both ways of solving at a point, and what is refused.

use crate::running::model;
use fourbar::fmi::description::{description, residuals};
use fourbar::fmi::{Causality, Error, Export, FmiVersion, FmuInterface, Instance, Interfaces};

fn export(name: &str) -> Instance {
    Export::with(&model(name), FmiVersion::V3, Interfaces::Dae).unwrap().into_instance()
}

fn references(instance: &Instance, causality: Causality) -> Vec<u32> {
    instance.variables().with(causality).map(|(reference, _)| reference).collect()
}

/// In the continuous-time mode, with residuals on or off.
fn begun(unit: &Instance, solves: bool) -> Instance {
    let mut instance = Instance::with(unit.contents().clone(), FmuInterface::ModelExchange).unwrap();
    let switch = instance.variables().switch().unwrap();
    instance.enter_configuration().unwrap();
    instance.set_truth(switch, solves).unwrap();
    instance.exit_configuration().unwrap();
    instance.set_up(0.0, None, None).unwrap();
    instance.enter_initialization().unwrap();
    instance.exit_initialization().unwrap();
    instance.update_discrete_states().unwrap();
    instance.enter_continuous_time().unwrap();
    instance
}

fn read(instance: &mut Instance, references: &[u32]) -> Vec<f64> {
    references.iter().map(|reference| instance.get(*reference).unwrap()).collect()
}

#[test]
fn either_way_has_the_same_derivatives_at_any_point() {
    for name in [
        "four-bar.toml",
        "slider-crank.toml",
        "andrews.toml",
        "planetary-gear.toml",
        "flexible-slider-crank.toml",
        "cam.toml",
    ] {
        let unit = export(name);
        let [algebraic, left] = [Causality::Algebraic, Causality::Residual].map(|one| references(&unit, one));
        assert!(!algebraic.is_empty() && algebraic.len() == left.len(), "{name}");
        let (mut ordinary, mut solved) = (begun(&unit, false), begun(&unit, true));
        let n = unit.variables().states();
        let (mut y, mut nominals) = (vec![0.0; n], vec![0.0; n]);
        ordinary.states(&mut y).unwrap();
        ordinary.nominals(&mut nominals).unwrap();
        // A little off the constraints, as integrators are.
        let moved: Vec<f64> = (0..n).map(|k| y[k] + 1e-6 * nominals[k] * (k as f64).sin()).collect();
        let mut found = [vec![0.0; n], vec![0.0; n]];
        ordinary.set_states(&moved).unwrap();
        ordinary.state_derivatives(&mut found[0]).unwrap();
        let a = read(&mut ordinary, &algebraic);
        solved.set_states(&moved).unwrap();
        solved.set_all(&algebraic, &a).unwrap();
        solved.state_derivatives(&mut found[1]).unwrap();
        let largest = found[0].iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
        for (k, (one, two)) in found[0].iter().zip(&found[1]).enumerate() {
            assert!((one - two).abs() < 1e-9 * largest, "{name}: derivative {k}: {one} {two}");
        }
        let forces = a.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
        let left = read(&mut solved, &left).iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        assert!(left < 1e-9 * forces, "{name}: {left} of {forces}");
        assert_eq!(read(&mut solved, &algebraic), a, "{name}");
    }
}

#[test]
fn manifest_and_description_name_what_is_handed_out() {
    let unit = export("four-bar.toml");
    let switch = unit.variables().switch().unwrap();
    let text = description(&unit, FmiVersion::V3, "four_bar");
    let boolean = format!(
        "<Boolean name=\"enableDAE\" valueReference=\"{switch}\" causality=\"structuralParameter\" variability=\"fixed\" start=\"false\"/>"
    );
    assert!(text.contains(&boolean), "{text}");
    assert!(text.contains("<ModelExchange ") && text.contains("<CoSimulation ") && text.contains("initial=\"approx\""));
    let manifest = residuals(&unit).unwrap().unwrap();
    for words in ["fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\"", "fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-dae\""] {
        assert!(manifest.contains(words), "{manifest}");
    }
    assert!(manifest.contains(&format!("<EnableDAEParameter valueReference=\"{switch}\"/>")), "{manifest}");
    let count = |words: &str| manifest.matches(words).count();
    let algebraic = references(&unit, Causality::Algebraic);
    assert_eq!([count("<AlgebraicVariable "), count("<Residual ")], [algebraic.len(); 2]);
    assert_eq!(count("<ContinuousStateDerivative "), unit.variables().states());
    let variables = unit.variables();
    let named = |name: &str| variables.all().iter().find(|own| own.name == name).unwrap_or_else(|| panic!("{name}"));
    let acceleration = named("body \"crank\" ax");
    assert!(acceleration.unit == "m/s^2" && acceleration.nominal > 0.0, "{acceleration:?}");
    assert!(
        residuals(&Export::new(&model("four-bar.toml"), FmiVersion::V3).unwrap().into_instance()).unwrap().is_none()
    );
}

#[test]
fn what_has_no_residuals_is_refused_with_what_it_has() {
    let refused = |name: &str, version| Export::with(&model(name), version, Interfaces::Dae).err().unwrap();
    for (name, words) in [
        ("bouncing-ball.toml", "export it for co-simulation"),
        ("servo.toml", "a linear system hands out no residuals (FMI-LS-DAE)"),
        ("hydraulic-axis.toml", "take the interface \"both\""),
        ("press.toml", "export it for co-simulation"),
    ] {
        let text = refused(name, FmiVersion::V3).to_string();
        assert!(text.contains(words), "{name}: {text}");
    }
    let error = refused("four-bar.toml", FmiVersion::V2);
    assert!(matches!(error, Error::Unsupported { .. }) && error.to_string().contains("extends FMI 3.0"), "{error}");
    let mut plain = Export::new(&model("four-bar.toml"), FmiVersion::V3).unwrap().into_instance();
    assert!(matches!(plain.enter_configuration(), Err(Error::Unsupported { .. })));
    let mut unit = begun(&export("four-bar.toml"), false);
    let first = references(&unit, Causality::Algebraic)[0];
    let text = unit.set(first, 1.0).unwrap_err().to_string();
    assert!(text.contains("unless the importer solves for it"), "{text}");
}
