#pragma once
/// Types and attributes of the mpmd and sdy dialects between MLIR and this library: by their text, which is the same
/// whether a host has registered the dialects or not.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <llvm/Support/raw_ostream.h>
#include <mlir/AsmParser/AsmParser.h>
#include <mlir/IR/Attributes.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Dialect.h>
#include <mlir/IR/MLIRContext.h>

#include <mpmd/ir/context.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::adapters {

/// Reads text into types and attributes of the library, each text once. What it returns is valid until the next text
/// is read: the memory is bounded, and starts anew when it is full.
class dialect_memory {
 public:
  /// That of the running thread. It holds answers that depend on the text alone, so contexts of MLIR may come and go.
  static dialect_memory& of_thread() {
    static thread_local dialect_memory memory;
    return memory;
  }

  /// Null where the text is none of the library's grammar.
  ir::type type(std::string const& text) {
    return look_up(types_, text, [](text::mlir::reader& r) { return r.parse_type(); });
  }
  ir::attribute attribute(std::string const& text) {
    return look_up(attributes_, text, [](text::mlir::reader& r) { return r.parse_attribute(); });
  }
  ir::context& context() { return *context_; }

 private:
  static constexpr std::size_t most_texts = std::size_t{1} << 14;

  template <class Map, class Parse>
  typename Map::mapped_type look_up(Map& map, std::string const& text, Parse parse) {
    if (auto const at = map.find(text); at != map.end()) return at->second;
    if (types_.size() + attributes_.size() >= most_texts) {
      types_.clear();
      attributes_.clear();
      context_ = std::make_unique<ir::context>();
    }
    diagnostics unheard;
    auto const [buffer, fits] = context_->sources.add({}, text);
    typename Map::mapped_type found = {};
    if (fits) {
      text::mlir::reader r(*context_, unheard, buffer);
      found = parse(r);
      if (unheard.errors() != 0 || !r.in.at_end()) found = {};
    }
    return map.emplace(text, found).first->second;
  }

  std::unique_ptr<ir::context> context_ = std::make_unique<ir::context>();
  std::unordered_map<std::string, ir::type> types_;
  std::unordered_map<std::string, ir::attribute> attributes_;
};

/// As MLIR prints them.
template <class Printed>
std::string printed(Printed const& what) {
  std::string text;
  llvm::raw_string_ostream out(text);
  what.print(out);
  return text;
}

namespace detail {
inline std::string dialect_symbol(char sigil, llvm::StringRef dialect, llvm::StringRef data) {
  std::string text(1, sigil);
  text.append(dialect.data(), dialect.size()).append("<").append(data.data(), data.size()).append(">");
  return text;
}
/// Of `!mpmd.mesh_tensor<...>` what follows the dialect and the dot; empty where the text is not of that form.
inline llvm::StringRef dialect_data(std::string_view text, llvm::StringRef& dialect) {
  auto const dot = text.find_first_of(".<\"");
  if (text.size() < 2 || dot == std::string_view::npos || text[dot] != '.') return {};
  dialect = llvm::StringRef(text.data() + 1, dot - 1);
  return llvm::StringRef(text.data() + dot + 1, text.size() - dot - 1);
}
}  // namespace detail

/// How types and attributes of dialects are read and made where those dialects are not registered, and, by their text,
/// where they are. A host with C++ classes for them can do better in the policy of its own; see mlir.hpp.
struct dialect_text {
  using Type = ::mlir::Type;
  using Attribute = ::mlir::Attribute;

  /// The text of a type, fit to be read.
  static std::string text(Type t) {
    if (auto const opaque = llvm::dyn_cast<::mlir::OpaqueType>(t))
      return detail::dialect_symbol('!', opaque.getDialectNamespace(), opaque.getTypeData());
    return printed(t);
  }
  static std::string text(Attribute a) {
    if (auto const opaque = llvm::dyn_cast<::mlir::OpaqueAttr>(a))
      return detail::dialect_symbol('#', opaque.getDialectNamespace(), opaque.getAttrData());
    return printed(a);
  }
  /// The type that a text in the library's spelling means.
  static Type type(::mlir::MLIRContext* in, std::string_view text) {
    llvm::StringRef dialect;
    auto const data = text.starts_with('!') ? detail::dialect_data(text, dialect) : llvm::StringRef{};
    if (!data.empty() && in->getLoadedDialect(dialect) == nullptr)
      return ::mlir::OpaqueType::get(::mlir::StringAttr::get(in, dialect), data);
    return ::mlir::parseType(llvm::StringRef(text.data(), text.size()), in);
  }
  static Attribute attribute(::mlir::MLIRContext* in, std::string_view text) {
    llvm::StringRef dialect;
    auto const data = text.starts_with('#') ? detail::dialect_data(text, dialect) : llvm::StringRef{};
    if (!data.empty() && in->getLoadedDialect(dialect) == nullptr)
      return ::mlir::OpaqueAttr::get(::mlir::StringAttr::get(in, dialect), data, ::mlir::NoneType::get(in));
    return ::mlir::parseAttribute(llvm::StringRef(text.data(), text.size()), in);
  }
  /// Whether a type can be one of the mpmd dialect; asked before its text is.
  static bool is_dialect_type(Type t) {
    auto const opaque = llvm::dyn_cast<::mlir::OpaqueType>(t);
    return opaque ? opaque.getDialectNamespace() == "mpmd" : t.getDialect().getNamespace() == "mpmd";
  }
};

/// The mesh tensor that a type is, or null; valid until the next text is read.
template <class Policy>
ir::mesh_tensor_type const* mesh_tensor(::mlir::Type t) {
  if (!t || !Policy::is_dialect_type(t)) return nullptr;
  auto& memory = dialect_memory::of_thread();
  return memory.context().get_if<ir::mesh_tensor_type>(memory.type(Policy::text(t)));
}
/// The attribute of the library's that an MLIR attribute stands for, if it is one of that kind, else null; valid until
/// the next text is read.
template <class Data, class Policy>
Data const* dialect_attribute(::mlir::Attribute a) {
  if (!a || (a.getDialect().getNamespace() == "builtin" && !llvm::isa<::mlir::OpaqueAttr>(a))) return nullptr;
  auto& memory = dialect_memory::of_thread();
  return memory.context().get_if<Data>(memory.attribute(Policy::text(a)));
}
/// An attribute of the library's as one of MLIR's.
template <class Policy, class Data>
::mlir::Attribute to_mlir(::mlir::MLIRContext* in, Data data) {
  ir::context& made = dialect_memory::of_thread().context();
  return Policy::attribute(in, text::mlir::to_string(made, made.get(std::move(data))));
}

}  // namespace mpmd::adapters
