/*
 * fourbar_partner.h: a simulator in a shared library, as a partner of fourbar's co-simulation.
 *
 * The library exports the five functions declared at the end of this file, with C linkage. fourbar loads it into its own process or
 * into a child process, and calls them in this order:
 *
 *   describe                      once: variables and abilities
 *   create                        once per instance
 *   exchange                      once per communication step: inputs in, a step, outputs out
 *   state                         where a step may have to be undone: saving and restoring
 *   destroy                       once per instance
 *
 * Versions. FOURBAR_PARTNER_VERSION counts changes that old libraries do not survive; another number is refused. Structures grow at
 * their end alone: the first member of each, struct_size, is sizeof the structure as its writer knows it, and whoever reads a shorter
 * one takes what lies beyond as zero. Members named `reserved` are zero.
 *
 * Units and arrays. Names and units are UTF-8 and end with a zero byte. A unit is a product like "kN", "mm/s" or "kg*m^2", "" for a plain
 * number; fourbar converts between the units of connected variables. Inputs and outputs are arrays of double, each in the order of the
 * description's variables of that direction.
 *
 * Threads. The calls for one instance come one after the other, not always from the thread that created it. Instances are independent of
 * each other: calls for different ones may come at the same time, so that anything they share must be guarded. No call is made from a
 * signal handler.
 *
 * Lifetimes. What `describe` returns stays valid and unchanged as long as the library is loaded. What fourbar passes to a function is
 * valid until that function returns. An instance lives from `create` to `destroy`; after the last `destroy` the library may be unloaded,
 * so that no thread of its own may be left running.
 *
 * Errors. A function that fails returns a status other than FOURBAR_PARTNER_OK and writes its reason, ended by a zero byte, to `error`,
 * which has room for `error_size` bytes, at least 256. No C++ exception may leave a function. Statuses keep their numbers for ever.
 *
 * C99, C11 and C++17, without warnings.
 */
#ifndef FOURBAR_PARTNER_H
#define FOURBAR_PARTNER_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define FOURBAR_PARTNER_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FOURBAR_PARTNER_EXPORT __attribute__((visibility("default")))
#else
#define FOURBAR_PARTNER_EXPORT
#endif

#define FOURBAR_PARTNER_VERSION 1u

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. */
enum {
    /* Done. */
    FOURBAR_PARTNER_OK = 0,
    /* It could not be done; `error` says why. The instance can still be restored, asked again or destroyed. */
    FOURBAR_PARTNER_FAILED = 1,
    /* An argument makes no sense; `error` says which. */
    FOURBAR_PARTNER_INVALID = 2,
    /* The library does not support this. */
    FOURBAR_PARTNER_UNSUPPORTED = 3,
    /* `bytes` has too little room; *size is what is needed. */
    FOURBAR_PARTNER_TOO_SMALL = 4
};

/* Which way a variable travels. */
enum {
    FOURBAR_PARTNER_INPUT = 1,
    FOURBAR_PARTNER_OUTPUT = 2
};

/* Abilities, to be joined with |. */
enum {
    /* `state` saves and restores. */
    FOURBAR_PARTNER_CAN_RESTORE = 1,
    /* `exchange` writes output_rates. */
    FOURBAR_PARTNER_HAS_OUTPUT_RATES = 2
};

/* What `state` is asked to do. */
enum {
    FOURBAR_PARTNER_SAVE = 1,
    FOURBAR_PARTNER_RESTORE = 2
};

/* A variable that is exchanged. */
typedef struct fourbar_partner_variable {
    /* sizeof this structure. */
    size_t struct_size;
    /* Unique among the variables, at most 255 bytes, without a dot. */
    const char *name;
    /* Unit by name; NULL is "". */
    const char *unit;
    /* Value before the first exchange [unit]. */
    double start;
    /* Typical magnitude [unit], a size for errors as long as no larger value was seen; 0 if it is not known. */
    double nominal;
    /* Of an output: the inputs on which it depends without delay, by their index among the inputs. */
    const uint32_t *feedthrough;
    uint32_t feedthrough_count;
    /* FOURBAR_PARTNER_INPUT or FOURBAR_PARTNER_OUTPUT. */
    int32_t causality;
} fourbar_partner_variable;

