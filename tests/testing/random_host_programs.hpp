#pragma once
// Random host programs, as a tree, as text, and run by brute force. Nothing here uses the library, so what is found here can
// be compared with what the library finds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpmd::testing {

/// A statement. Variables are names; each name is one variable, and belongs to one buffer at a time.
struct host_statement {
  enum class kind : std::uint8_t {
    text,        ///< `lead` alone: means nothing to windows
    allocate,    ///< sets[0] = ...
    copy,        ///< sets[i] = reads[i]: views, aliases, results of collectives
    dispatch,    ///< of the windows in reads, on `device`, or on the value of the loop variable `over`
    collective,  ///< data reads[0], what shares its devices behind it; `moves` has all its windows
    loop,        ///< `over` from `start` to `stop` (-1: as many as there are ranks) by 1
    branch,      ///< by decision `device`; bodies 0 and perhaps 1
    leave,       ///< breaks or continues
    yield,       ///< what the body hands on
  };
  kind what = kind::text;
  std::string lead = {};  ///< the statement's line, or the line that opens it
  std::vector<std::string> reads = {}, sets = {}, moves = {};
  std::int64_t device = 0;
  std::string over = {};
  std::int64_t start = 0, stop = 0;
  bool breaks = false;
  std::vector<std::string> carried = {};  ///< of a loop: what `reads` are inside it
  std::vector<std::vector<host_statement>> bodies = {};
};

struct random_host_function {
  std::string name;
  std::vector<std::string> buffers;
  std::size_t decisions = 0;  ///< boolean parameters that branches ask
  std::int64_t ranks_needed = 1;
  std::string fault = {};     ///< what was done wrong on purpose, if anything
  std::string faulty_buffer = {};            ///< the buffer whose dispatch is at fault, if a dispatch is
  std::size_t fault_from = 0, fault_to = 0;  ///< the statements of the body that do it
  std::vector<host_statement> body;

  /// Those of the decisions that some branch asks, as bits.
  std::uint64_t asked() const {
    std::uint64_t all = 0;
    std::vector<std::vector<host_statement> const*> open{&body};
    while (!open.empty()) {
      auto const& statements = *open.back();
      open.pop_back();
      for (auto const& s : statements) {
        if (s.what == host_statement::kind::branch) all |= std::uint64_t{1} << s.device;
        for (auto const& b : s.bodies) open.push_back(&b);
      }
    }
    return all;
  }
  /// All ways to decide those, as bits.
  std::vector<std::uint64_t> ways() const {
    std::vector<std::uint64_t> all;
    for (std::uint64_t d = 0; d < std::uint64_t{1} << decisions; ++d)
      if ((d & ~asked()) == 0) all.push_back(d);
    return all;
  }
};
struct random_host_program {
  std::vector<random_host_function> functions;
  std::string text;
  std::string mended;  ///< the same without what was done wrong

  bool faulty() const {
    return std::any_of(functions.begin(), functions.end(), [](auto const& f) { return !f.fault.empty(); });
  }
  std::int64_t ranks_needed() const {
    std::int64_t most = 1;
    for (auto const& f : functions) most = std::max(most, f.ranks_needed);
    return most;
  }
};

// --- Brute force -------------------------------------------------------------------------------------------------------

/// Who touches what in one run.
struct host_run {
  std::map<std::string, std::set<std::int64_t>> dispatched;  ///< by buffer
  std::set<std::string> over_all;                            ///< buffers touched in a loop over all ranks
  std::set<std::pair<std::string, std::string>> shares;       ///< data and what shares its devices
};

/// Runs a function statement by statement.
class host_runner {
 public:
  host_runner(random_host_function const& f, std::int64_t ranks, std::uint64_t decisions)
      : ranks_(ranks), decisions_(decisions) {
    body(f.body);
  }
  host_run found;

 private:
  enum class left : std::uint8_t { no, breaks, continues };

