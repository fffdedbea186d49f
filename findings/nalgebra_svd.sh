#!/usr/bin/env bash
# nalgebra 0.35.0, DMatrix::svd of an n x n matrix of ones. Its only singular value that is not 0 is n, and U S V^T gives the matrix back.
# A good guess: both hold to round-off for every n. Seen: for n = 5, 7, 9, 11 the value is wrong in the first or second digit (5.728 for 5), and U S V^T is
# off by more than 1, while U and V are orthonormal and no error is reported.
# fourbar: its own decompositions in `linalg` (docs/dependencies.md); the load that a division of support forces carries is checked.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" <<'TOML'
[package]
name = "observe"
version = "0.0.0"
edition = "2021"

[dependencies]
nalgebra = "=0.35.0"
TOML
cat > "$folder/src/main.rs" <<'RUST'
use nalgebra::DMatrix;

fn main() {
    for n in 2..=11 {
        let ones = DMatrix::<f64>::from_element(n, n, 1.0);
        let svd = ones.clone().svd(true, true);
        let largest = svd.singular_values.max();
        let (u, v) = (svd.u.clone().unwrap(), svd.v_t.clone().unwrap());
        let skew = (u.transpose() * &u - DMatrix::identity(n, n)).amax().max((&v * v.transpose() - DMatrix::identity(n, n)).amax());
        let off = (svd.recompose().unwrap() - &ones).amax();
        let wrong = off > 1.0 && skew < 1e-12;
        println!("n = {n}: largest singular value {largest:.4}, U S V^T off by {off:.1e}{}", if wrong { " WRONG" } else { "" });
    }
}
RUST
seen=$(cargo run --quiet --manifest-path "$folder/Cargo.toml")
echo "$seen"
wrong=$(grep WRONG <<<"$seen" | sed 's/n = \([0-9]*\):.*/\1/' | tr '\n' ' ')
if [ "$wrong" != "5 7 9 11 " ]; then
    echo "changed: wrong for n = ${wrong:-none}; it was 5 7 9 11" >&2
    exit 1
fi
