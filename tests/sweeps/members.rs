//! Members that are drawn: by chance, and Latin hypercubes.

use super::pendulum;
use proptest::prelude::*;

/// A plan of `number` drawn members.
fn drawn(choose: &str, number: usize, seed: u64) -> String {
    format!(
        "model = \"pendulum.toml\"\n[members]\nchoose = \"{choose}\"\nnumber = {number}\nseed = {seed}\n\
         [[parameter]]\nname = \"length\"\nfrom = 0.5\nto = 2.5\n\
         [[parameter]]\nname = \"mass\"\nfrom = 1e-2\nto = 1e4\nscale = \"logarithmic\"\n\
         [[output]]\ncolumn = \"angle\"\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// McKay, Beckman and Conover (Technometrics 21, 1979): each part of a range has one member.
    #[test]
    fn a_latin_hypercube_has_one_member_in_each_part(number in 1usize..300, seed in 0u64..1 << 63) {
        let sweep = pendulum(&drawn("latin_hypercube", number, seed));
        let members = sweep.members().unwrap();
        let parts: [fn(f64) -> f64; 2] = [|length| (length - 0.5) / 2.0, |mass| (mass.log10() + 2.0) / 6.0];
        for (k, part) in parts.into_iter().enumerate() {
            let mut taken = vec![0; number];
            for member in 0..number {
                // Values at the edge of a part may fall beyond it by rounding.
                let place = part(members.values(member)[k]) * number as f64;
                let place = if (place - place.round()).abs() < 1e-9 { place.round() } else { place };
                taken[(place as usize).min(number - 1)] += 1;
            }
            prop_assert!(taken.iter().all(|count| *count == 1), "{taken:?}");
        }
    }

    #[test]
    fn a_drawn_member_follows_from_seed_and_place_alone(number in 1usize..200, more in 0usize..100, seed in 0u64..1 << 63) {
        let (few, many) = (pendulum(&drawn("random", number, seed)), pendulum(&drawn("random", number + more, seed)));
        let (few, many) = (few.members().unwrap(), many.members().unwrap());
        for member in 0..number {
            let values = few.values(member);
            prop_assert_eq!(&values, &many.values(member));
            prop_assert!((0.5..=2.5).contains(&values[0]) && (1e-2..=1e4).contains(&values[1]));
        }
    }
}

#[test]
fn uniform_members_have_mean_and_spread_of_the_range() {
    let sweep = pendulum(&drawn("random", 20_000, 7));
    let members = sweep.members().unwrap();
    let parts: Vec<f64> = (0..20_000).map(|k| (members.values(k)[0] - 0.5) / 2.0).collect();
    let mean = parts.iter().sum::<f64>() / 20_000.0;
    let square = parts.iter().map(|part| (part - 0.5).powi(2)).sum::<f64>() / 20_000.0;
    // Five standard deviations of a mean of 20,000.
    assert!((mean - 0.5).abs() < 5.0 * (1.0 / 12.0f64 / 20_000.0).sqrt(), "{mean}");
    assert!((square - 1.0 / 12.0).abs() < 5.0 * (1.0 / 180.0f64 / 20_000.0).sqrt(), "{square}");
}

#[test]
fn seeds_have_64_bits() {
    let values = |seed: u64| pendulum(&drawn("random", 3, seed)).members().unwrap().values(1);
    for seed in [(1 << 53) + 1, 1 << 63, u64::MAX] {
        assert_ne!(values(seed), values(seed - 1), "{seed}");
    }
}
