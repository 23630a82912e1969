// SPDX-License-Identifier: Apache-2.0
#include "engine/base/numeric.h"
#include "engine/spyre/bundle/bundle.h"
#include "engine/spyre/bundle/sdsc/sdsc_writer.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace memplan::bundle {

namespace {

using std::int64_t;
using std::string;

struct ModeName {
    AddressMode mode;
    std::string_view name;
};
constexpr std::array<ModeName, 4> kModes = {{{AddressMode::Baked, "baked"},
                                             {AddressMode::PerTensorConstants, "per_tensor_constants"},
                                             {AddressMode::PerCoreConstants, "per_core_constants"},
                                             {AddressMode::PerCoreInputArgs, "per_core_input_args"}}};

/// What a symbol stands for; more than a number only where arguments are parameters (12.5).
struct Symbol {
    int64_t value = 0;
    enum class Kind { Constant, Argument, Derived, Pool } kind = Kind::Constant;
    int64_t argument = 0;  ///< index of the kernel argument
    int64_t offset = 0;    ///< Derived: bytes from the address of the argument
};

/// One op as the text needs it.
struct Execute {
    OpSpec form;                 ///< the op as its file describes it
    std::optional<SdscOp> sdsc;  ///< not for stubs without tensors
    std::vector<std::vector<int64_t>> ids;
    std::vector<ArgStrides> strides;  ///< per arg
    std::vector<int> loops;           ///< numbers of the enclosing loops, outermost first
};

class Writer {
public:
    Writer(const BundleOptions& options, Diagnostics& notes) : options_(options), notes_(notes) {}

    Result<string> run(const SpecTree& tree) {
        std::vector<const SpecNode*> open;
        std::vector<int> numbers;
        if (auto ok = collect(tree, open, numbers); !ok) return ok.error();
        maps();
        out_ += "module {\n";
        header();
        if (!bounds_.empty()) constants();
        symbols();
        next_ = 0;
        loop_ = 0;
        body(tree, 2);
        out_ += "\t\treturn\n\t}\n}\n";
        return std::move(out_);
    }

    const std::vector<Execute>& executes() const { return executes_; }

private:
    bool hasSymbols() const { return options_.addressMode != AddressMode::Baked; }
    bool hasParameters() const { return options_.addressMode == AddressMode::PerCoreInputArgs; }

    // ---- reading the tree --------------------------------------------------------------------------------

    Result<void> collect(const SpecTree& tree, std::vector<const SpecNode*>& open, std::vector<int>& numbers) {
        for (const SpecNode& node : tree) {
            if (node.kind == SpecKind::Op) {
                if (auto ok = addOp(node.op, open, numbers); !ok) return ok;
            }
            if (node.kind != SpecKind::Loop) continue;
            const auto count = node.count.integer();
            if (!count) {
                return makeError("CT-011", "LoopSpec",
                                 "the loop count \"" + node.count.text() +
                                     "\" is symbolic; bundle.mlir holds constant counts only",
                                 "bind the symbol to a number");
            }
            open.push_back(&node);
            numbers.push_back(static_cast<int>(bounds_.size()));
            bounds_.push_back(*count);
            auto inner = collect(node.body, open, numbers);
            open.pop_back();
            numbers.pop_back();
            if (!inner) return inner;
        }
        return {};
    }

    Result<void> addOp(const OpSpec& spec, const std::vector<const SpecNode*>& open, const std::vector<int>& numbers) {
        Execute e;
        e.form = spec;
        e.loops = numbers;
        const LevelSymbols levels = levelSymbols(spec, open, notes_);
        if (!spec.args.empty()) {
            const bool isListing = options_.strideModel == StrideModel::HostStrideMap && !open.empty();
            e.form = sdscForm(isListing ? inWholeTensors(spec, open, levels) : spec);
            auto sdsc = sdscOp(e.form, options_.sdsc);
            if (!sdsc) return std::move(sdsc).error();
            e.sdsc = std::move(sdsc).value();
        }
        for (const TensorArg& arg : spec.args) {
            const bool moves = arg.allocation && arg.allocation->space != Space::Lx;
            auto strides =
                moves ? argStrides(spec, arg, levels, options_.strideModel) : Result<ArgStrides>(ArgStrides{});
            if (!strides) return std::move(strides).error();
            e.strides.push_back(std::move(strides).value());
        }
        if (e.sdsc && hasSymbols()) {
            if (auto ok = addSymbols(e); !ok) return ok;
        }
        executes_.push_back(std::move(e));
        return {};
    }