  left body(std::vector<host_statement> const& statements) {
    for (auto const& s : statements)
      if (left const how = one(s); how != left::no) return how;
    return left::no;
  }
  std::vector<std::string> values(std::vector<std::string> const& names) {
    std::vector<std::string> all;
    for (auto const& n : names) all.push_back(held_[n]);
    return all;
  }
  void set(std::vector<std::string> const& names, std::vector<std::string> const& to) {
    for (std::size_t i = 0; i < names.size() && i < to.size(); ++i) held_[names[i]] = to[i];
  }
  left one(host_statement const& s) {
    using kind = host_statement::kind;
    switch (s.what) {
      case kind::text: break;
      case kind::allocate: held_[s.sets[0]] = s.sets[0]; break;
      case kind::copy: set(s.sets, values(s.reads)); break;
      case kind::dispatch:
        for (auto const& buffer : values(s.reads)) {
          found.dispatched[buffer].insert(s.over.empty() ? s.device : number_[s.over]);
          if (!s.over.empty() && over_all_[s.over]) found.over_all.insert(buffer);
        }
        break;
      case kind::collective: {
        auto const operands = values(s.reads);
        for (std::size_t i = 1; i < operands.size(); ++i) found.shares.emplace(operands[0], operands[i]);
        set(s.sets, operands);
        break;
      }
      case kind::loop: {
        auto carried = values(s.reads);
        std::int64_t const stop = s.stop < 0 ? ranks_ : s.stop;
        for (std::int64_t r = s.start; r < stop; ++r) {
          number_[s.over] = r;
          over_all_[s.over] = s.stop < 0;
          set(s.carried, carried);
          if (body(s.bodies[0]) == left::breaks) break;
          if (!carried.empty()) carried = yielded_;
        }
        set(s.sets, carried);
        break;
      }
      case kind::branch: {
        bool const taken = (decisions_ >> s.device & 1) != 0;
        if (!taken && s.bodies.size() < 2) break;
        if (left const how = body(s.bodies[taken ? 0 : 1]); how != left::no) return how;
        set(s.sets, yielded_);
        break;
      }
      case kind::leave: return s.breaks ? left::breaks : left::continues;
      case kind::yield: yielded_ = values(s.reads); break;
    }
    return left::no;
  }

  std::int64_t ranks_;
  std::uint64_t decisions_;
  std::map<std::string, std::string> held_;  // the buffer behind each pointer and window
  std::map<std::string, std::int64_t> number_;
  std::map<std::string, bool> over_all_;
  std::vector<std::string> yielded_;
};

/// The devices of each buffer, from all runs with 1 to 8 ranks and all decisions: `all`, or the numbers. What shares the
/// devices of some data has them too.
struct brute_domains {
  struct devices {
    bool all = false;
    std::set<std::int64_t> numbers;
    friend bool operator==(devices const&, devices const&) = default;
    friend bool operator<(devices const& a, devices const& b) {
      return std::pair(a.all, a.numbers) < std::pair(b.all, b.numbers);
    }
  };
  std::map<std::string, devices> of;

  explicit brute_domains(random_host_function const& f) {
    std::set<std::pair<std::string, std::string>> shares;
    for (std::int64_t ranks = 1; ranks <= 8; ++ranks)
      for (std::uint64_t const d : f.ways()) {
        host_run const run = host_runner(f, ranks, d).found;
        for (auto const& [buffer, on] : run.dispatched) of[buffer].numbers.insert(on.begin(), on.end());
        for (auto const& buffer : run.over_all) of[buffer].all = true;
        shares.insert(run.shares.begin(), run.shares.end());
      }
    for (bool grew = true; grew;) {
      grew = false;
      for (auto const& [data, receiver] : shares) {
        devices joined = of[receiver];
        joined.all |= of[data].all;
        joined.numbers.insert(of[data].numbers.begin(), of[data].numbers.end());
        grew |= !(joined == of[receiver]);
        of[receiver] = joined;
      }
    }
    for (auto& [buffer, on] : of)
      if (on.all) on.numbers.clear();
  }
};

// --- Generation --------------------------------------------------------------------------------------------------------

class host_generator {
 public:
  explicit host_generator(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  random_host_program make() {
    random_host_program made;
    std::size_t const functions = pick(4) == 0 ? 2 : 1;
    std::size_t const wrong = pick(5) == 0 ? pick(functions) : functions;
    for (std::size_t i = 0; i < functions; ++i) made.functions.push_back(function(i, i == wrong));
    made.text = before;
    for (auto const& f : made.functions) print(made.text, f);
    made.mended = before;
    for (auto f : made.functions) {
      f.body.erase(f.body.begin() + static_cast<std::ptrdiff_t>(f.fault_from),
                   f.body.begin() + static_cast<std::ptrdiff_t>(f.fault_to));
      print(made.mended, f);
    }
    return made;
  }

 private:
  using kind = host_statement::kind;
  using list = std::vector<host_statement>;

  static constexpr std::string_view before = R"(import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class Random:
    @pl.function(type=pl.FunctionType.Orchestration)
    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):
        return w

