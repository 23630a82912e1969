// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/oracle.h"

#include "engine/base/text.h"
#include "engine/sim/eval/source_values.h"
#include "engine/verify/spyre/artefact/access/regions.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace memplan::sim::artefact {
namespace {

using std::string;

/// Constants that the evaluator must compute by value: they have no operand whose name would carry them.
bool isNamedByAttributes(const Op& op) {
    return op.kind == OpKind::Pointwise || op.kind == OpKind::Reduction || op.kind == OpKind::Pool;
}

/// A copy is what its index says, wherever it runs: its values are those of its operand.
bool isKnownCopy(const Op& op) {
    const auto isKnown = [](const OperandMap& map) {
        return map && std::none_of(map->begin(), map->end(), [](const IndexExpr& e) { return e.dataDependent; });
    };
    return op.kind == OpKind::Copy && op.hasIter && op.inputs.size() == 1 && op.outputs.size() == 1 &&
           op.inMaps.size() == 1 && op.outMaps.size() == 1 && isKnown(op.inMaps[0]) && isKnown(op.outMaps[0]);
}

using Constants = std::vector<std::pair<string, double>>;

std::optional<double> numberIn(const AttrValue& v) {
    if (const auto* d = std::get_if<double>(&v)) return *d;
    if (const auto* i = std::get_if<std::int64_t>(&v)) return static_cast<double>(*i);
    return std::nullopt;
}

/// "min" and "clipMin" name one constant.
bool isSameName(std::string_view file, std::string_view attribute) {
    const auto lower = [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); };
    return file.size() >= attribute.size() && std::equal(attribute.rbegin(), attribute.rend(), file.rbegin(),
                                                         [&](char a, char b) { return lower(a) == lower(b); });
}

/// The constants that a file of a function carries.
struct Carried {
    Constants constants;
    std::int64_t wordLength = 0;  ///< bytes of an element of its first operand
};

/// Bytes that the device takes for an element of the op's first operand; 0 = not known.
std::int64_t wordLengthOf(const Graph& graph, const Op& op) {
    if (op.inputs.empty() || !op.inputs.front().isValid()) return 0;
    const auto layout = genericLayout({}, graph.tensor(op.inputs.front()).dtype);
    return layout ? layout->wordLength() : 0;
}

/// How far the file's constants are from the op's numbers, as a sum of shares of them; nullopt where they are not
/// these numbers rounded to a format of at least 9 fraction bits.
std::optional<double> roundingOf(const Constants& constants, const Op& op) {
    constexpr double kRounding = 1.0 / 512;
    std::size_t found = 0;
    double distance = 0;
    for (const auto& [key, value] : op.attrs) {
        const auto number = numberIn(value);
        if (!number) continue;
        const auto it = std::find_if(constants.begin(), constants.end(),
                                     [&key = key](const auto& c) { return isSameName(c.first, key); });
        if (it == constants.end()) continue;
        ++found;
        if (it->second == *number) continue;
        const double error = std::fabs(it->second - *number);
        if (!(error <= kRounding * std::fabs(*number))) return std::nullopt;
        distance += error / std::fabs(*number);
    }
    if (found != constants.size()) return std::nullopt;
    return distance;
}

/// Files of one function may round one number differently: the closest of those with operands as long as the op's is
/// the op's own, before files with other operands.
const Constants* closest(const std::multimap<string, Carried>& carried, const string& function, const Op& op,
                         std::int64_t wordLength) {
    const Constants* best = nullptr;
    std::pair<bool, double> least;
    const auto [first, last] = carried.equal_range(function);
    for (auto it = first; it != last; ++it) {
        const auto distance = roundingOf(it->second.constants, op);
        if (!distance) continue;
        const std::pair<bool, double> rank{it->second.wordLength != wordLength, *distance};
        if (best != nullptr && rank >= least) continue;
        best = &it->second.constants;
        least = rank;
    }
    return best;
}

}  // namespace