    /// The listing of the original shows a slice that is written with the sizes of a slice (4.4). It stands in the
    /// whole tensor all the same: its steps are those of all iterations.
    static OpSpec inWholeTensors(const OpSpec& spec, const std::vector<const SpecNode*>& open,
                                 const LevelSymbols& levels) {
        std::map<string, int64_t> trips;
        for (std::size_t level = 0; level < open.size(); ++level) {
            for (const string& symbol : levels[level]) {
                int64_t& count = trips.try_emplace(symbol, 1).first->second;
                count = saturatedMul(count, open[level]->count.integer().value_or(1));
            }
        }
        OpSpec whole = spec;
        for (TensorArg& arg : whole.args) {
            for (const auto& [symbol, count] : trips)
                widen(arg, symbol, spec.find(symbol), count);
        }
        return whole;
    }

    /// Sizes of `arg` that hold `count` tiles along a symbol, outside of its sticks.
    static void widen(TensorArg& arg, const string& symbol, const IterationEntry* loop, int64_t count) {
        const auto extent = loop == nullptr ? std::nullopt : loop->extent.integer();
        if (arg.perTileFixed || !extent || arg.coordinates.size() != arg.deviceSize.size()) return;
        const auto deltas = coordinateDeltas(arg, symbol, *extent);
        for (std::size_t d = 0; deltas && d + 1 < arg.deviceSize.size(); ++d)
            arg.deviceSize[d] = std::max(arg.deviceSize[d], saturatedMul(deltas.value()[d], count));
    }

    Result<void> addSymbols(Execute& e) {
        auto made = registerSymbols(e.form, *e.sdsc, options_.addressMode, table_.size());
        if (!made) return std::move(made).error();
        const std::size_t before = table_.size();
        for (const int64_t v : made.value().values)
            table_.push_back({v, Symbol::Kind::Constant, 0, 0});
        e.ids = std::move(made.value().ids);
        if (hasParameters()) nameSymbols(e, before);
        return {};
    }

    /// Byte address at which the argument of the kernel begins: its segment. Copies of an unrolled loop hold the place
    /// of their slice, files with symbolic arguments hold the number of the argument (8.4).
    static int64_t argumentBase(const TensorArg& arg) {
        const int64_t address = arg.allocation->address;
        if (address == arg.argIndex) return address;
        const auto behind = std::upper_bound(kSegmentOffsets.begin(), kSegmentOffsets.end(), address);
        return behind == kSegmentOffsets.begin() ? address : *std::prev(behind);
    }

    /// The first arg that uses a symbol says what it is. A part of a tensor begins behind its argument on core 0, too
    /// (12.5).
    void nameSymbols(const Execute& e, std::size_t before) {
        std::set<int64_t> done;
        for (std::size_t a = 0; a < e.ids.size(); ++a) {
            const TensorArg& arg = e.form.args[a];
            for (const int64_t id : e.ids[a]) {
                const auto at = static_cast<std::size_t>(-id - 1);
                if (at < before || !done.insert(id).second) continue;
                Symbol& s = table_[at];
                if (arg.allocation->space == Space::Pool) {
                    s.kind = Symbol::Kind::Pool;
                    continue;
                }
                s.argument = arg.argIndex;
                s.offset = s.value - argumentBase(arg);
                s.kind = s.offset == 0 ? Symbol::Kind::Argument : Symbol::Kind::Derived;
            }
        }
    }

    // ---- text --------------------------------------------------------------------------------------------

    using MapKey = std::vector<int64_t>;

    static MapKey keyOf(const ArgStrides& strides) {
        MapKey key;
        for (const auto& [level, bytes] : strides)
            key.push_back(bytes);
        return key;
    }

    void maps() {
        for (const Execute& e : executes_) {
            for (std::size_t a = 0; a < e.strides.size(); ++a) {
                if (e.strides[a].empty() || !hasSymbols()) continue;
                const MapKey key = keyOf(e.strides[a]);
                if (maps_.contains(key)) continue;
                const std::size_t n = maps_.size();
                maps_[key] = n;
                mapLine(n, key);
            }
        }
    }

    void mapLine(std::size_t n, const MapKey& key) {
        string dims;
        string sum = "s0";
        for (std::size_t i = 0; i < key.size(); ++i) {
            dims += (i > 0 ? ", d" : "d") + std::to_string(i);
            sum += " + " + std::to_string(key[i]) + "*d" + std::to_string(i);
        }
        out_ += "#map_" + std::to_string(n) + " = affine_map<(" + dims + ")[s0] -> (" + sum + ")>\n";
    }

    void line(int tabs, const string& text) {
        out_.append(static_cast<std::size_t>(tabs), '\t').append(text).push_back('\n');
    }

