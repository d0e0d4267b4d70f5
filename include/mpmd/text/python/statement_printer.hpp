#pragma once
/// Prints the statements of a host function.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/text/python/expression_printer.hpp>
#include <mpmd/text/python/literals.hpp>

namespace mpmd::text::python {

class statement_printer {
 protected:
  explicit statement_printer(ir::program const& p) : p_(p), in_(p.context()), print_(p, out_) {}

  /// Python allows a hundred levels of indentation, and each costs every line in it four blanks. From here on, domains
  /// that hold nothing but another one share a header with it, and an `else` that holds nothing but an `if` shares its
  /// line.
  static constexpr std::size_t joined_from = 64;

  void indent(std::size_t depth) { out_.append(4 * depth, ' '); }
  void line(std::size_t depth, std::string_view text) {
    indent(depth);
    out_.append(text).append("\n");
  }

  /// Something still to be printed: the rest of a block, the line of an `else`, or an if that is the whole of an else.
  struct pending {
    enum class part : std::uint8_t { block, else_line, elif_branch };
    ir::op next = {};
    std::size_t depth = 0;
    ir::op yields_to = {};  ///< the branch or loop which a yield in the block ends
    bool empty = true;
    part is = part::block;
    expression_printer::surroundings around = {};
  };

  ir::op next_statement(ir::op o) const {
    while (o && !ir::host::is_statement(p_, o)) o = p_.next_op(o);
    return o;
  }
  ir::op first_statement(ir::op o, std::size_t region = 0) const {
    ir::block const b = ir::host::body_of(p_, o, region);
    return b ? next_statement(p_.first_op(b)) : ir::op{};
  }

  void body(ir::op f, bool empty) {
    todo_.push_back({.next = first_statement(f), .depth = 2, .empty = empty, .around = print_.around()});
    while (!todo_.empty()) {
      pending now = todo_.back();
      todo_.pop_back();
      print_.set(now.around);
      if (now.is == pending::part::else_line) {
        line(now.depth, "else:");
        continue;
      }
      ir::op const o = now.next;
      if (now.is == pending::part::elif_branch) {
        indent(now.depth);
        branch(o, now, "elif ");
        continue;
      }
      if (!o) {
        if (now.empty) line(now.depth, "pass");
        continue;
      }
      pending rest = now;
      rest.next = next_statement(p_.next_op(o));
      rest.empty = false;
      todo_.push_back(rest);
      indent(now.depth);
      statement(o, now, !rest.next);
    }
  }

