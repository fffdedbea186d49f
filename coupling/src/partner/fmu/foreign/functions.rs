//! The functions of FMI 2.0 and 3.0 as C has them, and how they are found in a shared library.
//!
//! Sources: `fmi2FunctionTypes.h`, `fmi2TypesPlatform.h` (FMI 2.0.5), `fmi3FunctionTypes.h`, `fmi3PlatformTypes.h` (FMI 3.0.2).

use std::ffi::{c_char, c_int, c_void};

/// fmi2Component, fmi3Instance.
pub(super) type Component = *mut c_void;
/// fmi2FMUstate, fmi3FMUState.
pub(super) type State = *mut c_void;
/// fmi2Status, fmi3Status: 0 OK, 1 warning, 2 discard, 3 error, 4 fatal, 5 pending (2.0).
pub(super) type Status = c_int;
/// fmi2String, fmi3String.
pub(super) type Text = *const c_char;
/// Value references.
type References = *const u32;

pub(super) const OK: Status = 0;
pub(super) const WARNING: Status = 1;
pub(super) const DISCARD: Status = 2;
pub(super) const ERROR: Status = 3;
pub(super) const FATAL: Status = 4;

/// fmi2CallbackFunctions. The logger is variadic in C; the arguments behind `message` are not looked at.
#[repr(C)]
pub(super) struct Callbacks2 {
    pub(super) logger: extern "C" fn(*mut c_void, Text, Status, Text, Text),
    pub(super) allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    pub(super) free: unsafe extern "C" fn(*mut c_void),
    pub(super) step_finished: Option<extern "C" fn(*mut c_void, Status)>,
    pub(super) environment: *mut c_void,
}

/// fmi2EventInfo.
#[repr(C)]
#[derive(Default)]
pub(super) struct EventInfo2 {
    pub(super) new_discrete_states_needed: c_int,
    pub(super) terminate: c_int,
    pub(super) nominals_changed: c_int,
    pub(super) values_changed: c_int,
    pub(super) next_event_time_defined: c_int,
    pub(super) next_event_time: f64,
}

pub(super) type Logger3 = extern "C" fn(*mut c_void, Status, Text, Text);
pub(super) type Intermediate3 = extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, *mut bool, *mut f64);