    @pl.function(type=pl.FunctionType.Orchestration)
    def both(self, a: pld.DistributedTensor[[16], pl.FP32], b: pld.DistributedTensor[[16], pl.FP32]):
        return a

    @pl.function(type=pl.FunctionType.Orchestration)
    def mixed(self, x: pl.Tensor[[16], pl.FP32], w: pld.DistributedTensor[[16], pl.FP32], n: pl.Scalar[pl.INDEX]):
        return w

    @pl.function(type=pl.FunctionType.Orchestration)
    def some(self, w: pld.DistributedTensor[[2], pl.FP32]):
        return w

    @pl.function(type=pl.FunctionType.Orchestration)
    def flag(self, s: pld.DistributedTensor[[8, 1], pl.INT32]):
        return s

    @pl.function(type=pl.FunctionType.Orchestration)
    def count(self, c: pld.DistributedTensor[[8], pl.INT32]):
        return c

)";

  // Buffers on the same devices. Only these go into one collective. Of a loose group each buffer is on whatever devices it
  // comes to be dispatched to, and has a signal of its own.
  struct group {
    bool all = false;
    bool range = false;
    bool loose = false;
    std::map<std::string, std::string> signal_of;  // of a loose group: by buffer
    std::vector<std::int64_t> numbers;  // ascending; of a range, all of it
    std::vector<std::string> data, inputs, signals, sent, received;  // variables that are windows
    std::vector<std::string> pointers;  // to buffers of the data
  };

  std::uint64_t draw() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(draw() % n); }
  std::string const& any(std::vector<std::string> const& of) { return of[pick(of.size())]; }
  std::string fresh(std::string_view stem) { return std::string(stem) + std::to_string(names_++); }
  static std::string text(std::int64_t n) { return std::to_string(n); }

  void need(std::int64_t device) { f_->ranks_needed = std::max(f_->ranks_needed, device + 1); }

  random_host_function function(std::size_t number, bool wrong) {
    random_host_function f;
    f.name = "host" + std::to_string(number);
    f_ = &f;
    groups_.clear();
    std::size_t const groups = 1 + pick(3);
    f.decisions = 1 + pick(3);
    for (std::size_t i = 0; i < groups; ++i) add_group(f.body);
    std::size_t const statements = 4 + pick(10);
    for (std::size_t i = 0; i < statements; ++i) one(f.body, 0);
    for (auto& g : groups_) finish(f.body, g);
    f.fault_from = f.body.size();
    if (wrong) do_wrong(f.body);
    f.fault_to = f.body.size();
    std::size_t const g = pick(groups_.size());
    if (pick(3) == 0)
      collective(f.body, groups_[g], "allreduce", pick(2) == 0, true);
    else
      say(f.body, "return 0");
    f_ = nullptr;
    return f;
  }

  void say(list& into, std::string line) { into.push_back({.what = kind::text, .lead = std::move(line)}); }

  // --- Buffers -----------------------------------------------------------------------------------------------------

  void add_group(list& into) {
    group g;
    g.loose = pick(2) == 0;
    if (g.loose) return add_loose(into, std::move(g));
    switch (pick(4)) {
      case 0: g.all = true; break;
      case 1: {
        g.range = true;
        auto const first = static_cast<std::int64_t>(pick(4));
        auto const count = static_cast<std::int64_t>(1 + pick(4));
        for (std::int64_t d = first; d < first + count; ++d) g.numbers.push_back(d);
        break;
      }
      default: {
        std::set<std::int64_t> chosen;
        std::size_t const count = 1 + pick(3);
        for (std::size_t i = 0; i < count; ++i) chosen.insert(static_cast<std::int64_t>(pick(8)));
        g.numbers.assign(chosen.begin(), chosen.end());
      }
    }
    for (std::int64_t const d : g.numbers) need(d);
    std::size_t const data = 1 + pick(3);
    for (std::size_t i = 0; i < data; ++i) {
      auto const [pointer, view] = buffer(into, "buf", "64", "[16]", "FP32");
      g.pointers.push_back(pointer);
      g.data.push_back(view);
      cover(into, g, "step", view);
    }
    if (pick(2) == 0) {
      g.inputs.push_back(buffer(into, "in", "8", "[2]", "FP32").second);
      cover(into, g, "some", g.inputs[0]);
    }
    if (pick(4) != 0) {
      if (pick(2) == 0) {
        std::string const n = fresh("n");
        say(into, n + " = pld.world_size()");
        g.signals.push_back(buffer(into, "sig", n + " * 4", "[" + n + ", 1]", "INT32").second);
        if (!g.all) need(0);
      } else {
        g.signals.push_back(buffer(into, "sig", "32", "[8, 1]", "INT32").second);
      }
      if (pick(3) == 0) {
        g.sent.push_back(buffer(into, "sent", "32", "[8]", "INT32").second);
        cover(into, g, "count", g.sent[0]);
        g.received.push_back(buffer(into, "got", "32", "[8]", "INT32").second);
      }
    }
    groups_.push_back(std::move(g));
  }
  void add_loose(list& into, group g) {
    std::size_t const data = 1 + pick(3);
    for (std::size_t i = 0; i < data; ++i) {
      auto const [pointer, view] = buffer(into, "buf", "64", "[16]", "FP32");
      g.pointers.push_back(pointer);
      g.data.push_back(view);
      if (pick(2) == 0) g.signal_of[pointer] = buffer(into, "sig", "32", "[8, 1]", "INT32").second;
    }
    groups_.push_back(std::move(g));
  }
  std::pair<std::string, std::string> buffer(list& into, std::string_view stem, std::string size, std::string const& shape,
                                             std::string const& dtype) {
    std::string const pointer = fresh(stem);
    std::size_t const form = pick(3);
    if (form == 1 && shape == "[16]") size = "16 * pl.FP32.get_byte()";
    if (form == 2 && shape == "[16]") size = "[16], dtype=pl.FP32";
    into.push_back({.what = kind::allocate, .lead = pointer + " = pld.alloc_window_buffer(" + size + ")", .sets = {pointer}});
    f_->buffers.push_back(pointer);
    std::string from = pointer;
    if (pick(5) == 0) {
      from = fresh("p");
      copy(into, from + " = " + pointer, from, pointer);
    }
    std::string const view = fresh("w");
    copy(into, view + " = pld.window(" + from + ", " + shape + ", dtype=pl." + dtype + ")", view, from);
    return {pointer, view};
  }
  void copy(list& into, std::string line, std::string const& to, std::string const& from) {
    into.push_back({.what = kind::copy, .lead = std::move(line), .reads = {from}, .sets = {to}});
    std::string const buffer = buffer_of(from);
    buffer_of_[to] = buffer;
  }
  // What a pointer or window is over.
  std::string buffer_of(std::string const& v) const {
    auto const at = buffer_of_.find(v);
    return at == buffer_of_.end() ? v : at->second;
  }

  // --- Dispatches --------------------------------------------------------------------------------------------------

  void dispatch_at(list& into, std::string const& task, std::vector<std::string> windows, std::int64_t device,
                   std::string const& over = {}) {
    std::string arguments;
    if (task == "mixed") arguments = "x, ";
    for (std::size_t i = 0; i < windows.size(); ++i) arguments += (i == 0 ? "" : ", ") + windows[i];
    if (task == "mixed") arguments += ", 3";
    into.push_back({.what = kind::dispatch,
                    .lead = "self." + task + "(" + arguments + ", device=" + (over.empty() ? text(device) : over) + ")",
                    .reads = std::move(windows),
                    .device = device,
                    .over = over});
  }
  // On all devices of the group.
  void cover(list& into, group const& g, std::string const& task, std::string const& window) {
    if (g.loose) return dispatch_somewhere(into, task, window);
    if (!g.all && !g.range) {
      for (std::int64_t const d : g.numbers) dispatch_at(into, task, {window}, d);
      return;
    }
    std::string const r = fresh("r");
    host_statement loop{.what = kind::loop, .over = r, .bodies = {{}}};
    std::string bounds;
    if (g.all) {
      loop.stop = -1;
      bounds = "pld.world_size()";
    } else {
      loop.start = g.numbers.front();
      loop.stop = g.numbers.back() + 1;
      bounds = text(loop.stop);
    }
    if (pick(3) == 0) {
      std::string const n = fresh("n");
      say(into, n + " = " + bounds);
      bounds = n;
    }
    if (loop.start != 0 || pick(4) == 0) bounds = text(loop.start) + ", " + bounds;
    static constexpr std::string_view kinds[] = {"range", "range", "parallel", "unroll"};
    loop.lead = "for " + r + " in pl." + std::string(kinds[pick(4)]) + "(" + bounds + "):";
    dispatch_at(loop.bodies[0], task, {window}, 0, r);
    into.push_back(std::move(loop));
  }
  // On a device, some of them, or all.
  void dispatch_somewhere(list& into, std::string const& task, std::string const& window) {
    group on;
    std::size_t const how = pick(8);
    on.all = how == 0;
    on.range = how < 4;
    auto const first = static_cast<std::int64_t>(pick(5));
    auto const count = static_cast<std::int64_t>(on.range ? 1 + pick(3) : 1);
    for (std::int64_t d = first; d < first + count; ++d) on.numbers.push_back(d);
    if (!on.all) need(on.numbers.back());
    cover(into, on, task, window);
  }
  std::int64_t member(group const& g) {
    if (g.loose) {
      auto const d = static_cast<std::int64_t>(pick(8));
      need(d);
      return d;
    }
    if (!g.all) return g.numbers[pick(g.numbers.size())];
    auto const d = static_cast<std::int64_t>(pick(4));
    need(d);
    return d;
  }
  void partial(list& into, group const& g) {
    std::int64_t const on = member(g);
    switch (pick(3)) {
      case 0: {
        std::string const a = any(g.data);
        std::string const b = any(g.data);
        return dispatch_at(into, "both", {a, b}, on);
      }
      case 1: return dispatch_at(into, "mixed", {any(g.data)}, on);
      default: return dispatch_at(into, "step", {any(g.data)}, on);
    }
  }

  // --- Collectives -------------------------------------------------------------------------------------------------

  void collective(list& into, group& g, std::string const& name, bool named, bool returned = false) {
    host_statement s{.what = kind::collective};
    std::string const target = any(g.data);
    std::string signal = g.signals.empty() ? std::string() : g.signals[0];
    if (auto const own = g.signal_of.find(buffer_of(target)); own != g.signal_of.end()) signal = own->second;
    std::string arguments = target;
    s.reads = {target};
    bool own_signal = false;
    if (name == "allreduce") {
      own_signal = signal.empty() || pick(3) == 0 || (returned && g.loose && !used_.contains(signal));
      if (!own_signal) arguments += ", " + signal;
      static constexpr std::string_view how[] = {"", ", op=0", ", op=1", ", op=3"};
      arguments += how[pick(4)];
    } else if (name == "broadcast") {
      arguments += ", " + signal + ", root=0";
    } else if (name == "reduce_scatter") {
      arguments += ", " + signal;
    } else if (name == "barrier") {
      arguments = signal;
      s.reads = {signal};
    } else {
      arguments = g.inputs[0] + ", " + target + ", " + signal;
      if (name == "all_to_all_v") arguments += ", " + g.sent[0] + ", " + g.received[0];
    }
    if (!own_signal && name != "barrier") {
      s.reads.push_back(signal);
      used_.insert(signal);
    }
    if (name == "all_to_all_v") {
      s.reads.push_back(g.received[0]);
      used_.insert(g.received[0]);
    }
    s.lead = "pld.tensor." + name + "(" + arguments + ")";
    if (returned) {
      s.lead = "return " + s.lead;
    } else if (named && name != "barrier") {
      bool const again = pick(3) == 0;
      std::string const result = again ? target : fresh("c");
      s.lead = result + " = " + s.lead;
      s.sets = {result};
      if (!again) g.data.push_back(result);
      std::string const over = buffer_of(target);
      buffer_of_[result] = over;
    }
    into.push_back(std::move(s));
  }
  void some_collective(list& into, group& g, bool in_loop) {
    std::vector<std::string> kinds{"allreduce"};
    if (!g.signals.empty()) {
      for (auto const k : {"broadcast", "reduce_scatter", "barrier"}) kinds.emplace_back(k);
      if (!g.inputs.empty())
        for (auto const k : {"allgather", "all_to_all"}) kinds.emplace_back(k);
      if (!g.inputs.empty() && !g.sent.empty() && !in_loop) kinds.emplace_back("all_to_all_v");
    }
    std::string const name = any(kinds);
    bool const named = pick(2) == 0;
    collective(into, g, name, named);
  }
  // Signals that no collective with data has used need devices of their own.
  void finish(list& into, group& g) {
    if (g.loose)
      for (auto const& p : g.pointers) {
        std::string const view = fresh("w");
        copy(into, view + " = pld.window(" + p + ", [16], dtype=pl.FP32)", view, p);
        dispatch_at(into, "step", {view}, member(g));
        // A signal that nothing has used.
        if (auto const own = g.signal_of.find(p); own != g.signal_of.end() && !used_.contains(own->second))
          dispatch_at(into, "flag", {own->second}, member(g));
      }
    for (auto const& s : g.signals)
      if (!used_.contains(s)) cover(into, g, "flag", s);
    for (auto const& s : g.received)
      if (!used_.contains(s)) cover(into, g, "count", s);
  }

  // --- Statements --------------------------------------------------------------------------------------------------

  // What is set in a body is not used behind it.
  template <class F>
  void inside(F f) {
    auto const kept = groups_;
    f();
    groups_ = kept;
  }
  void some(list& into, int depth, std::size_t most) {
    std::size_t const count = 1 + pick(most);
    for (std::size_t i = 0; i < count; ++i) one(into, depth);
  }
  void one(list& into, int depth) {
    std::size_t const at = pick(groups_.size());
    group& g = groups_[at];
    switch (pick(depth < 4 ? 16 : 6)) {
      case 0: {
        std::string const view = fresh("w"), from = any(g.pointers);
        copy(into, view + " = pld.window(" + from + ", [16], dtype=pl.FP32)", view, from);
        g.data.push_back(view);
        return;
      }
      case 1: {
        std::string const alias = fresh("a"), from = any(g.data);
        copy(into, alias + " = " + from, alias, from);
        g.data.push_back(alias);
        return;
      }
      case 2: return partial(into, g);
      case 3: return cover(into, g, "step", any(g.data));
      case 4:
      case 5: return some_collective(into, g, loops_ > 0);
      case 6: return loop(into, at, depth);
      case 7: return never(into, at);
      case 8:
      case 9: return branch(into, depth);
      case 10: return merging(into, g);
      case 11: return carrying(into, at, depth);
      case 12: return swapping(into, g);
      case 13: return counting(into, at, depth);
      case 14: return leaving(into, g);
      default: return again(into, g);
    }
  }
  void loop(list& into, std::size_t at, int depth) {
    std::string const r = fresh("r");
    auto const first = static_cast<std::int64_t>(pick(3)), rounds = static_cast<std::int64_t>(1 + pick(2));
    host_statement s{.what = kind::loop,
                     .lead = "for " + r + " in pl.range(" + text(first) + ", " + text(first + rounds) + "):",
                     .over = r,
                     .start = first,
                     .stop = first + rounds,
                     .bodies = {{}}};
    ++loops_;
    inside([&] {
      some(s.bodies[0], depth + 1, 3);
      group& g = groups_[at];
      bool fits = true;
      if (g.loose) need(first + rounds - 1);
      for (std::int64_t d = first; d < first + rounds; ++d)
        fits = fits && (g.loose || std::binary_search(g.numbers.begin(), g.numbers.end(), d));
      if (fits) dispatch_at(s.bodies[0], "step", {any(g.data)}, 0, r);
    });
    --loops_;
    into.push_back(std::move(s));
  }
  // A loop without rounds: what it sends counts for nothing.
  void never(list& into, std::size_t at) {
    std::string const r = fresh("r");
    host_statement s{.what = kind::loop, .lead = "for " + r + " in pl.range(5, 5):", .over = r, .start = 5, .stop = 5, .bodies = {{}}};
    bool const by_variable = pick(2) == 0;
    dispatch_at(s.bodies[0], "step", {any(groups_[at].data)}, 7, by_variable ? r : std::string());
    into.push_back(std::move(s));
  }
  // A decision that no branch around here has asked: both its ways can be taken. -1: there is none left.
  std::int64_t undecided() {
    auto const d = static_cast<std::int64_t>(pick(f_->decisions));
    return (open_ >> d & 1) != 0 ? -1 : d;
  }
  void branch(list& into, int depth) {
    std::int64_t const decision = undecided();
    if (decision < 0) return;
    open_ |= std::uint64_t{1} << decision;
    host_statement s{.what = kind::branch, .lead = "if go" + text(decision) + ":", .device = decision, .bodies = {{}}};
    inside([&] { some(s.bodies[0], depth + 1, 3); });
    if (pick(2) == 0) {
      s.bodies.emplace_back();
      inside([&] { some(s.bodies[1], depth + 1, 3); });
    }
    open_ &= ~(std::uint64_t{1} << decision);
    into.push_back(std::move(s));
  }
  // A branch that hands on one of two windows, perhaps over two buffers.
  void merging(list& into, group& g) {
    std::int64_t const decision = undecided();
    if (decision < 0) return;
    std::string const result = fresh("m");
    host_statement s{.what = kind::branch, .lead = "if go" + text(decision) + ":", .sets = {result}, .device = decision, .bodies = {{}, {}}};
    for (auto& body : s.bodies) {
      if (pick(3) == 0) partial(body, g);
      std::string const handed = any(g.data);
      body.push_back({.what = kind::yield, .lead = result + " = pl.yield_(" + handed + ")", .reads = {handed}});
    }
    into.push_back(std::move(s));
    dispatch_at(into, "step", {result}, member(g));
  }
  // A loop that carries a window and hands on one over the same buffer.
  void carrying(list& into, std::size_t at, int depth) {
    group& g = groups_[at];
    std::string const r = fresh("r"), inner = fresh("k"), result = fresh("o"), first = any(g.data), over = buffer_of(first);
    auto const rounds = static_cast<std::int64_t>(1 + pick(2));
    host_statement s{.what = kind::loop,
                     .lead = "for " + r + ", (" + inner + ",) in pl.range(" + text(rounds) + ", init_values=(" + first + ",)):",
                     .reads = {first},
                     .sets = {result},
                     .over = r,
                     .stop = rounds,
                     .carried = {inner},
                     .bodies = {{}}};
    auto& body = s.bodies[0];
    ++loops_;
    inside([&] {
      some(body, depth + 1, 2);
      dispatch_at(body, "step", {inner}, member(groups_[at]));
      std::string handed = inner;
      switch (pick(3)) {
        case 0: break;
        case 1:
          handed = fresh("a");
          copy(body, handed + " = " + inner, handed, inner);
          break;
        default:
          handed = fresh("c");
          body.push_back({.what = kind::collective, .lead = handed + " = pld.tensor.allreduce(" + inner + ")", .reads = {inner}, .sets = {handed}});
      }
      body.push_back({.what = kind::yield, .lead = result + " = pl.yield_(" + handed + ")", .reads = {handed}});
    });
    --loops_;
    into.push_back(std::move(s));
    groups_[at].data.push_back(result);
    buffer_of_[result] = over;
  }
  // Two windows that change places: each device touches both.
  void swapping(list& into, group& g) {
    std::string const r = fresh("r"), a = fresh("k"), b = fresh("k"), x = fresh("o"), y = fresh("o");
    std::string const first = any(g.data), second = any(g.data);
    auto const rounds = static_cast<std::int64_t>(2 + pick(2));
    host_statement s{.what = kind::loop,
                     .lead = "for " + r + ", (" + a + ", " + b + ") in pl.range(" + text(rounds) + ", init_values=(" + first + ", " + second + ")):",
                     .reads = {first, second},
                     .sets = {x, y},
                     .over = r,
                     .stop = rounds,
                     .carried = {a, b},
                     .bodies = {{}}};
    dispatch_at(s.bodies[0], "step", {a}, member(g));
    s.bodies[0].push_back({.what = kind::yield, .lead = x + ", " + y + " = pl.yield_(" + b + ", " + a + ")", .reads = {b, a}});
    into.push_back(std::move(s));
  }
  // A while loop that counts.
  void counting(list& into, std::size_t at, int depth) {
    std::string const i = fresh("i");
    auto const rounds = static_cast<std::int64_t>(1 + pick(2));
    say(into, i + " = 0");
    host_statement s{.what = kind::loop, .lead = "while " + i + " < " + text(rounds) + ":", .over = i, .stop = rounds, .bodies = {{}}};
    ++loops_;
    inside([&] {
      some(s.bodies[0], depth + 1, 2);
      partial(s.bodies[0], groups_[at]);
      say(s.bodies[0], i + " = " + i + " + 1");
    });
    --loops_;
    into.push_back(std::move(s));
  }
  // A loop that a branch leaves early.
  void leaving(list& into, group& g) {
    std::int64_t const decision = undecided();
    if (decision < 0) return;
    std::string const r = fresh("r");
    host_statement s{.what = kind::loop, .lead = "for " + r + " in pl.range(2):", .over = r, .stop = 2, .bodies = {{}}};
    bool const breaks = pick(2) == 0;
    host_statement out{.what = kind::branch, .lead = "if go" + text(decision) + ":", .device = decision, .bodies = {{}}};
    out.bodies[0].push_back({.what = kind::leave, .lead = breaks ? "break" : "continue", .breaks = breaks});
    bool const early = pick(2) == 0;
    if (early) partial(s.bodies[0], g);
    s.bodies[0].push_back(std::move(out));
    if (!early) partial(s.bodies[0], g);
    into.push_back(std::move(s));
  }
  // A variable that is a window over one buffer and then over another.
  void again(list& into, group& g) {
    std::string const view = fresh("v");
    for (int i = 0; i < 2; ++i) {
      std::string const from = any(g.pointers);
      copy(into, view + " = pld.window(" + from + ", [16], dtype=pl.FP32)", view, from);
      dispatch_at(into, "step", {view}, member(g));
    }
  }

  // --- Faults ------------------------------------------------------------------------------------------------------

  void do_wrong(list& into) {
    std::size_t const at = pick(groups_.size());
    group& g = groups_[at];
    std::string const r = fresh("r"), w = any(g.data);
    switch (pick(9)) {
      case 0:
        f_->fault = "is not consumed by any chip_orch dispatch";
        buffer(into, "lost", "64", "[16]", "FP32");
        return;
      case 1:
        f_->fault = "has no pld.tensor.window materialisation";
        return say(into, fresh("dead") + " = pld.alloc_window_buffer(64)");
      case 2:
        f_->fault = "device= ConstInt must be non-negative, got -1";
        f_->faulty_buffer = buffer_of(w);
        return dispatch_at(into, "step", {w}, -1);
      case 3:
        f_->fault = "non-unit-step loop is not supported (step=2)";
        f_->faulty_buffer = buffer_of(w);
        say(into, "for " + r + " in pl.range(0, 4, 2):");
        return say(into, "    self.step(" + w + ", device=" + r + ")");
      case 4:
        f_->fault = "device= Var is not the induction variable";
        f_->faulty_buffer = buffer_of(w);
        return say(into, "self.step(" + w + ", device=k)");
      case 5:
        f_->fault = "device= expression must be ConstInt";
        f_->faulty_buffer = buffer_of(w);
        say(into, "for " + r + " in pl.range(2):");
        return say(into, "    self.step(" + w + ", device=" + r + " + 1)");
      case 6:
        f_->fault = "device=r loop bound must be ConstInt";
        f_->faulty_buffer = buffer_of(w);
        say(into, "for " + r + " in pl.range(k):");
        return say(into, "    self.step(" + w + ", device=" + r + ")");
      case 7: {
        f_->fault = "pld.tensor.barrier signal buffer has no inferred comm-domain coverage";
        std::string const s = buffer(into, "lone", "32", "[8, 1]", "INT32").second;
        return say(into, "pld.tensor.barrier(" + s + ")");
      }
      default:
        f_->fault = "must be a direct assignment";
        return say(into, "z = [pld.tensor.allreduce(" + w + "), 0]");
    }
  }

  // --- Text --------------------------------------------------------------------------------------------------------

  static void print(std::string& out, random_host_function const& f) {
    out += "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n    def " + f.name + "(self";
    for (std::size_t i = 0; i < f.decisions; ++i) out += ", go" + std::to_string(i) + ": pl.Scalar[pl.BOOL]";
    out += ", k: pl.Scalar[pl.INDEX], x: pl.Tensor[[16], pl.FP32]):\n";
    print(out, f.body, 8);
    out += "\n";
  }
  static void print(std::string& out, list const& statements, std::size_t indent) {
    for (auto const& s : statements) {
      out.append(indent, ' ').append(s.lead).append("\n");
      for (std::size_t i = 0; i < s.bodies.size(); ++i) {
        if (i == 1) out.append(indent, ' ').append("else:\n");
        print(out, s.bodies[i], indent + 4);
        if (s.bodies[i].empty()) out.append(indent + 4, ' ').append("pass\n");
      }
    }
  }

  std::uint64_t state_;
  std::uint64_t names_ = 0;
  random_host_function* f_ = nullptr;
  std::vector<group> groups_;
  std::map<std::string, std::string> buffer_of_;
  std::set<std::string> used_;  // signals and counts that share the devices of some data
  int loops_ = 0;
  std::uint64_t open_ = 0;  // decisions of the branches around here
};

inline random_host_program make_host_program(std::uint64_t seed) { return host_generator(seed).make(); }

}  // namespace mpmd::testing
