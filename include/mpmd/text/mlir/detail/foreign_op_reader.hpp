#pragma once
/// Reads ops of unknown dialects into templates: see foreign_form.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/text/mlir/detail/foreign_lookahead.hpp>
#include <mpmd/text/mlir/detail/foreign_template.hpp>
#include <mpmd/text/mlir/detail/foreign_types.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/op_reader.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir::detail {

/// Reads one stretch of such an op: up to a region, or to its end. What has to outlive the stretch is kept in
/// the pending op: the template (text), the types written last (types), and how many parentheses are open
/// (number).
class foreign_op_reader {
 public:
  explicit foreign_op_reader(op_reader& in) : in_(in), at_(in.text()), op_(in.pending()), text_(op_.text) {
    if (in.regions_read() == 0) return;
    before_ = foreign_before::region;
    opened_.assign(op_.number >> 1, {'(', at_.offset(), 0});
    arrow_ = (op_.number & 1) != 0;
  }

  step run() {
    if (in_.regions_read() == 0 && !may_be_foreign()) return step::failed;
    for (;;) {
      std::size_t const from = at_.end_of_last();
      auto const gap = at_.text().substr(from, at_.offset() - from);
      if (opened_.empty() && foreign_op_ends(at_, before_, gap.find('\n') != std::string_view::npos))
        return finish();
      if (at_.at_end()) return fail_unclosed(), step::failed;
      if (!gap.empty()) text_ += ' ';
      bool const may_be_region = at_.next_is('{') && last_ != '=' && other_brackets_ == 0;
      if (may_be_region && at_region(at_)) return begin_region();
      if (!read_token()) return step::failed;
    }
  }

 private:
  /// A value as named, in the order of the text.
  struct mention {
    written_use use;
    std::size_t hole = 0;  // of its letter in the template
    bool binds = false;
    bool in_parentheses = false;
    ir::type type = {};
    ir::attribute location = {};
  };
  struct bracket {
    char open = 0;
    std::size_t at = 0;
    std::size_t first = 0;  // mention whose type has not come yet
  };

  bool fail(std::size_t at, std::string_view message) {
    in_.fail(at, message);
    return false;
  }
  bool fail_unclosed() {
    return fail(opened_.back().at, "expects the bracket that is opened here to be closed");
  }

  /// The dialects that are known have no ops but those that have forms.
  bool may_be_foreign() {
    std::string_view const name = in_.context().text(op_.state.kind);
    std::size_t const at = at_.end_of_last() - (at_.end_of_last() >= name.size() ? name.size() : 0);
    std::string_view const dialect = name.substr(0, name.find('.'));
    if (ir::info_of(op_.state.kind.id) != nullptr) return fail(at, "has no custom assembly form");
    for (std::string_view const known : {"builtin", "func", "mpmd", "sdy", "stablehlo"})
      if (dialect == known) return fail(at, "is unknown");
    return dialect.size() != name.size() || fail(at, "is unknown");
  }

  bool inside(char open) const { return !opened_.empty() && opened_.back().open == open; }

  step begin_region();
  step finish();

  // detail/foreign_op_tokens.hpp
  bool append(std::size_t length, foreign_before leaves = foreign_before::token);
  void append_written(std::string_view written);
  bool read_token();
  bool read_word();
  bool read_location();
  bool read_mention();
  bool read_hash();
  bool read_type();
  bool read_colon();
  bool read_arrow(bool more);
  bool read_result_types(bool arrow);
  bool read_types(std::vector<ir::type>& types, bool& arrow);
  bool read_type_list(std::vector<ir::type>& types);
  bool open(char c);
  bool close(char c);

  op_reader& in_;
  cursor& at_;
  pending_op& op_;
  std::string& text_;
  std::vector<mention> mentions_;
  std::vector<bracket> opened_;
  std::size_t other_brackets_ = 0;  // of opened_, those that are no parentheses
  foreign_before before_ = foreign_before::token;
  char last_ = 0;       // of what has been read
  ir::type last_type_;  // that has been read
  bool as_ = false;     // the last token is `as`
  bool arrow_ = false;  // op_.types stood behind an arrow
};

/// Now it is known which names the text binds.
inline step foreign_op_reader::begin_region() {
  if (in_.regions_read() == foreign_region_limit) return in_.fail(at_.offset(), "has too many regions");
  // The arguments of mhlo.while are named once, for both regions.
  bool const again =
      in_.regions_read() == 1 && mentions_.empty() && in_.context().text(op_.state.kind) == "mhlo.while";
  if (!again) op_.arguments.clear();
  for (mention const& m : mentions_) {
    if (!m.binds && !(m.in_parentheses && !in_.type_of(m.use))) {
      op_.uses.push_back(m.use);
      continue;
    }
    text_[m.hole] = 'a';
    op_.arguments.push_back({.name = m.use.name,
                             .at = m.use.at,
                             .type = m.type ? m.type : unknown_type(in_.context()),
                             .location = m.location});
  }
  text_ += again ? "%R" : "%r";
  op_.number = static_cast<std::uint32_t>(opened_.size()) << 1 | (arrow_ ? 1u : 0u);
  return in_.region(op_.arguments);
}

inline step foreign_op_reader::finish() {
  for (mention const& m : mentions_) {
    if (m.binds) return in_.fail(m.use.at, "names '%" + std::string(m.use.name) + "' for no region");
    op_.uses.push_back(m.use);
  }
  ir::context& context = in_.context();
  ir::function_type signature;
  for (written_use const& use : op_.uses) {
    ir::type const of = in_.type_of(use);
    signature.inputs.push_back(of ? of : unknown_type(context));
    if (!in_.resolve(use, {}, op_.state.operands)) return step::failed;
  }
  std::uint32_t region = 0, argument = 0;
  for (std::string_view rest = text_; !rest.empty();) {
    char const hole = next_piece(rest).hole;
    if (hole == 'a') {
      ir::block const entry = in_.program().first_block(op_.state.regions[region]);
      signature.inputs.push_back(in_.program().type_of(in_.program().argument(entry, argument++)));
    } else if (hole == 'r' || hole == 'R') {
      ++region;
      argument = 0;
    }
  }
  op_.state.results =
      foreign_results(context, context.text(op_.state.kind), in_.results_named(), op_.types, arrow_);
  signature.results = op_.state.results;
  in_.add_property(template_name, context.string(text_));
  ir::attribute const types = context.get(ir::type_attr{context.get(std::move(signature))});
  in_.add_property(signature_name, types);
  in_.add_property(seal_name, make_seal(context, context.text(op_.state.kind), text_, types));
  return step::done;
}

}  // namespace mpmd::text::mlir::detail

#include <mpmd/text/mlir/detail/foreign_op_tokens.hpp>
