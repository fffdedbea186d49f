/* fourbar: the C ABI. Generated from the crate capi; do not edit: UPDATE_HEADER=1 cargo test -p fourbar-capi header
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * - Every function returns a fourbar_status, and writes its results, the last parameters, on success alone.
 * - NULL is refused with a status wherever it is not said to be allowed; freeing NULL does nothing.
 * - Options are structs with their size first: set them by their init function, then change what you like.
 * - A panic inside becomes FOURBAR_PANIC, and the handle can only be freed; the process goes on.
 * - A handle is used by one thread at a time: a second one gets FOURBAR_BUSY, and so does a callback that calls back into the handle it
 *   was called from. Objects that never change say so, and may be used by any number of threads. Different handles are independent.
 * - Matrices are column after column. Units are those of the International System.
 */

#ifndef FOURBAR_H
#define FOURBAR_H

#include <stddef.h>
#include <stdint.h>
#include "fourbar_partner.h"

/* A status that nobody looks at is a warning; define FOURBAR_MUST_USE as nothing to be without it. */
#ifndef FOURBAR_MUST_USE
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define FOURBAR_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define FOURBAR_MUST_USE __attribute__((warn_unused_result))
#else
#define FOURBAR_MUST_USE
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus


/* ==================================================================================================================================
 * Handles
 * ================================================================================================================================== */

/**
 * What ends calls that take long. A thread watches it (`fourbar_interrupt_watch`); once another one has raised it, the call that is under way on
 * the thread ends with FOURBAR_INTERRUPTED, soon, and so does each that takes long until it is lowered. Any number of threads may watch and
 * raise it.
 */
typedef struct fourbar_interrupt fourbar_interrupt;

/**
 * A mechanism as a person describes it: bodies, markers, joints, motions, forces, contacts, measures, by name. It is checked as a whole
 * by `fourbar_model_compile`, whose error names what is wrong, where, and what to do.
 */
typedef struct fourbar_model fourbar_model;

/**
 * A model compiled: equations, start state, contacts, names. It never changes: any number of threads may use it, and any number of
 * simulations on as many threads share it. Functions of the host in it are then called from all of them.
 */
typedef struct fourbar_mechanism fourbar_mechanism;

/**
 * A mechanism at a time, which the host advances, with contacts or without. Used by one thread at a time.
 */
typedef struct fourbar_simulation fourbar_simulation;

/**
 * A checkpoint of a simulation: everything on which the further steps depend.
 */
typedef struct fourbar_simulation_state fourbar_simulation_state;

/**
 * The equations of a mechanism, for integrators of the host: F(t, y, y') = 0 in the formulations I3, SI2 and SI1, y' = f(t, y) in
 * `FOURBAR_FORMULATION_PARTITIONED` (docs/c-abi.md says what the unknowns are). It keeps the charts in which orientations are written, and scratch. Used
 * by one thread at a time; any number of them share a mechanism.
 */
typedef struct fourbar_mechanism_equations fourbar_mechanism_equations;

/**
 * Equations F(t, y, y') = 0 or y' = f(t, y). It never changes: any number of threads may use it, if its functions allow that.
 */
typedef struct fourbar_problem fourbar_problem;

/**
 * An integrator at work on a problem. Used by one thread at a time; the functions of the problem are called on that thread, and get
 * `FOURBAR_BUSY` where they call back.
 */
typedef struct fourbar_integration fourbar_integration;

/**
 * A checkpoint of an integration. What the host's functions remember behind `user` is not part of it.
 */
typedef struct fourbar_integration_state fourbar_integration_state;

/**
 * A linear system dx/dt = A x + B u, y = C x + D u. It never changes: any number of threads may use it.
 */
typedef struct fourbar_system fourbar_system;

/**
 * A linear system that advances in steps: state, input history, outputs. Used by one thread at a time. No step allocates.
 */
typedef struct fourbar_stepper fourbar_stepper;

/**
 * Everything that changes as a stepper advances.
 */
typedef struct fourbar_stepper_state fourbar_stepper_state;

/**
 * A circuit or a linear system of a model file at a time, which the host advances. Used by one thread at a time.
 */
typedef struct fourbar_simulator fourbar_simulator;

/**
 * A checkpoint of a simulator. Used by one thread at a time.
 */
typedef struct fourbar_simulator_state fourbar_simulator_state;

/**
 * A problem of complementarity or of friction. It never changes: any number of threads may use it.
 */
typedef struct fourbar_contact_problem fourbar_contact_problem;

/**
 * A solver of contact problems: a method, the room it works in, and its last answer. Used by one thread at a time.
 */
typedef struct fourbar_contact_solver fourbar_contact_solver;

/**
 * Partners, what passes between them, and their run. Used by one thread at a time.
 */
typedef struct fourbar_coupling fourbar_coupling;

/**
 * A model that is run as a whole, and the results of its last run. Used by one thread at a time, but for `fourbar_run_interrupt`.
 */
typedef struct fourbar_run fourbar_run;

/**
 * A file of comma-separated values: `time [s]` and columns by name with their units, one row for each time. Used by one thread at a time.
 */
typedef struct fourbar_csv fourbar_csv;

/**
 * A problem with a known solution of 9 to 16 digits (docs/accuracy.md). It never changes: any number of threads may use it at once.
 *
 * Libraries without `FOURBAR_HAS_ACCURACY` have none: their functions here end with `FOURBAR_UNSUPPORTED`.
 */
typedef struct fourbar_accuracy fourbar_accuracy;


/* ==================================================================================================================================
 * Errors, versions, the log
 * ================================================================================================================================== */

/**
 * What became of a call. `fourbar_last_error` has the text.
 */
enum fourbar_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Done.
   */
  FOURBAR_OK = 0,
  /**
   * A pointer is NULL that must not be.
   */
  FOURBAR_NULL = 1,
  /**
   * A value is out of its range.
   */
  FOURBAR_INVALID = 2,
  /**
   * `struct_size` of an options struct is none that this library knows.
   */
  FOURBAR_STRUCT_SIZE = 3,
  /**
   * An array has the wrong length, or a matrix the wrong shape.
   */
  FOURBAR_LENGTH = 4,
  /**
   * The call does not fit the state of the object: the text says what has to come first.
   */
  FOURBAR_STATE = 5,
  /**
   * A number that the caller gave is NaN or infinite.
   */
  FOURBAR_NOT_FINITE = 6,
  /**
   * The handle is in use: by another thread, or by the call from which this callback came.
   */
  FOURBAR_BUSY = 7,
  /**
   * A text is not UTF-8.
   */
  FOURBAR_TEXT = 8,
  /**
   * A name that the object does not have.
   */
  FOURBAR_NO_SUCH_NAME = 9,
  /**
   * A number left the range of double.
   */
  FOURBAR_OVERFLOW = 10,
  /**
   * The problem is singular, or an iteration did not converge.
   */
  FOURBAR_NUMERICAL = 11,
  /**
   * What is asked for does not exist for an object of this kind.
   */
  FOURBAR_UNSUPPORTED = 12,
  /**
   * A function of the host said that it failed, or gave a number that is not finite where no shorter step avoids it.
   */
  FOURBAR_CALLBACK = 13,
  /**
   * A file or a library cannot be opened, read or written.
   */
  FOURBAR_FILE = 14,
  /**
   * The call was interrupted (`fourbar_interrupt_raise`).
   */
  FOURBAR_INTERRUPTED = 15,
  /**
   * An error inside fourbar; the handle can only be freed. Please report it.
   */
  FOURBAR_PANIC = 100,
  /**
   * An earlier call on this handle ended with `FOURBAR_PANIC`.
   */
  FOURBAR_POISONED = 101,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_status fourbar_status;
#else
typedef int32_t fourbar_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Bytes of an error text with its NUL; a longer text is cut at a character.
 */
#define FOURBAR_ERROR_SIZE 1024

/**
 * Version of the binary interface that the header describes: a library of the same number serves every program compiled against it.
 */
#define FOURBAR_ABI_VERSION 1

/**
 * Linear systems and their steppers.
 */
#define FOURBAR_HAS_LINEAR (1 << 0)

/**
 * Mechanisms, their analyses and simulations.
 */
#define FOURBAR_HAS_MECHANISM (1 << 1)

/**
 * Contacts in mechanisms.
 */
#define FOURBAR_HAS_CONTACT (1 << 2)

/**
 * Models from TOML text and files.
 */
#define FOURBAR_HAS_TOML (1 << 3)

/**
 * Forces and motions by functions of the host.
 */
#define FOURBAR_HAS_CALLBACKS (1 << 4)

/**
 * The host's own equations under the integrators.
 */
#define FOURBAR_HAS_EQUATIONS (1 << 5)

/**
 * Co-simulation.
 */
#define FOURBAR_HAS_COUPLING (1 << 6)

/**
 * Whole runs, CSV files and reports.
 */
#define FOURBAR_HAS_RESULTS (1 << 7)

/**
 * Problems with known solutions: a library built with the feature `accuracy`.
 */
#define FOURBAR_HAS_ACCURACY (1 << 8)

/**
 * What the library has.
 */
typedef struct fourbar_capability_list {
  /**
   * sizeof(fourbar_capability_list).
   */
  size_t struct_size;
  /**
   * Bits FOURBAR_HAS_...
   */
  uint64_t features;
  /**
   * As `fourbar_abi_version`.
   */
  uint32_t abi_version;
  /**
   * Bytes of a pointer.
   */
  uint32_t pointer_bytes;
  /**
   * Highest order of GSTIFF.
   */
  uint32_t order_max;
  /**
   * Not used; 0.
   */
  uint32_t reserved;
} fourbar_capability_list;

/**
 * How much a message matters.
 */
enum fourbar_log_level
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Results may not be what the caller thinks.
   */
  FOURBAR_LOG_WARNING = 2,
  /**
   * What was done on the way.
   */
  FOURBAR_LOG_INFO = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_log_level fourbar_log_level;
#else
typedef int32_t fourbar_log_level;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Takes a message: a value of `fourbar_log_level` and a text, which lives as long as the call.
 */
typedef void (*fourbar_log_function)(void *user, int32_t level, const char *text);

/**
 * The text of the last error on this thread, empty before the first. The pointer stays valid as long as the thread; the text is
 * overwritten by the next error on it.
 */
const char *fourbar_last_error(void);

/**
 * Copies the text of the last error on this thread into `buffer`, cut to `size` bytes with its NUL. Returns the bytes that the whole text
 * needs with its NUL; with `size` 0, `buffer` may be NULL.
 *
 * # Safety
 * `buffer` points to `size` writable bytes.
 */
size_t fourbar_last_error_copy(char *buffer,
                               size_t size);

/**
 * The name of a status, such as "FOURBAR_OK"; "unknown status" for other numbers. Never NULL, never freed.
 */
const char *fourbar_status_name(int status);

/**
 * Called by a function of the host before it returns a number other than 0: why. The text, UTF-8 with a NUL at its end, becomes part of the
 * error that the outer call returns; it is copied. NULL is allowed: no reason. A function that returns 0
 * after all gave none.
 *
 * # Safety
 * `reason` is NULL or ends with a NUL.
 */
void fourbar_callback_error(const char *reason);

/**
 * Version of the binary interface that the library has; compare it to `FOURBAR_ABI_VERSION` of the header.
 */
uint32_t fourbar_abi_version(void);

/**
 * Version of the library, such as "0.1.0". Never NULL, never freed.
 */
const char *fourbar_version(void);

/**
 * What the library has; `size` is sizeof(fourbar_capability_list). Fields that this library does not know become 0.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `out` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_capabilities(struct fourbar_capability_list *out, size_t size);

/**
 * From now on `function` takes the messages of all threads, with `user`; NULL (the default): nobody does. It is called on the thread whose
 * call has something to say, from several threads at the same time, and must not throw or jump out. A call on another thread that has
 * begun already may still reach the function that was set before.
 *
 * Errors: none.
 *
 * # Safety
 * `function` may be called with `user` until another one is set and the calls under way have ended.
 */
FOURBAR_MUST_USE fourbar_status fourbar_log_set(fourbar_log_function function,
                               void *user);


/* ==================================================================================================================================
 * Interrupts
 * ================================================================================================================================== */

/**
 * An interrupt, not raised.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_interrupt_new(struct fourbar_interrupt **out);

/**
 * From now on calls of this thread end once `interrupt` is raised; NULL: no call is interrupted any more. Each thread says for itself what it
 * watches. Partners of a coupling that are on threads of their own do not watch it.
 *
 * An interrupted call leaves its handle as a failed one does: at the end of the last step that was made, to be read and used on once the
 * interrupt is lowered. A call that makes an object makes none. What ends where is in docs/c-abi.md.
 *
 * Errors: none.
 *
 * # Safety
 * `interrupt` is NULL or alive; it may be freed while it is watched.
 */
FOURBAR_MUST_USE fourbar_status fourbar_interrupt_watch(const struct fourbar_interrupt *interrupt);

/**
 * Ends what is under way on threads that watch it. May be called from any thread, at any time, and from a signal handler: it stores a number
 * and does nothing else.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `interrupt` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_interrupt_raise(const struct fourbar_interrupt *interrupt);

/**
 * Lets calls run again.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `interrupt` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_interrupt_lower(const struct fourbar_interrupt *interrupt);

/**
 * Frees an interrupt; threads that watch it are not interrupted by it any more. NULL is allowed.
 *
 * # Safety
 * `interrupt` is NULL or alive, and not used afterwards.
 */
void fourbar_interrupt_free(struct fourbar_interrupt *interrupt);


/* ==================================================================================================================================
 * Models of mechanisms
 * ================================================================================================================================== */

/**
 * Assembly keeps the x of the centre of mass. Of several start values to keep, the sum of their bits.
 */
#define FOURBAR_EXACT_X (1 << 0)

/**
 * Assembly keeps the y of the centre of mass.
 */
#define FOURBAR_EXACT_Y (1 << 1)

/**
 * Assembly keeps the z of the centre of mass.
 */
#define FOURBAR_EXACT_Z (1 << 2)

/**
 * Assembly keeps the orientation.
 */
#define FOURBAR_EXACT_ORIENTATION (1 << 3)

/**
 * Assembly keeps the velocity of the centre of mass along x.
 */
#define FOURBAR_EXACT_VX (1 << 4)

/**
 * Assembly keeps the velocity of the centre of mass along y.
 */
#define FOURBAR_EXACT_VY (1 << 5)

/**
 * Assembly keeps the velocity of the centre of mass along z.
 */
#define FOURBAR_EXACT_VZ (1 << 6)

/**
 * Assembly keeps the angular velocity.
 */
#define FOURBAR_EXACT_ANGULAR_VELOCITY (1 << 7)

/**
 * A rigid body; set by `fourbar_body_init` first. Texts and numbers are copied.
 */
typedef struct fourbar_body {
  /**
   * sizeof(fourbar_body).
   */
  size_t struct_size;
  /**
   * Name, unique among bodies; not "ground".
   */
  const char *name;
  /**
   * Mass \[kg\], positive.
   */
  double mass;
  /**
   * Ixx, Iyy, Izz, Ixy, Ixz, Iyz of the inertia matrix about the centre of mass, in axes parallel to the body frame \[kg m^2\]. All 0 (the
   * default): a point mass, which joints must keep from turning.
   */
  double inertia[6];
  /**
   * Centre of mass in the body frame \[m\].
   */
  double center_of_mass[3];
  /**
   * Origin of the body frame in the global frame at the start \[m\].
   */
  double position[3];
  /**
   * Orientation of the body frame at the start: w, x, y, z; 1, 0, 0, 0 by default. Normalized.
   */
  double quaternion[4];
  /**
   * Velocity of the centre of mass at the start, global frame \[m/s\].
   */
  double velocity[3];
  /**
   * Angular velocity at the start, global frame \[rad/s\].
   */
  double angular_velocity[3];
  /**
   * Sum of FOURBAR_EXACT_...: start values that assembly shall keep; 0 by default.
   */
  uint32_t exact;
  /**
   * Not used; 0.
   */
  uint32_t reserved;
} fourbar_body;

/**
 * Kinds of joints. In brackets the degrees of freedom that they take away. Axes are those of the marker J.
 */
enum fourbar_joint_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Turning about z \[5\].
   */
  FOURBAR_JOINT_REVOLUTE = 1,
  /**
   * Sliding along z without turning \[5\].
   */
  FOURBAR_JOINT_PRISMATIC = 2,
  /**
   * Sliding along z and turning about it \[4\].
   */
  FOURBAR_JOINT_CYLINDRICAL = 3,
  /**
   * Origins coincide \[3\].
   */
  FOURBAR_JOINT_SPHERICAL = 4,
  /**
   * Origins coincide, z of I is perpendicular to z of J \[4\].
   */
  FOURBAR_JOINT_UNIVERSAL = 5,
  /**
   * The origin of I stays in the x-y plane of J, z axes are parallel \[3\].
   */
  FOURBAR_JOINT_PLANAR = 6,
  /**
   * Nothing moves \[6\].
   */
  FOURBAR_JOINT_FIXED = 7,
  /**
   * The origin of I stays on the z axis of J \[2\].
   */
  FOURBAR_JOINT_INLINE = 8,
  /**
   * The origin of I stays in the x-y plane of J \[1\].
   */
  FOURBAR_JOINT_INPLANE = 9,
  /**
   * z axes are parallel \[2\].
   */
  FOURBAR_JOINT_PARALLEL_AXES = 10,
  /**
   * z axes are perpendicular \[1\].
   */
  FOURBAR_JOINT_PERPENDICULAR = 11,
  /**
   * All axes are parallel \[3\].
   */
  FOURBAR_JOINT_ORIENTATION = 12,
  /**
   * Origins keep their distance \[1\].
   */
  FOURBAR_JOINT_DISTANCE = 13,
  /**
   * Turning about z and sliding along it by the pitch a turn \[5\].
   */
  FOURBAR_JOINT_SCREW = 14,
  /**
   * Origins coincide, I turns about its z axis as fast as J about its own \[4\].
   */
  FOURBAR_JOINT_CONSTANT_VELOCITY = 15,
  /**
   * Origins coincide, x of I is perpendicular to y of J \[4\].
   */
  FOURBAR_JOINT_HOOKE = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_joint_kind fourbar_joint_kind;
#else
typedef int32_t fourbar_joint_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Coordinates that a motion can prescribe; a limit of a contact takes the first three.
 */
enum fourbar_direction
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The only one of the joint.
   */
  FOURBAR_DIRECTION_ONLY = 0,
  /**
   * Turning about z of J.
   */
  FOURBAR_DIRECTION_ROTATION = 1,
  /**
   * Sliding along z of J.
   */
  FOURBAR_DIRECTION_TRANSLATION = 2,
  /**
   * Displacement along x of J.
   */
  FOURBAR_DIRECTION_X = 3,
  /**
   * Displacement along y of J.
   */
  FOURBAR_DIRECTION_Y = 4,
  /**
   * Displacement along z of J.
   */
  FOURBAR_DIRECTION_Z = 5,
  /**
   * First of three angles by which J turns to I, about x of J.
   */
  FOURBAR_DIRECTION_ROTATION_X = 6,
  /**
   * Second of them, about y turned by the first; between -90 and 90 degrees.
   */
  FOURBAR_DIRECTION_ROTATION_Y = 7,
  /**
   * Third of them, about z of I.
   */
  FOURBAR_DIRECTION_ROTATION_Z = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_direction fourbar_direction;
#else
typedef int32_t fourbar_direction;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a motion prescribes.
 */
enum fourbar_motion_law
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The coordinate \[rad, m\].
   */
  FOURBAR_MOTION_DISPLACEMENT = 1,
  /**
   * Its rate.
   */
  FOURBAR_MOTION_VELOCITY = 2,
  /**
   * Its second rate.
   */
  FOURBAR_MOTION_ACCELERATION = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_motion_law fourbar_motion_law;
#else
typedef int32_t fourbar_motion_law;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where the coordinates of a joint are at the start, and how fast, of marker I against marker J; set by `fourbar_joint_initial_init` first. NaN
 * (the default of each) leaves a coordinate free.
 */
typedef struct fourbar_joint_initial {
  /**
   * sizeof(fourbar_joint_initial).
   */
  size_t struct_size;
  /**
   * Angle about z of J \[rad\]: revolute, cylindrical, screw, planar, parallel axes.
   */
  double angle;
  /**
   * Displacement along z of J \[m\]: prismatic, cylindrical, screw, inline.
   */
  double displacement;
  /**
   * Rate of the angle \[rad/s\].
   */
  double angular_velocity;
  /**
   * Rate of the displacement \[m/s\].
   */
  double velocity;
} fourbar_joint_initial;

/**
 * Writes what a motion prescribes at `time` \[s\] and its first and second derivative with respect to time to `value`, three values. Returns 0,
 * or another number where it has none (`fourbar_callback_error` says why): a run ends where no shorter step avoids it. Threads that share
 * the mechanism call it at the same time.
 */
typedef int32_t (*fourbar_motion_function)(void *user, double time, double *value);

/**
 * A prescribed motion of a joint, or of marker `i` against marker `j`; set by `fourbar_motion_init` first. Texts and numbers are copied.
 */
typedef struct fourbar_motion {
  /**
   * sizeof(fourbar_motion).
   */
  size_t struct_size;
  /**
   * Name, unique among motions.
   */
  const char *name;
  /**
   * The joint; NULL where markers are given.
   */
  const char *joint;
  /**
   * A value of `fourbar_direction`; `FOURBAR_DIRECTION_ONLY`, the default, is for revolute and prismatic joints.
   */
  int32_t direction;
  /**
   * A value of `fourbar_motion_law`; `FOURBAR_MOTION_DISPLACEMENT` by default.
   */
  int32_t law;
  /**
   * An expression of `time` and parameters; NULL (the default) where `function` is given.
   */
  const char *expression;
  /**
   * Instead of `expression`; NULL by default.
   */
  fourbar_motion_function function;
  /**
   * Passed to `function`.
   */
  void *user;
  /**
   * With a velocity or an acceleration: the coordinate at the start \[rad, m\]; NaN (the default) as assembled.
   */
  double initial_displacement;
  /**
   * With an acceleration: the rate at the start \[rad/s, m/s\]; 0 by default.
   */
  double initial_velocity;
  /**
   * Instead of `joint`: marker I, the name of a marker or of a body, or "ground"; NULL by default.
   */
  const char *i;
  /**
   * With `i`: marker J; NULL (the default) for the global frame.
   */
  const char *j;
} fourbar_motion;

/**
 * What rolls.
 */
enum fourbar_rolling_shape
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A sphere about the origin of I.
   */
  FOURBAR_ROLLING_SPHERE = 1,
  /**
   * A disc with a sharp edge, about z of I.
   */
  FOURBAR_ROLLING_DISC = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_rolling_shape fourbar_rolling_shape;
#else
typedef int32_t fourbar_rolling_shape;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Kinds of forces.
 */
enum fourbar_force_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * preload - stiffness (l - free) - damping dl/dt along the line between two origins, pushing them apart where positive.
   */
  FOURBAR_FORCE_SPRING_DAMPER = 1,
  /**
   * preload - stiffness (a - free) - damping da/dt on I about z of J, of the angle a of I against J.
   */
  FOURBAR_FORCE_TORSION_SPRING_DAMPER = 2,
  /**
   * `value[0]` along the line between two origins, pushing them apart where positive \[N\].
   */
  FOURBAR_FORCE_LINE = 3,
  /**
   * `value[0]` on the body of I about z of J, the opposite on the body of J \[N m\].
   */
  FOURBAR_FORCE_AXIAL_TORQUE = 4,
  /**
   * Three components at the origin of I, the opposite on the body `reaction` at the same point \[N\].
   */
  FOURBAR_FORCE_VECTOR = 5,
  /**
   * Three components of a torque on the body of I, the opposite on the body `reaction` \[N m\].
   */
  FOURBAR_FORCE_TORQUE = 6,
  /**
   * Three components of a force, `value`, and three of a torque, `torque`, at the origin of I, the opposites on the body `reaction` at the
   * same point \[N, N m\].
   */
  FOURBAR_FORCE_GENERAL = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_force_kind fourbar_force_kind;
#else
typedef int32_t fourbar_force_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A force; set by `fourbar_force_init` first. Texts and numbers are copied.
 */
typedef struct fourbar_force {
  /**
   * sizeof(fourbar_force).
   */
  size_t struct_size;
  /**
   * Name, unique among forces.
   */
  const char *name;
  /**
   * A value of `fourbar_force_kind`.
   */
  int32_t kind;
  /**
   * Not used; 0.
   */
  int32_t reserved;
  /**
   * Marker I: the name of a marker or of a body.
   */
  const char *i;
  /**
   * Marker J; not of FOURBAR_FORCE_VECTOR, FOURBAR_FORCE_TORQUE and FOURBAR_FORCE_GENERAL.
   */
  const char *j;
  /**
   * Of these: the body that takes the reaction; NULL (the default): the ground.
   */
  const char *reaction;
  /**
   * Of these: the marker in whose axes the components are written; NULL (the default): the global frame.
   */
  const char *frame;
  /**
   * Expressions of `time`, measures, inputs and parameters, one or three; NULL (the default) where a function is given
   * (`fourbar_model_set_force_function`) or for 0.
   */
  const char *value[3];
  /**
   * Of springs \[N/m, N m/rad\]; 0 by default.
   */
  double stiffness;
  /**
   * Of springs \[N s/m, N m s/rad\]; 0 by default.
   */
  double damping;
  /**
   * Of springs: length or angle without force \[m, rad\]; NaN (the default): that at the start.
   */
  double free;
  /**
   * Of springs: force at the free length or angle \[N, N m\]; 0 by default.
   */
  double preload;
  /**
   * Of FOURBAR_FORCE_GENERAL: expressions of the torque, as `value`.
   */
  const char *torque[3];
} fourbar_force;

