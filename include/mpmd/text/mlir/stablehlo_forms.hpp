#pragma once
/// The pretty forms of the StableHLO dialect. Ops of the dialect that are not listed (gather, scatter, sort,
/// if, case, the collectives, ...) have no pretty form: the dialect itself writes them generically.
///
/// Source: the assembly formats of the StableHLO dialect, version 1. What is read from either form of an op
/// is the same (see normalise()), and what an edited op cannot say in its pretty form makes it print
/// generically.

#include <mpmd/text/mlir/stablehlo_forms_calls.hpp>
#include <mpmd/text/mlir/stablehlo_forms_data.hpp>
#include <mpmd/text/mlir/stablehlo_forms_dot.hpp>
#include <mpmd/text/mlir/stablehlo_forms_regions.hpp>
#include <mpmd/text/mlir/stablehlo_forms_simple.hpp>