Result<void> Oracle::prepare(const Binding& binding, const LoadedBundle& bundle, const RunControl& control) {
    if (values_ && outside_ == binding.outsideOps) return {};
    outside_ = binding.outsideOps;
    evaluated_ = graph_;
    adaptAttributes(bundle);
    evaluatorOptions_ = {};
    evaluatorOptions_.seed = options_.seed;
    evaluatorOptions_.memoryBytes = options_.memoryBytes;
    for (const int op : outside_) {
        const Op& outside = graph_.ops[static_cast<std::size_t>(op)];
        if (!isKnownCopy(outside)) evaluatorOptions_.opaque.insert(outside.id);
        keepTensorsOf(outside);
    }
    for (const auto& [name, tensor] : binding.tensors)
        if (!binding.written.contains(name))
            evaluatorOptions_.keep.insert(graph_.tensors[static_cast<std::size_t>(tensor)].id);
    // What nobody can compute has no value but its name, also where the wrapper forgot it.
    for (const Op& op : graph_.ops) {
        if (op.kind == OpKind::Fallback) evaluatorOptions_.opaque.insert(op.id);
    }
    keepStoragesOf(binding);
    for (const string& name : binding.outputs) {
        const auto it = binding.tensors.find(name);
        if (it != binding.tensors.end())
            evaluatorOptions_.keep.insert(graph_.tensors[static_cast<std::size_t>(it->second)].id);
    }
    auto values = evaluate(evaluated_, evaluatorOptions_, control);
    if (!values) return values.error();
    values_ = std::move(values).value();
    all_.reset();
    return {};
}

/// All tensors of the storages that host calls access: one that is made in parts is another one after each of them.
void Oracle::keepStoragesOf(const Binding& binding) {
    std::set<int> roots;
    for (const HostCall& call : binding.hostCalls) {
        for (const auto* names : {&call.read, &call.written}) {
            for (const string& name : *names) {
                const auto it = binding.tensors.find(name);
                if (it != binding.tensors.end())
                    roots.insert(binding.origins[static_cast<std::size_t>(it->second)].root);
            }
        }
    }
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        if (roots.contains(binding.origins[i].root)) evaluatorOptions_.keep.insert(graph_.tensors[i].id);
    }
}

void Oracle::keepTensorsOf(const Op& op) {
    for (const auto* list : {&op.inputs, &op.outputs}) {
        for (const TensorId t : *list) {
            if (t.isValid()) evaluatorOptions_.keep.insert(graph_.tensor(t).id);
        }
    }
}

void Oracle::adaptAttributes(const LoadedBundle& bundle) {
    std::multimap<string, Carried> carried;
    for (const auto& [name, kernel] : bundle.kernels) {
        for (const auto& [path, file] : kernel->files) {
            const Descriptor& d = file->descriptor;
            const std::int64_t wordLength = d.inputs.empty() ? 0 : d.tensors[d.inputs.front()].wordLength;
            if (!file->ready.attributes.empty())
                carried.emplace(file->ready.function, Carried{constantsOf(d), wordLength});
        }
    }
    std::set<string> without;
    for (std::size_t i = 0; i < evaluated_.ops.size(); ++i) {
        Op& op = evaluated_.ops[i];
        if (outside_.contains(static_cast<int>(i)) || !isNamedByAttributes(op)) continue;
        const string function = canonicalFunction(op.fn);
        // The type that a cast makes is the format of its result.
        if (function == "cast") op.attrs.clear();
        if (functionAttributes(op).empty()) continue;
        if (!carried.contains(function)) {
            without.insert(function + " (" + functionAttributes(op) + ")");
            op.attrs.clear();
            continue;
        }
        const Constants* same = closest(carried, function, op, wordLengthOf(evaluated_, op));
        if (same != nullptr) op.attrs.assign(same->begin(), same->end());
    }
    leftOut_.assign(without.begin(), without.end());
}

const std::vector<Value>& Oracle::of(int tensor) const {
    const auto at = static_cast<std::size_t>(tensor);
    if (values_ && !values_->values[at].empty()) return values_->values[at];
    const auto it = sources_.find(tensor);
    if (it != sources_.end()) return it->second;
    return sources_[tensor] = sourceValues(graph_.tensors[at], options_.seed);
}

const std::vector<Value>* Oracle::everything(std::size_t tensor, const RunControl& control) {
    if (!all_) {
        EvaluatorOptions keepAll = evaluatorOptions_;
        keepAll.keepAll = true;
        auto values = evaluate(evaluated_, keepAll, control);
        all_ = values ? std::move(values).value() : Evaluation{};
    }
    if (tensor < all_->values.size() && !all_->values[tensor].empty()) return &all_->values[tensor];
    return graph_.tensors[tensor].role == TensorRole::Activation ? nullptr : &of(static_cast<int>(tensor));
}

string Oracle::nameOf(Value value, const RunControl& control) {
    if (value == 0) return "0";
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
        const std::vector<Value>* values = everything(t, control);
        if (values == nullptr) continue;
        const auto it = std::find(values->begin(), values->end(), value);
        if (it != values->end()) return elementText(graph_.tensors[t], it - values->begin());
    }
    return kNoValue;
}

std::unordered_set<Value> Oracle::all(const RunControl& control) {
    std::unordered_set<Value> out;
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
        if (const std::vector<Value>* values = everything(t, control)) out.insert(values->begin(), values->end());
    }
    return out;
}

}  // namespace memplan::sim::artefact