/**
 * Writes a force at `time` \[s\] to `value`: one number for FOURBAR_FORCE_LINE and FOURBAR_FORCE_AXIAL_TORQUE, six for FOURBAR_FORCE_GENERAL
 * (the force, then the torque), else three \[N, N m\]. `arguments` are
 * the `count` measures and inputs that it was given for. Returns 0; a positive number where the point lies outside of its domain, so
 * that a shorter step may avoid it; a negative one to stop the run (`fourbar_callback_error` says why). A NaN counts as outside of the
 * domain. Threads that share the mechanism call it at the same time; it must not call back into the handle that is at work, must not throw
 * or jump out, and gives the same for the same arguments.
 */
typedef int32_t (*fourbar_force_function)(void *user, double time, const double *arguments, size_t count, double *value);

/**
 * Writes the partial derivatives of a force by its arguments to `partials`: by the first argument one number, three or six, then by the second, ...
 * Returns as `fourbar_force_function`.
 */
typedef int32_t (*fourbar_force_partials)(void *user, double time, const double *arguments, size_t count, double *partials);

/**
 * Friction at a revolute, prismatic, cylindrical, spherical, universal or Hooke joint, from its reaction; set by `fourbar_friction_init` first. Texts
 * and numbers are copied.
 *
 * The surfaces are pressed by |force across the axis| + |force along it| friction_arm/pin_radius + |moment across the axis|/bending_arm +
 * |moment about it|/torsion_arm + preload_force + preload_torque/pin_radius; a ball by the whole force. Moments are those about marker I.
 */
typedef struct fourbar_friction {
  /**
   * sizeof(fourbar_friction).
   */
  size_t struct_size;
  /**
   * Name, unique among friction and force elements.
   */
  const char *name;
  /**
   * The joint.
   */
  const char *joint;
  /**
   * Coefficient of fast sliding, zero or positive.
   */
  double mu_dynamic;
  /**
   * Largest coefficient, at the transition velocity; NaN (the default): mu_dynamic.
   */
  double mu_static;
  /**
   * Velocity of the surfaces at which friction is largest [m/s], positive.
   */
  double transition_velocity;
  /**
   * Force on the surfaces a velocity [N s/m]; 0 by default.
   */
  double viscous;
  /**
   * Radius of the pin or ball \[m\]; NaN (the default) for prismatic joints alone.
   */
  double pin_radius;
  /**
   * Radius at which the force along the axis rubs \[m\]; NaN (the default): it does not.
   */
  double friction_arm;
  /**
   * Moment across the axis over the force on the surfaces \[m\]; NaN (the default): it does not count.
   */
  double bending_arm;
  /**
   * Moment about the axis of a prismatic joint over the force on the surfaces \[m\]; NaN (the default): it does not count.
   */
  double torsion_arm;
  /**
   * Force that presses the surfaces without any reaction \[N\]; 0 by default.
   */
  double preload_force;
  /**
   * The same as a torque at the radius of the pin or ball \[N m\]; NaN (the default): none.
   */
  double preload_torque;
  /**
   * Whether the force across the axis, or that on a ball, presses; 1 by default.
   */
  int32_t reaction;
  /**
   * Not used; 0.
   */
  int32_t reserved;
} fourbar_friction;

/**
 * What touches what. The z axis of a plane points out of the material; friction acts along its x and y.
 */
enum fourbar_pair_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The origin of I stays above the x-y plane of J.
   */
  FOURBAR_PAIR_POINT_PLANE = 1,
  /**
   * A sphere about I stays above the x-y plane of J.
   */
  FOURBAR_PAIR_SPHERE_PLANE = 2,
  /**
   * Spheres about I and J do not overlap.
   */
  FOURBAR_PAIR_SPHERE_SPHERE = 3,
  /**
   * The eight corners of a box about I, each a contact of its own, stay above the x-y plane of J.
   */
  FOURBAR_PAIR_BOX_PLANE = 4,
  /**
   * The coordinate of a joint stays between limits.
   */
  FOURBAR_PAIR_JOINT_STOP = 5,
  /**
   * The origins of I and J stay within a length.
   */
  FOURBAR_PAIR_ROPE = 6,
  /**
   * Shapes that the model has, or groups of them, do not overlap.
   */
  FOURBAR_PAIR_SHAPES = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_pair_kind fourbar_pair_kind;
#else
typedef int32_t fourbar_pair_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A pair that may touch; set by `fourbar_pair_init` first. Texts and numbers are copied; what is not of its kind is not used.
 */
typedef struct fourbar_pair {
  /**
   * sizeof(fourbar_pair).
   */
  size_t struct_size;
  /**
   * Name, unique among contacts.
   */
  const char *name;
  /**
   * A value of `fourbar_pair_kind`.
   */
  int32_t kind;
  /**
   * Of stops: a value of `fourbar_direction`; `FOURBAR_DIRECTION_ONLY` by default. Of cylindrical joints and screws it must be said.
   */
  int32_t direction;
  /**
   * The name of a marker or of a body; of stops the joint: revolute, prismatic, cylindrical or screw; of shapes a shape or a group.
   */
  const char *i;
  /**
   * The name of a marker or of a body, or "ground"; of shapes a shape or a group, NULL for those of I against each other. Not of stops.
   */
  const char *j;
  /**
   * Coefficient of restitution, 0 to 1; 0 by default.
   */
  double restitution;
  /**
   * Coefficient of friction, at least 0; 0 by default.
   */
  double friction;
  /**
   * Rolling friction: largest rolling torque over normal force \[m\]; 0 by default.
   */
  double rolling;
  /**
   * Spinning friction: largest torque about the normal over normal force \[m\]; 0 by default.
   */
  double spinning;
  /**
   * Radius about I of spheres \[m\].
   */
  double radius_i;
  /**
   * Radius about J of two spheres \[m\].
   */
  double radius_j;
  /**
   * Whole lengths of a box along x, y and z of I \[m\]: a zero makes a plate, two a rod.
   */
  double size[3];
  /**
   * How far a plane is moved along z of J \[m\]; 0 by default.
   */
  double offset;
  /**
   * Of ropes \[m\].
   */
  double length;
  /**
   * Smallest value of a stopped coordinate \[rad, m\]; NaN (the default): none.
   */
  double lower;
  /**
   * Largest value \[rad, m\]; NaN (the default): none.
   */
  double upper;
  /**
   * Of shapes: 1 where bodies that a joint binds together touch too; 0 by default.
   */
  int32_t joined;
  /**
   * Not used; 0.
   */
  int32_t reserved;
} fourbar_pair;

/**
 * What is measured.
 */
enum fourbar_measure_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Vector from the origin of J to that of I \[m\].
   */
  FOURBAR_MEASURE_POSITION = 1,
  /**
   * Velocity of the origin of I against that of J \[m/s\].
   */
  FOURBAR_MEASURE_VELOCITY = 2,
  /**
   * Acceleration of the origin of I against that of J \[m/s^2\].
   */
  FOURBAR_MEASURE_ACCELERATION = 3,
  /**
   * Angular velocity of I against J \[rad/s\].
   */
  FOURBAR_MEASURE_ANGULAR_VELOCITY = 4,
  /**
   * Angular acceleration of I against J \[rad/s^2\].
   */
  FOURBAR_MEASURE_ANGULAR_ACCELERATION = 5,
  /**
   * Angle from x of J to x of I about z of J, full turns counted \[rad\].
   */
  FOURBAR_MEASURE_ANGLE = 6,
  /**
   * Distance of the origins \[m\].
   */
  FOURBAR_MEASURE_DISTANCE = 7,
  /**
   * Rate of their distance \[m/s\].
   */
  FOURBAR_MEASURE_DISTANCE_RATE = 8,
  /**
   * Force of the joint `owner` on the body of its marker I \[N\].
   */
  FOURBAR_MEASURE_JOINT_FORCE = 9,
  /**
   * Torque of the joint `owner` on the body of its marker I, about its origin \[N m\].
   */
  FOURBAR_MEASURE_JOINT_TORQUE = 10,
  /**
   * Force of the motion `owner` \[N\].
   */
  FOURBAR_MEASURE_MOTION_FORCE = 11,
  /**
   * Torque of the motion `owner` \[N m\].
   */
  FOURBAR_MEASURE_MOTION_TORQUE = 12,
  /**
   * Kinetic energy \[J\].
   */
  FOURBAR_MEASURE_KINETIC_ENERGY = 13,
  /**
   * Potential energy of gravity and springs \[J\].
   */
  FOURBAR_MEASURE_POTENTIAL_ENERGY = 14,
  /**
   * Sum of both \[J\].
   */
  FOURBAR_MEASURE_TOTAL_ENERGY = 15,
  /**
   * `expression` of `time`, other measures, inputs and parameters.
   */
  FOURBAR_MEASURE_EXPRESSION = 16,
  /**
   * Gap of the contact `owner` \[m\].
   */
  FOURBAR_MEASURE_CONTACT_GAP = 17,
  /**
   * Speed with which its gap closes \[m/s\].
   */
  FOURBAR_MEASURE_CONTACT_CLOSING_SPEED = 18,
  /**
   * Its normal force \[N\].
   */
  FOURBAR_MEASURE_CONTACT_NORMAL_FORCE = 19,
  /**
   * Size of its sliding friction \[N\].
   */
  FOURBAR_MEASURE_CONTACT_FRICTION_FORCE = 20,
  /**
   * Its normal impulse since the measures were read before \[N s\].
   */
  FOURBAR_MEASURE_CONTACT_NORMAL_IMPULSE = 21,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_measure_kind fourbar_measure_kind;
#else
typedef int32_t fourbar_measure_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Components of a vector.
 */
enum fourbar_component
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Three measures: "name.x", "name.y", "name.z".
   */
  FOURBAR_COMPONENT_ALL = 0,
  /**
   * The first.
   */
  FOURBAR_COMPONENT_X = 1,
  /**
   * The second.
   */
  FOURBAR_COMPONENT_Y = 2,
  /**
   * The third.
   */
  FOURBAR_COMPONENT_Z = 3,
  /**
   * The length.
   */
  FOURBAR_COMPONENT_MAGNITUDE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_component fourbar_component;
#else
typedef int32_t fourbar_component;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A measure; set by `fourbar_measure_init` first. Texts are copied.
 */
typedef struct fourbar_measure {
  /**
   * sizeof(fourbar_measure).
   */
  size_t struct_size;
  /**
   * Name, unique among measures: letters, digits, _ and ., beginning with a letter.
   */
  const char *name;
  /**
   * A value of `fourbar_measure_kind`.
   */
  int32_t kind;
  /**
   * Of vectors: a value of `fourbar_component`; `FOURBAR_COMPONENT_ALL` by default.
   */
  int32_t component;
  /**
   * Marker I: the name of a marker or of a body.
   */
  const char *i;
  /**
   * Marker J; NULL (the default): the global frame.
   */
  const char *j;
  /**
   * Of vectors: the marker in whose axes the components are written; NULL (the default): the global frame.
   */
  const char *frame;
  /**
   * The joint, motion or contact that is measured.
   */
  const char *owner;
  /**
   * Of FOURBAR_MEASURE_EXPRESSION.
   */
  const char *expression;
  /**
   * Its unit; NULL (the default): a bare number.
   */
  const char *unit;
} fourbar_measure;

/**
 * Which way a sensor's expression crosses its value.
 */
enum fourbar_crossing
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Either way.
   */
  FOURBAR_CROSSING_EITHER = 1,
  /**
   * From below to above.
   */
  FOURBAR_CROSSING_RISING = 2,
  /**
   * From above to below.
   */
  FOURBAR_CROSSING_FALLING = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_crossing fourbar_crossing;
#else
typedef int32_t fourbar_crossing;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a sensor does.
 */
enum fourbar_sensor_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Ends the run; neither name nor expression.
   */
  FOURBAR_SENSOR_STOP = 1,
  /**
   * Writes the value of the expression to the list of events.
   */
  FOURBAR_SENSOR_PRINT = 2,
  /**
   * Gives a parameter or input the value of the expression.
   */
  FOURBAR_SENSOR_SET = 3,
  /**
   * Lets a joint or motion hold.
   */
  FOURBAR_SENSOR_LOCK = 4,
  /**
   * Lets a joint or motion go.
   */
  FOURBAR_SENSOR_RELEASE = 5,
  /**
   * Lets a force act.
   */
  FOURBAR_SENSOR_ACTIVATE = 6,
  /**
   * Lets a force cease.
   */
  FOURBAR_SENSOR_DEACTIVATE = 7,
  /**
   * Begins anew with the step of the expression \[s\].
   */
  FOURBAR_SENSOR_STEP = 8,
  /**
   * Begins anew and takes no longer steps than the expression \[s\].
   */
  FOURBAR_SENSOR_MAX_STEP = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_sensor_action fourbar_sensor_action;
#else
typedef int32_t fourbar_sensor_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Kinds of elements that can be switched.
 */
enum fourbar_element_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A joint.
   */
  FOURBAR_ELEMENT_JOINT = 1,
  /**
   * A motion.
   */
  FOURBAR_ELEMENT_MOTION = 2,
  /**
   * A force.
   */
  FOURBAR_ELEMENT_FORCE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_element_kind fourbar_element_kind;
#else
typedef int32_t fourbar_element_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A linear system x' = A x + B u, y = C x + D u as a block; set by `fourbar_state_space_init` first. Matrices are stored column after column, as those of
 * `fourbar_system_new`. Texts and numbers are copied.
 */
typedef struct fourbar_state_space {
  /**
   * sizeof(fourbar_state_space).
   */
  size_t struct_size;
  /**
   * Name: a single output is the measure of that name, several are `name.y1` and so on; inputs are `name.u1`, states `name.x1`.
   */
  const char *name;
  /**
   * Unit of the outputs; NULL (the default): bare numbers.
   */
  const char *unit;
  /**
   * What enters: expressions of `time`, measures, inputs and states.
   */
  const char *const *inputs;
  /**
   * Number of inputs.
   */
  size_t input_count;
  /**
   * Number of states, n.
   */
  size_t state_count;
  /**
   * Number of outputs.
   */
  size_t output_count;
  /**
   * n x n.
   */
  const double *a;
  /**
   * n x inputs.
   */
  const double *b;
  /**
   * Outputs x n.
   */
  const double *c;
  /**
   * Outputs x inputs; NULL (the default): zero.
   */
  const double *d;
  /**
   * x at the start, n values; NULL (the default): zero.
   */
  const double *start;
} fourbar_state_space;

/**
 * A controller y = kp e + ki times the integral of e + kd times its filtered rate, between limits; set by `fourbar_pid_init` first. Texts and numbers are
 * copied.
 */
typedef struct fourbar_pid {
  /**
   * sizeof(fourbar_pid).
   */
  size_t struct_size;
  /**
   * Name: y is a measure of that name, e the measure `name.u`, y without limits `name.raw`; states are `name.integral` and `name.filtered`.
   */
  const char *name;
  /**
   * Unit of y; NULL (the default): a bare number.
   */
  const char *unit;
  /**
   * The error e, an expression of `time`, measures, inputs and states.
   */
  const char *input;
  /**
   * Proportional gain; 0 by default.
   */
  double kp;
  /**
   * Integral gain; 0 by default.
   */
  double ki;
  /**
   * Derivative gain; 0 by default.
   */
  double kd;
  /**
   * Time constant of the filter of the rate \[s\], needed with `kd`; NaN (the default): none.
   */
  double filter;
  /**
   * Smallest y; minus infinity by default.
   */
  double lower;
  /**
   * Largest y; infinity by default.
   */
  double upper;
  /**
   * Time within which the integral returns from a limit \[s\]; NaN (the default): kp/ki.
   */
  double tracking;
  /**
   * Part of the integral in y at the start; 0 by default.
   */
  double start;
  /**
   * Error before the start, from which the rate begins; 0 by default.
   */
  double start_input;
} fourbar_pid;

/**
 * A model without bodies, to be built call by call.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_new(struct fourbar_model **out);

/**
 * A model from TOML text of `length` bytes, as model files hold it (docs/model-format.md); `name` (NULL: none) stands for the file in errors.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_TEXT`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_UNSUPPORTED` for a model of another kind.
 *
 * # Safety
 * `text` is NULL or has `length` bytes, `name` is NULL or ends with a NUL, `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_from_toml(const char *text,
                                       size_t length,
                                       const char *name,
                                       struct fourbar_model **out);

/**
 * A model from a file.
 *
 * Errors: as `fourbar_model_from_toml`; `FOURBAR_FILE`.
 *
 * # Safety
 * `path` is NULL or ends with a NUL, `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_from_file(const char *path, struct fourbar_model **out);

/**
 * Adds whatever TOML text of `length` bytes holds (`[[body]]`, `[[joint]]`, `[[shape]]`, `[[contact]]`, `[contacts]`, ...) to the model; a gravity,
 * a title and settings that it gives replace those of the model.
 *
 * Errors: as `fourbar_model_from_toml`; `FOURBAR_INVALID` for a parameter that the model has already. Nothing is added then.
 *
 * # Safety
 * `model` is NULL or alive, `text` is NULL or has `length` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_toml(struct fourbar_model *model,
                                      const char *text,
                                      size_t length);

/**
 * The title.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`.
 *
 * # Safety
 * `model` is NULL or alive, `name` is NULL or ends with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_name(struct fourbar_model *model, const char *name);

/**
 * The units in which the numbers of the model are written: one each of length, mass, time and force, such as "mm, t, s, N"; without this
 * call they are SI units. Results and what functions of the host take and give are in SI units.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_INVALID` for units that are none.
 *
 * # Safety
 * `model` is NULL or alive, `units` is NULL or ends with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_units(struct fourbar_model *model,
                                       const char *units);

/**
 * Gravitational acceleration in the global frame, three values \[m/s^2\].
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive, `gravity` is NULL or has three values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_gravity(struct fourbar_model *model, const double *gravity);

/**
 * Gives a parameter of the model a value, or adds one; expressions use it by its name.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive, `name` is NULL or ends with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_parameter(struct fourbar_model *model, const char *name, double value);

/**
 * The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
 *
 * # Safety
 * `model` is NULL (then the text is empty) or alive.
 */
const char *fourbar_model_error(const struct fourbar_model *model);

/**
 * Frees a model; what was compiled from it lives on. NULL is allowed.
 *
 * # Safety
 * `model` is NULL or alive, and not used afterwards.
 */
void fourbar_model_free(struct fourbar_model *model);

