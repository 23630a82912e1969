// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/binding.h"

#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/kernel_run.h"

#include <algorithm>
#include <cctype>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

constexpr std::string_view kDenseCopy = "_contiguous";

Error unbound(const string& where, const string& what) {
    return makeError("VER-021", where, what, "name the tensor with --bind-arg K=TENSOR");
}

Error ofAnother(const string& what) {
    return makeError("VER-021", kWrapperFile, what, "name the graph that the bundle was made of");
}

class Binder {
public:
    Binder(const LoadedBundle& bundle, const Graph& graph, const std::map<int64_t, string>& given)
        : b_(bundle), g_(graph), given_(given) {}

    Result<Binding> run() {
        places();
        if (auto ok = b_.hasWrapper ? named() : single(); !ok) return ok.error();
        if (auto ok = explicitNames(); !ok) return ok.error();
        uses();
        if (b_.hasWrapper) {
            hostOps();
            if (auto ok = checkGiven(); !ok) return ok.error();
            return std::move(out_);
        }
        for (const auto& [name, tensor] : out_.tensors) {
            if (!out_.written.contains(name)) provide(tensor);
        }
        return std::move(out_);
    }

private:
    const LoadedBundle& b_;
    const Graph& g_;
    const std::map<int64_t, string>& given_;
    Binding out_;

    void places() {
        out_.producers.assign(g_.tensors.size(), -1);
        for (std::size_t i = 0; i < g_.tensors.size(); ++i) {
            TensorId at = TensorId::of(i);
            int64_t bytes = 0;
            for (std::size_t hops = 0; hops < g_.tensors.size() && g_.tensor(at).aliasOf.isValid(); ++hops) {
                bytes += g_.tensor(at).aliasOffset;
                at = g_.tensor(at).aliasOf;
            }
            const int bits = dtypeBits(g_.tensors[i].dtype);
            out_.origins.push_back({static_cast<int>(at.at()), bits > 0 ? bytes * 8 / bits : 0});
        }
        std::vector<int> writersOfRoot(g_.tensors.size(), 0);
        for (std::size_t i = 0; i < g_.ops.size(); ++i) {
            for (const TensorId t : g_.ops[i].outputs) {
                if (t.isValid() && g_.ops[i].kind != OpKind::View) {
                    out_.producers[t.at()] = static_cast<int>(i);
                    out_.producers[root(t)] = static_cast<int>(i);
                    ++writersOfRoot[root(t)];
                }
            }
        }
        for (std::size_t i = 0; i < g_.tensors.size(); ++i) {
            out_.writers.push_back(writersOfRoot[root(TensorId::of(i))]);
            if (out_.producers[i] < 0) out_.producers[i] = out_.producers[root(TensorId::of(i))];
        }
    }

    std::size_t root(TensorId t) const { return static_cast<std::size_t>(out_.origins[t.at()].root); }

    /// Names of the wrapper: the tensor's own, with _2, _3 .. where another tensor had it before.
    Result<void> named() {
        std::map<string, std::vector<int>> byName;
        for (std::size_t i = 0; i < g_.tensors.size(); ++i)
            byName[plainName(g_.tensors[i].id)].push_back(static_cast<int>(i));
        out_.calls = b_.wrapper.calls;
        out_.hostCalls = b_.wrapper.hostCalls;
        out_.outputs = b_.wrapper.outputs;
        out_.outputViews = b_.wrapper.outputViews;
        std::set<string> names(b_.wrapper.inputs.begin(), b_.wrapper.inputs.end());
        for (const KernelCall& call : out_.calls)
            names.insert(call.arguments.begin(), call.arguments.end());
        for (const HostCall& call : out_.hostCalls) {
            names.insert(call.read.begin(), call.read.end());
            names.insert(call.written.begin(), call.written.end());
        }
        names.insert(out_.outputs.begin(), out_.outputs.end());
        for (const string& name : names) {
            int t = tensorNamed(name, byName);
            if (t < 0) t = densified(name, byName);
            if (t >= 0) out_.tensors[name] = t;
        }
        for (std::size_t i = 0; i < out_.outputs.size() && i < g_.outputs.size(); ++i)
            out_.tensors.emplace(out_.outputs[i], static_cast<int>(g_.outputs[i].at()));
        if (out_.outputs.size() == g_.outputs.size()) return {};
        return ofAnother("it returns " + std::to_string(out_.outputs.size()) + " tensors, the graph " +
                         std::to_string(g_.outputs.size()));
    }

