/* fourbar: the C ABI. Generated from the crate capi; do not edit: UPDATE_HEADER=1 cargo test -p fourbar-capi --test header
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

/**
 * Bytes of an error text with its NUL; a longer text is cut at a character.
 */
#define FOURBAR_ERROR_SIZE 1024

/**
 * Version of the binary interface that the header describes: a library of the same number serves every program compiled against it.
 */
#define FOURBAR_ABI_VERSION 1

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
   * A number is NaN or infinite.
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
   * Pairs of doubles: every entry right to its last digits, at about ten times the time.
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
 * x(k+1) = e^{AT} x(k) + sum over i of Phi_i u(t_k + offset_i). It never changes: any number of threads may use it.
 */
typedef struct fourbar_discretization fourbar_discretization;

/**
 * A linear system that advances in steps: state, input history, outputs. Used by one thread at a time. No step allocates.
 */
typedef struct fourbar_stepper fourbar_stepper;

/**
 * Everything that changes as a stepper advances.
 */
typedef struct fourbar_stepper_state fourbar_stepper_state;

/**
 * A linear system dx/dt = A x + B u, y = C x + D u. It never changes: any number of threads may use it.
 */
typedef struct fourbar_system fourbar_system;

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
 * The input at the time `t` \[s\], which the host writes into the `m` values of `u`. Returns 0, or another number to stop (see
 * `fourbar_callback_error`). It may not call back into the stepper that called it.
 */
typedef int32_t (*fourbar_input_function)(void *user, double t, double *u, size_t m);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Called by a function of the host before it returns a number other than 0: why. The text, UTF-8 with a NUL at its end, becomes part of the
 * error that the outer call returns; it is copied. NULL is allowed: no reason.
 *
 * # Safety
 * `reason` is NULL or ends with a NUL.
 */
void fourbar_callback_error(const char *reason);

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
 * Version of the binary interface that the library has; compare it to `FOURBAR_ABI_VERSION` of the header.
 */
uint32_t fourbar_abi_version(void);

/**
 * Version of the library, such as "0.1.0". Never NULL, never freed.
 */
const char *fourbar_version(void);

/**
 * The matrices of a step of `step` \[s\] with a hold; `hold` NULL means the first-order hold.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_INVALID`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_OVERFLOW`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
fourbar_status fourbar_discretization_new(const struct fourbar_system *system,
                                          double step,
                                          const struct fourbar_hold *hold,
                                          struct fourbar_discretization **out);

/**
 * The number of samples that enter a step, those that it shares with the step before among them.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
fourbar_status fourbar_discretization_samples(const struct fourbar_discretization *discretization, size_t *samples);

/**
 * The times of all these samples as offsets from the beginning of the step \[s\]; `length` is that of `fourbar_discretization_samples`.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `offsets` is NULL or has `length` values.
 */