/**
 * Sets the defaults: 1 kg, a point mass, at rest in the origin; `size` is sizeof(fourbar_body).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `body` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_body_init(struct fourbar_body *body, size_t size);

/**
 * Adds a body.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for unknown bits of `exact`.
 *
 * # Safety
 * `model` is NULL or alive; `body` is NULL or a struct of the size it says.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_body(struct fourbar_model *model,
                                      const struct fourbar_body *body);

/**
 * Adds a marker, a named frame fixed to a body. `position` is its origin \[m\] (NULL: 0, 0, 0) and `quaternion` its orientation, w, x, y, z (NULL: not
 * turned), in the frame of its body, or in the global frame with `global` other than 0.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL; `position` is NULL or has three values, `quaternion` is NULL or has four.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_marker(struct fourbar_model *model,
                                        const char *name,
                                        const char *body,
                                        const double *position,
                                        const double *quaternion,
                                        int32_t global);

/**
 * Adds an input: a number that the host sets while the mechanism runs, of `unit` (NULL: a bare number), which forces and measures use by its name. It
 * is `start` until another value is set.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_input(struct fourbar_model *model,
                                       const char *name,
                                       const char *unit,
                                       double start);

/**
 * Adds an actuator between the markers `i` and `j`: a force along the line between them (positive pushes them apart), or with `torque` other
 * than 0 a torque on I about z of J, whose size is the input "name.force" \[N\] or "name.torque" \[N m\], `start` until it is set. It brings
 * the measures "name.displacement" and "name.velocity", or "name.angle" and "name.rate". `replaces` (NULL: none) is a motion that is then
 * not in force.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_actuator(struct fourbar_model *model,
                                          const char *name,
                                          const char *i,
                                          const char *j,
                                          int32_t torque,
                                          double start,
                                          const char *replaces);

/**
 * Adds a joint of a `kind` (a value of `fourbar_joint_kind`) between the markers `i` and `j`, each the name of a marker or of a body, or
 * "ground". Reactions are reported as acting on the body of I. `length` is the distance of a FOURBAR_JOINT_DISTANCE \[m\], 0 for that
 * at the start, or the pitch of a FOURBAR_JOINT_SCREW [m in a turn], negative for a left-handed thread; for the other kinds it is 0.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown kind.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_joint(struct fourbar_model *model,
                                       const char *name,
                                       int32_t kind,
                                       const char *i,
                                       const char *j,
                                       double length);

/**
 * Sets the defaults; `size` is sizeof(fourbar_joint_initial).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `initial` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_joint_initial_init(struct fourbar_joint_initial *initial, size_t size);

/**
 * Gives the joint of that name its initial conditions, in place of those it had; NULL: none. Assembly keeps them exactly. Coordinates that the
 * joint does not have, or that motions or other joints determine otherwise, are an error of `fourbar_model_compile`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE` for infinity; `FOURBAR_NO_SUCH_NAME` with the nearest name.
 *
 * # Safety
 * `model` is NULL or alive; `joint` is NULL or ends with a NUL; `initial` is NULL or a struct of the size it says.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_joint_initial(struct fourbar_model *model,
                                               const char *joint,
                                               const struct fourbar_joint_initial *initial);

/**
 * Sets the defaults; `size` is sizeof(fourbar_motion).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `motion` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_motion_init(struct fourbar_motion *motion, size_t size);

/**
 * Adds a motion.
 *
 * Errors: `FOURBAR_NULL` (neither an expression nor a function among them), `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`,
 * `FOURBAR_INVALID` for an unknown direction or law or an expression with an error.
 *
 * # Safety
 * `model` is NULL or alive; `motion` is NULL or a struct of the size it says; its function may be called with `user` as long as anything
 * compiled from the model lives.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_motion(struct fourbar_model *model,
                                        const struct fourbar_motion *motion);

/**
 * Lets a motion of the model be computed by `function` in place of its expression, whatever that is; NULL gives it back.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. A motion that the model does not have is an error of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; `name` is NULL or ends with a NUL; the function may be called with `user` as long as anything compiled from the
 * model lives.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_motion_function(struct fourbar_model *model,
                                                 const char *name,
                                                 fourbar_motion_function function,
                                                 void *user);

/**
 * Adds a coupler: the sum of `ratios[k]` times the coordinate of joint `joints[k]` (an angle about z of J \[rad\] or a displacement along it \[m\], full
 * turns counted) stays what it is at the start. `count` is 2 or 3. `directions` (values of `fourbar_direction`) may be NULL where no joint is
 * cylindrical.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown direction or another count. Joints that do not fit are
 * errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; `joints`, `ratios` and, unless NULL, `directions` have `count` values; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_coupler(struct fourbar_model *model,
                                         const char *name,
                                         const char *const *joints,
                                         const int32_t *directions,
                                         const double *ratios,
                                         size_t count);

/**
 * Adds a pair of gears, held by `joint_1` and `joint_2` (revolute, prismatic or cylindrical) on one carrier. `common_velocity` is the name of a marker on
 * the carrier: at its origin, the pitch point, both gears have the same velocity along its z axis.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. Joints and markers that do not fit are errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_gear(struct fourbar_model *model,
                                      const char *name,
                                      const char *joint_1,
                                      const char *joint_2,
                                      const char *common_velocity);

/**
 * Adds a pinion on a rack: the displacement of joint `rack` (prismatic or cylindrical) is `pitch_radius` \[m\] times the angle of joint `pinion` (revolute or
 * cylindrical), from the start on. A negative radius reverses the rack.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`. Joints that do not fit are errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_rack_and_pinion(struct fourbar_model *model,
                                                 const char *name,
                                                 const char *pinion,
                                                 const char *rack,
                                                 double pitch_radius);

/**
 * Adds a curve through `count` points, fixed to `marker`, the name of a marker or of a body; NULL: the global frame. `points` has `dimensions` values a
 * point, point by point \[m\]: 2 of a plane curve (x and y of the marker), 3 of one in space. The last point of a closed curve (`closed` not 0) is
 * its first.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for other dimensions. Points that are no curve are errors of
 * `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; `points` is NULL or has `count` times `dimensions` values; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_curve(struct fourbar_model *model,
                                       const char *name,
                                       const char *marker,
                                       const double *points,
                                       size_t count,
                                       size_t dimensions,
                                       int32_t closed);

/**
 * Keeps the origin of `i`, the name of a marker or of a body, on `curve`, which is on another body. Its reaction is that of a
 * `FOURBAR_PART_COUPLER`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. Names that nothing has are errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_point_on_curve(struct fourbar_model *model, const char *name, const char *i, const char *curve);

/**
 * Lets two plane curves on different bodies touch: `curve_1` and `curve_2` have a point and the tangent there in common. Joints keep both in one
 * plane. Its reaction is that of a `FOURBAR_PART_COUPLER`, on the body of the first.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. Names that nothing has are errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_curve_on_curve(struct fourbar_model *model,
                                                const char *name,
                                                const char *curve_1,
                                                const char *curve_2);

/**
 * Adds a constraint by expression: `equation`, of measures of positions, distances and angles, `time`, parameters and splines, is zero. Its reaction,
 * that of a `FOURBAR_PART_COUPLER`, is told on the body of `i` about the origin of that marker; NULL: the first marker of the first displacement.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for a text that is no expression. Names that nothing has are errors of
 * `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_constraint(struct fourbar_model *model,
                                            const char *name,
                                            const char *equation,
                                            const char *i);

/**
 * Adds a sphere or disc (`shape`, a value of `fourbar_rolling_shape`) of a `radius` \[m\] about marker `i` that rolls on the x-y plane of marker `j` without
 * sliding; each is the name of a marker or of a body, or "ground", and `j` may be NULL for the global x-y plane. Among the joints of the compiled
 * mechanism rolling elements follow those of `fourbar_model_add_joint`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown shape.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_rolling(struct fourbar_model *model,
                                         const char *name,
                                         int32_t shape,
                                         const char *i,
                                         const char *j,
                                         double radius);

/**
 * Sets the defaults; `size` is sizeof(fourbar_force).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `force` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_force_init(struct fourbar_force *force, size_t size);

/**
 * Adds a force.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown kind, an expression with
 * an error, or three expressions for a force of one number.
 *
 * # Safety
 * `model` is NULL or alive; `force` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_force(struct fourbar_model *model,
                                       const struct fourbar_force *force);

/**
 * Lets a force of the model (of any kind but springs) be computed by `function` in place of its expressions, of the `count` `arguments`: names of
 * measured scalars (positions, velocities, angles, distances and their rates) and inputs. `partials` (NULL: they are differenced) are its
 * derivatives. With `function` NULL the expressions are in force again.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. A force or an argument that the model does not have is an error of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL; `arguments` is NULL or has `count` of them; the functions may be called with `user`
 * as long as anything compiled from the model lives.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_force_function(struct fourbar_model *model,
                                                const char *name,
                                                const char *const *arguments,
                                                size_t count,
                                                fourbar_force_function function,
                                                fourbar_force_partials partials,
                                                void *user);

/**
 * Adds a bushing: force and torque preload - K q - C q' on the marker or body `i` in the axes of `j`, the opposite on the body of `j` at
 * the origin of `i`. q: way from the origin of `j` to that of `i` \[m\], angles about the axes of `j` \[rad\].
 *
 * stiffness, damping: K and C, 36 values each, row by row \[N/m, N/rad, N m/m, N m/rad; the same times s\]. preload: 6 values \[N, N m\].
 * Each may be NULL for zeros. All values are copied.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL; `stiffness`, `damping` and `preload` are NULL or have as many values as
 * said.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_bushing(struct fourbar_model *model,
                                         const char *name,
                                         const char *i,
                                         const char *j,
                                         const double *stiffness,
                                         const double *damping,
                                         const double *preload);

/**
 * Sets the defaults: no friction yet, pressed by the reaction; `size` is sizeof(fourbar_friction).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `friction` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_friction_init(struct fourbar_friction *friction, size_t size);

/**
 * Adds friction at a joint. Names and ranges are checked by `fourbar_model_compile`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `model` is NULL or alive; `friction` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_friction(struct fourbar_model *model, const struct fourbar_friction *friction);

/**
 * Sets the defaults: plastic, without friction; `size` is sizeof(fourbar_pair).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `pair` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_pair_init(struct fourbar_pair *pair, size_t size);

/**
 * Adds a pair that may touch. Names and ranges are checked by `fourbar_model_compile`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown kind or direction.
 *
 * # Safety
 * `model` is NULL or alive; `pair` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_pair(struct fourbar_model *model,
                                      const struct fourbar_pair *pair);

/**
 * Sets the defaults; `size` is sizeof(fourbar_measure).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `measure` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_measure_init(struct fourbar_measure *measure, size_t size);

/**
 * Adds a measure.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown kind or component or an expression with an error.
 *
 * # Safety
 * `model` is NULL or alive; `measure` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_measure(struct fourbar_model *model,
                                         const struct fourbar_measure *measure);

/**
 * Adds a curve through the points `x`, `y`, or a family of curves: expressions use it by its name, as `akispl(time, name)` or
 * `cubspl(time, name)`.
 *
 * x: count values, each above the one before it. y: curves times count values, curve by curve. z: curves values, each above the one
 * before it, if there is more than one; NULL for a single curve, `curves` then being 1. All values are copied.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for points that are no curve.
 *
 * # Safety
 * `model` is NULL or alive; `name` is NULL or ends with a NUL; `x`, `y` and `z` are NULL or have as many values as said.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_spline(struct fourbar_model *model,
                                        const char *name,
                                        const double *x,
                                        const double *y,
                                        size_t count,
                                        const double *z,
                                        size_t curves);

/**
 * Adds a state: an unknown x of `unit` (NULL: a bare number), solved with the mechanism. Forces, measures and other states use it by its name, and it
 * is a measure. With `implicit` 0 its equation is x' = `equation` and `start` its value at the start; else 0 = `equation`, and `start` is a guess.
 * `size` is its typical size, above 0: the error test goes by it as long as x rests at 0.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an equation that is no expression.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_state(struct fourbar_model *model,
                                       const char *name,
                                       const char *unit,
                                       const char *equation,
                                       int32_t implicit,
                                       double start,
                                       double size);

/**
 * Adds a sensor: `expression` over time, parameters, inputs and measures, and `value` (NULL: 0) that it crosses in the direction `crossing`,
 * a value of `fourbar_crossing`. Where `when` is given, not NULL, the crossing counts where that is above 0. `once` other than 0: the first one
 * alone counts. It needs an action: `fourbar_model_add_sensor_action`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown direction or what is no expression.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_sensor(struct fourbar_model *model,
                                        const char *name,
                                        const char *watched,
                                        const char *value,
                                        int32_t crossing,
                                        const char *when,
                                        int32_t once);

/**
 * Adds what a sensor of the model does: `action`, a value of `fourbar_sensor_action`, which says whether `name` and `given` count; else they may be
 * NULL. All actions of a sensor take place at once.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for a sensor that the model does not have, an unknown action or what is no expression.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_sensor_action(struct fourbar_model *model,
                                               const char *sensor,
                                               int32_t action,
                                               const char *name,
                                               const char *given);

/**
 * Lets the joint, motion or force `name` (`kind`: a value of `fourbar_element_kind`) act where `active` is above 0; NULL: all the time.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown kind or what is no expression. An element that the model does not have is
 * an error of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_set_active(struct fourbar_model *model,
                                        int32_t kind,
                                        const char *name,
                                        const char *active);

/**
 * Adds a block y = H(s) u of `unit` (NULL: a bare number). u is the expression `input` of `time`, measures, inputs and states. Coefficients of H come with the
 * highest power of s first; the numerator has at most as many as the denominator. y is a measure of the name, u the measure `name.u`; states are
 * `name.x1` and so on, 0 at the start.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an input that is no expression. Coefficients that are no transfer
 * function are errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; texts are NULL or end with a NUL; `numerator` and `denominator` are NULL or have as many values as said.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_transfer_function(struct fourbar_model *model,
                                                   const char *name,
                                                   const char *unit,
                                                   const char *input,
                                                   const double *numerator,
                                                   size_t numerator_count,
                                                   const double *denominator,
                                                   size_t denominator_count);

/**
 * Sets the defaults; `size` is sizeof(fourbar_state_space).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `block` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_state_space_init(struct fourbar_state_space *block, size_t size);

/**
 * Adds a linear system as a block.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an input that is no expression, or numbers of
 * rows and columns whose product no memory holds.
 *
 * # Safety
 * `model` is NULL or alive; `block` is NULL or a struct of the size it says, its texts NULL or ending with a NUL, its arrays NULL or as long as it says.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_state_space(struct fourbar_model *model,
                                             const struct fourbar_state_space *block);

/**
 * Sets the defaults; `size` is sizeof(fourbar_pid).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `pid` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_pid_init(struct fourbar_pid *pid, size_t size);

/**
 * Adds a controller.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an error that is no expression. Limits and times
 * that make no controller are errors of `fourbar_model_compile`.
 *
 * # Safety
 * `model` is NULL or alive; `pid` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_add_pid(struct fourbar_model *model,
                                     const struct fourbar_pid *pid);

/**
 * Compiles the model: checks names, values and expressions, assembles bodies and joints (the initial-condition analysis), finds redundant
 * constraints, and compiles contacts. The model may be changed and compiled again, and freed. What was moved and what is redundant goes to
 * the log.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` naming what is wrong, where, and what to do; `FOURBAR_NUMERICAL` where the model cannot be assembled;
 * `FOURBAR_CALLBACK` where a function of the host fails at the start.
 *
 * # Safety
 * `model` is NULL or alive, `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_model_compile(const struct fourbar_model *model,
                                     struct fourbar_mechanism **out);


/* ==================================================================================================================================
 * Compiled mechanisms
 * ================================================================================================================================== */

/**
 * Parts of a mechanism that have names.
 */
enum fourbar_part
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Bodies, without the ground.
   */
  FOURBAR_PART_BODY = 1,
  /**
   * Joints.
   */
  FOURBAR_PART_JOINT = 2,
  /**
   * Motions in force.
   */
  FOURBAR_PART_MOTION = 3,
  /**
   * Inputs.
   */
  FOURBAR_PART_INPUT = 4,
  /**
   * Measured numbers.
   */
  FOURBAR_PART_MEASURE = 5,
  /**
   * Contacts.
   */
  FOURBAR_PART_CONTACT = 6,
  /**
   * Constraint rows that were dropped: the joint and what the row keeps.
   */
  FOURBAR_PART_REDUNDANT_ROW = 7,
  /**
   * Bodies that assembly moved.
   */
  FOURBAR_PART_MOVED_BODY = 8,
  /**
   * Couplers, then gears, then racks with pinions.
   */
  FOURBAR_PART_COUPLER = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_part fourbar_part;
#else
typedef int32_t fourbar_part;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Figures of a mechanism.
 */
typedef struct fourbar_mechanism_figures {
  /**
   * sizeof(fourbar_mechanism_figures).
   */
  size_t struct_size;
  /**
   * Bodies, without the ground.
   */
  size_t bodies;
  /**
   * Joints.
   */
  size_t joints;
  /**
   * Motions in force.
   */
  size_t motions;
  /**
   * Forces, gravity apart.
   */
  size_t forces;
  /**
   * Inputs, those of actuators among them.
   */
  size_t inputs;
  /**
   * Measured numbers: a vector counts for its components.
   */
  size_t measures;
  /**
   * Contacts.
   */
  size_t contacts;
  /**
   * Degrees of freedom at the start, motions counted as constraints.
   */
  size_t degrees_of_freedom;
  /**
   * Independent constraint rows.
   */
  size_t constraint_rows;
  /**
   * Constraint rows that depend on others and were dropped.
   */
  size_t redundant_rows;
  /**
   * Bodies that assembly moved.
   */
  size_t moved_bodies;
  /**
   * Iterations of assembly.
   */
  size_t assembly_iterations;
  /**
   * Largest violation of a joint or motion as the model puts the bodies \[m, rad\].
   */
  double violation_before;
  /**
   * The same when assembled.
   */
  double violation_after;
  /**
   * 1 where the start is a singular position, from which no smooth simulation begins; else 0.
   */
  int32_t singular_start;
  /**
   * Not used; 0.
   */
  int32_t reserved;
} fourbar_mechanism_figures;

/**
 * Figures of the mechanism; `size` is sizeof(fourbar_mechanism_figures).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `mechanism` is NULL or alive; `out` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_get_figures(const struct fourbar_mechanism *mechanism,
                                             struct fourbar_mechanism_figures *out,
                                             size_t size);

/**
 * The name of a part of the mechanism: `part` is a value of `fourbar_part`, `index` counts from 0. The text with its NUL goes to `buffer` of `size`
 * bytes, the bytes that it needs to `needed` (may be NULL); with `size` 0, `buffer` may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for an unknown part or an index beyond the last; `FOURBAR_LENGTH` for a buffer that is too short.
 *
 * # Safety
 * `mechanism` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_name(const struct fourbar_mechanism *mechanism,
                                      int32_t part,
                                      size_t index,
                                      char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * The unit of an input or a measured number, empty for a bare number; buffers as for `fourbar_mechanism_name`.
 *
 * Errors: as `fourbar_mechanism_name`; `FOURBAR_UNSUPPORTED` for parts without a unit.
 *
 * # Safety
 * As `fourbar_mechanism_name`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_unit(const struct fourbar_mechanism *mechanism,
                                      int32_t part,
                                      size_t index,
                                      char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * The index of the part of that name, which the functions of simulations take.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown part, `FOURBAR_NO_SUCH_NAME` with the nearest name.
 *
 * # Safety
 * `mechanism` is NULL or alive; `name` is NULL or ends with a NUL; `index` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_find(const struct fourbar_mechanism *mechanism, int32_t part, const char *name, size_t *index);

/**
 * Frees a mechanism; simulations of it live on. NULL is allowed.
 *
 * # Safety
 * `mechanism` is NULL or alive, and not used afterwards.
 */
void fourbar_mechanism_free(struct fourbar_mechanism *mechanism);

/**
 * The measures at each of the `count` times \[s\], in any order, of a mechanism whose motions leave no degree of freedom: positions, velocities, accelerations
 * and the reactions that follow from them, without integration. `values` receives all measures at the first time, then at the second, ...;
 * `length` is `count` times their number.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_UNSUPPORTED` for a mechanism with degrees of freedom or with contacts; `FOURBAR_NUMERICAL`
 * where the joints cannot follow the motions; `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `mechanism` is NULL or alive; `times` is NULL or has `count` values, `values` is NULL or has `length`; they do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_kinematics(const struct fourbar_mechanism *mechanism,
                                            const double *times,
                                            size_t count,
                                            double *values,
                                            size_t length);


/* ==================================================================================================================================
 * Integrators and their options
 * ================================================================================================================================== */

/**
 * Integrators.
 */
enum fourbar_integrator
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Gear's backward differentiation formulas, order 1 to 6, with a Nordsieck array: for stiff systems and algebraic equations of any index.
   * With `fixed_step`, those of constant step and order.
   */
  FOURBAR_INTEGRATOR_GSTIFF = 1,
  /**
   * Fehlberg's explicit method of order 4(5): for equations y' = f(t, y) that are not stiff.
   */
  FOURBAR_INTEGRATOR_RKF45 = 2,
  /**
   * The formulas of Adams, Bashforth and Moulton of order 1 to 12 in variable step: for equations y' = f(t, y) that are smooth and not stiff.
   */
  FOURBAR_INTEGRATOR_ABAM = 3,
  /**
   * Backward differentiation with variable coefficients: as GSTIFF, for steps that change often and far.
   */
  FOURBAR_INTEGRATOR_WSTIFF = 4,
  /**
   * Backward differentiation with a fixed leading coefficient (DASSL): as GSTIFF, between the two.
   */
  FOURBAR_INTEGRATOR_DSTIFF = 5,
  /**
   * Backward differentiation with the constant step `fixed_step` and order `fixed_order`, without error test.
   */
  FOURBAR_INTEGRATOR_CONSTANT_BDF = 6,
  /**
   * HHT-alpha and generalized-alpha, of order 2: what is too fast for the step is damped by `alpha` or `rho_infinity`. With `fixed_step` of that step,
   * without error test.
   */
  FOURBAR_INTEGRATOR_HHT = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_integrator fourbar_integrator;
#else
typedef int32_t fourbar_integrator;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An integrator and its options; set by `fourbar_integration_options_init` first.
 */
typedef struct fourbar_integration_options {
  /**
   * sizeof(fourbar_integration_options).
   */
  size_t struct_size;
  /**
   * A value of `fourbar_integrator`; `FOURBAR_INTEGRATOR_GSTIFF` by default.
   */
  int32_t integrator;
  /**
   * Highest order: of GSTIFF, WSTIFF and DSTIFF 1 to 6, of ABAM 1 to 12; 0 (the default): 5 and 12.
   */
  uint32_t order_max;
  /**
   * Relative tolerance, 1e-14 to 0.1; 1e-6 by default. The local error of an unknown may be `relative` times its magnitude plus the absolute
   * tolerance; the largest of all decides.
   */
  double relative;
  /**
   * Absolute tolerance in units of each unknown's `typical` magnitude; 0 (the default): the relative one.
   */
  double absolute;
  /**
   * n absolute tolerances in the units of the unknowns, instead of `absolute`; NULL by default.
   */
  const double *absolutes;
  /**
   * Number of `absolutes`.
   */
  size_t absolutes_length;
  /**
   * First step \[s\]; 0 (the default): chosen.
   */
  double first_step;
  /**
   * Smallest step \[s\]; 0 (the default): sixteen units in the last place of t.
   */
  double smallest_step;
  /**
   * Largest step \[s\]; 0 (the default): no limit.
   */
  double largest_step;
  /**
   * Largest number of accepted steps; 0 (the default): no limit.
   */
  uint64_t max_steps;
  /**
   * A constant step \[s\] without error test, of CONSTANT_BDF, HHT and RKF45; 0 by default: none.
   */
  double fixed_step;
  /**
   * Order with a constant step, 1 to 6; 2 by default. Of CONSTANT_BDF alone.
   */
  uint32_t fixed_order;
  /**
   * Largest number of corrector iterations with one matrix, 2 to 20; 4 by default. Of methods for F(t, y, y') = 0.
   */
  uint32_t newton_iterations;
  /**
   * Remaining iteration error allowed as a fraction of the tolerance, above 0 to 0.33; 0.03 by default. Of methods for F(t, y, y') = 0.
   */
  double newton_fraction;
  /**
   * Steps after which the matrix is renewed at the latest, from 1; 20 by default. Of methods for F(t, y, y') = 0.
   */
  uint32_t matrix_age;
  /**
   * 0: the solution of order 4 goes on, the error estimate being its own, not that of order 5; 1 by default. Of RKF45 alone.
   */
  int32_t local_extrapolation;
  /**
   * Numerical damping as HHT-alpha, -1/3 (most) to 0 (none); -0.3 by default. Of HHT alone.
   */
  double alpha;
  /**
   * Numerical damping as generalized-alpha, in place of `alpha`: the spectral radius at infinity, 0 (most) to 1 (none); -1 (the default): not given. Of
   * HHT alone.
   */
  double rho_infinity;
} fourbar_integration_options;

/**
 * Why a function that integrates came back.
 */
enum fourbar_stop
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A step was accepted.
   */
  FOURBAR_STOP_STEP = 1,
  /**
   * A step was accepted that ends exactly at a stop time.
   */
  FOURBAR_STOP_TIME = 2,
  /**
   * The end time is reached, exactly.
   */
  FOURBAR_STOP_END = 3,
  /**
   * Root functions changed their signs at the present time: `fourbar_integration_events`. What its event function asked for is done.
   */
  FOURBAR_STOP_EVENT = 4,
  /**
   * The event function asked for `FOURBAR_EVENT_STOP`.
   */
  FOURBAR_STOP_HOST = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_stop fourbar_stop;
#else
typedef int32_t fourbar_stop;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Counts since the integration was made.
 */
typedef struct fourbar_solver_statistics {
  /**
   * sizeof(fourbar_solver_statistics).
   */
  size_t struct_size;
  /**
   * Accepted steps.
   */
  uint64_t steps;
  /**
   * Attempts rejected by the error test.
   */
  uint64_t rejected_by_error;
  /**
   * Attempts rejected because the corrector did not converge with a new matrix.
   */
  uint64_t rejected_by_newton;
  /**
   * Attempts rejected because an evaluation failed or was not finite.
   */
  uint64_t rejected_by_evaluation;
  /**
   * Evaluations of F or f, without those for differences.
   */
  uint64_t residual_evaluations;
  /**
   * Evaluations of F or f for differences, where no matrix is given.
   */
  uint64_t difference_evaluations;
  /**
   * Evaluations of the matrix.
   */
  uint64_t jacobian_evaluations;
  /**
   * Factorizations of the matrix.
   */
  uint64_t factorizations;
  /**
   * Corrector iterations.
   */
  uint64_t newton_iterations;
  /**
   * Times the method fell back to order 1.
   */
  uint64_t restarts;
  /**
   * Steps accepted above the tolerance because they brought algebraic equations back that the step before had violated.
   */
  uint64_t consistency_corrections;
  /**
   * Fixed steps of CONSTANT_BDF and HHT whose equations could not be solved, so that shorter ones were taken in their place.
   */
  uint64_t divided_steps;
  /**
   * Smallest accepted step \[s\]; 0 before the first.
   */
  double step_smallest;
  /**
   * Largest accepted step \[s\].
   */
  double step_largest;
  /**
   * Last accepted step \[s\].
   */
  double step_last;
  /**
   * Accepted steps of order 1 to 12.
   */
  uint64_t orders[12];
} fourbar_solver_statistics;

/**
 * Sets the defaults; `size` is sizeof(fourbar_integration_options).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `options` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_options_init(struct fourbar_integration_options *options, size_t size);

/**
 * What the integration has cost so far; `size` is sizeof(fourbar_solver_statistics).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `statistics` is NULL or has `size` bytes; `integration` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_get_statistics(const struct fourbar_integration *integration,
                                                  struct fourbar_solver_statistics *statistics,
                                                  size_t size);


/* ==================================================================================================================================
 * Simulations of mechanisms, stepped by the host
 * ================================================================================================================================== */

/**
 * Forms of the equations of a mechanism.
 */
enum fourbar_formulation
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * As the model says.
   */
  FOURBAR_FORMULATION_MODEL = 0,
  /**
   * Index 3: positions alone satisfy the constraints.
   */
  FOURBAR_FORMULATION_I3 = 1,
  /**
   * Stabilized index 2: positions and velocities satisfy them.
   */
  FOURBAR_FORMULATION_SI2 = 2,
  /**
   * y' = f(t, y) on partitioned coordinates, for explicit methods. Of equations and problems alone: simulations by RKF45 and ABAM take it by themselves.
   */
  FOURBAR_FORMULATION_PARTITIONED = 3,
  /**
   * Stabilized index 1: as SI2, the multipliers being derivatives of unknowns.
   */
  FOURBAR_FORMULATION_SI1 = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_formulation fourbar_formulation;
#else
typedef int32_t fourbar_formulation;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How contacts are followed.
 */
enum fourbar_following
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * As the model says.
   */
  FOURBAR_FOLLOWING_MODEL = 0,
  /**
   * Event by event: for few contacts, accurate.
   */
  FOURBAR_FOLLOWING_EVENT = 1,
  /**
   * Fixed steps with gaps linearized: for many contacts.
   */
  FOURBAR_FOLLOWING_GAP_LCP = 2,
  /**
   * Fixed steps, impacts on velocities.
   */
  FOURBAR_FOLLOWING_MOREAU_JEAN = 3,
  /**
   * Fixed steps, positions and velocities both satisfied.
   */
  FOURBAR_FOLLOWING_GGL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_following fourbar_following;
#else
typedef int32_t fourbar_following;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Options of a simulation, which take precedence over the settings of the model; set by `fourbar_simulation_options_init` first. A zero says "as the
 * model has it". What the method does not have is refused.
 */
typedef struct fourbar_simulation_options {
  /**
   * sizeof(fourbar_simulation_options).
   */
  size_t struct_size;
  /**
   * A value of `fourbar_integrator`; 0 by default. Not with contacts.
   */
  int32_t integrator;
  /**
   * A value of `fourbar_formulation`; 0 by default. Not of RKF45 and ABAM.
   */
  int32_t formulation;
  /**
   * A value of `fourbar_following`; 0 by default. With contacts alone.
   */
  int32_t following;
  /**
   * Highest order: of GSTIFF, WSTIFF, DSTIFF and CONSTANT_BDF 1 to 6, of ABAM 1 to 12; 0 by default. Not of RKF45 and HHT.
   */
  uint32_t order_max;
  /**
   * Relative tolerance of the local error, 1e-14 to 0.1; 0 by default. Not of fixed steps.
   */
  double tolerance;
  /**
   * Longest step \[s\]; 0 by default. Not of fixed steps.
   */
  double largest_step;
  /**
   * Step of the methods with fixed steps \[s\]; 0 by default. A way that it does not divide is made in equal shorter steps.
   */
  double fixed_step;
  /**
   * Most steps; 0 by default. Not with contacts.
   */
  uint64_t max_steps;
  /**
   * The integrator with all its options, in place of what the model and the fields above say of it: `integrator`, `order_max`, `tolerance`, `largest_step` and
   * `max_steps` are 0 then. NULL by default. Its `absolutes` are those of the unknowns of the formulation. Not with contacts.
   */
  const struct fourbar_integration_options *integration;
} fourbar_simulation_options;