  void names(std::span<ir::value const> list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ", ";
      print_.name(list[i]);
    }
  }
  void expressions(std::span<ir::value const> list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ", ";
      print_.expression(list[i]);
    }
  }
  /// `(a, b)`, `(a,)`.
  template <class Print>
  void tuple(std::span<ir::value const> list, Print print) {
    out_ += '(';
    print(list);
    out_ += list.size() == 1 ? ",)" : ")";
  }
  void declared(ir::value v) {
    print_.name(v);
    out_ += ": ";
    print_.type_of(v);
    out_ += " = ";
  }

  void statement(ir::op o, pending const& at, bool last) {
    switch (static_cast<ir::opcode>(p_.kind(o).id)) {
      case ir::opcode::host_assign: {
        ir::value const to = p_.operand(o, 0);
        declared(to);
        // A reader gives an ordinary call the window that the variable's type names; this one may have none.
        print_.expression(p_.operand(o, 1), ir::host::is_windowed(in_, p_.type_of(to)));
        break;
      }
      case ir::opcode::host_eval: print_.expression(p_.operand(o, 0)); break;
      case ir::opcode::host_return:
        out_ += p_.operand_count(o) == 0 ? "return" : "return ";
        expressions(p_.operands(o));
        break;
      case ir::opcode::host_yield: yield(o, at, last); break;
      case ir::opcode::host_break: out_ += "break"; break;
      case ir::opcode::host_continue: out_ += "continue"; break;
      case ir::opcode::host_if: branch(o, at, "if "); return;
      case ir::opcode::host_for: loop(o, at); return;
      case ir::opcode::host_while: while_loop(o, at); return;
      case ir::opcode::host_scope: scope(o, at); return;
      case ir::opcode::host_comm_domain: domain(o, at); return;
      default: out_ += "pass"; break;
    }
    out_ += '\n';
  }

  void yield(ir::op o, pending const& at, bool last) {
    std::span<ir::value const> results;
    if (at.yields_to && last) {
      if (p_.is(at.yields_to, ir::opcode::host_if))
        results = p_.operands(at.yields_to).subspan(1);
      else if (p_.is(at.yields_to, ir::opcode::host_for))
        results = ir::host::parts_of_for(p_, at.yields_to).results;
      else
        results = ir::host::parts_of_while(p_, at.yields_to).results;
    }
    if (results.size() != p_.operand_count(o)) results = {};
    if (results.size() == 1) {
      declared(results[0]);
    } else if (!results.empty()) {
      names(results);
      out_ += " = ";
    }
    out_ += "pl.yield_(";
    expressions(p_.operands(o));
    out_ += ')';
  }

  void inner(ir::op o, pending const& at, std::size_t region, ir::op yields_to,
             expression_printer::surroundings around) {
    todo_.push_back({.next = first_statement(o, region), .depth = at.depth + 1, .yields_to = yields_to, .around = around});
  }

  void branch(ir::op o, pending const& at, std::string_view word) {
    out_ += word;
    print_.expression(p_.operand(o, 0));
    out_ += ":\n";
    if (p_.regions(o).size() > 1) {
      ir::op const first = first_statement(o, 1);
      bool const only_if = at.depth >= joined_from && first && p_.is(first, ir::opcode::host_if) &&
                           p_.operand_count(o) == 1 && !next_statement(p_.next_op(first));
      if (only_if) {
        todo_.push_back({.next = first, .depth = at.depth, .is = pending::part::elif_branch, .around = at.around});
      } else {
        inner(o, at, 1, o, at.around);
        todo_.push_back({.depth = at.depth, .is = pending::part::else_line, .around = at.around});
      }
    }
    inner(o, at, 0, o, at.around);
  }

  void loop(ir::op o, pending const& at) {
    auto const parts = ir::host::parts_of_for(p_, o);
    out_ += "for ";
    print_.name(parts.variable);
    if (!parts.carried.empty()) {
      out_ += ", ";
      tuple(parts.carried, [this](auto list) { names(list); });
    }
    out_.append(" in pl.").append(ir::host::loop_kind(p_, o)).append("(");
    auto is = [this](ir::value v, std::int64_t n) {
      return ir::host::constant_int(p_, v) == n && ir::host::dtype_name(in_, p_.type_of(v)) == "INDEX";
    };
    bool const unit = is(parts.step, 1);
    if (!unit || !is(parts.start, 0)) {
      print_.expression(parts.start);
      out_ += ", ";
    }
    print_.expression(parts.stop);
    if (!unit) {
      out_ += ", ";
      print_.expression(parts.step);
    }
    if (!parts.carried.empty()) {
      out_ += ", init_values=";
      tuple(parts.initial, [this](auto list) { expressions(list); });
    }
    print_.keywords(o);
    out_ += "):\n";
    inner(o, at, 0, o, at.around);
  }

  void while_loop(ir::op o, pending const& at) {
    auto const parts = ir::host::parts_of_while(p_, o);
    ir::block const test = ir::host::body_of(p_, o, 0);
    ir::op const condition = test ? p_.last_op(test) : ir::op{};
    bool const known = condition && p_.is(condition, ir::opcode::host_condition) && p_.operand_count(condition) == 1;
    if (parts.carried.empty()) {
      out_ += "while ";
    } else {
      out_ += "for ";
      tuple(parts.carried, [this](auto list) { names(list); });
      out_ += " in pl.while_(init_values=";
      tuple(parts.initial, [this](auto list) { expressions(list); });
      out_ += "):\n";
      indent(at.depth + 1);
      out_ += "pl.cond(";
    }
    if (known) print_.expression(p_.operand(condition, 0));
    out_ += parts.carried.empty() ? ":\n" : ")\n";
    inner(o, at, 1, o, at.around);
    todo_.back().empty = parts.carried.empty();
  }

  void scope(ir::op o, pending const& at) {
    out_.append("with pl.").append(ir::host::text_of(p_, o, "kind")).append("(");
    auto const arguments = ir::host::segment(p_, o, 0);
    expressions(arguments);
    std::size_t const from = out_.size();
    print_.keywords(o);
    if (arguments.empty() && out_.size() > from) out_.erase(from, 2);
    out_ += "):\n";
    inner(o, at, 0, at.yields_to, {.host = false, .domain = at.around.domain});
  }

  void domain(ir::op o, pending const& at) {
    out_ += "with ";
    while (true) {
      domain_header(o);
      ir::op const first = first_statement(o);
      if (at.depth < joined_from || !first || !p_.is(first, ir::opcode::host_comm_domain) ||
          next_statement(p_.next_op(first)))
        break;
      out_ += ", ";
      o = first;
    }
    out_ += ":\n";
    inner(o, at, 0, at.yields_to, {.host = at.around.host, .domain = true});
  }
  void domain_header(ir::op o) {
    out_ += "pl._dump.comm_domain(name=";
    append_quoted(out_, ir::host::domain_name(p_, o));
    out_ += ", devices=[";
    bool first = true;
    for (auto const d : ir::host::devices(p_, o)) {
      if (!first) out_ += ", ";
      out_ += std::to_string(d);
      first = false;
    }
    out_ += "], slots=[";
    first = true;
    for (ir::value const w : ir::host::slots(p_, o)) {
      if (!first) out_ += ", ";
      first = false;
      print_.descriptor(w);
    }
    out_ += ']';
    if (auto const* attrs = p_.attr_if<ir::dictionary_attr>(o, "attrs"); attrs && !attrs->entries.empty()) {
      out_ += ", attrs=";
      print_.dictionary(o, "attrs");
    }
    out_ += ')';
  }

  ir::program const& p_;
  ir::context& in_;
  std::string out_;
  expression_printer print_;

 private:
  std::vector<pending> todo_;
};

}  // namespace mpmd::text::python