    /// Argument indices of parameters in order of first use.
    std::vector<int64_t> parameters() const {
        std::vector<int64_t> list;
        for (const Symbol& s : table_) {
            const bool isOfArgument = s.kind == Symbol::Kind::Argument || s.kind == Symbol::Kind::Derived;
            const bool known = std::find(list.begin(), list.end(), s.argument) != list.end();
            if (isOfArgument && !known) list.push_back(s.argument);
        }
        return list;
    }

    bool usesPool() const {
        return std::any_of(table_.begin(), table_.end(), [](const Symbol& s) { return s.kind == Symbol::Kind::Pool; });
    }

    void header() {
        if (!hasParameters()) return line(1, "func.func @sdsc_bundle() {");
        constexpr const char* kType = "!sdscbundle.input_arg<index>";
        std::vector<string> names;
        if (usesPool()) names.emplace_back("pool");
        for (const int64_t k : parameters())
            names.push_back("arg_" + std::to_string(k));
        string list;
        for (const string& name : names)
            list += (list.empty() ? "%" : ", %") + name + "_base_addr: " + kType;
        line(1, "func.func @sdsc_bundle(" + list + ") {");
        for (const string& name : names) {
            line(2, "%" + name + " = sdscbundle.input_arg_extract value from %" + name + "_base_addr : " + kType +
                        " -> index");
        }
    }

    void constants() {
        line(2, "%c0 = arith.constant 0 : index");
        line(2, "%c1 = arith.constant 1 : index");
        for (std::size_t i = 0; i < bounds_.size(); ++i)
            constant("loop_bound_" + std::to_string(i), bounds_[i]);
    }

    void constant(const string& name, int64_t value) {
        line(2, "%" + name + " = arith.constant " + std::to_string(value) + " : index");
    }

    static string nameOf(const Symbol& s, std::size_t index) {
        switch (s.kind) {
        case Symbol::Kind::Constant:
            return "sym_" + std::to_string(index + 1);
        case Symbol::Kind::Argument:
            return "arg_" + std::to_string(s.argument);
        case Symbol::Kind::Derived:
            return "arg_" + std::to_string(s.argument) + "_core_" + std::to_string(s.offset);
        case Symbol::Kind::Pool:
            break;
        }
        return "pool_addr_" + std::to_string(s.value);
    }

    void symbols() {
        std::set<string> written;
        for (std::size_t i = 0; i < table_.size(); ++i) {
            const Symbol& s = table_[i];
            const string name = nameOf(s, i);
            if (s.kind == Symbol::Kind::Constant) constant(name, s.value);
            if (s.kind == Symbol::Kind::Constant || !written.insert(name).second) continue;
            if (s.kind == Symbol::Kind::Derived) {
                const string base = "arg_" + std::to_string(s.argument);
                const string offset = base + "_core_offset_" + std::to_string(s.offset);
                constant(offset, s.offset);
                line(2, "%" + name + " = arith.addi %" + base + ", %" + offset + " : index");
            }
            if (s.kind == Symbol::Kind::Pool) {
                const string offset = "pool_offset_" + std::to_string(s.value);
                constant(offset, s.value);
                line(2, "%" + name + " = arith.addi %pool, %" + offset + " : index");
            }
        }
    }

    void body(const SpecTree& tree, int tabs) {
        for (const SpecNode& node : tree) {
            if (node.kind == SpecKind::Op) execute(executes_[next_], next_, tabs), ++next_;
            if (node.kind != SpecKind::Loop) continue;
            const string n = std::to_string(loop_++);
            line(tabs, "scf.for %i_" + n + " = %c0 to %loop_bound_" + n + " step %c1 {");
            body(node.body, tabs + 1);
            line(tabs, "}");
        }
    }

    void execute(const Execute& e, std::size_t index, int tabs) {
        const string file = "sdsc_filename=\"sdsc_" + std::to_string(index) + ".json\"";
        if (!hasSymbols()) return line(tabs, "sdscbundle.sdsc_execute () {" + file + "}");
        std::vector<int64_t> order;
        std::map<int64_t, string> operand;
        for (std::size_t a = 0; a < e.ids.size(); ++a) {
            for (const int64_t id : e.ids[a]) {
                if (operand.contains(id)) continue;
                order.push_back(id);
                operand[id] = e.strides[a].empty() ? symbolName(id) : address(e, e.strides[a], id, tabs);
            }
        }
        string operands;
        string ids;
        for (const int64_t id : order) {
            operands += (operands.empty() ? "%" : ", %") + operand[id];
            ids += (ids.empty() ? "" : ", ") + std::to_string(id);
        }
        line(tabs, "sdscbundle.sdsc_execute (" + operands + ") {" + file + ", \"symbol_ids\"=[" + ids + "]}");
    }

