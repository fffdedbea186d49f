//! Numbers for machines: sparse LU with a static order, rank detection, saddle-point solves, Newton iteration.