/**
 * What a step came to.
 */
enum fourbar_progress
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A step of the method, short of the end.
   */
  FOURBAR_PROGRESS_STEP = 1,
  /**
   * Contacts closed, opened, stuck or slipped; `fourbar_simulation_event` tells.
   */
  FOURBAR_PROGRESS_EVENT = 2,
  /**
   * The end is reached, exactly.
   */
  FOURBAR_PROGRESS_END = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_progress fourbar_progress;
#else
typedef int32_t fourbar_progress;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a body is and how it moves; all vectors in the global frame.
 */
typedef struct fourbar_body_state {
  /**
   * sizeof(fourbar_body_state).
   */
  size_t struct_size;
  /**
   * Centre of mass \[m\].
   */
  double center_of_mass[3];
  /**
   * Origin of the body frame \[m\].
   */
  double origin[3];
  /**
   * Orientation of the body frame: w, x, y, z, with w >= 0.
   */
  double quaternion[4];
  /**
   * The same as Euler angles psi, theta, phi \[rad\]: turns about z, the new x, the new z; phi is 0 where theta is 0 or pi to 1e-8.
   */
  double euler_313[3];
  /**
   * Velocity of the centre of mass \[m/s\].
   */
  double velocity[3];
  /**
   * Angular velocity \[rad/s\].
   */
  double angular_velocity[3];
  /**
   * Acceleration of the centre of mass \[m/s^2\].
   */
  double acceleration[3];
  /**
   * Angular acceleration \[rad/s^2\].
   */
  double angular_acceleration[3];
} fourbar_body_state;

/**
 * Kinds of events.
 */
enum fourbar_event_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A kind that the header does not know yet.
   */
  FOURBAR_EVENT_OTHER = 0,
  /**
   * A contact closed with a velocity, and an impulse ended it.
   */
  FOURBAR_EVENT_IMPACT = 1,
  /**
   * A contact stays closed from now on.
   */
  FOURBAR_EVENT_CLOSED = 2,
  /**
   * A contact opens.
   */
  FOURBAR_EVENT_OPENED = 3,
  /**
   * Friction stopped slipping.
   */
  FOURBAR_EVENT_STUCK = 4,
  /**
   * Friction began to slip.
   */
  FOURBAR_EVENT_SLIPPED = 5,
  /**
   * Infinitely many impacts, passed in closed form; the contact rests from here on.
   */
  FOURBAR_EVENT_ACCUMULATION = 6,
  /**
   * A sliding contact jammed: an impulse without collision.
   */
  FOURBAR_EVENT_PAINLEVE_SHOCK = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_event_kind fourbar_event_kind;
#else
typedef int32_t fourbar_event_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An event.
 */
typedef struct fourbar_contact_event {
  /**
   * sizeof(fourbar_contact_event).
   */
  size_t struct_size;
  /**
   * Time \[s\].
   */
  double time;
  /**
   * A value of `fourbar_event_kind`.
   */
  int32_t kind;
  /**
   * Contact, an index of FOURBAR_PART_CONTACT.
   */
  uint32_t contact;
  /**
   * Which of its features, such as the corner of a box.
   */
  uint64_t feature;
  /**
   * Closing speed before, not negative \[m/s\].
   */
  double closing_speed;
  /**
   * Normal impulse \[N s\].
   */
  double impulse;
  /**
   * Change of the kinetic energy by the whole impact \[J\], with the first of its contacts.
   */
  double energy;
} fourbar_contact_event;

/**
 * What happened.
 */
enum fourbar_switch_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A kind that the header does not know yet.
   */
  FOURBAR_SWITCH_OTHER = 0,
  /**
   * A sensor's expression rose through its value.
   */
  FOURBAR_SWITCH_ROSE = 1,
  /**
   * It fell through its value.
   */
  FOURBAR_SWITCH_FELL = 2,
  /**
   * A joint or motion began to hold.
   */
  FOURBAR_SWITCH_LOCKED = 3,
  /**
   * A joint or motion let go.
   */
  FOURBAR_SWITCH_RELEASED = 4,
  /**
   * A force began to act.
   */
  FOURBAR_SWITCH_ACTIVATED = 5,
  /**
   * A force ceased.
   */
  FOURBAR_SWITCH_DEACTIVATED = 6,
  /**
   * A parameter or input took another value.
   */
  FOURBAR_SWITCH_SET = 7,
  /**
   * A sensor ended the run: `fourbar_simulation_advance` goes no further.
   */
  FOURBAR_SWITCH_STOPPED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_switch_kind fourbar_switch_kind;
#else
typedef int32_t fourbar_switch_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An event of a sensor or of an element with `active`.
 */
typedef struct fourbar_switch_event {
  /**
   * sizeof(fourbar_switch_event).
   */
  size_t struct_size;
  /**
   * Time \[s\].
   */
  double time;
  /**
   * A value of `fourbar_switch_kind`.
   */
  int32_t kind;
  /**
   * Number of values that a sensor printed, or that were set.
   */
  uint32_t value_count;
  /**
   * Of a joint or motion that locked, the size of its impulse \[N s\].
   */
  double impulse;
  /**
   * Of such a one, the size of its angular impulse about the origin of marker I \[N m s\].
   */
  double angular_impulse;
  /**
   * Change of kinetic and potential energy by all that was switched at once \[J\], with the first.
   */
  double energy;
} fourbar_switch_event;

/**
 * Counts of a simulation since it began or was set to a state. Of fixed steps the number of steps alone.
 */
typedef struct fourbar_simulation_statistics {
  /**
   * sizeof(fourbar_simulation_statistics).
   */
  size_t struct_size;
  /**
   * Accepted steps of the method.
   */
  uint64_t steps;
  /**
   * Attempts rejected by the error test.
   */
  uint64_t rejected_by_error;
  /**
   * Attempts rejected because the corrector did not converge.
   */
  uint64_t rejected_by_newton;
  /**
   * Attempts rejected because a force or motion could not be evaluated.
   */
  uint64_t rejected_by_evaluation;
  /**
   * Evaluations of the equations.
   */
  uint64_t residual_evaluations;
  /**
   * Evaluations of their derivatives.
   */
  uint64_t jacobian_evaluations;
  /**
   * Factorizations.
   */
  uint64_t factorizations;
  /**
   * Iterations of the corrector.
   */
  uint64_t newton_iterations;
  /**
   * Times the method fell back to order 1.
   */
  uint64_t restarts;
  /**
   * Smallest accepted step \[s\]; 0 before the first.
   */
  double step_smallest;
  /**
   * Largest accepted step \[s\].
   */
  double step_largest;
  /**
   * Last accepted step \[s\].
   */
  double step_last;
} fourbar_simulation_statistics;

/**
 * Sets the defaults: all as the model says; `size` is sizeof(fourbar_simulation_options).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `options` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_options_init(struct fourbar_simulation_options *options, size_t size);

/**
 * A simulation of `mechanism` at its start, t = 0, with `options` (NULL: all as the model says). The mechanism may be freed afterwards.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_STRUCT_SIZE`; `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for options out of range; `FOURBAR_UNSUPPORTED` for options that the model does not have;
 * `FOURBAR_NUMERICAL` for a start from which it cannot be simulated; `FOURBAR_CALLBACK`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_new(const struct fourbar_mechanism *mechanism,
                                      const struct fourbar_simulation_options *options,
                                      struct fourbar_simulation **out);

/**
 * Goes to `time` \[s\], exactly, in as many steps of the method as it takes.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a time in the past; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where the motion cannot
 * go on: it then stands at the end of the last step that could be made, from which it can be tried again.
 *
 * # Safety
 * `simulation` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_step_to(struct fourbar_simulation *simulation,
                                          double time);

/**
 * As `fourbar_simulation_step_to`, by `step` \[s\] from the present time.
 *
 * Errors: as `fourbar_simulation_step_to`.
 *
 * # Safety
 * `simulation` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_step(struct fourbar_simulation *simulation, double step);

/**
 * Makes one step of the method towards `end` \[s\], which it does not pass; `progress` (may be NULL) receives a value of `fourbar_progress`.
 *
 * Errors: as `fourbar_simulation_step_to`.
 *
 * # Safety
 * `simulation` is NULL or alive, `progress` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_advance(struct fourbar_simulation *simulation,
                                          double end,
                                          int32_t *progress);

/**
 * The present time \[s\] and the number of steps of the method made; either may be NULL.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_time(const struct fourbar_simulation *simulation, double *time, uint64_t *steps);

/**
 * The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
 *
 * # Safety
 * `simulation` is NULL (then the text is empty) or alive.
 */
const char *fourbar_simulation_error(const struct fourbar_simulation *simulation);

/**
 * Frees a simulation. NULL is allowed.
 *
 * # Safety
 * `simulation` is NULL or alive, and not used afterwards.
 */
void fourbar_simulation_free(struct fourbar_simulation *simulation);

/**
 * From now on the input of that name has the value `value` and the rate `rate` \[1/s\]; the others go on as they were set. A rate makes the input a
 * ramp until it is set again.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`, `FOURBAR_NOT_FINITE`; with contacts those of `fourbar_simulation_step_to`.
 *
 * # Safety
 * `simulation` is NULL or alive; `name` is NULL or ends with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_set_input(struct fourbar_simulation *simulation,
                                            const char *name,
                                            double value,
                                            double rate);

/**
 * From now on the inputs are polynomials about the present time: `values` holds value, first and second derivative of the first input, then of
 * the second, ... in the order of FOURBAR_PART_INPUT; `length` is three times their number.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`: the inputs then stay as they were; with contacts those of `fourbar_simulation_step_to`.
 *
 * # Safety
 * `simulation` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_set_inputs(struct fourbar_simulation *simulation,
                                             const double *values,
                                             size_t length);

/**
 * The inputs now: value, first and second derivative of each, as for `fourbar_simulation_set_inputs`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `simulation` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_inputs(const struct fourbar_simulation *simulation, double *values, size_t length);

/**
 * All measures of now, in the order of FOURBAR_PART_MEASURE; `length` is their number.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where forces cannot be evaluated.
 *
 * # Safety
 * `simulation` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_measures(struct fourbar_simulation *simulation, double *values, size_t length);

/**
 * The measure of that name now; of a vector its components, "name.x". To read several, `fourbar_simulation_measures` costs as much as this for one.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`; else as `fourbar_simulation_measures`.
 *
 * # Safety
 * `simulation` is NULL or alive; `name` is NULL or ends with a NUL; `value` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_measure(struct fourbar_simulation *simulation,
                                          const char *name,
                                          double *value);

/**
 * The body of index `body` (FOURBAR_PART_BODY) now; `size` is sizeof(fourbar_body_state).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for another index; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where forces cannot be evaluated.
 *
 * # Safety
 * `simulation` is NULL or alive; `out` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_body(struct fourbar_simulation *simulation,
                                       size_t body,
                                       struct fourbar_body_state *out,
                                       size_t size);

/**
 * What the joint or motion of index `index` (`part` is FOURBAR_PART_JOINT or FOURBAR_PART_MOTION) does to the body of its marker I: `wrench` receives six
 * values, the force \[N\] and the torque about the origin of I \[N m\], global frame. Where joints are redundant, the smallest reactions that
 * hold the mechanism.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another part or index; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `simulation` is NULL or alive; `wrench` is NULL or has six values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_reaction(struct fourbar_simulation *simulation,
                                           int32_t part,
                                           size_t index,
                                           double *wrench);

/**
 * The number of events since `fourbar_simulation_clear_events`; 0 where contacts are not followed event by event.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `simulation` is NULL or alive; `count` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_event_count(const struct fourbar_simulation *simulation, size_t *count);

/**
 * Event `index`, in the order of time; `size` is sizeof(fourbar_contact_event).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for an index beyond the last.
 *
 * # Safety
 * `simulation` is NULL or alive; `out` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_event(const struct fourbar_simulation *simulation,
                                        size_t index,
                                        struct fourbar_contact_event *out,
                                        size_t size);

/**
 * What touches in event `index`, for people; buffers as for `fourbar_mechanism_name`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID` for an index beyond the last.
 *
 * # Safety
 * `simulation` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_event_text(const struct fourbar_simulation *simulation,
                                             size_t index,
                                             char *buffer,
                                             size_t size,
                                             size_t *needed);

/**
 * Forgets the events.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `simulation` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_clear_events(struct fourbar_simulation *simulation);

/**
 * The number of events of sensors and elements with `active` so far, at most 10,000.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `simulation` is NULL or alive; `count` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_switch_count(const struct fourbar_simulation *simulation, size_t *count);

/**
 * Event `index`, in the order of time; `size` is sizeof(fourbar_switch_event). Its values go to `values`, as many as `length` has room for; NULL where
 * `length` is 0.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for an index beyond the last.
 *
 * # Safety
 * `simulation` is NULL or alive; `out` is NULL or has `size` bytes; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_switch(const struct fourbar_simulation *simulation,
                                         size_t index,
                                         struct fourbar_switch_event *out,
                                         size_t size,
                                         double *values,
                                         size_t length);

/**
 * The sensor or element of event `index`, as `joint "clutch"`; buffers as for `fourbar_mechanism_name`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID` for an index beyond the last.
 *
 * # Safety
 * `simulation` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_switch_text(const struct fourbar_simulation *simulation,
                                              size_t index,
                                              char *buffer,
                                              size_t size,
                                              size_t *needed);

/**
 * The number of values of a state as numbers: 13 a body, and the coordinates of motions given by velocity (one) or acceleration (two).
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_state_length(const struct fourbar_simulation *simulation,
                                               size_t *length);

/**
 * The state now: of each body the centre of mass \[m\], the quaternion w, x, y, z of the body frame, the velocity of the centre of mass \[m/s\] and the
 * angular velocity \[rad/s\], global frame; then the coordinates of motions.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `simulation` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_get_state(struct fourbar_simulation *simulation,
                                            double *values,
                                            size_t length);

/**
 * Goes on from a state as numbers at `time` \[s\], put onto the constraints by the smallest corrections: positions first, then velocities. Quaternions are
 * normalized. The inputs keep their values of now; the method begins anew, and counts of steps with it.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for a quaternion 0, `FOURBAR_NUMERICAL` where joints cannot be closed from
 * there, `FOURBAR_CALLBACK`: the simulation is then where it was.
 *
 * # Safety
 * `simulation` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_set_state(struct fourbar_simulation *simulation,
                                            double time,
                                            const double *values,
                                            size_t length);

/**
 * Saves everything on which the further steps depend, the list of events included.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_save(const struct fourbar_simulation *simulation, struct fourbar_simulation_state **out);

/**
 * Back to a checkpoint saved by this simulation, or by another one of the same mechanism followed by the same method; the further steps are those
 * that followed it, bit for bit.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_STATE` for a checkpoint of another mechanism or method: the simulation is then where it was.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_restore(struct fourbar_simulation *simulation,
                                          const struct fourbar_simulation_state *saved);

/**
 * The bytes of a checkpoint, to be kept in a file or sent to another process: into `buffer` of `size` bytes; `needed` receives how many they
 * are, also where `size` is 0 and `buffer` NULL. `fourbar_simulation_state_from_bytes` makes the checkpoint again.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a checkpoint of another compiled mechanism.
 *
 * # Safety
 * Handles are NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_state_to_bytes(const struct fourbar_simulation *simulation,
                                                 const struct fourbar_simulation_state *saved,
                                                 uint8_t *buffer,
                                                 size_t size,
                                                 size_t *needed);

/**
 * The checkpoint whose bytes these are, for `fourbar_simulation_restore`. It was written by a simulation of the same model,
 * settings and method, in this process or another; the host's functions are taken to be the same.
 * `simulation` itself stays where it is.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for a checkpoint of another model, settings or method;
 * `FOURBAR_UNSUPPORTED` for one that another version of the library wrote.
 *
 * # Safety
 * `simulation` is NULL or alive; `bytes` is NULL or has `length` bytes; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_state_from_bytes(const struct fourbar_simulation *simulation,
                                                   const uint8_t *bytes,
                                                   size_t length,
                                                   struct fourbar_simulation_state **out);

/**
 * Frees a checkpoint. NULL is allowed.
 *
 * # Safety
 * `saved` is NULL or alive, and not used afterwards.
 */
void fourbar_simulation_state_free(struct fourbar_simulation_state *saved);

/**
 * Goes to the static equilibrium below the positions of now, at rest, for the inputs of now; motions stand still. Contacts that touch are held closed; those that would pull
 * open. `residual` (may be NULL) receives the
 * largest acceleration left over lengths of the mechanism or rad \[1/s^2\], `stable` (may be NULL) 1 where the equilibrium is stable,
 * else 0. The method begins anew there.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NUMERICAL` if none is found, `FOURBAR_CALLBACK`: the simulation is then where it was.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_find_equilibrium(struct fourbar_simulation *simulation,
                                                   double *residual,
                                                   int32_t *stable);

/**
 * The mechanism near its state of now as dx/dt = A x + B u, y = C x + D u: x holds the ways of f independent coordinates away from the motion, then
 * their rates, then those of the states that have a rate, u the inputs (FOURBAR_PART_INPUT), y the measures (FOURBAR_PART_MEASURE) as
 * deviations. Contacts that touch are held closed. The matrices are read by
 * `fourbar_system_matrix`; they come from differences of fourth order, to about eleven digits. `coordinates` (may be NULL with `length` 0) receives
 * which coordinates these are: 6 b + k is the way of the centre of mass of body b along its own x, y, z for k = 0, 1, 2 and the turn about these for
 * k = 3, 4, 5; `count` (may be NULL) receives f, which is at most six times the number of bodies.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` where `length` is less than f and not 0; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `simulation` is NULL or alive; `coordinates` is NULL or has `length` values; `count` and `out` are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_linearize(struct fourbar_simulation *simulation,
                                            size_t *coordinates,
                                            size_t length,
                                            size_t *count,
                                            struct fourbar_system **out);

/**
 * What the simulation has cost; `size` is sizeof(fourbar_simulation_statistics).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `simulation` is NULL or alive; `out` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulation_get_statistics(const struct fourbar_simulation *simulation,
                                                 struct fourbar_simulation_statistics *out,
                                                 size_t size);


/* ==================================================================================================================================
 * The equations of mechanisms
 * ================================================================================================================================== */

/**
 * Sizes of the equations of a mechanism.
 */
typedef struct fourbar_mechanism_equations_figures {
  /**
   * sizeof(fourbar_mechanism_equations_figures).
   */
  size_t struct_size;
  /**
   * n, the number of unknowns and of equations.
   */
  size_t dimension;
  /**
   * Entries of the matrix dF/dy + c dF/dy'; 0 for y' = f(t, y).
   */
  size_t entries;
  /**
   * Components of the velocities: V and omega of each body, six times their number.
   */
  size_t velocities;
  /**
   * Independent constraint rows.
   */
  size_t constraints;
  /**
   * Entries of the mass matrix.
   */
  size_t mass_entries;
  /**
   * Entries of the constraint Jacobian.
   */
  size_t constraint_entries;
  /**
   * Values of a state as numbers: 13 a body, and the coordinates of motions given by velocity (one) or acceleration (two).
   */
  size_t state_length;
  /**
   * Differentiation index of F = 0: 3 for I3, 2 for SI2; 0 for y' = f(t, y).
   */
  int32_t index;
  /**
   * Not used; 0.
   */
  int32_t reserved;
} fourbar_mechanism_equations_figures;

/**
 * Matrices of a mechanism. Velocities u are V of the centre of mass \[m/s\] and omega \[rad/s\] of each body, global frame, six a body.
 */
enum fourbar_mechanism_matrix
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * M, velocities x velocities: mass and inertia about the centre of mass, global frame.
   */
  FOURBAR_MATRIX_MASS = 1,
  /**
   * `Phi_q`, constraints x velocities: the rates of the constraints are `Phi_q` u + `Phi_t`.
   */
  FOURBAR_MATRIX_CONSTRAINT_JACOBIAN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_mechanism_matrix fourbar_mechanism_matrix;
#else
typedef int32_t fourbar_mechanism_matrix;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Vectors of a mechanism: M u' + `Phi_q`^T lambda = Q, `Phi_q` u' = gamma.
 */
enum fourbar_mechanism_vector
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Q, one value a velocity: applied forces less gyroscopic torques, without friction at joints \[N, N m\].
   */
  FOURBAR_VECTOR_FORCES = 1,
  /**
   * Phi, one value a constraint \[m, rad\]; 0 where it is kept.
   */
  FOURBAR_VECTOR_CONSTRAINTS = 2,
  /**
   * Their rates `Phi_q` u + `Phi_t` \[m/s, rad/s\].
   */
  FOURBAR_VECTOR_CONSTRAINT_RATES = 3,
  /**
   * gamma, what `Phi_q` u' must be \[m/s^2, rad/s^2\].
   */
  FOURBAR_VECTOR_CONSTRAINT_ACCELERATIONS = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_mechanism_vector fourbar_mechanism_vector;
#else
typedef int32_t fourbar_mechanism_vector;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The equations of `mechanism` in a form, a value of `fourbar_formulation`. Contacts of the model are not in them. Each evaluation is a function of its
 * arguments alone, but for the inputs, the charts and the turns of counted angles, which `fourbar_mechanism_equations_between_steps` follows. The
 * mechanism may be freed afterwards.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another value; `FOURBAR_NUMERICAL` where coordinates cannot be partitioned at the start.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_new(const struct fourbar_mechanism *mechanism,
                                               int32_t formulation,
                                               struct fourbar_mechanism_equations **out);

/**
 * The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
 *
 * # Safety
 * `equations` is NULL (then the text is empty) or alive.
 */
const char *fourbar_mechanism_equations_error(const struct fourbar_mechanism_equations *equations);

/**
 * Frees the equations. NULL is allowed.
 *
 * # Safety
 * `equations` is NULL or alive, and not used afterwards.
 */
void fourbar_mechanism_equations_free(struct fourbar_mechanism_equations *equations);