    /// The host gives what the first line of call() unpacks, and nothing else: inputs of the graph.
    Result<void> checkGiven() const {
        std::set<string> given;
        for (const string& name : b_.wrapper.inputs) {
            const auto it = out_.tensors.find(name);
            if (it == out_.tensors.end() || !isGivenTensor(it->second))
                return ofAnother(text::quoted(name) + " is unpacked, and the graph has no such input");
            if (!given.insert(name).second) return unbound(kWrapperFile, text::quoted(name) + " is unpacked twice");
        }
        for (const auto& [name, tensor] : out_.tensors) {
            const bool isMade = out_.written.contains(name) || isWrittenByHost(name);
            if (!isMade && isGivenTensor(tensor) && !given.contains(name))
                return unbound(kWrapperFile, text::quoted(name) + " is used, and nothing gives it");
        }
        return {};
    }

    [[nodiscard]] bool isGivenTensor(int tensor) const {
        const TensorRole role = g_.tensors[static_cast<std::size_t>(tensor)].role;
        return role != TensorRole::Activation && role != TensorRole::Constant;
    }

    [[nodiscard]] bool isWrittenByHost(const string& name) const {
        return std::any_of(out_.hostCalls.begin(), out_.hostCalls.end(), [&](const HostCall& call) {
            return std::find(call.written.begin(), call.written.end(), name) != call.written.end();
        });
    }

    /// The planner's own dense copy of the storage that a view looks into; -1 for another name.
    int densified(const string& name, const std::map<string, std::vector<int>>& byName) const {
        if (!name.ends_with(kDenseCopy)) return -1;
        const int view = tensorNamed(name.substr(0, name.size() - kDenseCopy.size()), byName);
        return view < 0 ? -1 : out_.origins[static_cast<std::size_t>(view)].root;
    }

    static int tensorNamed(const string& name, const std::map<string, std::vector<int>>& byName) {
        if (const auto it = byName.find(name); it != byName.end()) return it->second.front();
        const std::size_t mark = name.rfind('_');
        if (mark == string::npos) return -1;
        const auto number = text::parseInt(std::string_view(name).substr(mark + 1));
        const auto it = byName.find(name.substr(0, mark));
        if (!number || *number < 2 || it == byName.end()) return -1;
        const auto at = static_cast<std::size_t>(*number - 1);
        return at < it->second.size() ? it->second[at] : -1;
    }

    // ---- one kernel without wrapper ----------------------------------------------------------------

    static string argumentName(int64_t k) { return "argument " + std::to_string(k); }

    bool hasPool(const LoadedKernel& k) const {
        return std::any_of(k.program.parameters.begin(), k.program.parameters.end(),
                           [](const Parameter& p) { return p.isPool; });
    }

    Result<void> single() {
        const LoadedKernel& k = *b_.kernels.begin()->second;
        KernelCall& call = out_.calls.emplace_back();
        call.kernel = k.name;
        call.hasPool = hasPool(k);
        std::map<int64_t, bool> isWritten;  // of an argument, before anything else reads it
        for (const SlotUse& use : slotUses(k, call.hasPool)) {
            const int argument = use.slot - (call.hasPool ? 1 : 0);
            if (argument >= 0) isWritten.emplace(argument, use.isWritten);
        }
        const int64_t count = isWritten.empty() ? 0 : isWritten.rbegin()->first + 1;
        if (count > 64) return unbound("bundle.mlir", "it has addresses beyond 64 arguments");
        for (int64_t i = 0; i < count; ++i)
            call.arguments.push_back(argumentName(i));
        std::vector<int> inputs;
        std::vector<int> outputs;
        for (const auto& [argument, written] : isWritten) {
            if (!given_.contains(argument)) (written ? outputs : inputs).push_back(static_cast<int>(argument));
        }
        return inOrder(inputs, outputs);
    }