fourbar_status fourbar_discretization_offsets(const struct fourbar_discretization *discretization,
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
fourbar_status fourbar_discretization_exponential(const struct fourbar_discretization *discretization,
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
fourbar_status fourbar_discretization_input_matrix(const struct fourbar_discretization *discretization,
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
fourbar_status fourbar_system_suggest_step(const struct fourbar_system *system,
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
 * e^{AT} and G_i(T) = integral from 0 to T of e^{A(T-s)} s^i / i! ds for i = 0 .. `order`, for any A.
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
fourbar_status fourbar_g_matrices(size_t n,
                                  const double *a,
                                  double step,
                                  size_t order,
                                  double *exponential,
                                  double *g,
                                  size_t g_length);

/**
 * Sets the defaults (first-order hold); `size` is sizeof(fourbar_hold).
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
 *
 * # Safety
 * `hold` is NULL or has `size` bytes.
 */
fourbar_status fourbar_hold_init(struct fourbar_hold *hold, size_t size);

/**
 * Many steps through sampled input: `samples` holds the samples of one step after the other, `outputs` receives q values a step, `steps`
 * (may be NULL) their number. After a failure the stepper stands before the step that failed.
 *
 * Errors: as `fourbar_stepper_step`; `FOURBAR_LENGTH` when `samples` is not a whole number of steps or `outputs` does not fit it.
 *
 * # Safety
 * `samples` is NULL or has `samples_length` values, `outputs` is NULL or has `outputs_length`; they do not overlap.
 */
fourbar_status fourbar_stepper_run(struct fourbar_stepper *stepper,
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
 * number than 0; `FOURBAR_NOT_FINITE` when it writes NaN or infinity; `FOURBAR_STATE` for a method without start-up that lacks its history;
 * `FOURBAR_OVERFLOW`. The stepper then stands before the step that failed, and the outputs before it are written.
 *
 * # Safety
 * `outputs` is NULL or has `outputs_length` values; `input` is NULL or a function of the type, that does not unwind.
 */
fourbar_status fourbar_stepper_simulate(struct fourbar_stepper *stepper,
                                        fourbar_input_function input,
                                        void *user,
                                        double *outputs,
                                        size_t outputs_length);

/**
 * A stepper of `system` with steps of `step` \[s\], at t = 0 in the state 0; `hold` NULL means the first-order hold. The system may be
 * freed afterwards.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_INVALID`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_OVERFLOW`.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
fourbar_status fourbar_stepper_new(const struct fourbar_system *system,
                                   double step,
                                   const struct fourbar_hold *hold,
                                   struct fourbar_stepper **out);

/**
 * The number of samples that `fourbar_stepper_step` takes, of m values each.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
fourbar_status fourbar_stepper_samples(const struct fourbar_stepper *stepper, size_t *samples);

/**
 * The times of the samples that `fourbar_stepper_step` takes, as offsets from the beginning of the step \[s\]; `length` is the number that
 * `fourbar_stepper_samples` gives.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `offsets` is NULL or has `length` values.
 */
fourbar_status fourbar_stepper_offsets(const struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_startup_offsets(const struct fourbar_stepper *stepper,
                                               double *offsets,
                                               size_t length,
                                               size_t *count);

/**
 * Samples of the past that are still missing before `fourbar_stepper_step` may be called.
 *
 * # Safety
 * Pointers are NULL or valid.
 */
fourbar_status fourbar_stepper_missing_history(const struct fourbar_stepper *stepper, size_t *samples);

/**
 * The input at the present time is `u` (m values), and what came before is forgotten: at the beginning, and after a jump of the input.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `u` is NULL or has `length` values.
 */
fourbar_status fourbar_stepper_set_input(struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_set_history(struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_step(struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_start_step(struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_time(const struct fourbar_stepper *stepper, double *time, uint64_t *steps);

/**
 * x, n values.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
 *
 * # Safety
 * `x` is NULL or has `length` values.
 */
fourbar_status fourbar_stepper_get_state(const struct fourbar_stepper *stepper, double *x, size_t length);

/**
 * Puts the system into the state `x` (n values); the input history stays.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `x` is NULL or has `length` values.
 */
fourbar_status fourbar_stepper_set_state(struct fourbar_stepper *stepper, const double *x, size_t length);

/**
 * y = C x + D u for the present state and a given input `u` of m values; `y` receives q values.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
 *
 * # Safety
 * `u` is NULL or has `u_length` values, `y` is NULL or has `y_length`; they do not overlap.
 */
fourbar_status fourbar_stepper_output(const struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_local_error(const struct fourbar_stepper *stepper,
                                           double *error,
                                           size_t length);

/**
 * Back to t = 0, state 0 and an empty history.
 *
 * # Safety
 * `stepper` is NULL or alive.
 */
fourbar_status fourbar_stepper_reset(struct fourbar_stepper *stepper);

/**
 * Takes over time, state and present input of another stepper of the same system with another step or hold; the older input history is
 * forgotten.
 *
 * Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH` when the numbers of states or inputs differ, `FOURBAR_BUSY` when both are the same.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
fourbar_status fourbar_stepper_continue_from(struct fourbar_stepper *stepper,
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
fourbar_status fourbar_stepper_save(const struct fourbar_stepper *stepper, struct fourbar_stepper_state **out);

/**
 * The same into a copy made before by this stepper; allocates nothing.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
fourbar_status fourbar_stepper_save_into(const struct fourbar_stepper *stepper, struct fourbar_stepper_state *saved);

/**
 * Back to a saved state, exact to the last bit; allocates nothing.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_STATE` when it was saved by a stepper of other dimensions, another step or another hold.
 *
 * # Safety
 * Pointers are NULL or alive.
 */
fourbar_status fourbar_stepper_restore(struct fourbar_stepper *stepper, const struct fourbar_stepper_state *saved);

/**
 * Frees a saved state. NULL is allowed.
 *
 * # Safety
 * `saved` is NULL or alive, and not used afterwards.
 */
void fourbar_stepper_state_free(struct fourbar_stepper_state *saved);

/**
 * A system of n states, m inputs and q outputs from its matrices, each column after column: `a` n x n, `b` n x m, `c` q x n, `d` q x m.
 * A matrix without entries may be NULL. The matrices are copied.
 *
 * Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH` when a matrix cannot be that large.
 *
 * # Safety
 * The matrices are NULL or have as many values as said; `out` is NULL or valid.
 */
fourbar_status fourbar_system_new(size_t n,
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
fourbar_status fourbar_system_dimensions(const struct fourbar_system *system, size_t *n, size_t *m, size_t *q);

/**
 * Frees a system; steppers made from it live on. NULL is allowed.
 *
 * # Safety
 * `system` is NULL or alive, and not used afterwards.
 */
void fourbar_system_free(struct fourbar_system *system);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FOURBAR_H */
