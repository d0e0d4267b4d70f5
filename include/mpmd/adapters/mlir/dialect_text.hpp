#pragma once
/// Types and attributes of the mpmd and sdy dialects between MLIR and this library: by their text, which is the same
/// whether a host has registered the dialects or not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
std::string printed(Printed what) {
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

/// A type of the library's as one of MLIR's; those that are frequent without a detour over text.
template <class Policy>
::mlir::Type to_mlir(::mlir::MLIRContext* in, ir::context const& from, ir::type t) {
  if (auto const* i = from.get_if<ir::integer_type>(t)) {
    using enum ir::signedness;
    auto const sign = i->sign == signless    ? ::mlir::IntegerType::Signless
                      : i->sign == is_signed ? ::mlir::IntegerType::Signed
                                             : ::mlir::IntegerType::Unsigned;
    return ::mlir::IntegerType::get(in, i->width, sign);
  }
  if (auto const* f = from.get_if<ir::float_type>(t)) {
    if (f->keyword == "f32") return ::mlir::FloatType::getF32(in);
    if (f->keyword == "bf16") return ::mlir::FloatType::getBF16(in);
  }
  auto const* tensor = from.get_if<ir::tensor_type>(t);
  bool const simple = tensor && !tensor->encoding && std::all_of(tensor->shape.begin(), tensor->shape.end(),
                                                                 [](std::int64_t extent) { return extent >= 0; });
  if (simple && (from.get_if<ir::integer_type>(tensor->element) || from.get_if<ir::float_type>(tensor->element)))
    return ::mlir::RankedTensorType::get(tensor->shape, to_mlir<Policy>(in, from, tensor->element));
  return Policy::type(in, text::mlir::to_string(from, t));
}

/// What a mesh tensor is made of. `sharding`: null where it is whole on each device.
struct mlir_mesh_tensor {
  std::string mesh;
  ::mlir::Type global;
  ::mlir::Attribute sharding = {};
  std::string memory_kind = {};
};

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
  /// What a mesh tensor is made of; nullopt for any other type.
  static std::optional<mlir_mesh_tensor> placed(Type t) {
    auto const* found = read(t);
    if (found == nullptr) return std::nullopt;
    ir::context const& memory = dialect_memory::of_thread().context();
    mlir_mesh_tensor parts{found->mesh, to_mlir<dialect_text>(t.getContext(), memory, found->global), {},
                           found->memory_kind.value_or("")};
    if (found->sharding) parts.sharding = attribute(t.getContext(), text::mlir::to_string(memory, found->sharding));
    return parts;
  }
  /// The type of a tensor on a mesh, whole on each device.
  static Type place(Type tensor, std::string_view mesh, std::string_view memory_kind) {
    auto& memory = dialect_memory::of_thread();
    ir::mesh_tensor_type made{std::string(mesh), memory.type(text(tensor))};
    if (!memory_kind.empty()) made.memory_kind = std::string(memory_kind);
    ir::context& c = memory.context();
    return type(tensor.getContext(), text::mlir::to_string(c, c.get(std::move(made))));
  }

 protected:
  /// Valid until the next text is read.
  static ir::mesh_tensor_type const* read(Type t) {
    if (!t) return nullptr;
    auto const opaque = llvm::dyn_cast<::mlir::OpaqueType>(t);
    if ((opaque ? opaque.getDialectNamespace() : t.getDialect().getNamespace()) != "mpmd") return nullptr;
    auto& memory = dialect_memory::of_thread();
    return memory.context().get_if<ir::mesh_tensor_type>(memory.type(text(t)));
  }
};

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