    /// What is not named is bound in the order of the graph where the numbers agree.
    Result<void> inOrder(const std::vector<int>& inputs, const std::vector<int>& outputs) {
        const std::set<string> taken = givenTensors();
        std::vector<int> freeInputs;
        for (std::size_t i = 0; i < g_.tensors.size(); ++i) {
            const bool isSource = out_.producers[i] < 0 && root(TensorId::of(i)) == i;
            if (isSource && !taken.contains(g_.tensors[i].id)) freeInputs.push_back(static_cast<int>(i));
        }
        std::vector<int> freeOutputs;
        for (const TensorId t : g_.outputs) {
            if (!taken.contains(g_.tensor(t).id)) freeOutputs.push_back(static_cast<int>(t.at()));
        }
        if (freeInputs.size() != inputs.size() || freeOutputs.size() != outputs.size()) {
            return unbound("bundle.mlir", "the kernel reads " + std::to_string(inputs.size()) + " and writes " +
                                              std::to_string(outputs.size()) + " unnamed arguments, the graph has " +
                                              std::to_string(freeInputs.size()) + " and " +
                                              std::to_string(freeOutputs.size()));
        }
        for (std::size_t i = 0; i < inputs.size(); ++i)
            out_.tensors[argumentName(inputs[i])] = freeInputs[i];
        for (std::size_t i = 0; i < outputs.size(); ++i)
            out_.tensors[argumentName(outputs[i])] = freeOutputs[i];
        return {};
    }

    std::set<string> givenTensors() const {
        std::set<string> out;
        for (const auto& [k, name] : given_)
            out.insert(name);
        return out;
    }

    Result<void> explicitNames() {
        if (given_.empty() && b_.hasWrapper) return {};
        for (const auto& [k, id] : given_) {
            const auto it = std::find_if(g_.tensors.begin(), g_.tensors.end(),
                                         [&id = id](const memplan::Tensor& t) { return t.id == id; });
            if (it == g_.tensors.end()) return unbound("--bind-arg", "the graph has no tensor " + text::quoted(id));
            if (out_.calls.size() != 1 || k < 0 || k >= static_cast<int64_t>(out_.calls[0].arguments.size()))
                return unbound("--bind-arg", "no single kernel with an argument " + std::to_string(k));
            out_.tensors[out_.calls[0].arguments[static_cast<std::size_t>(k)]] =
                static_cast<int>(it - g_.tensors.begin());
        }
        if (b_.hasWrapper) return {};
        for (const TensorId output : g_.outputs) {
            const auto it = std::find_if(out_.tensors.begin(), out_.tensors.end(), [&](const auto& pair) {
                return pair.second == static_cast<int>(output.at());
            });
            if (it == out_.tensors.end())
                return unbound("bundle.mlir", "no argument holds the output " + text::quoted(g_.tensor(output).id));
            out_.outputs.push_back(it->first);
            out_.outputViews.emplace_back();
        }
        return {};
    }

    // ---- who computes what -------------------------------------------------------------------------

    void uses() {
        std::set<string> read;
        for (const KernelCall& call : out_.calls) {
            const LoadedKernel& k = *b_.kernels.at(call.kernel);
            for (const SlotUse& use : slotUses(k, call.hasPool)) {
                const int argument = use.slot - (call.hasPool ? 1 : 0);
                if (argument < 0 || argument >= static_cast<int>(call.arguments.size())) continue;
                const string& name = call.arguments[static_cast<std::size_t>(argument)];
                if (use.isWritten) {
                    out_.written.insert(name);
                } else if (!out_.tensors.contains(name) && !out_.written.contains(name)) {
                    scalar(call, argument, name);
                }
            }
        }
        for (const string& name : out_.written)
            out_.scalars.erase(name);
        for (const HostCall& call : out_.hostCalls) {
            for (const string& name : call.written)
                out_.scalars.erase(name);
        }
    }