/**
 * Sizes; `size` is sizeof(fourbar_mechanism_equations_figures).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `equations` is NULL or alive; `out` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_get_figures(const struct fourbar_mechanism_equations *equations,
                                                       struct fourbar_mechanism_equations_figures *out,
                                                       size_t size);

/**
 * What the unknowns are, `length` = n values each: values of `fourbar_kind`; whether the derivative of each occurs (1 or 0), as IDA's id; whether the local error of each decides on steps (1 or 0); the power p
 * where h^p times an unknown is comparable with a position; a magnitude that is neither large nor small. Each may be NULL. They are what
 * `fourbar_equations` asks for.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or have `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_unknowns(const struct fourbar_mechanism_equations *equations,
                                                    int32_t *kinds,
                                                    int32_t *differential,
                                                    int32_t *error_tested,
                                                    int32_t *scale_powers,
                                                    double *typical,
                                                    size_t length);

/**
 * The name of unknown `i` (from 0), such as "body \"crank\" psi", into `buffer` of `size` bytes; `needed` receives the bytes that it takes with its NUL.
 * With `size` 0, `buffer` may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another index; `FOURBAR_LENGTH` when the buffer is too short.
 *
 * # Safety
 * `equations` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_unknown_name(const struct fourbar_mechanism_equations *equations,
                                                        size_t i,
                                                        char *buffer,
                                                        size_t size,
                                                        size_t *needed);

/**
 * The name of equation `i` (from 0), such as "body \"crank\" force balance x", as `fourbar_mechanism_equations_unknown_name` does. Equations
 * y' = f(t, y) are called as their unknowns.
 *
 * Errors: as `fourbar_mechanism_equations_unknown_name`.
 *
 * # Safety
 * As `fourbar_mechanism_equations_unknown_name`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_equation_name(const struct fourbar_mechanism_equations *equations,
                                                         size_t i,
                                                         char *buffer,
                                                         size_t size,
                                                         size_t *needed);

/**
 * The pattern of dF/dy + c dF/dy', compressed by columns: column j has the rows `rows[offsets[j]]` to `rows[offsets[j + 1] - 1]`, ascending. `offsets` has
 * `offsets_length` = n + 1 values, `rows` has `rows_length` = entries.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_UNSUPPORTED` for y' = f(t, y).
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_pattern(const struct fourbar_mechanism_equations *equations,
                                                   size_t *offsets,
                                                   size_t offsets_length,
                                                   size_t *rows,
                                                   size_t rows_length);

/**
 * The assembled start of the mechanism, consistent: its time into `t` (may be NULL), y and y' of `length` = n values each. Charts are chosen for it.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `equations` is NULL or alive; `t` is NULL or valid; the arrays are NULL or have `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_start(struct fourbar_mechanism_equations *equations,
                                                 double *t,
                                                 double *y,
                                                 double *yp,
                                                 size_t length);

/**
 * y as a state as numbers (`state_length` values): of each body the centre of mass \[m\], the quaternion w, x, y, z of the body frame, the velocity of the
 * centre of mass \[m/s\] and the angular velocity \[rad/s\], global frame; then the coordinates of motions. As of `fourbar_simulation_get_state`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_get_state(struct fourbar_mechanism_equations *equations,
                                                     double t,
                                                     const double *y,
                                                     size_t length,
                                                     double *state,
                                                     size_t state_length);

/**
 * A consistent start from a state as numbers (`state_length` values) at `t` \[s\]: it is put onto the constraints by the smallest corrections, positions
 * first, then velocities; accelerations and multipliers follow from the forces. Written as y and y', `length` = n values each; charts are chosen for it.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a quaternion 0; `FOURBAR_NUMERICAL` where joints cannot be closed from there,
 * `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_set_state(struct fourbar_mechanism_equations *equations,
                                                     double t,
                                                     const double *state,
                                                     size_t state_length,
                                                     double *y,
                                                     double *yp,
                                                     size_t length);

/**
 * F(t, y, y') into `residual`; `length` = n values each.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where a force cannot be evaluated, which a shorter step
 * may avoid; `FOURBAR_UNSUPPORTED` for y' = f(t, y).
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or have `length` values, and `residual` overlaps none.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_residual(struct fourbar_mechanism_equations *equations,
                                                    double t,
                                                    const double *y,
                                                    const double *yp,
                                                    double *residual,
                                                    size_t length);

/**
 * dF/dy + c dF/dy' into `values`, `entries` in the order of `fourbar_mechanism_equations_pattern`, for c >= 0 \[1/s\]; `length` = n values of y and y'.
 *
 * Errors: as `fourbar_mechanism_equations_residual`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say, and `values` overlaps none.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_jacobian(struct fourbar_mechanism_equations *equations,
                                                    double t,
                                                    const double *y,
                                                    const double *yp,
                                                    size_t length,
                                                    double c,
                                                    double *values,
                                                    size_t entries);

/**
 * f(t, y) of the partitioned equations into `yp`; `length` = n values each. Dependent coordinates of y are first guesses: f is computed from those that
 * satisfy the constraints, which `fourbar_mechanism_equations_between_steps` puts into y.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where constraints cannot be satisfied or a force cannot be
 * evaluated, which a shorter step may avoid; `FOURBAR_UNSUPPORTED` for I3, SI2 and SI1.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or have `length` values and do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_rhs(struct fourbar_mechanism_equations *equations,
                                               double t,
                                               const double *y,
                                               double *yp,
                                               size_t length);

/**
 * To be called after each accepted step, with y and y' at its end (`length` = n values each), which it may change. It counts angles on through full
 * turns; I3, SI2, SI1: writes orientations in other Euler angles before these become singular; partitioned: puts y onto the constraints, and chooses
 * other independent coordinates where those of now wear out. `changed` (may be NULL) receives 1 where y is another one or its coordinates mean something
 * else: a method with a history begins anew then; else 0.
 *
 * Errors: as `fourbar_mechanism_equations_rhs`, but for `FOURBAR_UNSUPPORTED`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or have `length` values; `changed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_between_steps(struct fourbar_mechanism_equations *equations,
                                                         double t,
                                                         double *y,
                                                         double *yp,
                                                         size_t length,
                                                         int32_t *changed);

/**
 * From now on the inputs are polynomials about `t` \[s\]: `values` holds value, first and second derivative of the first input, then of the second, ...
 * in the order of FOURBAR_PART_INPUT; `length` is three times their number.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`: the inputs then stay as they were.
 *
 * # Safety
 * `equations` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_set_inputs(struct fourbar_mechanism_equations *equations,
                                                      double t,
                                                      const double *values,
                                                      size_t length);

/**
 * The pattern of a matrix, a value of `fourbar_mechanism_matrix`, compressed by columns as that of `fourbar_mechanism_equations_pattern`:
 * `offsets_length` is the number of velocities + 1, `rows_length` that of its entries.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_INVALID` for another matrix.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_matrix_pattern(const struct fourbar_mechanism_equations *equations,
                                                          int32_t which,
                                                          size_t *offsets,
                                                          size_t offsets_length,
                                                          size_t *rows,
                                                          size_t rows_length);

/**
 * A matrix at t and y (`length` = n values) into `values`: `entries` in the order of `fourbar_mechanism_equations_matrix_pattern`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for another matrix; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_matrix(struct fourbar_mechanism_equations *equations,
                                                  int32_t which,
                                                  double t,
                                                  const double *y,
                                                  size_t length,
                                                  double *values,
                                                  size_t entries);

/**
 * A vector, a value of `fourbar_mechanism_vector`, at t and y (`length` = n values) into `values`, `values_length` velocities or constraints.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for another vector; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `equations` is NULL or alive; the arrays are NULL or as long as they say.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mechanism_equations_vector(struct fourbar_mechanism_equations *equations,
                                                  int32_t which,
                                                  double t,
                                                  const double *y,
                                                  size_t length,
                                                  double *values,
                                                  size_t values_length);


/* ==================================================================================================================================
 * Equations of the host
 * ================================================================================================================================== */

/**
 * What an unknown stands for: its unit and, with the index of the system, how its error is treated.
 */
enum fourbar_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A differential unknown of no further kind.
   */
  FOURBAR_KIND_STATE = 0,
  /**
   * An unknown whose derivative does not occur.
   */
  FOURBAR_KIND_ALGEBRAIC = 1,
  /**
   * A length \[m\].
   */
  FOURBAR_KIND_POSITION = 2,
  /**
   * An orientation coordinate \[rad\].
   */
  FOURBAR_KIND_ORIENTATION = 3,
  /**
   * A velocity \[m/s\].
   */
  FOURBAR_KIND_VELOCITY = 4,
  /**
   * An angular velocity \[rad/s\].
   */
  FOURBAR_KIND_ANGULAR_VELOCITY = 5,
  /**
   * An angular momentum \[kg m^2/s\].
   */
  FOURBAR_KIND_MOMENTUM = 6,
  /**
   * A Lagrange multiplier \[N or N m\].
   */
  FOURBAR_KIND_MULTIPLIER = 7,
  /**
   * A multiplier that keeps a stabilized system of index 2 on its position constraints.
   */
  FOURBAR_KIND_STABILIZER = 8,
  /**
   * An unknown whose derivative is a Lagrange multiplier \[N s or N m s\].
   */
  FOURBAR_KIND_MULTIPLIER_INTEGRAL = 9,
  /**
   * An unknown whose derivative is a multiplier that keeps a stabilized system on its position constraints.
   */
  FOURBAR_KIND_STABILIZER_INTEGRAL = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_kind fourbar_kind;
#else
typedef int32_t fourbar_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What an event function asks for.
 */
enum fourbar_event_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Go on with the history: nothing has changed.
   */
  FOURBAR_EVENT_CONTINUE = 0,
  /**
   * Begin anew from the y and y' that the function wrote.
   */
  FOURBAR_EVENT_RESTART = 1,
  /**
   * As RESTART; y' of the differential unknowns and the algebraic unknowns are found first, as by `fourbar_problem_consistent_start`.
   */
  FOURBAR_EVENT_RESTART_CONSISTENT = 2,
  /**
   * Go on with the history, but come back to the caller with `FOURBAR_STOP_HOST`.
   */
  FOURBAR_EVENT_STOP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_event_action fourbar_event_action;
