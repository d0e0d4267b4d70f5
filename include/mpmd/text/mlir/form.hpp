#pragma once
/// What the reader and the printer need to know of an op that is not written in MLIR's generic form.
///
/// Regions nest as deeply as the input likes, so no form ever calls back into the reader or printer of ops. A form
/// that meets a region returns instead: the driver deals with the region, on a stack of its own, and then calls the
/// form again to go on behind it. Each call learns how many regions are done.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/opcodes.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::text::mlir {

class op_reader;
class op_printer;

/// What a form asks of its driver.
enum class step : std::uint8_t {
  failed,  ///< reading only: an error has been reported
  done,    ///< the op is complete
  region,  ///< the next region of the op comes now; call again behind it
};

/// The pretty form of one kind of op.
struct form {
  std::string_view name;

  /// Reads from behind the op's name, or behind the region that has just been read (op_reader::regions_read() says
  /// which); fills op_reader::pending(). The driver makes the op once the form is done.
  step (*read)(op_reader&) = nullptr;

  /// Prints the op's name and what follows, or what follows region `regions_printed - 1`.
  /// Null: the op has no pretty form in print.
  step (*print)(op_printer&, ir::op, std::uint32_t regions_printed) = nullptr;

  /// Whether the pretty form can say all there is to this op: the op may have been built or changed by anyone. If it
  /// cannot, the op is printed in generic form. Null: it always can.
  bool (*fits)(ir::program const&, ir::op) = nullptr;

  /// Brings inherent attributes into the one representation that the pretty and the generic form share, whichever of
  /// them has been read. May be null.
  void (*normalise)(ir::context&, std::vector<std::pair<ir::name, ir::attribute>>& properties) = nullptr;

  /// The name MLIR's printer suggests for the results (`cst`), not of the form `arg0` or `0`; empty: a number.
  /// May be null.
  std::string_view (*result_name)(ir::program const&, ir::op) = nullptr;

  /// The same for an argument of the entry block of a region. May be null.
  std::string_view (*argument_name)(ir::program const&, ir::op, std::uint32_t region, std::uint32_t argument) = nullptr;

  /// The dialect whose name may be left out directly inside the regions of the op.
  std::string_view default_dialect = {};
};

/// Finds the form of an op by its name. All ops with a form of their own stand in ir::known_ops.
class form_table {
 public:
  /// `foreign`, if any, reads and prints the pretty forms of ops that have no form of their own.
  template <class... Lists>
  constexpr explicit form_table(form const* foreign, Lists const&... lists) : foreign_(foreign) {
    (add(lists), ...);
  }

  /// The form of an op, or null.
  constexpr form const* find(ir::name kind) const { return kind.id < forms_.size() ? forms_[kind.id] : nullptr; }
  constexpr form const* foreign() const { return foreign_; }

 private:
  constexpr void add(std::span<form const> list) {
    for (form const& f : list)
      for (std::size_t id = 0; id < forms_.size(); ++id)
        if (ir::known_ops[id].name == f.name) forms_[id] = &f;
  }

  std::array<form const*, ir::known_ops.size()> forms_ = {};
  form const* foreign_;
};

}  // namespace mpmd::text::mlir
