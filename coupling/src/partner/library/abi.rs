//! The structures and numbers of `include/fourbar_partner.h`, member by member.

use std::ffi::{c_char, c_void};

/// FOURBAR_PARTNER_VERSION.
pub(crate) const VERSION: u32 = 1;

/// FOURBAR_PARTNER_OK.
pub(super) const OK: i32 = 0;
/// FOURBAR_PARTNER_FAILED.
pub(super) const FAILED: i32 = 1;
/// FOURBAR_PARTNER_INVALID.
pub(super) const INVALID: i32 = 2;
/// FOURBAR_PARTNER_UNSUPPORTED.
pub(super) const UNSUPPORTED: i32 = 3;
/// FOURBAR_PARTNER_TOO_SMALL.
pub(super) const TOO_SMALL: i32 = 4;

/// FOURBAR_PARTNER_INPUT.
pub(super) const INPUT: i32 = 1;
/// FOURBAR_PARTNER_OUTPUT.
pub(super) const OUTPUT: i32 = 2;

/// FOURBAR_PARTNER_CAN_RESTORE.
pub(super) const CAN_RESTORE: u32 = 1;
/// FOURBAR_PARTNER_HAS_OUTPUT_RATES.
pub(super) const HAS_OUTPUT_RATES: u32 = 2;

/// FOURBAR_PARTNER_SAVE.
pub(super) const SAVE: i32 = 1;
/// FOURBAR_PARTNER_RESTORE.
pub(super) const RESTORE: i32 = 2;

/// fourbar_partner_variable
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) struct_size: usize,
    pub(super) name: *const c_char,
    pub(super) unit: *const c_char,
    pub(super) start: f64,
    pub(super) nominal: f64,
    pub(super) feedthrough: *const u32,
    pub(super) feedthrough_count: u32,
    pub(super) causality: i32,
}

/// fourbar_partner_description
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Description {
    pub(super) struct_size: usize,
    pub(super) version: u32,
    pub(super) capabilities: u32,
    pub(super) input_order: u32,
    pub(super) variable_count: u32,
    pub(super) variables: *const Variable,
    pub(super) solver_step: f64,
}

/// fourbar_partner_parameter
#[repr(C)]
pub(super) struct Parameter {
    pub(super) name: *const c_char,
    pub(super) value: f64,
}

/// fourbar_partner_options
#[repr(C)]
pub(super) struct Options {
    pub(super) struct_size: usize,
    pub(super) version: u32,
    pub(super) parameter_count: u32,
    pub(super) parameters: *const Parameter,
    pub(super) name: *const c_char,
    pub(super) start: f64,
}

/// fourbar_partner_data
#[repr(C)]
pub(super) struct Data {
    pub(super) struct_size: usize,
    pub(super) time: f64,
    pub(super) step: f64,
    pub(super) inputs: *const f64,
    pub(super) input_rates: *const f64,
    pub(super) input_curvatures: *const f64,
    pub(super) reached: f64,
    pub(super) outputs: *mut f64,
    pub(super) output_rates: *mut f64,
}

#[cfg(feature = "library")]
pub(super) type Describe = unsafe extern "C" fn() -> *const Description;
#[cfg(feature = "library")]
pub(super) type Create = unsafe extern "C" fn(*const Options, *mut *mut c_void, *mut c_char, usize) -> i32;
pub(super) type Exchange = unsafe extern "C" fn(*mut c_void, *mut Data, *mut c_char, usize) -> i32;
pub(super) type State = unsafe extern "C" fn(*mut c_void, i32, *mut c_void, *mut usize, *mut c_char, usize) -> i32;
pub(super) type Destroy = unsafe extern "C" fn(*mut c_void);

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};
    use std::process::Command;

    /// Size and offsets as the C compiler sees them and as this module has them: `size member offset member offset ..`.
    macro_rules! layouts {
        ($($rust:ident = $c:literal { $($member:ident),* })*) => {
            fn expected() -> Vec<usize> {
                vec![$(size_of::<$rust>(), $(offset_of!($rust, $member)),*),*]
            }
            fn program() -> String {
                let mut text = String::from("#include <stdio.h>\n#include \"fourbar_partner.h\"\nint main(void) {\n");
                $(
                    text += &format!("printf(\"%zu \", sizeof({}));\n", $c);
                    $(text += &format!("printf(\"%zu \", offsetof({}, {}));\n", $c, stringify!($member));)*
                )*
                text + "return 0; }\n"
            }
        };
    }

    layouts! {
        Variable = "fourbar_partner_variable" { struct_size, name, unit, start, nominal, feedthrough, feedthrough_count, causality }
        Description = "fourbar_partner_description" {
            struct_size, version, capabilities, input_order, variable_count, variables, solver_step
        }
        Parameter = "fourbar_partner_parameter" { name, value }
        Options = "fourbar_partner_options" { struct_size, version, parameter_count, parameters, name, start }
        Data = "fourbar_partner_data" {
            struct_size, time, step, inputs, input_rates, input_curvatures, reached, outputs, output_rates
        }
    }

    #[test]
    fn the_layout_is_that_of_the_header() {
        let folder = std::env::temp_dir().join(format!("fourbar-layout-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, program_file) = (folder.join("layout.c"), folder.join("layout"));
        std::fs::write(&source, program()).unwrap();
        let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../include");
        let compiled = Command::new("cc").arg("-I").arg(include).arg(&source).arg("-o").arg(&program_file).status();
        let Ok(status) = compiled else { return println!("skipped: there is no C compiler named cc") };
        assert!(status.success());
        let output = Command::new(&program_file).output().unwrap().stdout;
        let text = String::from_utf8(output).unwrap();
        let seen: Vec<usize> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(seen, expected());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_numbers_are_those_of_the_header() {
        let header = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../include/fourbar_partner.h"));
        let header = header.unwrap();
        assert!(header.contains(&format!("#define FOURBAR_PARTNER_VERSION {VERSION}u")));
        for (name, value) in [
            ("OK", OK),
            ("FAILED", FAILED),
            ("INVALID", INVALID),
            ("UNSUPPORTED", UNSUPPORTED),
            ("TOO_SMALL", TOO_SMALL),
            ("INPUT", INPUT),
            ("OUTPUT", OUTPUT),
            ("CAN_RESTORE", CAN_RESTORE as i32),
            ("HAS_OUTPUT_RATES", HAS_OUTPUT_RATES as i32),
            ("SAVE", SAVE),
            ("RESTORE", RESTORE),
        ] {
            let line = format!("FOURBAR_PARTNER_{name} = {value}");
            let found = header.lines().any(|text| text.trim().trim_end_matches(',') == line);
            assert!(found, "{line}");
        }
    }
}