/// A table of functions, each found by its name or absent.
macro_rules! table {
    ($(#[$about:meta])* $name:ident { $($field:ident = $symbol:literal: ($($argument:ty),*) $(-> $result:ty)?;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name {
            $(pub(super) $field: Option<unsafe extern "C" fn($($argument),*) $(-> $result)?>,)*
        }

        impl $name {
            /// Looks all functions up.
            pub(super) fn find(library: &libloading::Library) -> Self {
                Self {
                    // SAFETY: the type is that of the standard's header for this name; the table lives beside the library.
                    $($field: unsafe { library.get($symbol.as_bytes()) }.ok().map(|symbol| *symbol),)*
                }
            }

            /// Names of functions that the library must have and has not.
            pub(super) fn missing(&self, needed: &[&'static str]) -> Option<&'static str> {
                let present = [$(($symbol, self.$field.is_some()),)*];
                let mut absent = present.into_iter().filter(|(_, is)| !is).map(|(name, _)| name);
                absent.find(|name| needed.contains(name))
            }
        }
    };
}

table! {
    /// FMI 2.0.
    Functions2 {
        instantiate = "fmi2Instantiate": (Text, c_int, Text, Text, *const Callbacks2, c_int, c_int) -> Component;
        free = "fmi2FreeInstance": (Component);
        setup = "fmi2SetupExperiment": (Component, c_int, f64, f64, c_int, f64) -> Status;
        enter_initialization = "fmi2EnterInitializationMode": (Component) -> Status;
        exit_initialization = "fmi2ExitInitializationMode": (Component) -> Status;
        terminate = "fmi2Terminate": (Component) -> Status;
        get_real = "fmi2GetReal": (Component, References, usize, *mut f64) -> Status;
        get_integer = "fmi2GetInteger": (Component, References, usize, *mut c_int) -> Status;
        get_boolean = "fmi2GetBoolean": (Component, References, usize, *mut c_int) -> Status;
        set_real = "fmi2SetReal": (Component, References, usize, *const f64) -> Status;
        set_integer = "fmi2SetInteger": (Component, References, usize, *const c_int) -> Status;
        set_boolean = "fmi2SetBoolean": (Component, References, usize, *const c_int) -> Status;
        get_string = "fmi2GetString": (Component, References, usize, *mut Text) -> Status;
        set_string = "fmi2SetString": (Component, References, usize, *const Text) -> Status;
        get_state = "fmi2GetFMUstate": (Component, *mut State) -> Status;
        set_state = "fmi2SetFMUstate": (Component, State) -> Status;
        free_state = "fmi2FreeFMUstate": (Component, *mut State) -> Status;
        state_size = "fmi2SerializedFMUstateSize": (Component, State, *mut usize) -> Status;
        serialize = "fmi2SerializeFMUstate": (Component, State, *mut u8, usize) -> Status;
        deserialize = "fmi2DeSerializeFMUstate": (Component, *const u8, usize, *mut State) -> Status;
        set_input_derivatives = "fmi2SetRealInputDerivatives":
            (Component, References, usize, *const c_int, *const f64) -> Status;
        output_derivatives = "fmi2GetRealOutputDerivatives":
            (Component, References, usize, *const c_int, *mut f64) -> Status;
        directional = "fmi2GetDirectionalDerivative":
            (Component, References, usize, References, usize, *const f64, *mut f64) -> Status;
        do_step = "fmi2DoStep": (Component, f64, f64, c_int) -> Status;
        boolean_status = "fmi2GetBooleanStatus": (Component, c_int, *mut c_int) -> Status;
        real_status = "fmi2GetRealStatus": (Component, c_int, *mut f64) -> Status;
        enter_event = "fmi2EnterEventMode": (Component) -> Status;
        update_discrete = "fmi2NewDiscreteStates": (Component, *mut EventInfo2) -> Status;
        enter_continuous = "fmi2EnterContinuousTimeMode": (Component) -> Status;
        completed_step = "fmi2CompletedIntegratorStep": (Component, c_int, *mut c_int, *mut c_int) -> Status;
        set_time = "fmi2SetTime": (Component, f64) -> Status;
        set_states = "fmi2SetContinuousStates": (Component, *const f64, usize) -> Status;
        get_states = "fmi2GetContinuousStates": (Component, *mut f64, usize) -> Status;
        get_nominals = "fmi2GetNominalsOfContinuousStates": (Component, *mut f64, usize) -> Status;
        get_derivatives = "fmi2GetDerivatives": (Component, *mut f64, usize) -> Status;
        get_indicators = "fmi2GetEventIndicators": (Component, *mut f64, usize) -> Status;
    }
}

table! {
    /// FMI 3.0. Getters and setters of numbers stand in [`Number3`].
    Functions3 {
        instantiate_co_simulation = "fmi3InstantiateCoSimulation":
            (Text, Text, Text, bool, bool, bool, bool, References, usize, *mut c_void, Logger3, Option<Intermediate3>) -> Component;
        instantiate_model_exchange = "fmi3InstantiateModelExchange":
            (Text, Text, Text, bool, bool, *mut c_void, Logger3) -> Component;
        free = "fmi3FreeInstance": (Component);
        enter_configuration = "fmi3EnterConfigurationMode": (Component) -> Status;
        exit_configuration = "fmi3ExitConfigurationMode": (Component) -> Status;
        enter_initialization = "fmi3EnterInitializationMode": (Component, bool, f64, f64, bool, f64) -> Status;
        exit_initialization = "fmi3ExitInitializationMode": (Component) -> Status;
        terminate = "fmi3Terminate": (Component) -> Status;
        get_string = "fmi3GetString": (Component, References, usize, *mut Text, usize) -> Status;
        set_string = "fmi3SetString": (Component, References, usize, *const Text, usize) -> Status;
        get_state = "fmi3GetFMUState": (Component, *mut State) -> Status;
        set_state = "fmi3SetFMUState": (Component, State) -> Status;
        free_state = "fmi3FreeFMUState": (Component, *mut State) -> Status;
        state_size = "fmi3SerializedFMUStateSize": (Component, State, *mut usize) -> Status;
        serialize = "fmi3SerializeFMUState": (Component, State, *mut u8, usize) -> Status;
        deserialize = "fmi3DeserializeFMUState": (Component, *const u8, usize, *mut State) -> Status;
        output_derivatives = "fmi3GetOutputDerivatives":
            (Component, References, usize, *const c_int, *mut f64, usize) -> Status;
        directional = "fmi3GetDirectionalDerivative":
            (Component, References, usize, References, usize, *const f64, usize, *mut f64, usize) -> Status;
        do_step = "fmi3DoStep": (Component, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> Status;
        enter_step = "fmi3EnterStepMode": (Component) -> Status;
        enter_event = "fmi3EnterEventMode": (Component) -> Status;
        update_discrete = "fmi3UpdateDiscreteStates":
            (Component, *mut bool, *mut bool, *mut bool, *mut bool, *mut bool, *mut f64) -> Status;
        enter_continuous = "fmi3EnterContinuousTimeMode": (Component) -> Status;
        completed_step = "fmi3CompletedIntegratorStep": (Component, bool, *mut bool, *mut bool) -> Status;
        set_time = "fmi3SetTime": (Component, f64) -> Status;
        set_states = "fmi3SetContinuousStates": (Component, *const f64, usize) -> Status;
        get_states = "fmi3GetContinuousStates": (Component, *mut f64, usize) -> Status;
        get_nominals = "fmi3GetNominalsOfContinuousStates": (Component, *mut f64, usize) -> Status;
        get_derivatives = "fmi3GetContinuousStateDerivatives": (Component, *mut f64, usize) -> Status;
        get_indicators = "fmi3GetEventIndicators": (Component, *mut f64, usize) -> Status;
        indicator_count = "fmi3GetNumberOfEventIndicators": (Component, *mut usize) -> Status;
        state_count = "fmi3GetNumberOfContinuousStates": (Component, *mut usize) -> Status;
    }
}

/// The getter and the setter of one type of numbers of FMI 3.0; the pointers are to that type.
#[derive(Clone, Copy)]
pub(super) struct Number3 {
    pub(super) get: Option<unsafe extern "C" fn(Component, References, usize, *mut c_void, usize) -> Status>,
    pub(super) set: Option<unsafe extern "C" fn(Component, References, usize, *const c_void, usize) -> Status>,
}

impl Number3 {
    /// By the name of the type, as `Float64`.
    pub(super) fn find(library: &libloading::Library, kind: &str) -> Self {
        // SAFETY: the types are those of the standard's header for these names, with the pointer to values left open.
        unsafe {
            Self {
                get: library.get(format!("fmi3Get{kind}").as_bytes()).ok().map(|symbol| *symbol),
                set: library.get(format!("fmi3Set{kind}").as_bytes()).ok().map(|symbol| *symbol),
            }
        }
    }
}