    string symbolName(int64_t id) const {
        const auto at = static_cast<std::size_t>(-id - 1);
        return nameOf(table_[at], at);
    }

    /// Writes the line that computes the address of `id` and returns the name of its value.
    string address(const Execute& e, const ArgStrides& strides, int64_t id, int tabs) {
        string variables;
        for (const auto& [level, bytes] : strides) {
            variables +=
                (variables.empty() ? "%i_" : ", %i_") + std::to_string(e.loops[static_cast<std::size_t>(level)]);
        }
        string name = "addr_" + std::to_string(addresses_++);
        line(tabs, "%" + name + " = affine.apply #map_" + std::to_string(maps_.at(keyOf(strides))) + "(" + variables +
                       ")[%" + symbolName(id) + "]");
        return name;
    }

    const BundleOptions& options_;
    Diagnostics& notes_;
    std::vector<int64_t> bounds_;
    std::vector<Symbol> table_;
    std::vector<Execute> executes_;
    std::map<MapKey, std::size_t> maps_;
    std::size_t next_ = 0, addresses_ = 0;
    int loop_ = 0;
    string out_;
};

}  // namespace

std::string_view addressModeName(AddressMode m) {
    return std::find_if(kModes.begin(), kModes.end(), [m](const ModeName& n) { return n.mode == m; })->name;
}

std::optional<AddressMode> addressModeNamed(std::string_view name) {
    for (const ModeName& n : kModes) {
        if (n.name == name) return n.mode;
    }
    return std::nullopt;
}

Result<OpSymbols> registerSymbols(const OpSpec& spec, const SdscOp& op, AddressMode mode, std::size_t before) {
    OpSymbols out;
    std::map<int64_t, int64_t> known;
    for (std::size_t a = 0; a < spec.args.size(); ++a) {
        out.ids.emplace_back();
        const auto& allocation = spec.args[a].allocation;
        if (allocation && allocation->space == Space::Lx) continue;
        for (int64_t core = 0; core < op.coreCount(); ++core) {
            // One address for the whole tensor: that of core 0.
            const bool perTensor = mode == AddressMode::PerTensorConstants;
            auto address = startAddress(op, spec, a, perTensor ? 0 : core);
            if (!address) return std::move(address).error();
            const auto [it, isNew] = known.emplace(address.value(), 0);
            if (isNew) {
                out.values.push_back(address.value());
                it->second = -static_cast<int64_t>(before + out.values.size());
            }
            out.ids.back().push_back(it->second);
        }
    }
    return out;
}

Result<string> bundleMlir(const SpecTree& tree, const BundleOptions& options, Diagnostics& notes) {
    return Writer(options, notes).run(tree);
}

void replaceInexpressible(SpecTree& tree, const std::string& where, Diagnostics& notes) {
    for (SpecNode& node : tree) {
        if (node.kind == SpecKind::Loop) replaceInexpressible(node.body, where, notes);
        if (node.kind != SpecKind::Op || node.op.args.empty()) continue;
        const auto form = checkSdscForm(node.op);
        const bool isKept = form || form.error().primary().code != "BND-105";
        if (isKept) continue;
        notes.warning("BND-105", where, form.error().primary().message + "; the kernel holds it as not implemented",
                      form.error().primary().hint);
        node.name = node.op.op;
        node.kind = SpecKind::Unimplemented;
        node.op = OpSpec();
    }
}

Result<BundleFiles> bundleFiles(const SpecTree& tree, const BundleOptions& options, Diagnostics& notes) {
    BundleFiles files;
    Writer writer(options, notes);
    auto mlir = writer.run(tree);
    if (!mlir) return std::move(mlir).error();
    files.mlir = std::move(mlir).value();
    const auto& executes = writer.executes();
    for (std::size_t i = 0; i < executes.size(); ++i) {
        const Execute& e = executes[i];
        if (!e.sdsc) {
            return makeError("BND-105", e.form.op, "the op \"" + e.form.op + "\" has no tensors",
                             "correct the source or compile it anew");
        }
        std::optional<SymbolIds> ids;
        if (options.addressMode != AddressMode::Baked) ids = e.ids;
        auto text = sdscJson(i, e.form, *e.sdsc, ids);
        if (!text) return std::move(text).error();
        files.operations.emplace_back("sdsc_" + std::to_string(i) + ".json", std::move(text).value());
    }
    return files;
}

}  // namespace memplan::bundle
