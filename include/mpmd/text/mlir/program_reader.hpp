#pragma once
/// Reads whole programs: the driver of the forms.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/op_reader.hpp>
#include <mpmd/text/mlir/reader.hpp>
#include <mpmd/text/mlir/written_names.hpp>

namespace mpmd::text::mlir {

/// How deep regions may nest in text. Nothing depends on it but the memory that hostile input can claim.
inline constexpr std::size_t region_limit = 1u << 20;

/// Reads the ops of a text into an empty program. The regions that are open stand on a stack of its own. Linear in
/// the text. After an error it goes on at the next op; what it makes of a text with errors is of no use.
class program_reader {
 public:
  /// `names`, if any, gains the names of the values that are defined.
  program_reader(reader& syntax, ir::program& into, form_table const& forms, written_names* names = nullptr)
      : syntax_(syntax), in_(syntax.in), program_(into), ops_(syntax, into), forms_(forms), names_(names) {}

  /// Reads to the end of the text, or until `error_limit` errors have been reported.
  void read(std::size_t error_limit);

 private:
  struct result_group {
    std::string_view name;
    std::uint32_t count;
    std::uint32_t at;
  };
  /// An op that is being read, and the region of it that is open.
  struct frame {
    pending_op op = {};
    form const* reads_as = nullptr;
    std::vector<result_group> results = {};
    std::string_view dialect = {};  // may be left out of op names in the region
    std::size_t begin = 0;          // of the op in the text
    std::size_t name = 0;           // of its name
    std::size_t balanced = 0;       // behind its last complete region, or its begin
    std::size_t brace = 0;          // where the open region begins
    std::uint32_t result_count = 0;
    std::uint32_t regions_read = 0;
    ir::region region = {};
    ir::block block = {};
    std::unique_ptr<op_reader::block_names> blocks = {};
  };
  enum class opened { failed, open, empty };

  // detail/program_reader_ops.hpp
  void read_at_top();
  void read_in_region();
  void read_op();
  bool read_results(frame& f);
  bool read_name(frame& f);
  void advance(frame& f);
  bool finish(frame& f);
  bool sort_attributes(frame& f);
  bool report_repeated(frame const& f, ir::name name);
  ir::attribute dictionary(std::vector<named_attribute>& entries);
  void bind_results(frame const& f, ir::op made);
  void define(std::string_view name, value_scopes::meaning const& means);

  // detail/program_reader_regions.hpp
  opened open_region(frame& f);
  void close_region();
  bool define_entry_arguments(ir::block of);
  bool read_block_label(frame& f);

  // detail/program_reader_rest.hpp
  void read_file_metadata();
  void recover(std::size_t balanced);
  std::size_t op_on_line(std::size_t at) const;
  void poison(std::string_view name, std::size_t at);
  void finish_program();
  void report_undeclared();
  void resolve_locations();
  void adopt_module();

  bool is_failed() const { return syntax_.diags().errors() != 0; }

  reader& syntax_;
  cursor& in_;
  ir::program& program_;
  op_reader ops_;
  form_table const& forms_;
  written_names* names_;
  std::deque<frame> frames_;  // frames_[depth_] owns the innermost open region; references to frames stay valid
  std::size_t depth_ = 0;
  bool lost_ = false;  // after an error there was nothing to go on with
};

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/detail/program_reader_ops.hpp>
#include <mpmd/text/mlir/detail/program_reader_regions.hpp>
#include <mpmd/text/mlir/detail/program_reader_rest.hpp>
