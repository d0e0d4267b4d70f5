#pragma once
/// What a run of a host program is about: values, options, and what is known behind it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/ir/handles.hpp>
#include <mpmd/sim/exact.hpp>

namespace mpmd::sim {

/// A device, counted from 0.
using rank = std::uint32_t;

/// What an expression of a host program is worth while it runs.
struct host_value {
  enum class kind : std::uint8_t {
    unknown,  ///< tensors, floats, results of foreign operations: nothing depends on them but branches
    integer,  ///< booleans too
    pointer,  ///< to a buffer
    window,   ///< over one
    tuple,    ///< of values
  };
  kind what = kind::unknown;
  std::int64_t number = 0;
  std::uint32_t buffer = 0;
  ir::op view = {};                 ///< of a window: the call that made it
  std::uint64_t elements = 0;       ///< of a window
  std::uint32_t element_bytes = 0;  ///< of a window
  std::shared_ptr<std::vector<host_value> const> held = {};  ///< by a tuple

  static host_value integer(std::int64_t n) { return {kind::integer, n}; }
  bool is_integer() const { return what == kind::integer; }
  bool is_window() const { return what == kind::window; }
};

struct host_options {
  rank ranks = 2;
  /// Statements of the host, tasks and parts in collectives, together.
  std::uint64_t steps = 4'000'000;
  /// Numbers that windows hold, on all ranks together. A window takes no room before something other than 0 is in it.
  std::uint64_t cells = std::uint64_t{1} << 24;
  /// Decides what the program does not: parameters, and what branches and bounds ask of foreign operations. Is given how
  /// many answers there are and takes one, counted from 0. Without it, `seed` decides.
  std::function<std::int64_t(std::int64_t)> choose = {};
  std::uint64_t seed = 1;
};

/// Answers of a seed.
class seeded_choices {
 public:
  explicit seeded_choices(std::uint64_t seed) : seed_(seed) {}
  std::int64_t operator()(std::int64_t answers) {
    return static_cast<std::int64_t>(exact::mix(seed_, ++asked_) % static_cast<std::uint64_t>(answers));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t asked_ = 0;
};

/// What is known of a program that ran. Names are the program's own.
struct host_simulation {
  /// A task or a part in a collective, as a rank ran it.
  struct event {
    std::uint32_t what = 0;                   ///< in `names`
    std::vector<std::uint32_t> windows = {};  ///< what its windows are over, in `names`; no signals of collectives
    friend bool operator==(event const&, event const&) = default;
  };
  struct allocation {
    std::string name;
    std::string domain;                 ///< the scope that placed it
    std::uint64_t bytes = 0;            ///< on each rank, when it was allocated last
    std::vector<rank> on = {};          ///< ascending
    std::vector<rank> touched = {};     ///< by tasks and collectives; ascending
  };
  struct function {
    std::string name;
    std::vector<allocation> allocations = {};  ///< in the order in which they were first made
    std::vector<std::vector<event>> ranks = {};
  };
  std::vector<std::string> names;
  std::vector<function> functions;
  std::uint64_t steps = 0;
};

}  // namespace mpmd::sim