#else
typedef int32_t fourbar_event_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Writes F(t, y, y') to `residual`, or f(t, y) to `yp`: see `fourbar_equations`. Returns 0; a positive number where the point lies outside
 * the domain, so that a shorter step may avoid it; a negative one to stop the run. A NaN counts as outside the domain.
 */
typedef int32_t (*fourbar_residual_function)(void *user, double t, const double *y, const double *yp, double *residual);

/**
 * Writes f(t, y) to `yp`. Returns as `fourbar_residual_function`.
 */
typedef int32_t (*fourbar_rhs_function)(void *user, double t, const double *y, double *yp);

/**
 * Writes the entries of the matrix, in the order of the pattern, to `values`: dF/dy + c dF/dy', linear in c >= 0 \[1/s\]; or df/dy for equations
 * y' = f(t, y), where `yp` is NULL and c is 0. Returns as `fourbar_residual_function`.
 */
typedef int32_t (*fourbar_jacobian_function)(void *user, double t, const double *y, const double *yp, double c, double *values);

/**
 * Writes the `root_count` root functions to `roots`; they should be continuous between restarts. Returns 0, or another number to stop the run.
 */
typedef int32_t (*fourbar_roots_function)(void *user, double t, const double *y, const double *yp, double *roots);

/**
 * Called where root functions changed their signs: `count` of them, by `indices` (from 0) and `directions` (1 rising, -1 falling). It may
 * change `y` and `yp` (n values each), and writes a value of `fourbar_event_action` to `action`, which is FOURBAR_EVENT_CONTINUE before.
 * Returns 0, or another number to stop the run: the integration then stands at the event as it was found, and the next step calls it again.
 */
typedef int32_t (*fourbar_event_function)(void *user,
                                          double t,
                                          double *y,
                                          double *yp,
                                          const size_t *indices,
                                          const int32_t *directions,
                                          size_t count,
                                          int32_t *action);

/**
 * A system of n equations in n unknowns, F(t, y, y') = 0 by `residual` or y' = f(t, y) by `rhs`; set by `fourbar_equations_init` first. The
 * functions may be called from whichever thread uses an integration, and must not call back into it. Arrays are copied by
 * `fourbar_problem_new`, `user` is not.
 */
typedef struct fourbar_equations {
  /**
   * sizeof(fourbar_equations).
   */
  size_t struct_size;
  /**
   * Passed to all functions; has to live as long as the problem and all that is made from it.
   */
  void *user;
  /**
   * n.
   */
  size_t dimension;
  /**
   * F(t, y, y'); NULL where `rhs` is given.
   */
  fourbar_residual_function residual;
  /**
   * f(t, y); NULL where `residual` is given.
   */
  fourbar_rhs_function rhs;
  /**
   * The matrix; NULL: it is differenced, in as few evaluations as the pattern allows.
   */
  fourbar_jacobian_function jacobian;
  /**
   * Pattern of the matrix, compressed by columns: column j has the rows `pattern_rows[pattern_offsets[j]]` to
   * `pattern_rows[pattern_offsets[j + 1] - 1]`, ascending. n + 1 offsets; NULL: all n x n entries, column after column. GSTIFF then takes about
   * 90 n^2 + 4/3 n^3 bytes; RKF45 and ABAM need no matrix.
   */
  const size_t *pattern_offsets;
  /**
   * `pattern_length` rows, from 0.
   */
  const size_t *pattern_rows;
  /**
   * Number of entries.
   */
  size_t pattern_length;
  /**
   * n values of `fourbar_kind`; NULL: all states.
   */
  const int32_t *kinds;
  /**
   * Of a system F = 0, its differentiation index: 0 or 1, 2, 3; 1 by default. By it, unknowns of the kinds are treated as in a mechanism. Index 3:
   * positions and states are tested for their errors, velocities and multipliers scaled by h and h^2. Index 2: velocities are tested too,
   * multipliers scaled by h. Algebraic unknowns and multipliers are never tested, integrals of multipliers are.
   */
  int32_t index;
  /**
   * Number of root functions.
   */
  uint32_t root_count;
  /**
   * n values, 0 or 1: whether the error of an unknown decides on the step; NULL: by kind and index.
   */
  const int32_t *error_tested;
  /**
   * n values 0 to 3: power p, where h^p times an unknown is comparable with a position; NULL: by kind and index.
   */
  const int32_t *scale_powers;
  /**
   * n positive values: a magnitude of each unknown that is neither large nor small, in its unit; NULL: 1.
   */
  const double *typical;
  /**
   * n names for messages; NULL: "unknown 0", "unknown 1", ...
   */
  const char *const *names;
  /**
   * Root functions; NULL where, and only where, `root_count` is 0.
   */
  fourbar_roots_function roots;
  /**
   * `root_count` values: 1 for changes from negative to positive alone, -1 for the others alone, 0 for both; NULL: all 0.
   */
  const int32_t *root_directions;
  /**
   * What to do at events; NULL: the caller decides, after `FOURBAR_STOP_EVENT`. NULL where `root_count` is 0.
   */
  fourbar_event_function event;
} fourbar_equations;

/**
 * Sets the defaults: no functions, index 1, a full pattern, states alone; `size` is sizeof(fourbar_equations).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `equations` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_equations_init(struct fourbar_equations *equations, size_t size);

/**
 * A problem from its functions.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` (both or none of `residual` and `rhs`, no unknowns, a pattern out of order, a value
 * that is no kind, ...), `FOURBAR_LENGTH`, `FOURBAR_TEXT`.
 *
 * # Safety
 * The struct is NULL or as it says, the functions and the arrays in it as its documentation says; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_problem_new(const struct fourbar_equations *equations,
                                   struct fourbar_problem **out);

/**
 * The equations of a mechanism as a problem: I3, SI2 and SI1 under backward differentiation, the partitioned ones under RKF45 and ABAM. y and y' mean what they mean in `equations` now, whose
 * charts and inputs are taken over; between steps an integration may change its charts: `fourbar_integration_mechanism_state` reads what y says. Where
 * forces jump or bend, integrations end their steps there. The equations may be used on or freed.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_NUMERICAL` where coordinates cannot be partitioned.
 *
 * # Safety
 * `equations` is NULL or alive; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_problem_from_equations(const struct fourbar_mechanism_equations *equations,
                                              struct fourbar_problem **out);

/**
 * The number n of unknowns.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_problem_dimension(const struct fourbar_problem *problem, size_t *dimension);

/**
 * Makes a start consistent. Of a mechanism: positions and velocities in `y` are put onto the constraints by the smallest corrections, accelerations and multipliers
 * follow from the forces; what `y` and `yp` hold beside is not used. Else: t and the differential unknowns in `y` are kept; y' of these, and the algebraic unknowns and multipliers in `y`, are
 * found from the equations, beginning at what the arrays hold. For systems of index 1 and explicit ones; where the index is higher, the
 * caller gives a start that satisfies the constraints and their derivatives. `iterations` may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_NUMERICAL` where the equations are singular (a higher index) or Newton's
 * iteration does not converge; `FOURBAR_CALLBACK`. The arrays are then as before.
 *
 * # Safety
 * `y` and `yp` are NULL or have `length` values; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_problem_consistent_start(const struct fourbar_problem *problem,
                                                double t,
                                                double *y,
                                                double *yp,
                                                size_t length,
                                                size_t *iterations);

/**
 * Frees a problem; integrations made from it live on. NULL is allowed.
 *
 * # Safety
 * `problem` is NULL or alive, and not used afterwards.
 */
void fourbar_problem_free(struct fourbar_problem *problem);


/* ==================================================================================================================================
 * Integrations of equations
 * ================================================================================================================================== */

/**
 * An integration from t on, with y and y' of `length` = n values each; `options` NULL means the defaults. The start has to satisfy the
 * equations (`fourbar_problem_consistent_start`); for equations y' = f(t, y), `yp` may be NULL. The end time is infinity at first. The
 * problem may be freed afterwards.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an option out of its range, `FOURBAR_CALLBACK`;
 * `FOURBAR_UNSUPPORTED` for RKF45 or ABAM on equations F(t, y, y') = 0, and for a constant step of ABAM.
 *
 * # Safety
 * `y` and `yp` are NULL or have `length` values; the options are NULL or as they say; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_new(const struct fourbar_problem *problem,
                                       const struct fourbar_integration_options *options,
                                       double t,
                                       const double *y,
                                       const double *yp,
                                       size_t length,
                                       struct fourbar_integration **out);

/**
 * One accepted step, or the rest of one behind an event; none where the end time is reached. `stop` receives a value of `fourbar_stop`.
 *
 * Errors: `FOURBAR_NUMERICAL` where the step would have to be smaller than the smallest, or the steps allowed are used up; `FOURBAR_CALLBACK`
 * where a function of the problem says that the run must stop, or no step avoids the points that it cannot evaluate. The integration then
 * stands at the last accepted step, or at an event that is not handled, and the call may be repeated.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_step(struct fourbar_integration *integration,
                                        int32_t *stop);

/**
 * Steps up to t = `end` \[s\], on which the last step lands exactly, and beyond stop times. Comes back earlier with `FOURBAR_STOP_EVENT` where the
 * problem has no event function, and with `FOURBAR_STOP_HOST` where that asks for it.
 *
 * Errors: as `fourbar_integration_step`; `FOURBAR_INVALID` when `end` lies before the present time; `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_run(struct fourbar_integration *integration,
                                       double end,
                                       int32_t *stop);

/**
 * Moves the end time \[s\] of `fourbar_integration_step`; steps land on it exactly. Infinity is allowed.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` when it lies before the present time; `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `integration` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_set_end(struct fourbar_integration *integration, double end);

/**
 * The times \[s\] on which steps land exactly, ascending, in place of those before; those not after the present time are passed over.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` when they do not ascend; `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `times` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_set_stop_times(struct fourbar_integration *integration,
                                                  const double *times,
                                                  size_t length);

/**
 * Begins anew at t with y and y' of `length` = n values each, as after a jump. For equations y' = f(t, y), `yp` may be NULL. Stop and end times
 * stay.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` when t lies behind the end time; `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `y` and `yp` are NULL or have `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_restart(struct fourbar_integration *integration,
                                           double t,
                                           const double *y,
                                           const double *yp,
                                           size_t length);

/**
 * The state of the mechanism whose equations are integrated (`fourbar_problem_from_equations`) at the present time, as numbers (`length` values), as
 * `fourbar_simulation_get_state` gives it.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_UNSUPPORTED` for equations of the host; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
 *
 * # Safety
 * `integration` is NULL or alive; `state` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_mechanism_state(struct fourbar_integration *integration,
                                                   double *state,
                                                   size_t length);

/**
 * The text of the last failure on this handle, empty before the first: valid as long as the handle.
 *
 * # Safety
 * `integration` is NULL or alive; no other thread uses it.
 */
const char *fourbar_integration_error(const struct fourbar_integration *integration);

/**
 * Frees an integration. NULL is allowed.
 *
 * # Safety
 * `integration` is NULL or alive, and not used afterwards.
 */
void fourbar_integration_free(struct fourbar_integration *integration);

/**
 * The present time \[s\], that of the last accepted step or of the event within it, and the order of that step; each may be NULL where it is
 * not asked for.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_time(const struct fourbar_integration *integration,
                                        double *time,
                                        size_t *order);

/**
 * y and y' at the present time, `length` = n values each; either may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `y` and `yp` are NULL or have `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_get_state(const struct fourbar_integration *integration, double *y, double *yp, size_t length);

/**
 * y and y' at a time within the last step, from the method's own polynomial; `length` = n values each.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_INVALID` when the time lies outside the last step.
 *
 * # Safety
 * `y` and `yp` are NULL or have `length` values; they do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_interpolate(const struct fourbar_integration *integration,
                                               double t,
                                               double *y,
                                               double *yp,
                                               size_t length);

/**
 * Steps on and writes y at the `count` given times \[s\], ascending and not before the present one, to `values`, n values each: by dense output, no
 * step lands on them but on the last. `done` receives how many were written; it is less than `count` where an event came first that makes
 * `fourbar_integration_run` come back too. `stop` receives a value of `fourbar_stop`.
 *
 * Errors: as `fourbar_integration_run`; `FOURBAR_INVALID` when the times do not ascend; `FOURBAR_LENGTH` when `values` has another length than `count` n.
 *
 * # Safety
 * `times` is NULL or has `count` values, `values` is NULL or has `length`; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_sample(struct fourbar_integration *integration,
                                          const double *times,
                                          size_t count,
                                          double *values,
                                          size_t length,
                                          size_t *done,
                                          int32_t *stop);

/**
 * The events at the present time: which root functions (from 0) and in which direction they changed their signs (1 rising, -1 falling). `count`
 * receives their number; with `indices` and `directions` NULL nothing else is written, otherwise `capacity` must be at least that number.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `indices` and `directions` are NULL or have `capacity` values; `count` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_events(const struct fourbar_integration *integration,
                                          size_t *indices,
                                          int32_t *directions,
                                          size_t capacity,
                                          size_t *count);

/**
 * Saves everything on which the further steps depend.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_save(const struct fourbar_integration *integration, struct fourbar_integration_state **out);

/**
 * The same into a state that was saved before, in place: allocates nothing.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` for a state of other equations or options: it is then what it was.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_save_into(const struct fourbar_integration *integration,
                                             struct fourbar_integration_state *state);

/**
 * Returns to a checkpoint: the further steps are those that followed it, bit for bit.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` when it was saved by another kind of integrator or on other equations.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_restore(struct fourbar_integration *integration,
                                           const struct fourbar_integration_state *state);

/**
 * The bytes of a checkpoint, to be kept in a file or sent to another process: into `buffer` of `size` bytes; `needed` receives how many they
 * are, also where `size` is 0 and `buffer` NULL. `fourbar_integration_state_from_bytes` makes the checkpoint again. What the host's functions remember
 * behind `user` is not part of it.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a checkpoint of another kind of integrator or other equations.
 *
 * # Safety
 * Handles are NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_state_to_bytes(const struct fourbar_integration *integration,
                                                  const struct fourbar_integration_state *state,
                                                  uint8_t *buffer,
                                                  size_t size,
                                                  size_t *needed);

/**
 * The checkpoint whose bytes these are, for `fourbar_integration_restore`. It was written by an integration with the same
 * options of equations with the same unknowns, pattern and root functions, in this process or another; the host's functions are taken to be the same.
 * `integration` itself stays where it is.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for a point of other equations or options;
 * `FOURBAR_UNSUPPORTED` for one that another version of the library wrote.
 *
 * # Safety
 * `integration` is NULL or alive; `bytes` is NULL or has `length` bytes; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_integration_state_from_bytes(const struct fourbar_integration *integration,
                                                    const uint8_t *bytes,
                                                    size_t length,
                                                    struct fourbar_integration_state **out);

/**
 * Frees a saved state. NULL is allowed.
 *
 * # Safety
 * `state` is NULL or alive, and not used afterwards.
 */
void fourbar_integration_state_free(struct fourbar_integration_state *state);


/* ==================================================================================================================================
 * Linear systems
 * ================================================================================================================================== */

/**
 * The families of holds.
 */
enum fourbar_method
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * One-step, samples at t + i T/l for i = 0 .. l; order l >= 0. Order 1 is the first-order hold.
   */
  FOURBAR_METHOD_ALGORITHM_1 = 1,
  /**
   * Multistep, samples at t + T, t, t - T, ...: one new sample a step; order l >= 0.
   */
  FOURBAR_METHOD_ALGORITHM_2 = 2,
  /**
   * Algorithm 1 without the sample at the end of the step; order l >= 1.
   */
  FOURBAR_METHOD_ALGORITHM_1_REAL_TIME = 3,
  /**
   * Algorithm 2 without the sample at the end of the step; order l >= 0. Order 0 is the zero-order hold.
   */
  FOURBAR_METHOD_ALGORITHM_2_REAL_TIME = 4,
  /**
   * Samples at `nodes`, ascending, in units of the step.
   */
  FOURBAR_METHOD_NODES = 5,
  /**
   * The classical one-step method of order 4, for comparison.
   */
  FOURBAR_METHOD_MTM_4 = 6,
  /**
   * The classical multistep method of order 4, for comparison.
   */
  FOURBAR_METHOD_QAM_4 = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_method fourbar_method;
#else
typedef int32_t fourbar_method;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The arithmetic in which the matrices of a step are computed; they are rounded to double in the end.
 */
enum fourbar_precision
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Extended up to 256 states and for holds of high order, double for the rest.
   */
  FOURBAR_PRECISION_AUTOMATIC = 0,
  /**
   * Double throughout.
   */
  FOURBAR_PRECISION_WORKING = 1,
  /**
   * Double-double arithmetic: every entry accurate to working precision, at about ten times the time.
   */
  FOURBAR_PRECISION_EXTENDED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_precision fourbar_precision;
#else
typedef int32_t fourbar_precision;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A family of holds and its order; set by `fourbar_hold_init` first.
 */
typedef struct fourbar_hold {
  /**
   * sizeof(fourbar_hold).
   */
  size_t struct_size;
  /**
   * A value of `fourbar_method`; `FOURBAR_METHOD_ALGORITHM_1` by default.
   */
  int32_t method;
  /**
   * l; 1 by default. Not used by `FOURBAR_METHOD_NODES` and the classical methods.
   */
  uint32_t order;
  /**
   * For `FOURBAR_METHOD_NODES`: `nodes_length` times in units of the step; else NULL.
   */
  const double *nodes;
  /**
   * Number of `nodes`.
   */
  size_t nodes_length;
  /**
   * A value of `fourbar_precision`; `FOURBAR_PRECISION_AUTOMATIC` by default. The classical methods do not use it.
   */
  int32_t precision;
  /**
   * Set by the init function to 0, and left so.
   */
  int32_t reserved;
} fourbar_hold;

/**
 * The matrices of a linear system.
 */
enum fourbar_matrix
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A, n x n.
   */
  FOURBAR_MATRIX_A = 1,
  /**
   * B, n x m.
   */
  FOURBAR_MATRIX_B = 2,
  /**
   * C, q x n.
   */
  FOURBAR_MATRIX_C = 3,
  /**
   * D, q x m.
   */
  FOURBAR_MATRIX_D = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_matrix fourbar_matrix;
#else
typedef int32_t fourbar_matrix;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a sampled system stands for a continuous one.
 */
enum fourbar_sampling
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The input keeps the value of its last sample.
   */
  FOURBAR_SAMPLING_ZERO_ORDER = 1,
  /**
   * Straight lines from sample to sample (triangle). The state is that of the continuous system less G_1 B u(k).
   */
  FOURBAR_SAMPLING_FIRST_ORDER = 2,
  /**
   * The answer to the samples 1, 0, 0, ... is T times the impulse response at the samples.
   */
  FOURBAR_SAMPLING_IMPULSE = 3,
  /**
   * Bilinear: s = (2/T)(z - 1)/(z + 1), or prewarped.
   */
  FOURBAR_SAMPLING_TUSTIN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_sampling fourbar_sampling;
#else
typedef int32_t fourbar_sampling;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * x(k+1) = e^{AT} x(k) + sum over i of Phi_i u(t_k + offset_i). It never changes: any number of threads may use it.
 */
typedef struct fourbar_discretization fourbar_discretization;

/**
 * The input at the time `t` \[s\], which the host writes into the `m` values of `u`. Returns 0, or another number to stop (see
 * `fourbar_callback_error`). It may not call back into the stepper that called it.
 */
typedef int32_t (*fourbar_input_function)(void *user, double t, double *u, size_t m);

/**
 * A system of n states, m inputs and q outputs from its matrices, each column after column: `a` n x n, `b` n x m, `c` q x n, `d` q x m.
 * A matrix without entries may be NULL. The matrices are copied.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH` when a matrix cannot be that large.
 *
 * # Safety
 * The matrices are NULL or have as many values as said; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_new(size_t n,
                                  size_t m,
                                  size_t q,
                                  const double *a,
                                  const double *b,
                                  const double *c,
                                  const double *d,
                                  struct fourbar_system **out);

/**
 * The numbers of states, inputs and outputs; each may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `system` is NULL or alive; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_dimensions(const struct fourbar_system *system, size_t *n, size_t *m, size_t *q);

/**
 * Frees a system; steppers made from it live on. NULL is allowed.
 *
 * # Safety
 * `system` is NULL or alive, and not used afterwards.
 */
void fourbar_system_free(struct fourbar_system *system);

/**
 * Sets the defaults (first-order hold); `size` is sizeof(fourbar_hold).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `hold` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_hold_init(struct fourbar_hold *hold, size_t size);

/**
 * A matrix of the system, column after column: `which` is a value of `fourbar_matrix`, `length` rows times columns as `fourbar_system_dimensions` gives them.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_INVALID` for another matrix, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `system` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_matrix(const struct fourbar_system *system,
                                     int32_t which,
                                     double *values,
                                     size_t length);

/**
 * The eigenvalues of A, real and imaginary parts \[1/s\], in the order of falling real parts; `length` is n. Pairs of conjugates stand side by side,
 * the positive imaginary part first.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_OVERFLOW`, `FOURBAR_NUMERICAL`.
 *
 * # Safety
 * `system` is NULL or alive; `real` and `imaginary` are NULL or have `length` values and do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_eigenvalues(const struct fourbar_system *system,
                                          double *real,
                                          double *imaginary,
                                          size_t length);

/**
 * e^{AT} and G_i(T) = integral from 0 to T of e^{A(T-s)} (s/T)^i ds for i = 0 .. `order`, for any A: of dimension time, whatever i. The response to an
 * input u(s) = sum of c_i (s/T)^i over the step is the sum of G_i B c_i.
 *
 * `a` is n x n, column after column; `step` is T > 0 \[s\]. `exponential` receives n x n values, `g` the matrices G_0, G_1, ... one after the
 * other, `g_length` = (`order` + 1) n n values in all; either may be NULL where it is not asked for (`g_length` 0).
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_INVALID` for a step that is not positive or an order too high; `FOURBAR_NOT_FINITE`;
 * `FOURBAR_OVERFLOW` when e^{AT} leaves the range of double.
 *
 * # Safety
 * The arrays are NULL or have as many values as said.
 */
FOURBAR_MUST_USE fourbar_status fourbar_g_matrices(size_t n,
                                  const double *a,
                                  double step,
                                  size_t order,
                                  double *exponential,
                                  double *g,
                                  size_t g_length);

/**
 * H(i w) = C (i w I - A)^{-1} B + D at `count` angular frequencies w \[rad/s\]: real and imaginary parts, one matrix after the other, each q x m, column
 * after column; `length` is `count` q m. At a pole, and beyond the range of double, the entries of that frequency are NaN.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE` for a frequency.
 *
 * # Safety
 * `frequencies` is NULL or has `count` values; `real` and `imaginary` are NULL or have `length` values and do not overlap; `system` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_frequency_response(const struct fourbar_system *system,
                                                 const double *frequencies,
                                                 size_t count,
                                                 double *real,
                                                 double *imaginary,
                                                 size_t length);

/**
 * The sampled system x(k+1) = A_d x(k) + B_d u(k), y(k) = C_d x(k) + D_d u(k) for the step `step` \[s\]; `sampling` is a value of `fourbar_sampling`,
 * `prewarped_at` the angular frequency \[rad/s\] below pi/T at which FOURBAR_SAMPLING_TUSTIN has the response of the continuous system (0: none; the
 * others do not use it). The matrices have the dimensions and the order of those of the system; each may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for a step that is not positive, another sampling, a frequency out of range, or a pole that Tustin takes to
 * infinity; `FOURBAR_OVERFLOW`.
 *
 * # Safety
 * `system` is NULL or alive; the matrices are NULL or have room for n n, n m, q n and q m values, and do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_sampled(const struct fourbar_system *system,
                                      double step,
                                      int32_t sampling,
                                      double prewarped_at,
                                      double *a,
                                      double *b,
                                      double *c,
                                      double *d);

/**
 * The matrices of a step of `step` \[s\] with a hold; `hold` NULL means the first-order hold.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_INVALID`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_OVERFLOW`; `FOURBAR_LENGTH` where memory is too small for them.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_discretization_new(const struct fourbar_system *system,
                                          double step,
                                          const struct fourbar_hold *hold,
                                          struct fourbar_discretization **out);

/**
 * The number of samples that enter a step, those that it shares with the step before among them.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_discretization_samples(const struct fourbar_discretization *discretization, size_t *samples);

/**
 * The times of all these samples as offsets from the beginning of the step \[s\]; `length` is that of `fourbar_discretization_samples`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `offsets` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_discretization_offsets(const struct fourbar_discretization *discretization,
                                              double *offsets,
                                              size_t length);

/**
 * e^{AT}, n x n values, column after column.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_discretization_exponential(const struct fourbar_discretization *discretization,
                                                  double *values,
                                                  size_t length);

/**
 * Phi_i, the matrix of sample `i` (from 0), n x m values, column after column.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID` when there is no such sample.
 *
 * # Safety
 * `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_discretization_input_matrix(const struct fourbar_discretization *discretization,
                                                   size_t i,
                                                   double *values,
                                                   size_t length);

/**
 * The largest step up to `largest` \[s\] whose leading local error stays within `tolerance` (largest absolute value over the states)
 * where the derivatives of the m inputs, of the order that the hold does not follow exactly, reach `derivatives`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID`, `FOURBAR_UNSUPPORTED` for the classical methods.
 *
 * # Safety
 * `derivatives` is NULL or has `length` values; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_system_suggest_step(const struct fourbar_system *system,
                                           const struct fourbar_hold *hold,
                                           const double *derivatives,
                                           size_t length,
                                           double tolerance,
                                           double largest,
                                           double *step);

/**
 * Frees a discretization. NULL is allowed.
 *
 * # Safety
 * `discretization` is NULL or alive, and not used afterwards.
 */
void fourbar_discretization_free(struct fourbar_discretization *discretization);

/**
 * Many steps through sampled input: `samples` holds the samples of one step after the other, `outputs` receives q values a step, `steps`
 * (may be NULL) their number. After a failure the stepper stands before the step that failed.
 *
 * Errors: as `fourbar_stepper_step`; `FOURBAR_LENGTH` when `samples` is not a whole number of steps or `outputs` does not fit it.
 *
 * # Safety
 * `samples` is NULL or has `samples_length` values, `outputs` is NULL or has `outputs_length`; they do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_run(struct fourbar_stepper *stepper,
                                   const double *samples,
                                   size_t samples_length,
                                   double *outputs,
                                   size_t outputs_length,
                                   size_t *steps);

/**
 * Steps from the present time on by `outputs_length` / q steps under an input that the host computes at the times the method asks for;
 * `outputs` receives the q outputs at the end of each step. A history that is still empty is filled by the one-step method of the same
 * order, as the source does it.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` when `outputs` is not a whole number of steps; `FOURBAR_CALLBACK` when `input` returns another
 * number than 0, or writes NaN or infinity; `FOURBAR_STATE` for a method without start-up that lacks its history;
 * `FOURBAR_OVERFLOW`. The stepper then stands before the step that failed, and the outputs before it are written.
 *
 * # Safety
 * `outputs` is NULL or has `outputs_length` values; `input` is NULL or a function of the type, that does not unwind.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_simulate(struct fourbar_stepper *stepper,
                                        fourbar_input_function input,
                                        void *user,
                                        double *outputs,
                                        size_t outputs_length);

/**
 * A stepper of `system` with steps of `step` \[s\], at t = 0 in the state 0; `hold` NULL means the first-order hold. The system may be
 * freed afterwards.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_INVALID`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_OVERFLOW`; `FOURBAR_LENGTH` where memory is too small for its matrices.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_new(const struct fourbar_system *system,
                                   double step,
                                   const struct fourbar_hold *hold,
                                   struct fourbar_stepper **out);

/**
 * The number of samples that `fourbar_stepper_step` takes, of m values each.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_samples(const struct fourbar_stepper *stepper, size_t *samples);

/**
 * The times of the samples that `fourbar_stepper_step` takes, as offsets from the beginning of the step \[s\]; `length` is the number that
 * `fourbar_stepper_samples` gives.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `offsets` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_offsets(const struct fourbar_stepper *stepper,
                                       double *offsets,
                                       size_t length);

/**
 * The same for `fourbar_stepper_start_step`; none where the method needs no start-up. With `offsets` NULL only `count` is written.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `offsets` is NULL or has `length` values; `count` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_startup_offsets(const struct fourbar_stepper *stepper,
                                               double *offsets,
                                               size_t length,
                                               size_t *count);

/**
 * Samples of the past that are still missing before `fourbar_stepper_step` may be called.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_missing_history(const struct fourbar_stepper *stepper, size_t *samples);

/**
 * The input at the present time is `u` (m values), and what came before is forgotten: at the beginning, and after a jump of the input.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `u` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_set_input(struct fourbar_stepper *stepper,
                                         const double *u,
                                         size_t length);

/**
 * The samples of the past that the first step needs, oldest first, m values each, as many as `fourbar_stepper_missing_history` says at
 * the start.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `samples` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_set_history(struct fourbar_stepper *stepper,
                                           const double *samples,
                                           size_t length);

/**
 * One step: `u` holds the samples at `fourbar_stepper_offsets`, m values each; `y` receives the q outputs at its end. Allocates nothing.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`, `FOURBAR_STATE` while the history is empty: after these nothing has
 * changed. `FOURBAR_OVERFLOW` when an unstable state leaves the range of double: restore or reset.
 *
 * # Safety
 * `u` is NULL or has `u_length` values, `y` is NULL or has `y_length`; they do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_step(struct fourbar_stepper *stepper,
                                    const double *u,
                                    size_t u_length,
                                    double *y,
                                    size_t y_length);

/**
 * One step with the one-step method of the same order, while the history of a multistep method fills; `u` holds the samples at
 * `fourbar_stepper_startup_offsets`.
 *
 * Errors: as `fourbar_stepper_step`.
 *
 * # Safety
 * As `fourbar_stepper_step`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_start_step(struct fourbar_stepper *stepper,
                                          const double *u,
                                          size_t u_length,
                                          double *y,
                                          size_t y_length);

/**
 * The present time \[s\] and the number of steps made; either may be NULL.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_time(const struct fourbar_stepper *stepper, double *time, uint64_t *steps);

/**
 * x, n values.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `x` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_get_state(const struct fourbar_stepper *stepper, double *x, size_t length);

/**
 * Puts the system into the state `x` (n values); the input history stays.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `x` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_set_state(struct fourbar_stepper *stepper, const double *x, size_t length);

/**
 * y = C x + D u for the present state and a given input `u` of m values; `y` receives q values.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `u` is NULL or has `u_length` values, `y` is NULL or has `y_length`; they do not overlap.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_output(const struct fourbar_stepper *stepper,
                                      const double *u,
                                      size_t u_length,
                                      double *y,
                                      size_t y_length);

/**
 * The estimated local error of the state over the last step (exact minus computed), n values.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_STATE` where there is none: the classical methods, or too few samples since the start
 * or the last jump.
 *
 * # Safety
 * `error` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_local_error(const struct fourbar_stepper *stepper,
                                           double *error,
                                           size_t length);

/**
 * Back to t = 0, state 0 and an empty history.
 *
 * # Safety
 * `stepper` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_reset(struct fourbar_stepper *stepper);

/**
 * Takes over time, state and present input of another stepper of the same system with another step or hold; the older input history is
 * forgotten.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH` when the numbers of states or inputs differ, `FOURBAR_BUSY` when both are the same.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_continue_from(struct fourbar_stepper *stepper,
                                             const struct fourbar_stepper *other);

/**
 * The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
 *
 * # Safety
 * `stepper` is NULL (then the text is empty) or alive.
 */
const char *fourbar_stepper_error(const struct fourbar_stepper *stepper);

/**
 * Frees a stepper. NULL is allowed.
 *
 * # Safety
 * `stepper` is NULL or alive, and not used afterwards.
 */
void fourbar_stepper_free(struct fourbar_stepper *stepper);

/**
 * A copy of everything that changes.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_save(const struct fourbar_stepper *stepper, struct fourbar_stepper_state **out);

/**
 * The same into a copy made before by this stepper, or one of the same system, step and hold; allocates nothing.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` for a copy of another system, step or hold: it is then what it was.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_save_into(const struct fourbar_stepper *stepper, struct fourbar_stepper_state *saved);

/**
 * Back to a saved state, bitwise; allocates nothing.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_STATE` when it was saved by a stepper of another system, step or hold.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_restore(struct fourbar_stepper *stepper, const struct fourbar_stepper_state *saved);

/**
 * The bytes of a checkpoint, to be kept in a file or sent to another process: into `buffer` of `size` bytes; `needed` receives how many they
 * are, also where `size` is 0 and `buffer` NULL. `fourbar_stepper_state_from_bytes` makes the checkpoint again.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a checkpoint of another system, step or hold.
 *
 * # Safety
 * Handles are NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_state_to_bytes(const struct fourbar_stepper *stepper,
                                              const struct fourbar_stepper_state *saved,
                                              uint8_t *buffer,
                                              size_t size,
                                              size_t *needed);

/**
 * The checkpoint whose bytes these are, for `fourbar_stepper_restore`. It was written by a stepper of the same system, step
 * and hold, in this process or another.
 * `stepper` itself stays where it is.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for a checkpoint of another system, step or hold;
 * `FOURBAR_UNSUPPORTED` for one that another version of the library wrote.
 *
 * # Safety
 * `stepper` is NULL or alive; `bytes` is NULL or has `length` bytes; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_stepper_state_from_bytes(const struct fourbar_stepper *stepper,
                                                const uint8_t *bytes,
                                                size_t length,
                                                struct fourbar_stepper_state **out);

/**
 * Frees a saved state. NULL is allowed.
 *
 * # Safety
 * `saved` is NULL or alive, and not used afterwards.
 */
void fourbar_stepper_state_free(struct fourbar_stepper_state *saved);


/* ==================================================================================================================================
 * Circuits and linear systems of model files, stepped by the host
 * ================================================================================================================================== */

/**
 * The circuit (type "circuit") or linear system (type "linear") of the model file at `path` (docs/model-format.md), at its start, t = 0. Of the
 * settings of the file those of the method hold; end and output step do not matter.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_FILE`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_NUMERICAL`; `FOURBAR_UNSUPPORTED` for a model of another type.
 *
 * # Safety
 * `path` is NULL or ends with a NUL; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_from_file(const char *path,
                                           struct fourbar_simulator **out);

/**
 * The same from the text of a model file, UTF-8 with a NUL at its end; `file` is its name in messages; NULL: "model.toml".
 *
 * Errors: as `fourbar_simulator_from_file`.
 *
 * # Safety
 * Texts are NULL or end with a NUL; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_from_toml(const char *text, const char *file, struct fourbar_simulator **out);

/**
 * Goes to `time` \[s\], exactly, in as many steps of its method as it takes.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a time in the past; `FOURBAR_NUMERICAL`: it then stands where it stood, with one
 * exception: a sparse system (diffusion) cannot go back, and only be read and freed.
 *
 * # Safety
 * `simulator` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_step_to(struct fourbar_simulator *simulator,
                                         double time);

/**
 * As `fourbar_simulator_step_to`, by `step` \[s\] from the present time.
 *
 * Errors: as `fourbar_simulator_step_to`.
 *
 * # Safety
 * `simulator` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_step(struct fourbar_simulator *simulator, double step);

/**
 * The present time \[s\].
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_time(const struct fourbar_simulator *simulator, double *time);

/**
 * Saves everything on which the further steps depend.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_UNSUPPORTED` for a sparse linear system (diffusion).
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_save(struct fourbar_simulator *simulator, struct fourbar_simulator_state **out);

/**
 * Back to a checkpoint that this simulator saved; the further steps are those that followed it, bit for bit.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` for a checkpoint of another simulator: it is then where it was.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_restore(struct fourbar_simulator *simulator, const struct fourbar_simulator_state *saved);

/**
 * Frees a checkpoint. NULL is allowed.
 *
 * # Safety
 * `saved` is NULL or alive, and not used afterwards.
 */
void fourbar_simulator_state_free(struct fourbar_simulator_state *saved);

/**
 * The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
 *
 * # Safety
 * `simulator` is NULL (then the text is empty) or alive.
 */
const char *fourbar_simulator_error(const struct fourbar_simulator *simulator);

/**
 * Frees a simulator. NULL is allowed.
 *
 * # Safety
 * `simulator` is NULL or alive, and not used afterwards.
 */
void fourbar_simulator_free(struct fourbar_simulator *simulator);

/**
 * The numbers of inputs and of measured numbers; each may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_size(const struct fourbar_simulator *simulator, size_t *inputs, size_t *measures);

/**
 * The name of an input (`part` FOURBAR_PART_INPUT) or a measured number (FOURBAR_PART_MEASURE), `index` from 0. The text with its NUL goes to
 * `buffer` of `size` bytes, the bytes that it needs to `needed` (may be NULL); with `size` 0, `buffer` may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another part or an index beyond the last; `FOURBAR_LENGTH` for a buffer that is too short.
 *
 * # Safety
 * `simulator` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_name(const struct fourbar_simulator *simulator,
                                      int32_t part,
                                      size_t index,
                                      char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * Its unit, empty for a bare number, as `fourbar_simulator_name` does.
 *
 * Errors: as `fourbar_simulator_name`.
 *
 * # Safety
 * As `fourbar_simulator_name`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_unit(const struct fourbar_simulator *simulator,
                                      int32_t part,
                                      size_t index,
                                      char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * The index of the input or measured number of that name.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for another part, `FOURBAR_NO_SUCH_NAME` with the nearest name.
 *
 * # Safety
 * `simulator` is NULL or alive; `name` is NULL or ends with a NUL; `index` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_find(const struct fourbar_simulator *simulator, int32_t part, const char *name, size_t *index);

/**
 * From now on the input of that name has the value `value` and the rate `rate` \[1/s\]; the others go on as they were set. A rate makes the input a
 * ramp until it is set again.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `simulator` is NULL or alive; `name` is NULL or ends with a NUL.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_set_input(struct fourbar_simulator *simulator,
                                           const char *name,
                                           double value,
                                           double rate);

/**
 * From now on the inputs are polynomials about the present time: `values` holds value, first and second derivative of the first input, then of
 * the second, ...; `length` is three times their number.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`: the inputs then stay as they were.
 *
 * # Safety
 * `simulator` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_set_inputs(struct fourbar_simulator *simulator,
                                            const double *values,
                                            size_t length);

/**
 * The inputs now: value, first and second derivative of each, as for `fourbar_simulator_set_inputs`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `simulator` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_inputs(const struct fourbar_simulator *simulator, double *values, size_t length);

/**
 * All measured numbers of now, `length` values in the order of FOURBAR_PART_MEASURE: the columns that a run of the model has.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NUMERICAL` where they cannot be evaluated.
 *
 * # Safety
 * `simulator` is NULL or alive; `values` is NULL or has `length` values.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_measures(const struct fourbar_simulator *simulator, double *values, size_t length);

/**
 * The measured number of that name.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`; as `fourbar_simulator_measures`.
 *
 * # Safety
 * `simulator` is NULL or alive; `name` is NULL or ends with a NUL; `value` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_simulator_measure(const struct fourbar_simulator *simulator, const char *name, double *value);


/* ==================================================================================================================================
 * Contact and complementarity problems
 * ================================================================================================================================== */

/**
 * Kinds of problems.
 */
enum fourbar_contact_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * w = M z + q, 0 <= z _|_ w >= 0. In JSON: {"M": [[..], ..], "q": [..]}, matrices by rows.
   */
  FOURBAR_CONTACT_LCP = 1,
  /**
   * A u + B z + a = 0, w = C u + D z + b, 0 <= z _|_ w >= 0, u free. In JSON: an object with "A", "B", "C", "D", "a", "b".
   */
  FOURBAR_CONTACT_MIXED = 2,
  /**
   * u = W S + q with the law of Coulomb at each contact. In JSON: {"W": [[..], ..], "q": [..], "mu": [..]}, and "rows", "spinning", "rolling"
   * where contacts have other than three rows.
   */
  FOURBAR_CONTACT_FRICTION = 3,
  /**
   * Bodies, contacts and bilateral rows between them; W is never formed. In JSON: an object with "bodies", "contacts", "bilateral".
   */
  FOURBAR_CONTACT_GLOBAL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_contact_kind fourbar_contact_kind;
#else
typedef int32_t fourbar_contact_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A body. This struct keeps its size for ever.
 */
typedef struct fourbar_free_body {
  /**
   * 1/m \[1/kg\]; 0 for a body that nothing moves.
   */
  double inverse_mass;
  /**
   * Inverse inertia about the centre of mass in the frame of the rows \[1/(kg m^2)\], symmetric, 3 x 3.
   */
  double inverse_inertia[9];
  /**
   * Velocity of the centre of mass \[m/s\] and angular velocity \[rad/s\] without impulses.
   */
  double velocity[6];
} fourbar_free_body;

/**
 * A contact between two bodies. This struct keeps its size for ever.
 */
typedef struct fourbar_global_contact {
  /**
   * Bodies I and J by index; the number of bodies stands for the ground.
   */
  size_t bodies[2];
  /**
   * Coefficient of friction.
   */
  double mu;
  /**
   * Largest spinning torque over normal force \[m\].
   */
  double spinning;
  /**
   * Largest rolling torque over normal force \[m\].
   */
  double rolling;
  /**
   * Rows in use: 1, 3 or 6, the normal, two tangential, one of spinning, two of rolling.
   */
  uint32_t count;
  /**
   * 0.
   */
  uint32_t reserved;
  /**
   * J v = g . (v_I - v_J) + g_I . omega_I + g_J . omega_J, row by row: g, g_I, g_J.
   */
  double rows[6][9];
  /**
   * Added to J v, row by row \[m/s\]: restitution times velocity, or gap over step.
   */
  double bias[6];
} fourbar_global_contact;

/**
 * A row between two bodies on which J v + bias = 0. This struct keeps its size for ever.
 */
typedef struct fourbar_global_bilateral {
  /**
   * Bodies I and J by index; the number of bodies stands for the ground.
   */
  size_t bodies[2];
  /**
   * g, g_I, g_J as in `fourbar_global_contact`.
   */
  double row[9];
  /**
   * Added to J v \[m/s\].
   */
  double bias;
} fourbar_global_bilateral;

/**
 * Methods.
 */
enum fourbar_contact_method
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Picks, falls back, says what it did; for every kind of problem.
   */
  FOURBAR_CONTACT_AUTOMATIC = 0,
  /**
   * Block principal pivoting; for P and semidefinite matrices. For LCP and mixed problems.
   */
  FOURBAR_CONTACT_ACTIVE_SET = 1,
  /**
   * Lemke's complementary pivots. For LCP and mixed problems.
   */
  FOURBAR_CONTACT_LEMKE = 2,
  /**
   * Interior points. For LCP and mixed problems.
   */
  FOURBAR_CONTACT_INTERIOR_POINT = 3,
  /**
   * Nonsmooth Newton. For friction in reduced form.
   */
  FOURBAR_CONTACT_NEWTON = 4,
  /**
   * As an answer alone: the augmented Lagrangian of global problems.
   */
  FOURBAR_CONTACT_AUGMENTED_LAGRANGIAN = 5,
  /**
   * Gauss-Seidel, or SOR with a relaxation other than 1: projected, or block by block with the exact law of each contact. For every kind.
   */
  FOURBAR_CONTACT_GAUSS_SEIDEL = 6,
  /**
   * Enumeration of complementary bases; for a handful of pairs. For LCP and mixed problems.
   */
  FOURBAR_CONTACT_ENUMERATION = 7,
  /**
   * Interior point, then fixed point over second-order cone problems. For friction in reduced form.
   */
  FOURBAR_CONTACT_FIXED_POINT = 8,
  /**
   * As an answer alone: there was nothing to do.
   */
  FOURBAR_CONTACT_TRIVIAL = 9,
  /**
   * As an answer alone: the search for a proof that no solution exists.
   */
  FOURBAR_CONTACT_FEASIBILITY = 10,
  /**
   * As an answer alone: continuation in contact compliance.
   */
  FOURBAR_CONTACT_CONTINUATION = 11,
  /**
   * As an answer alone: block by block, where the matrix is block triangular in some order of the pairs.
   */
  FOURBAR_CONTACT_BLOCK_TRIANGULAR = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_contact_method fourbar_contact_method;
#else
typedef int32_t fourbar_contact_method;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A method and its options; set by `fourbar_contact_options_init` first.
 */
typedef struct fourbar_contact_options {
  /**
   * sizeof(fourbar_contact_options).
   */
  size_t struct_size;
  /**
   * A value of `fourbar_contact_method`; `FOURBAR_CONTACT_AUTOMATIC` by default.
   */
  int32_t method;
  /**
   * Iterations, pivots or sweeps at most; 0 (the default): that of the method. Not used by the automatic method and the fixed point; the largest
   * number of pairs of the enumeration.
   */
  uint32_t max_iterations;
  /**
   * Residual that counts as solved, `fourbar_contact_result.residual`; 0 (the default): 1e-10, with friction 1e-8.
   */
  double tolerance;
  /**
   * Relaxation of Gauss-Seidel, above 0, below 2; 1 by default. Not used for friction in reduced form.
   */
  double relaxation;
  /**
   * Work that a solve may take, in multiplications, about: the same problem ends at the same point on every machine; 0 (the default): without
   * limit. Then the best point until there is the answer, with `FOURBAR_CONTACT_OUT_OF_BUDGET`.
   */
  uint64_t work_max;
  /**
   * Wall-clock time that a solve may take \[s\]; 0 (the default): without limit. Answers then depend on the machine and its load.
   */
  double time_max;
} fourbar_contact_options;

/**
 * How a solve ended.
 */
enum fourbar_contact_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The residual of the problem as it was given is at most the tolerance.
   */
  FOURBAR_CONTACT_SOLVED = 0,
  /**
   * A path of pivots ended on a ray, which proves nothing.
   */
  FOURBAR_CONTACT_RAY = 1,
  /**
   * There is no solution: `fourbar_contact_solver_get_certificate` has the proof.
   */
  FOURBAR_CONTACT_INFEASIBLE = 2,
  /**
   * The equations of a mixed problem contradict each other.
   */
  FOURBAR_CONTACT_INCONSISTENT = 3,
  /**
   * The iterations ran out.
   */
  FOURBAR_CONTACT_MAX_ITERATIONS = 4,
  /**
   * Round-off, a singular matrix or lack of progress stopped the method.
   */
  FOURBAR_CONTACT_NUMERICAL_TROUBLE = 5,
  /**
   * The work or the time of the options was spent, or the solve was interrupted (`fourbar_interrupt_raise`).
   */
  FOURBAR_CONTACT_OUT_OF_BUDGET = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_contact_status fourbar_contact_status;
#else
typedef int32_t fourbar_contact_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a solve ended, and by how much the best point found misses the problem as it was given.
 */
typedef struct fourbar_contact_result {
  /**
   * sizeof(fourbar_contact_result).
   */
  size_t struct_size;
  /**
   * A value of `fourbar_contact_status`.
   */
  int32_t status;
  /**
   * Who solved it, or came nearest: a value of `fourbar_contact_method`.
   */
  int32_t method;
  /**
   * Iterations, pivots or sweeps, all tries together.
   */
  uint64_t iterations;
  /**
   * Number of tries; `fourbar_contact_solver_attempt` tells about the first 16.
   */
  uint64_t attempts;
  /**
   * Of a mixed problem: directions of u that its equations leave open.
   */
  uint64_t undetermined;
  /**
   * The one number that decides: the larger of `natural` and `mixed`, over the size of the constants, so that it is the same in any units; of a
   * global problem the natural map as a velocity over the largest velocity of the contacts without impulses.
   */
  double residual;
  /**
   * Scaled natural map. NaN for a global problem, as the next four.
   */
  double natural;
  /**
   * |z^T w|, in the units of z times w.
   */
  double complementarity;
  /**
   * Worst negative z, in its units.
   */
  double negative_z;
  /**
   * Worst negative w, in its units.
   */
  double negative_w;
  /**
   * Violation of the equations of a mixed problem over their largest constant, rows scaled.
   */
  double mixed;
} fourbar_contact_result;

/**
 * The linear complementarity problem of M (n x n, column after column) and q (n values).
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH` when the matrix cannot be that large.
 *
 * # Safety
 * The arrays are NULL or have as many values as said; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_lcp_new(size_t n, const double *m, const double *q, struct fourbar_contact_problem **out);

/**
 * The mixed problem of f free variables and n complementary pairs: A (f x f), B (f x n), C (n x f), D (n x n), each column after column,
 * a (f values, `constants`) and b (n values, `offsets`). An array without values may be NULL.
 *
 * Errors: as `fourbar_lcp_new`.
 *
 * # Safety
 * The arrays are NULL or have as many values as said; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_mixed_lcp_new(size_t f,
                                     size_t n,
                                     const double *a,
                                     const double *b,
                                     const double *c,
                                     const double *d,
                                     const double *constants,
                                     const double *offsets,
                                     struct fourbar_contact_problem **out);

/**
 * The problem with friction of `contacts` contacts in reduced form: W (n x n, column after column; symmetric for rigid
 * bodies; one that is not is taken as it stands) \[1/kg\], q (n values) \[m/s\], `mu` (one value
 * each). `rows` holds 1 (the normal), 3 (and two tangential rows) or 6 (and one of spinning, two of rolling) for each contact; NULL:
 * 3 each. `spinning` and `rolling` \[m\] hold one value each; NULL: 0. The rows of all contacts must be n.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH`; `FOURBAR_INVALID` for other numbers of rows, and coefficients below 0.
 *
 * # Safety
 * The arrays are NULL or have as many values as said; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_friction_new(size_t contacts,
                                    const uint32_t *rows,
                                    const double *mu,
                                    const double *spinning,
                                    const double *rolling,
                                    size_t n,
                                    const double *w,
                                    const double *q,
                                    struct fourbar_contact_problem **out);

/**
 * A problem from a JSON text, UTF-8 with a NUL at its end; `kind` is a value of `fourbar_contact_kind`, which says how it is written.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_TEXT` where the text is not UTF-8; `FOURBAR_INVALID` where it is not such a problem: the error says at which line
 * and column, or which matrix has the wrong shape.
 *
 * # Safety
 * `text` is NULL or ends with a NUL; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_problem_from_json(int32_t kind,
                                                 const char *text,
                                                 struct fourbar_contact_problem **out);

/**
 * The problem as a JSON text into `buffer` of `size` bytes; `needed` receives the bytes that it takes with its NUL. With `size` 0, `buffer` may be
 * NULL. All digits are kept.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` when the buffer is too short.
 *
 * # Safety
 * `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_problem_to_json(const struct fourbar_contact_problem *problem,
                                               char *buffer,
                                               size_t size,
                                               size_t *needed);

/**
 * What a problem is and how large: its `kind` (a value of `fourbar_contact_kind`), the number of free variables (of a mixed problem; of a global
 * one, six velocities a body) and of complementary variables or rows of contacts. Each may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_problem_size(const struct fourbar_contact_problem *problem,
                                            int32_t *kind,
                                            size_t *free,
                                            size_t *rows);

/**
 * Frees a problem. NULL is allowed.
 *
 * # Safety
 * `problem` is NULL or alive, and not used afterwards.
 */
void fourbar_contact_problem_free(struct fourbar_contact_problem *problem);

/**
 * The linear complementarity problem that arises from one of friction in reduced form (three or more rows a contact) when the cone becomes
 * a pyramid with `directions` sides, even and at least 4 (Stewart, Trinkle 1996).
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_UNSUPPORTED` for a problem of another kind; `FOURBAR_INVALID` for another number of directions, and for one
 * with which the problem would have more than 2^15 variables.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_friction_polyhedral(const struct fourbar_contact_problem *problem,
                                           uint32_t directions,
                                           struct fourbar_contact_problem **out);

/**
 * The impulses in the rows of the problem with friction (`length` = n values) from a solution z (`z_length` values) of the linear one.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_UNSUPPORTED`, `FOURBAR_INVALID`.
 *
 * # Safety
 * The arrays are NULL or have as many values as said; `problem` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_friction_polyhedral_impulses(const struct fourbar_contact_problem *problem,
                                                    uint32_t directions,
                                                    const double *z,
                                                    size_t z_length,
                                                    double *impulses,
                                                    size_t length);

/**
 * The problem with friction in global form: M (v - v_free) = J^T S, u = J v + bias, the law of Coulomb at each contact, u = 0 on bilateral
 * rows. Arrays without entries may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a body that does not exist, a contact of a body with itself, other numbers of
 * rows, coefficients below 0, a `reserved` that is not 0.
 *
 * # Safety
 * The arrays are NULL or have as many entries as said; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_global_friction_new(const struct fourbar_free_body *bodies,
                                           size_t body_count,
                                           const struct fourbar_global_contact *contacts,
                                           size_t contact_count,
                                           const struct fourbar_global_bilateral *bilaterals,
                                           size_t bilateral_count,
                                           struct fourbar_contact_problem **out);

/**
 * Sets the defaults; `size` is sizeof(fourbar_contact_options).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `options` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_options_init(struct fourbar_contact_options *options, size_t size);

/**
 * A solver; `options` NULL means the automatic method with its tolerance.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for an option out of its range.
 *
 * # Safety
 * The options are NULL or as they say; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_new(const struct fourbar_contact_options *options, struct fourbar_contact_solver **out);

/**
 * Solves a problem, from `start` (`length` values: z, or the impulses, of a similar problem; NULL: from nothing; not used for mixed
 * problems). Not to find a solution is no error of the call: `fourbar_contact_solver_result` says how it ended and with what residual. The problem
 * may be freed afterwards.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` and `FOURBAR_NOT_FINITE` for the start; `FOURBAR_UNSUPPORTED` where the method is not for problems of this kind;
 * `FOURBAR_INTERRUPTED`: the best point until then is the answer, with `FOURBAR_CONTACT_OUT_OF_BUDGET`.
 *
 * # Safety
 * `start` is NULL or has `length` values; the others are NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_solve(struct fourbar_contact_solver *solver,
                                            const struct fourbar_contact_problem *problem,
                                            const double *start,
                                            size_t length);

/**
 * How the last solve ended; `size` is sizeof(fourbar_contact_result).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_STATE` before the first solve.
 *
 * # Safety
 * `result` is NULL or has `size` bytes; `solver` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_result(const struct fourbar_contact_solver *solver,
                                             struct fourbar_contact_result *result,
                                             size_t size);

/**
 * The best point found: z (or the impulses) and w (or the velocities of contacts) of `rows` values each, u of `free` values (free variables of a
 * mixed problem; velocities of the bodies of a global one, six each), as `fourbar_contact_problem_size` says. Each may be NULL where it is not
 * asked for.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_STATE` before the first solve.
 *
 * # Safety
 * The arrays are NULL or have as many values as said; `solver` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_get(const struct fourbar_contact_solver *solver,
                                          double *z,
                                          double *w,
                                          size_t rows,
                                          double *u,
                                          size_t free);

/**
 * Impulses of the bilateral rows of a global problem, `length` values.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_STATE` before the first solve.
 *
 * # Safety
 * `impulses` is NULL or has `length` values; `solver` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_get_bilateral(const struct fourbar_contact_solver *solver, double *impulses, size_t length);

/**
 * The proof that there is no solution, `length` values, one for each row: of a linear problem y >= 0 with M^T y <= 0 and q^T y < 0; with friction y >= 0 in
 * the normal rows and 0 in the others with W y = 0 and q^T y < 0.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_STATE` where the last solve did not end with `FOURBAR_CONTACT_INFEASIBLE`.
 *
 * # Safety
 * `certificate` is NULL or has `length` values; `solver` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_get_certificate(const struct fourbar_contact_solver *solver,
                                                      double *certificate,
                                                      size_t length);

/**
 * One of the tries of the last solve, `i` from 0: who tried, how it ended (`fourbar_contact_status`), its iterations, the residual it reached. Each may be
 * NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such try; `FOURBAR_STATE` before the first solve.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_contact_solver_attempt(const struct fourbar_contact_solver *solver,
                                              size_t i,
                                              int32_t *method,
                                              int32_t *status,
                                              size_t *iterations,
                                              double *residual);

/**
 * The text of the last failure on this handle, empty before the first: valid as long as the handle.
 *
 * # Safety
 * `solver` is NULL or alive; no other thread uses it.
 */
const char *fourbar_contact_solver_error(const struct fourbar_contact_solver *solver);

/**
 * Frees a solver. NULL is allowed.
 *
 * # Safety
 * `solver` is NULL or alive, and not used afterwards.
 */
void fourbar_contact_solver_free(struct fourbar_contact_solver *solver);


/* ==================================================================================================================================
 * Coupled simulators
 * ================================================================================================================================== */

/**
 * How the partners are stepped from one communication point to the next.
 */
enum fourbar_algorithm
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * All at the same time with held inputs, values assigned crosswise afterwards (patent CN101908089A, figure 6).
   */
  FOURBAR_ALGORITHM_JACOBI_DELAYED = 1,
  /**
   * All at the same time, inputs extrapolated.
   */
  FOURBAR_ALGORITHM_JACOBI = 2,
  /**
   * One after the other: inputs from those that have stepped are interpolated, the others extrapolated.
   */
  FOURBAR_ALGORITHM_GAUSS_SEIDEL = 3,
  /**
   * Sweeps repeated from saved states until the inputs at the end of the step reproduce themselves. All partners must be able to restore.
   */
  FOURBAR_ALGORITHM_ITERATED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_algorithm fourbar_algorithm;
#else
typedef int32_t fourbar_algorithm;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How the fixed point of the iterated algorithm is sought.
 */
enum fourbar_acceleration
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Plain repetition.
   */
  FOURBAR_ACCELERATION_NONE = 0,
  /**
   * Relaxation with Aitken's factor.
   */
  FOURBAR_ACCELERATION_AITKEN = 1,
  /**
   * Broyden's quasi-Newton method.
   */
  FOURBAR_ACCELERATION_BROYDEN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_acceleration fourbar_acceleration;
#else
typedef int32_t fourbar_acceleration;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Settings of a co-simulation; set by `fourbar_coupling_options_init` first.
 */
typedef struct fourbar_coupling_options {
  /**
   * sizeof(fourbar_coupling_options).
   */
  size_t struct_size;
  /**
   * A value of `fourbar_algorithm`; `FOURBAR_ALGORITHM_JACOBI` by default.
   */
  int32_t algorithm;
  /**
   * Order of the polynomials that continue inputs over a step: 0 held, 1 straight lines, 2 parabolas (the default). Not used by the patent's. For
   * the iterated algorithm set 1 where the step times the angular frequency of what is exchanged exceeds 1.
   */
  uint32_t order;
  /**
   * Start time \[s\]; 0 by default.
   */
  double start;
  /**
   * End time \[s\], a whole number of communication steps from the start; infinity by default.
   */
  double end;
  /**
   * Communication step \[s\], the longest one if it is adaptive; 1e-3 by default.
   */
  double step;
  /**
   * Of the iterated algorithm: a value of `fourbar_acceleration`; `FOURBAR_ACCELERATION_BROYDEN` by default.
   */
  int32_t acceleration;
  /**
   * Of the iterated algorithm: sweeps at most; 20 by default.
   */
  uint32_t max_sweeps;
  /**
   * Of the iterated algorithm: largest relative change of an input over a sweep; 1e-8 by default.
   */
  double tolerance;
  /**
   * Relative tolerance of an adaptive communication step; 0 (the default): the step is constant.
   */
  double adaptive_tolerance;
  /**
   * First step of an adaptive communication step \[s\]; 0 (the default): a hundredth of `step`.
   */
  double adaptive_first;
  /**
   * Shortest adaptive communication step \[s\]; 0 (the default): 1e-6 of `step`.
   */
  double adaptive_shortest;
  /**
   * Simulated seconds per second of the wall clock; 0 (the default): as fast as possible.
   */
  double real_time_factor;
  /**
   * Not 0: algebraic loops among the outputs are solved; 1 by default.
   */
  int32_t solve_loops;
  /**
   * Not 0: communication steps end at events of partners that return early or know them beforehand; 0 by default.
   */
  int32_t events;
} fourbar_coupling_options;

/**
 * Makes an instance: as `fourbar_partner_create`, with the `user` pointer of the table first.
 */
typedef int32_t (*fourbar_partner_create_function)(void *user,
                                                   const fourbar_partner_options *options,
                                                   void **instance,
                                                   char *error,
                                                   size_t error_size);

/**
 * Takes inputs, steps, gives outputs: as `fourbar_partner_exchange`.
 */
typedef int32_t (*fourbar_partner_exchange_function)(void *instance, fourbar_partner_data *data, char *error, size_t error_size);

/**
 * Saves and restores: as `fourbar_partner_state`.
 */
typedef int32_t (*fourbar_partner_state_function)(void *instance,
                                                  int32_t action,
                                                  void *bytes,
                                                  size_t *size,
                                                  char *error,
                                                  size_t error_size);

/**
 * Ends an instance: as `fourbar_partner_destroy`.
 */
typedef void (*fourbar_partner_destroy_function)(void *instance);

/**
 * A partner within the host: what a shared library exports by fourbar_partner.h, as a table of functions with a pointer of the host; set by
 * `fourbar_partner_functions_init` first. The functions are called from the thread that steps the coupling, or from the partner's own; they
 * get `FOURBAR_BUSY` where they call back into the coupling.
 */
typedef struct fourbar_partner_functions {
  /**
   * sizeof(fourbar_partner_functions).
   */
  size_t struct_size;
  /**
   * Variables and abilities; copied.
   */
  const fourbar_partner_description *description;
  /**
   * Passed to `create`; the instance itself where `create` is NULL. Has to live until `fourbar_coupling_free` has returned.
   */
  void *user;
  /**
   * NULL: `user` is the instance.
   */
  fourbar_partner_create_function create;
  /**
   * Takes inputs, steps, gives outputs.
   */
  fourbar_partner_exchange_function exchange;
  /**
   * NULL: the partner cannot be saved.
   */
  fourbar_partner_state_function state;
  /**
   * NULL: nothing is to be done at the end.
   */
  fourbar_partner_destroy_function destroy;
} fourbar_partner_functions;

/**
 * How a partner takes part; set by `fourbar_partner_place_init` first.
 */
typedef struct fourbar_partner_place {
  /**
   * sizeof(fourbar_partner_place).
   */
  size_t struct_size;
  /**
   * It takes part in each so many-th communication point; 1 by default.
   */
  uint64_t every;
  /**
   * Time within which it must answer \[s\], on a thread of its own; 0 (the default): no limit. A late call is not broken off: where the
   * partner is functions of the host, `fourbar_coupling_free` waits for it; where it is a library, that is left to itself.
   */
  double time_limit;
  /**
   * Not 0: it has a thread of its own; 0 by default.
   */
  int32_t thread;
  /**
   * Number of parameters.
   */
  uint32_t parameter_count;
  /**
   * Names of the parameters that its instance is created with; NULL by default.
   */
  const char *const *parameter_names;
  /**
   * Their values, in the units that the partner states.
   */
  const double *parameter_values;
} fourbar_partner_place;

/**
 * Classes of faults.
 */
enum fourbar_fault_class
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A partner reports an error; stops the run by default.
   */
  FOURBAR_FAULT_COMMUNICATION = 1,
  /**
   * A value is NaN or infinite; stops the run by default.
   */
  FOURBAR_FAULT_SAMPLING = 2,
  /**
   * A partner is at another time than the clock; stops the run by default.
   */
  FOURBAR_FAULT_TIME = 3,
  /**
   * A partner does not answer within its limit; stops the run by default.
   */
  FOURBAR_FAULT_TIME_LIMIT = 4,
  /**
   * An iteration did not converge, or an algebraic loop was not solved; a warning by default.
   */
  FOURBAR_FAULT_CONVERGENCE = 5,
  /**
   * The tolerance is missed at the shortest step, an oscillation grows by the coupling, or the error of the whole run is estimated above 1 %; a
   * warning by default.
   */
  FOURBAR_FAULT_ACCURACY = 6,
  /**
   * The run is behind the wall clock; an information by default.
   */
  FOURBAR_FAULT_OVERRUN = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_fault_class fourbar_fault_class;
#else
typedef int32_t fourbar_fault_class;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How serious a fault is taken. The first two are for the last three classes, RETRY and HOLD for the first four.
 */
enum fourbar_fault_level
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Reported; the run goes on.
   */
  FOURBAR_LEVEL_INFORM = 1,
  /**
   * Reported as a warning; the run goes on.
   */
  FOURBAR_LEVEL_WARN = 2,
  /**
   * The partner returns to its last state and is asked again, as often as said; then the run stops.
   */
  FOURBAR_LEVEL_RETRY = 3,
  /**
   * As RETRY; then as HOLD.
   */
  FOURBAR_LEVEL_RETRY_THEN_HOLD = 4,
  /**
   * The last good values of the partner stand in until it gives good ones again.
   */
  FOURBAR_LEVEL_HOLD = 5,
  /**
   * The run ends.
   */
  FOURBAR_LEVEL_STOP = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_fault_level fourbar_fault_level;
#else
typedef int32_t fourbar_fault_level;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What was done about a fault.
 */
enum fourbar_fault_handling
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The run went on.
   */
  FOURBAR_HANDLING_INFORMED = 1,
  /**
   * The run went on; its results are less good.
   */
  FOURBAR_HANDLING_WARNED = 2,
  /**
   * The partner was asked again.
   */
  FOURBAR_HANDLING_RETRIED = 3,
  /**
   * The last good values were held.
   */
  FOURBAR_HANDLING_HELD = 4,
  /**
   * The partner was brought back from its last good saved state.
   */
  FOURBAR_HANDLING_RESTORED = 5,
  /**
   * The run ended.
   */
  FOURBAR_HANDLING_STOPPED = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_fault_handling fourbar_fault_handling;
#else
typedef int32_t fourbar_fault_handling;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a run stands.
 */
enum fourbar_run_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Set up, nothing exchanged yet.
   */
  FOURBAR_RUN_INITIALISED = 1,
  /**
   * Between two communication points; the next step goes on.
   */
  FOURBAR_RUN_RUNNING = 2,
  /**
   * The same, at rest.
   */
  FOURBAR_RUN_PAUSED = 3,
  /**
   * Stopped by a fault.
   */
  FOURBAR_RUN_FAILED = 4,
  /**
   * At its end time.
   */
  FOURBAR_RUN_FINISHED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_run_state fourbar_run_state;
#else
typedef int32_t fourbar_run_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Counts of a run.
 */
typedef struct fourbar_coupling_statistics {
  /**
   * sizeof(fourbar_coupling_statistics).
   */
  size_t struct_size;
  /**
   * Communication steps accepted.
   */
  uint64_t steps;
  /**
   * Communication steps undone because the tolerance was missed.
   */
  uint64_t rejected;
  /**
   * Sweeps of the iterated algorithm.
   */
  uint64_t sweeps;
  /**
   * Largest number of sweeps in one step.
   */
  uint64_t most_sweeps;
  /**
   * Steps whose iteration did not converge.
   */
  uint64_t unconverged;
  /**
   * Faults caught, retries included.
   */
  uint64_t faults;
  /**
   * Faults handled with a warning.
   */
  uint64_t warnings;
  /**
   * Times the last good values of a partner were held.
   */
  uint64_t held;
} fourbar_coupling_statistics;

/**
 * A parameter of a partner as it stands.
 */
typedef struct fourbar_parameter {
  /**
   * sizeof(fourbar_parameter).
   */
  size_t struct_size;
  /**
   * Value in its unit.
   */
  double value;
  /**
   * Smallest value; minus infinity where none is known.
   */
  double lowest;
  /**
   * Largest value; infinity where none is known.
   */
  double highest;
  /**
   * Not 0: `fourbar_coupling_set_parameter` may change it.
   */
  int32_t tunable;
  /**
   * 0.
   */
  int32_t reserved;
} fourbar_parameter;

/**
 * Sets the defaults; `size` is sizeof(fourbar_coupling_options).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `options` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_options_init(struct fourbar_coupling_options *options, size_t size);

/**
 * A coupling without partners; `options` NULL means the defaults.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID`. Ranges of the numbers are checked when the run is set up.
 *
 * # Safety
 * The options are NULL or as they say; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_new(const struct fourbar_coupling_options *options, struct fourbar_coupling **out);

/**
 * A coupling from the text of a model file of the type "coupled" (docs/model-format.md), UTF-8 with a NUL at its end. `file` is its name in
 * messages, and the files of its simulators are sought in the folder of that; NULL: the present folder. `options` NULL means those of the
 * model; else they replace them. More partners and connections may be added; where the model says in which sequence its simulators step,
 * those that are added follow in the order of their calls.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_FILE` for a file of a simulator; `FOURBAR_UNSUPPORTED`
 * for a model of another type.
 *
 * # Safety
 * Texts are NULL or end with a NUL; the options are NULL or as they say; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_from_toml(const char *text,
                                          const char *file,
                                          const struct fourbar_coupling_options *options,
                                          struct fourbar_coupling **out);

/**
 * Lets an output feed an input, both as "partner.variable": input = `gain` (output, converted to the unit of the input) + `offset`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_STATE` once the run has begun. Names, units and numbers are checked when the run is set up.
 *
 * # Safety
 * Texts are NULL or end with a NUL; `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_connect(struct fourbar_coupling *coupling,
                                        const char *from,
                                        const char *to,
                                        double gain,
                                        double offset);

/**
 * Frees a coupling: its instances are destroyed. It waits until functions of the host (`fourbar_coupling_add_functions`) that are still at
 * work on a partner's thread, after a `time_limit` say, have returned; then their instances are destroyed, each once. One that never
 * returns holds it for ever. A library (`fourbar_coupling_add_library`) that has not answered in time is left to itself. NULL is allowed.
 *
 * # Safety
 * `coupling` is NULL or alive, and not used afterwards.
 */
void fourbar_coupling_free(struct fourbar_coupling *coupling);

/**
 * All NULL; `size` is sizeof(fourbar_partner_functions).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `functions` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_partner_functions_init(struct fourbar_partner_functions *functions, size_t size);

/**
 * Sets the defaults; `size` is sizeof(fourbar_partner_place).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `place` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_partner_place_init(struct fourbar_partner_place *place, size_t size);

/**
 * Adds a partner within the host under `name`, without a dot; `place` NULL means the defaults. Its instance is created at once.
 *
 * Errors: `FOURBAR_NULL` (also where neither `create` nor `user` is given), `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`; `FOURBAR_STATE` once the run has begun; `FOURBAR_INVALID` for a name that
 * is there already or has a dot, `every` 0, and a description that cannot be used;
 * `FOURBAR_CALLBACK` where `create` fails.
 *
 * # Safety
 * Texts end with a NUL; the structs are as they say, the functions as fourbar_partner.h says; pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_add_functions(struct fourbar_coupling *coupling,
                                              const char *name,
                                              const struct fourbar_partner_functions *functions,
                                              const struct fourbar_partner_place *place);

/**
 * Adds a partner from the shared library at `path`, which exports the five functions of fourbar_partner.h and is loaded into this process,
 * under `name`, without a dot; `place` NULL means the defaults.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`; `FOURBAR_STATE` once the run has begun; `FOURBAR_FILE` where it cannot be read or loaded;
 * `FOURBAR_INVALID` where it is no such library; `FOURBAR_CALLBACK` where it creates no instance.
 *
 * # Safety
 * Texts end with a NUL; the place is as it says; the library keeps to fourbar_partner.h; pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_add_library(struct fourbar_coupling *coupling,
                                            const char *name,
                                            const char *path,
                                            const struct fourbar_partner_place *place);

/**
 * Sets how serious a class of faults (`fourbar_fault_class`) is taken (`fourbar_fault_level`); `attempts` is for the levels with RETRY, at least 1.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID`; `FOURBAR_STATE` once the run has begun. A level that cannot handle the class is refused when the run is set up.
 *
 * # Safety
 * `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_set_fault_level(struct fourbar_coupling *coupling,
                                                int32_t class_,
                                                int32_t level,
                                                uint32_t attempts);

/**
 * The number of faults that are kept, the first 10,000, and of all that were caught; each may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_fault_count(const struct fourbar_coupling *coupling, size_t *kept, uint64_t *all);

/**
 * Fault `i` (from 0): its level (`fourbar_fault_level`), what was done (`fourbar_fault_handling`), its time \[s\], and its text into `buffer` of `size` bytes as
 * `fourbar_coupling_output_name` does. `level`, `handling` and `time` may be NULL where they are not asked for.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such fault; `FOURBAR_LENGTH` when the buffer is too short.
 *
 * # Safety
 * `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_fault(const struct fourbar_coupling *coupling,
                                      size_t i,
                                      int32_t *level,
                                      int32_t *handling,
                                      double *time,
                                      char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * Sets up the run, if that is not done, and makes the initial exchange: everything is checked, and outputs have their values at the start.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NO_SUCH_NAME`, `FOURBAR_INVALID`, `FOURBAR_NOT_FINITE`, `FOURBAR_UNSUPPORTED` for what does not fit together: the coupling can then only be freed;
 * `FOURBAR_CALLBACK` with the fault that stopped the run; `FOURBAR_STATE` where it has no partners yet, which can still be added.
 *
 * # Safety
 * `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_start(struct fourbar_coupling *coupling);

/**
 * One communication step; the first sets up the run and makes the initial exchange before it. `state` receives a value of `fourbar_run_state`; at
 * the end time nothing is done. It may be NULL.
 *
 * Errors: as `fourbar_coupling_start`; a run that was stopped by a fault gives the same error again.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_step(struct fourbar_coupling *coupling,
                                     int32_t *state);

/**
 * Communication steps until the common time is `time` \[s\] or later, or the end time. `state` receives a value of `fourbar_run_state`; it may be
 * NULL.
 *
 * Errors: as `fourbar_coupling_step`; `FOURBAR_NOT_FINITE` for a time that is not finite, where the run has no end; `FOURBAR_INTERRUPTED` between two
 * communication steps, from where the run goes on.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_run_to(struct fourbar_coupling *coupling,
                                       double time,
                                       int32_t *state);

/**
 * The common time \[s\] and where the run stands (`fourbar_run_state`); each may be NULL where it is not asked for.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_STATE` before the run is set up.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_time(const struct fourbar_coupling *coupling, double *time, int32_t *state);

/**
 * What the run has cost so far; `size` is sizeof(fourbar_coupling_statistics).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_STATE` before the run is set up.
 *
 * # Safety
 * `statistics` is NULL or has `size` bytes; `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_get_statistics(const struct fourbar_coupling *coupling,
                                               struct fourbar_coupling_statistics *statistics,
                                               size_t size);

/**
 * The text of the last failure on this handle, empty before the first: valid as long as the handle.
 *
 * # Safety
 * `coupling` is NULL or alive; no other thread uses it.
 */
const char *fourbar_coupling_error(const struct fourbar_coupling *coupling);

/**
 * The state of the run between two communication steps as bytes, to be kept in a file or sent to another process: into `buffer` of `size` bytes;
 * `needed` receives how many they are, also where `size` is 0 and `buffer` NULL. `fourbar_coupling_restore` goes on from them.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a run that is not set up; `FOURBAR_UNSUPPORTED` where
 * partners cannot be saved, or not written down, with their names; `FOURBAR_CALLBACK` where one fails, or the run has.
 *
 * # Safety
 * `coupling` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_save(struct fourbar_coupling *coupling,
                                     uint8_t *buffer,
                                     size_t size,
                                     size_t *needed);

/**
 * Sets up the run, if that is not done, and goes on from the bytes of `fourbar_coupling_save`, written by a run of the same partners, connections and
 * settings, in this process or another; its end may be another one. The further steps have the bits that followed there. A run that was stopped goes on.
 *
 * Errors: `FOURBAR_NULL`; as `fourbar_coupling_start`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for
 * one of another run; `FOURBAR_UNSUPPORTED` for one that another version of the library wrote; `FOURBAR_CALLBACK` where a partner refuses its part.
 *
 * # Safety
 * `coupling` is NULL or alive; `bytes` is NULL or has `length` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_restore(struct fourbar_coupling *coupling,
                                        const uint8_t *bytes,
                                        size_t length);

/**
 * The value of an output, "partner.variable", as sampled last, in its unit.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`, `FOURBAR_INVALID` where the name has no dot; `FOURBAR_STATE` before the run is set up.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_get_output(const struct fourbar_coupling *coupling,
                                           const char *name,
                                           double *value);

/**
 * Sets an input that no output feeds, "partner.variable", in its unit: from the next communication step on, before the first from the initial
 * exchange on. Sets up the run, if that is not done.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_INVALID` where a connection feeds it; `FOURBAR_NOT_FINITE`; those of `fourbar_coupling_start`.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_set_input(struct fourbar_coupling *coupling,
                                          const char *name,
                                          double value);

/**
 * The numbers of all outputs and of all inputs; each may be NULL where it is not asked for. Sets up the run, if that is not done.
 *
 * Errors: `FOURBAR_NULL`; those of `fourbar_coupling_start`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_counts(struct fourbar_coupling *coupling, size_t *outputs, size_t *inputs);

/**
 * The name of output `i` (from 0, partner by partner), "partner.variable", into `buffer` of `size` bytes; `needed` receives the bytes that it takes with
 * its NUL. With `size` 0, `buffer` may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such output; `FOURBAR_LENGTH` when the buffer is too short; `FOURBAR_STATE` before the run is set up.
 *
 * # Safety
 * `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_output_name(const struct fourbar_coupling *coupling,
                                            size_t i,
                                            char *buffer,
                                            size_t size,
                                            size_t *needed);

/**
 * The same for input `i`.
 *
 * Errors: as `fourbar_coupling_output_name`.
 *
 * # Safety
 * As `fourbar_coupling_output_name`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_input_name(const struct fourbar_coupling *coupling,
                                           size_t i,
                                           char *buffer,
                                           size_t size,
                                           size_t *needed);

/**
 * The unit of an input or output, "partner.variable", into `buffer` as `fourbar_coupling_output_name` does.
 *
 * Errors: as `fourbar_coupling_output_name`; `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_unit(const struct fourbar_coupling *coupling,
                                     const char *name,
                                     char *buffer,
                                     size_t size,
                                     size_t *needed);

/**
 * The values of all outputs as sampled last, in the order of `fourbar_coupling_output_name`, each in its unit.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` before the run is set up.
 *
 * # Safety
 * `values` is NULL or has `length` values; `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_get_outputs(const struct fourbar_coupling *coupling, double *values, size_t length);

/**
 * A text of a partner as it stands, "partner.text", into `buffer` as `fourbar_coupling_output_name` does: a text output of an FMU, or what it was started with.
 *
 * Errors: as `fourbar_coupling_output_name`; `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_get_text(struct fourbar_coupling *coupling,
                                         const char *name,
                                         char *buffer,
                                         size_t size,
                                         size_t *needed);

/**
 * The number of parameters of all partners. Sets up the run, if that is not done.
 *
 * Errors: `FOURBAR_NULL`; those of `fourbar_coupling_start`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_parameter_count(struct fourbar_coupling *coupling, size_t *count);

/**
 * The name of parameter `i` (from 0, partner by partner), "partner.parameter", into `buffer` as `fourbar_coupling_output_name` does.
 *
 * Errors: as `fourbar_coupling_output_name`.
 *
 * # Safety
 * As `fourbar_coupling_output_name`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_parameter_name(struct fourbar_coupling *coupling,
                                               size_t i,
                                               char *buffer,
                                               size_t size,
                                               size_t *needed);

/**
 * A parameter as it stands, "partner.parameter"; `size` is sizeof(fourbar_parameter).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_STATE` before the run is set up.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; `parameter` is NULL or has `size` bytes; `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_get_parameter(struct fourbar_coupling *coupling,
                                              const char *name,
                                              struct fourbar_parameter *parameter,
                                              size_t size);

/**
 * The unit of a parameter, "partner.parameter", into `buffer` as `fourbar_coupling_output_name` does; empty where none is stated.
 *
 * Errors: as `fourbar_coupling_get_parameter`; `FOURBAR_LENGTH`.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_parameter_unit(struct fourbar_coupling *coupling,
                                               const char *name,
                                               char *buffer,
                                               size_t size,
                                               size_t *needed);

/**
 * Sets a tunable parameter of a partner, "partner.parameter", in its unit: it holds from the next communication step on, and goes into what
 * `fourbar_coupling_save` writes. Sets up the run, if that is not done.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` where it is fixed, fed by a connection, out of its
 * range, or refused by the partner: nothing has changed then; those of `fourbar_coupling_start`.
 *
 * # Safety
 * `name` is NULL or ends with a NUL; `coupling` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_coupling_set_parameter(struct fourbar_coupling *coupling,
                                              const char *name,
                                              double value);


/* ==================================================================================================================================
 * Runs of model files, and their results
 * ================================================================================================================================== */

/**
 * Settings that replace those of the model; set by `fourbar_run_options_init` first. A setting that the type of model does not have is
 * refused. Each has the name and the meaning that it has in model files and on the command line (docs/running.md).
 */
typedef struct fourbar_run_options {
  /**
   * sizeof(fourbar_run_options).
   */
  size_t struct_size;
  /**
   * End time \[s\]; 0 (the default, as for the others): that of the model.
   */
  double end;
  /**
   * Time between outputs \[s\].
   */
  double output_step;
  /**
   * Relative tolerance.
   */
  double tolerance;
  /**
   * Largest step of a mechanism or circuit \[s\].
   */
  double max_step;
  /**
   * Step of a linear system, of contacts with fixed steps, or between communication points \[s\].
   */
  double step;
  /**
   * Integrator of a mechanism, such as "gstiff"; NULL (the default, as for the other names): that of the model.
   */
  const char *integrator;
  /**
   * Formulation of a mechanism, such as "si2".
   */
  const char *formulation;
  /**
   * How contacts are followed, such as "event".
   */
  const char *contacts;
  /**
   * Method of a linear system, such as "exact".
   */
  const char *method;
  /**
   * Algorithm of coupled simulators, such as "gauss_seidel".
   */
  const char *algorithm;
  /**
   * Numerical damping of hht, -1/3 to 0; 1 (the default): that of the model.
   */
  double alpha;
  /**
   * Numerical damping of hht as the spectral radius at infinity, 0 to 1, in place of `alpha`; -1 (the default): that of the model.
   */
  double rho_infinity;
  /**
   * Most steps that the run of a mechanism or circuit may take; 0: those of the model.
   */
  uint64_t max_steps;
  /**
   * Largest order of the integrator of a mechanism or circuit, 1 to 6, of abam 1 to 12; 0: that of the model.
   */
  uint32_t max_order;
  /**
   * Order of the method of a linear system, 0 to 20, or degree of the inputs of coupled simulators, 0 to 2; -1 (the default): that of the
   * model.
   */
  int32_t order;
  /**
   * 1: the run keeps where its bodies are, and what acts on them, at its outputs, and its report shows them in motion; 0 (the default): it does not.
   */
  int32_t bodies;
} fourbar_run_options;

/**
 * How a run ended.
 */
enum fourbar_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * At the end time.
   */
  FOURBAR_OUTCOME_DONE = 1,
  /**
   * By `fourbar_run_interrupt` or `fourbar_interrupt_raise`, at an accepted step.
   */
  FOURBAR_OUTCOME_INTERRUPTED = 2,
  /**
   * With an error; the results up to the last accepted step stand.
   */
  FOURBAR_OUTCOME_FAILED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fourbar_outcome fourbar_outcome;
#else
typedef int32_t fourbar_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Sets the defaults; `size` is sizeof(fourbar_run_options).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `options` is NULL or has `size` bytes.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_options_init(struct fourbar_run_options *options, size_t size);

/**
 * Compiles the model file at `path`, of any type (docs/model-format.md); `options` NULL means those of the model.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_FILE`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_UNSUPPORTED` for a setting that the type of
 * model does not have.
 *
 * # Safety
 * `path` is NULL or ends with a NUL; the options are NULL or as they say; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_from_file(const char *path,
                                     const struct fourbar_run_options *options,
                                     struct fourbar_run **out);

/**
 * The same from the text of a model file, UTF-8 with a NUL at its end; `file` is its name in messages, and files that it names are sought in
 * the folder of that; NULL: the present folder.
 *
 * Errors: as `fourbar_run_from_file`.
 *
 * # Safety
 * Texts are NULL or end with a NUL; the options are NULL or as they say; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_from_toml(const char *text,
                                     const char *file,
                                     const struct fourbar_run_options *options,
                                     struct fourbar_run **out);

/**
 * Runs from the start to the end, or until `fourbar_run_interrupt`, or until what the thread watches is raised (`fourbar_interrupt_watch`); the results
 * before are replaced. `outcome` receives a value of `fourbar_outcome`: a
 * run that fails half way has results too, and `fourbar_run_summary` says why it failed.
 *
 * Errors: `FOURBAR_NULL`; those of a run that cannot begin.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_execute(struct fourbar_run *run,
                                   int32_t *outcome);

/**
 * Ends a run that is being executed, after its present step, or, where a step of a mechanism takes long, after the step before. May be called from any thread, at any time; does nothing where none is under way.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * `run` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_interrupt(const struct fourbar_run *run);

/**
 * The numbers of columns (without the time) and of rows; each may be NULL where it is not asked for. There are no rows before the run is
 * executed.
 *
 * Errors: `FOURBAR_NULL`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_size(const struct fourbar_run *run,
                                size_t *columns,
                                size_t *rows);

/**
 * The name of column `i` (from 0) into `buffer` of `size` bytes; `needed` receives the bytes that it takes with its NUL. With `size` 0, `buffer` may be
 * NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such column; `FOURBAR_LENGTH` when the buffer is too short.
 *
 * # Safety
 * `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_column_name(const struct fourbar_run *run,
                                       size_t i,
                                       char *buffer,
                                       size_t size,
                                       size_t *needed);

/**
 * The unit of column `i`, empty for a pure number, as `fourbar_run_column_name` does.
 *
 * Errors: as `fourbar_run_column_name`.
 *
 * # Safety
 * As `fourbar_run_column_name`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_column_unit(const struct fourbar_run *run, size_t i, char *buffer, size_t size, size_t *needed);

/**
 * The text of the last failure on this handle, empty before the first: valid as long as the handle.
 *
 * # Safety
 * `run` is NULL or alive; no other thread uses it.
 */
const char *fourbar_run_error(const struct fourbar_run *run);

/**
 * Frees a run and its results. NULL is allowed.
 *
 * # Safety
 * `run` is NULL or alive, and not used afterwards.
 */
void fourbar_run_free(struct fourbar_run *run);

/**
 * Compiles a model as it is now for a run from its start to its end, with the functions that it was given
 * (`fourbar_model_set_force_function`, `fourbar_model_set_motion_function`). `options` NULL means those of the model; an end time is needed here
 * or there. The model may be changed and freed afterwards; its functions are called by `fourbar_run_execute`, on its thread.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` naming what is wrong, where, and what to do;
 * `FOURBAR_NUMERICAL` where the model cannot be assembled; `FOURBAR_UNSUPPORTED` for a setting that a mechanism does not have; `FOURBAR_CALLBACK`
 * where a function of the host fails at the start.
 *
 * # Safety
 * `model` is NULL or alive; the options are NULL or as they say; `out` is NULL or valid; functions of the model may be called with their `user`
 * as long as the run lives.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_from_model(const struct fourbar_model *model,
                                      const struct fourbar_run_options *options,
                                      struct fourbar_run **out);

/**
 * The output times \[s\], `length` = number of rows.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` before the run is executed.
 *
 * # Safety
 * `times` is NULL or has `length` values; `run` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_times(const struct fourbar_run *run, double *times, size_t length);

/**
 * The values of column `i` at the output times, in its unit, `length` = number of rows.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_INVALID` where there is no such column; `FOURBAR_STATE` before the run is executed.
 *
 * # Safety
 * `values` is NULL or has `length` values; `run` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_series(const struct fourbar_run *run,
                                  size_t i,
                                  double *values,
                                  size_t length);

/**
 * The summary as a JSON text: model, status, end time, last values, statistics, warnings, error; into `buffer` as `fourbar_run_column_name` does.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` before the run is executed.
 *
 * # Safety
 * `buffer` is NULL or has `size` bytes; the others are NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_summary(const struct fourbar_run *run,
                                   char *buffer,
                                   size_t size,
                                   size_t *needed);

/**
 * Writes the table as CSV to the file at `path`: a header `time [s],tip.x [m],..`, then one line for each output time. The file is written beside its
 * place and put there when it is whole: a file of before stays as it is until then.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_FILE`; `FOURBAR_INVALID` for a file that the run reads; `FOURBAR_STATE` before the run is executed.
 *
 * # Safety
 * `path` is NULL or ends with a NUL; `run` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_write_csv(const struct fourbar_run *run,
                                     const char *path);

/**
 * Writes the report as one HTML page, with plots, that needs nothing else, to the file at `path`.
 *
 * Errors: as `fourbar_run_write_csv`.
 *
 * # Safety
 * As `fourbar_run_write_csv`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_run_write_report(const struct fourbar_run *run, const char *path);


/* ==================================================================================================================================
 * Rows as CSV
 * ================================================================================================================================== */

/**
 * Begins the file that is to stand at `path`, and writes its header: `count` names and units (NULL or "": a pure number; `units` NULL: all
 * of them). It is written beside its place, hidden, under the same name with `.part` at the end, and put there by `fourbar_csv_close`: until then a file of
 * before stays as it is. Links are followed; devices, pipes and standard streams are written directly. The header is in the hands of the
 * operating system when the function returns.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_FILE` with the answer of the operating system.
 *
 * # Safety
 * Texts end with a NUL; `names` is NULL or has `count` texts, `units` is NULL or has `count` of them; `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_csv_new(const char *path,
                               const char *const *names,
                               const char *const *units,
                               size_t count,
                               struct fourbar_csv **out);

/**
 * Writes a row: a time \[s\] and `length` values, as many as there are columns. Numbers have the fewest digits that give the same double back,
 * NaN and infinity are written as `NaN` and `inf`. The row is in the hands of the operating system when the function returns.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` once the file is closed; `FOURBAR_FILE`.
 *
 * # Safety
 * `values` is NULL or has `length` values; `csv` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_csv_write(struct fourbar_csv *csv,
                                 double time,
                                 const double *values,
                                 size_t length);

/**
 * Puts the file, which is whole now, to its place; what follows is only to free the handle.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_STATE` when it is closed already; `FOURBAR_FILE` where the last bytes cannot be written.
 *
 * # Safety
 * `csv` is NULL or alive.
 */
FOURBAR_MUST_USE fourbar_status fourbar_csv_close(struct fourbar_csv *csv);

/**
 * The text of the last failure on this handle, empty before the first: valid as long as the handle.
 *
 * # Safety
 * `csv` is NULL or alive; no other thread uses it.
 */
const char *fourbar_csv_error(const struct fourbar_csv *csv);

/**
 * Closes the file as `fourbar_csv_close` does if it is open, whatever becomes of its last bytes, and frees the handle. NULL is allowed.
 *
 * # Safety
 * `csv` is NULL or alive, and not used afterwards.
 */
void fourbar_csv_free(struct fourbar_csv *csv);


/* ==================================================================================================================================
 * Problems with known solutions
 * ================================================================================================================================== */

/**
 * The names of all problems, one a line, into `buffer` of `size` bytes; `needed` receives the bytes that they take with a NUL. With `size` 0,
 * `buffer` may be NULL.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` when the buffer is too short; `FOURBAR_UNSUPPORTED`.
 *
 * # Safety
 * `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_accuracy_names(char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * The problem `name`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_UNSUPPORTED`.
 *
 * # Safety
 * `name` is NULL or ends with a NUL, `out` is NULL or valid.
 */
FOURBAR_MUST_USE fourbar_status fourbar_accuracy_new(const char *name, struct fourbar_accuracy **out);

/**
 * What is asked for, as a JSON text into `buffer` as `fourbar_accuracy_names` does: `problem`, `title`, `times` \[s\], `columns` (each with `name`,
 * `unit`, `quantity`), `start` (their values at the first time), `model` (the model file of a mechanism, else null).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `problem` is NULL or alive; the others as of `fourbar_accuracy_names`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_accuracy_question(const struct fourbar_accuracy *problem,
                                         char *buffer,
                                         size_t size,
                                         size_t *needed);

/**
 * The errors of an answer, as a JSON text into `buffer` as `fourbar_accuracy_names` does: `position`, `velocity`, `acceleration`, `multiplier`, `state`
 * (relative, null where there is none) and `digits`. `values` holds all columns at the first time, then at the second, ...; `length` is
 * their number times that of the times. A column with a NaN is not compared.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `problem` is NULL or alive; `values` is NULL or has `length` values; the others as of `fourbar_accuracy_names`.
 */
FOURBAR_MUST_USE fourbar_status fourbar_accuracy_judge(const struct fourbar_accuracy *problem,
                                      const double *values,
                                      size_t length,
                                      char *buffer,
                                      size_t size,
                                      size_t *needed);

/**
 * Frees a problem. NULL is allowed.
 *
 * # Safety
 * `problem` is NULL or alive, and not used afterwards.
 */
void fourbar_accuracy_free(struct fourbar_accuracy *problem);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FOURBAR_H */