    void hostOps() {
        std::map<std::string_view, int> numbers;
        for (std::size_t i = 0; i < g_.ops.size(); ++i) {
            if (g_.ops[i].kind != OpKind::View) numbers.emplace(g_.ops[i].id, static_cast<int>(i));
        }
        for (const HostCall& call : out_.hostCalls) {
            const auto it = numbers.find(call.op);
            out_.hostOps.push_back(it == numbers.end() ? -1 : it->second);
            if (it == numbers.end()) {
                nameCopied(call);
                continue;
            }
            out_.outsideOps.insert(it->second);
            nameOperands(call, g_.ops[static_cast<std::size_t>(it->second)]);
        }
    }

    /// A copy that the planner added, such as one for a view that the device cannot index
    /// (spyre-layouts-and-work-division 3), out of a buffer of its own: that one holds the storage of what is written.
    /// Whether it does is compared where the copy runs.
    void nameCopied(const HostCall& call) {
        if (call.read.size() != 1 || call.written.size() != 1) return;
        const auto it = out_.tensors.find(call.written.front());
        if (it == out_.tensors.end()) return;
        out_.tensors.emplace(call.read.front(), out_.origins[static_cast<std::size_t>(it->second)].root);
    }

    /// The planner's own buffers, such as the whole of what a loop makes in tiles
    /// (spyre-coarse-tiling-and-bundle 4), have no name of the graph: the host reads them in the order of its operands.
    void nameOperands(const HostCall& call, const Op& op) {
        std::vector<string> unnamed;
        std::set<int> held;  // storages
        for (const string& name : call.read) {
            const auto it = out_.tensors.find(name);
            if (it != out_.tensors.end()) {
                held.insert(out_.origins[static_cast<std::size_t>(it->second)].root);
            } else if (std::find(unnamed.begin(), unnamed.end(), name) == unnamed.end()) {
                unnamed.push_back(name);
            }
        }
        std::vector<int> missing;
        for (const TensorId input : op.inputs) {
            if (!input.isValid() || !held.insert(static_cast<int>(root(input))).second) continue;
            missing.push_back(static_cast<int>(input.at()));
        }
        if (unnamed.size() != missing.size()) return;
        for (std::size_t i = 0; i < unnamed.size(); ++i)
            out_.tensors.emplace(unnamed[i], missing[i]);
    }

    /// A buffer of one element that nobody writes and the graph does not have.
    void scalar(const KernelCall& call, int argument, const string& name) {
        const auto code = b_.wrapper.kernels.find(call.kernel);
        if (code == b_.wrapper.kernels.end()) return;
        const auto layout = code->second.arguments.find(argument);
        if (layout == code->second.arguments.end() || layout->second.size.empty()) return;
        if (layout->second.elements() == layout->second.size.back()) out_.scalars.insert(name);
    }

    /// The tensor is not written by any kernel: what computes it is outside, and what that needs and is nowhere.
    void provide(int tensor) {
        const int producer = out_.producers[static_cast<std::size_t>(tensor)];
        if (producer < 0) return;
        const Op& op = g_.ops[static_cast<std::size_t>(producer)];
        if (op.kind == OpKind::Constant || !out_.outsideOps.insert(producer).second) return;
        for (const TensorId input : op.inputs) {
            if (input.isValid() && !isComputed(input)) provide(static_cast<int>(input.at()));
        }
    }

    bool isComputed(TensorId tensor) const {
        return std::any_of(out_.written.begin(), out_.written.end(), [&](const string& name) {
            const auto it = out_.tensors.find(name);
            return it != out_.tensors.end() &&
                   out_.origins[static_cast<std::size_t>(it->second)].root == out_.origins[tensor.at()].root;
        });
    }
};

}  // namespace

string plainName(const string& id) {
    string out;
    for (const char c : id)
        out += c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) != 0) out.insert(0, "t_");
    return out;
}

Result<Binding> bindArguments(const LoadedBundle& bundle, const Graph& graph, const std::map<int64_t, string>& given) {
    return Binder(bundle, graph, given).run();
}

}  // namespace memplan::sim::artefact
