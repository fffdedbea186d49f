//! For which machine a file was built, by its header: the loader's own words are silent on it.
//!
//! System V Application Binary Interface, chapter 4 (ELF): e_ident[EI_CLASS] at byte 4, e_ident[EI_DATA] at byte 5, e_machine at bytes 18 and 19.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// (class, machine, name) of the machines that are named.
const MACHINES: [(u8, u16, &str); 8] = [
    (2, 62, "x86_64"),
    (1, 3, "x86"),
    (2, 183, "aarch64"),
    (1, 40, "arm"),
    (2, 243, "riscv64"),
    (2, 21, "powerpc64"),
    (2, 22, "s390x"),
    (2, 258, "loongarch64"),
];

/// The machine of an ELF file if it is another than this program's; None for files of other kinds, which the loader judges.
pub(super) fn foreign_machine(path: &Path) -> std::io::Result<Option<String>> {
    let mut header = [0u8; 20];
    let mut file = File::open(path)?;
    let is_short = file.read_exact(&mut header).is_err();
    if is_short || header[..4] != *b"\x7fELF" {
        return Ok(None);
    }
    let bytes = [header[18], header[19]];
    let machine = if header[5] == 2 { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    let known = MACHINES.iter().find(|(class, number, _)| (*class, *number) == (header[4], machine));
    let name = known.map_or_else(
        || format!("ELF machine {machine} with {} bits", if header[4] == 2 { 64 } else { 32 }),
        |(_, _, name)| (*name).to_owned(),
    );
    Ok((name != std::env::consts::ARCH).then_some(name))
}
