#pragma once

/// \file
/// Everything that needs no host compiler. The adapters to other IRs and graph libraries are included
/// one by one, since each needs a library that only its users have.

#include <mpmd/version.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/hash.hpp>
#include <mpmd/support/interner.hpp>
#include <mpmd/support/source.hpp>
#include <mpmd/lattice/lattice.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/flow_graph.hpp>
#include <mpmd/graph/static_graph.hpp>
#include <mpmd/dataflow/cycle_solver.hpp>
#include <mpmd/dataflow/direction.hpp>
#include <mpmd/dataflow/fact_map.hpp>
#include <mpmd/dataflow/flow_order.hpp>
#include <mpmd/dataflow/node_numbering.hpp>
#include <mpmd/dataflow/observers.hpp>
#include <mpmd/dataflow/rank_set.hpp>
#include <mpmd/dataflow/solver.hpp>
#include <mpmd/dataflow/witness.hpp>
#include <mpmd/ir/attributes.hpp>
#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/context.hpp>
#include <mpmd/ir/dialect_attributes.hpp>
#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/handles.hpp>
#include <mpmd/ir/location_attributes.hpp>
#include <mpmd/ir/opcodes.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/types.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/naming.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>
#include <mpmd/text/mlir/value_scopes.hpp>