/* What the library says of itself. */
typedef struct fourbar_partner_description {
    /* sizeof this structure. */
    size_t struct_size;
    /* FOURBAR_PARTNER_VERSION of the header it was compiled with. */
    uint32_t version;
    /* Abilities. */
    uint32_t capabilities;
    /* Highest derivative of an input that is made use of: 0, 1 or 2. Higher ones are passed as 0. */
    uint32_t input_order;
    /* Number of variables. */
    uint32_t variable_count;
    /* The variables; each as long as its first one's struct_size says. */
    const fourbar_partner_variable *variables;
    /* Step of its own solver [s], which the communication step must not undercut; 0 if it steps anyhow. */
    double solver_step;
} fourbar_partner_description;

/* A number by name. */
typedef struct fourbar_partner_parameter {
    const char *name;
    double value;
} fourbar_partner_parameter;

/* What an instance is created with. */
typedef struct fourbar_partner_options {
    /* sizeof this structure. */
    size_t struct_size;
    /* FOURBAR_PARTNER_VERSION of the host. */
    uint32_t version;
    /* Number of parameters. */
    uint32_t parameter_count;
    /* Parameters the user gave; a name that is not known must be refused with FOURBAR_PARTNER_INVALID. */
    const fourbar_partner_parameter *parameters;
    /* Name of the instance in the run. */
    const char *name;
    /* Time at which it starts [s]. */
    double start;
} fourbar_partner_options;

/* One exchange. Over the step an input is the polynomial inputs + input_rates s + input_curvatures s^2/2, s seconds behind `time`. */
typedef struct fourbar_partner_data {
    /* sizeof this structure. */
    size_t struct_size;
    /* Present time [s]. */
    double time;
    /* Length of the step [s]. 0: no step, the outputs are those of the present state with these inputs. */
    double step;
    /* One entry per input: value [unit], first derivative [unit/s], second derivative [unit/s^2]. */
    const double *inputs;
    const double *input_rates;
    const double *input_curvatures;
    /* To be written: time that was reached [s], time + step if all went well. */
    double reached;
    /* To be written, one entry per output: values at that time [unit], NaN beforehand. */
    double *outputs;
    /* To be written by those that have FOURBAR_PARTNER_HAS_OUTPUT_RATES: their derivatives [unit/s]; otherwise NULL. */
    double *output_rates;
} fourbar_partner_data;

/* Describes the library. Never NULL. */
FOURBAR_PARTNER_EXPORT const fourbar_partner_description *fourbar_partner_describe(void);

/* Creates an instance at its initial state and writes a pointer to it, not NULL, to *instance. After a failure there is none. */
FOURBAR_PARTNER_EXPORT int32_t fourbar_partner_create(const fourbar_partner_options *options, void **instance, char *error,
                                                      size_t error_size);

/* Takes the inputs, steps, gives the outputs. */
FOURBAR_PARTNER_EXPORT int32_t fourbar_partner_exchange(void *instance, fourbar_partner_data *data, char *error,
                                                        size_t error_size);

/*
 * FOURBAR_PARTNER_SAVE: writes everything on which the further run depends to `bytes`, which has room for *size bytes, and its length to
 * *size; with too little room it writes the room needed to *size and returns FOURBAR_PARTNER_TOO_SMALL.
 * FOURBAR_PARTNER_RESTORE: returns to what was saved, *size bytes; what follows is then what followed before, bit for bit.
 * The bytes hold no pointers: they may be restored in another instance of the same library that was created with the same options, also
 * in another process. A library without FOURBAR_PARTNER_CAN_RESTORE returns FOURBAR_PARTNER_UNSUPPORTED.
 */
FOURBAR_PARTNER_EXPORT int32_t fourbar_partner_state(void *instance, int32_t action, void *bytes, size_t *size, char *error,
                                                     size_t error_size);

/* Ends an instance and frees what it holds. NULL is allowed. */
FOURBAR_PARTNER_EXPORT void fourbar_partner_destroy(void *instance);

#ifdef __cplusplus
}
#endif

#endif
