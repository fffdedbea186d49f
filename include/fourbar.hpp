// fourbar: the C++17 face of fourbar.h. Header only, thin: each class owns one handle of the C ABI and calls it.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// - A status other than FOURBAR_OK becomes an exception: fourbar::error, with the status and the text.
// - Handles are owned: movable, freed by their destructors. Thread rules and units are those of fourbar.h.
// - Arrays are passed as fourbar::view, made from whatever has data() and size(), from C arrays, or from a pointer and a length.
// - Functions of the host are C++ callables, kept alive by the object that calls them. An exception thrown by one is caught before it
//   reaches the library, stops the call, and is thrown again from the C++ function that led to it, as the same object.

#ifndef FOURBAR_HPP
#define FOURBAR_HPP

#include "fourbar/accuracy.hpp"
#include "fourbar/contact.hpp"
#include "fourbar/core.hpp"
#include "fourbar/coupling.hpp"
#include "fourbar/equations.hpp"
#include "fourbar/library.hpp"
#include "fourbar/lti.hpp"
#include "fourbar/model.hpp"
#include "fourbar/problem.hpp"
#include "fourbar/results.hpp"
#include "fourbar/simulation.hpp"
#include "fourbar/simulator.hpp"

#endif
