// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/bundle/entry_check.h"

#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/bundle/entry_access.h"
#include "engine/verify/spyre/artefact/bundle/resolver.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;
using text::quoted;

constexpr std::size_t kMostInstances = 100'000;

/// An operation of the source in one iteration of its loops.
struct EntryRun {
    const OpEntry* op = nullptr;
    std::vector<const OpEntry*> loops;
    std::vector<int64_t> at;
};

/// An execute line in one iteration of its loops.
struct StepRun {
    const Step* step = nullptr;
    std::vector<int64_t> loops;  ///< by loop number
};

struct Contradiction {
    string place, what;
};

/// All operations of the source as they run; false where they are too many to be compared one by one.
bool unrollEntries(const std::vector<OpEntry>& entries, EntryRun& open, std::vector<EntryRun>& out) {
    for (const OpEntry& e : entries) {
        if (!e.problem.empty()) throw Contradiction{e.line.number, e.problem};
        if (!e.isLoop) {
            if (out.size() == kMostInstances) return false;
            out.push_back(open);
            out.back().op = &e;
            continue;
        }
        if (e.body.empty()) throw Contradiction{e.line.number, "a loop without operations"};
        open.loops.push_back(&e);
        open.at.push_back(0);
        bool isAll = true;
        for (int64_t i = 0; i < e.count && isAll; ++i) {
            open.at.back() = i;
            isAll = unrollEntries(e.body, open, out);
        }
        open.loops.pop_back();
        open.at.pop_back();
        if (!isAll) return false;
    }
    return true;
}

bool unrollSteps(const std::vector<Step>& steps, std::vector<int64_t>& loops, std::vector<StepRun>& out) {
    for (const Step& s : steps) {
        if (!s.isLoop()) {
            if (out.size() == kMostInstances) return false;
            out.push_back({&s, loops});
            continue;
        }
        for (int64_t i = 0; i < s.trips(); ++i) {
            loops[static_cast<std::size_t>(s.loop)] = s.first + i * s.step;
            if (!unrollSteps(s.body, loops, out)) return false;
        }
    }
    return true;
}

bool isProduct(std::string_view op) {
    return op == "matmul" || op == "batchmatmul" || op == "batchmatmulfp8";
}

/// The file holds the number of the source, rounded to its format.
bool isRounded(double file, double source, const string& format) {
    if (file == source) return true;
    const double half = format == "IEEE_FP32" ? std::ldexp(1.0, -24) : std::ldexp(1.0, -10);
    return std::fabs(file - source) <= half * std::fabs(source);
}

class KernelCheck {
public:
    KernelCheck(const LoadedKernel& kernel, const KernelCode& code, const KernelCall& call, bool isPerTensor,
                StrideModels& models)
        : kernel_(kernel), code_(code), call_(call), models_(models), resolver_(kernel, call.hasPool, isPerTensor) {}

    void run() {
        std::vector<EntryRun> entries;
        std::vector<StepRun> steps;
        EntryRun open;
        std::vector<int64_t> loops(static_cast<std::size_t>(kernel_.program.loops), 0);
        const bool isAll = unrollEntries(code_.entries, open, entries);
        if (isAll != unrollSteps(kernel_.program.steps, loops, steps) || entries.size() != steps.size()) {
            const string place = code_.entries.empty() ? "" : code_.entries.front().line.number;
            throw Contradiction{place, "it says " + std::to_string(entries.size()) + " operations in kernel " +
                                           quoted(code_.name) + ", bundle.mlir runs " + std::to_string(steps.size())};
        }
        for (std::size_t i = 0; i < steps.size(); ++i)
            compare(entries[i], steps[i]);
    }

private:
    const LoadedKernel& kernel_;
    const KernelCode& code_;
    const KernelCall& call_;
    StrideModels& models_;
    Resolver resolver_;
    std::set<std::pair<const OpEntry*, const LoadedFile*>> compared_;
    std::map<const OpEntry*, std::vector<TensorSteps>> steps_;

    void compare(const EntryRun& run, const StepRun& step) {
        const LoadedFile& file = *kernel_.files.at(step.step->file);
        const OpEntry& e = *run.op;
        const auto fail = [&](const string& what) {
            throw Contradiction{e.line.number,
                                "OpSpec " + quoted(e.op) + " says " + what + " (" + file.ready.name + ")"};
        };
        if (compared_.emplace(&e, &file).second) {
            if (const string what = difference(run, file); !what.empty()) fail(what);
        }
        auto [it, isNew] = steps_.try_emplace(&e);
        if (isNew) it->second = stepsOf(e, run.loops);
        for (std::size_t t = 0; t < e.tensors.size(); ++t) {
            if (!isAt(e.tensors[t], it->second[t], run, step, file, t))
                fail("another place of tensor " + std::to_string(t) + " than its file");
        }
    }

    /// What an entry says otherwise than its file, in no matter which iteration; empty = nothing.
    string difference(const EntryRun& run, const LoadedFile& file) const {
        const OpEntry& e = *run.op;
        const Descriptor& d = file.descriptor;
        if (d.function != e.op && d.function != e.op + "nonstick") return "another function";
        const bool listsResult = e.isReduction && !isProduct(e.op) && !e.op.starts_with("topk");
        if (listsResult != d.isReduction || (isProduct(e.op) && !e.isReduction)) return "another kind of operation";
        if (e.tensors.size() != d.tensors.size()) return "another number of tensors";
        for (std::size_t t = 0; t < e.tensors.size(); ++t) {
            if (const string what = tensorDifference(e.tensors[t], d, t); !what.empty())
                return what + " of tensor " + std::to_string(t);
        }
        if (!sameConstants(e, d)) return "other constants";
        return accessDifference(e, run.loops, file);
    }

    string tensorDifference(const EntryTensor& t, const Descriptor& d, std::size_t at) const {
        const Tensor& file = d.tensors[at];
        const bool isOutput = at + 1 == d.tensors.size();
        if (t.isInput == isOutput || (isOutput && d.output != at)) return "another direction";
        if (!isOutput && (at >= d.inputs.size() || d.inputs[at] != at)) return "another order";
        if (!file.format.empty() && t.format != file.format) return "another format";
        if ((t.memory == "lx") != file.isLx) return "another memory";
        if ((t.memory == "hbm") != (t.argument >= 0)) return "an argument that contradicts the memory";
        if (t.argument >= static_cast<int64_t>(call_.arguments.size()))
            return "an argument that the call does not have";
        return t.memory == "pool" && !call_.hasPool ? "a place in the pool, which the call does not have," : "";
    }

    static bool sameConstants(const OpEntry& e, const Descriptor& d) {
        const auto stored = constantsOf(d);
        if (stored.size() != e.constants.size()) return false;
        return std::all_of(stored.begin(), stored.end(), [&](const auto& c) {
            const auto it = e.constants.find(c.first);
            const auto own = std::find_if(d.constants.begin(), d.constants.end(),
                                          [&](const NamedConstant& n) { return n.name == c.first; });
            return it != e.constants.end() && isRounded(c.second, it->second, own->format);
        });
    }

    /// The tensor is on core 0 where the entry says it, by one of the stride models.
    bool isAt(const EntryTensor& t, const TensorSteps& steps, const EntryRun& run, const StepRun& step,
              const LoadedFile& file, std::size_t at) {
        const Spot real = file.descriptor.tensors[at].isLx
                              ? Spot{0, file.descriptor.tensors[at].start.front()}
                              : resolver_.spot(*step.step, file, at, 0, step.loops, Bases(false));
        const int64_t offset = file.descriptor.tensors[at].isLx ? 0 : Resolver::sliceOffset(file, at, 0);
        // Where addresses are arguments, the entry may give the number of the argument.
        const bool isNumber = t.memory == "hbm" && t.address == t.argument;
        Spot said = t.memory == "hbm" && !isNumber ? Bases(false).find(t.address) : Spot{0, isNumber ? 0 : t.address};
        if (t.memory == "hbm" && isNumber) said.slot = t.argument + (call_.hasPool ? 1 : 0);
        const bool isBound = t.memory != "hbm" || said.slot == t.argument + (call_.hasPool ? 1 : 0);
        if (!isBound || said.slot != real.slot) return false;
        if (!steps.areKnown) return true;
        const int64_t moved = real.byte - offset - said.byte - steps.first;
        const auto fits = [&](const std::vector<int64_t>& perLevel) {
            int64_t sum = 0;
            for (std::size_t level = 0; level < perLevel.size(); ++level)
                sum += perLevel[level] * run.at[level];
            return sum == moved;
        };
        models_.device = models_.device && fits(steps.device);
        models_.host = models_.host && fits(steps.host);
        return models_.device || models_.host;
    }
};

/// Tensors of one buffer have one layout: whoever reads what was written in the same sizes says the same strides of the
/// host.
class BufferLayouts {
public:
    void follow(const KernelCode& code, const KernelCall& call) {
        // An entry without a descriptor does not say what it writes on chip and into the pool.
        hidesWrites_ = !code.unimplemented.empty();
        if (hidesWrites_) std::erase_if(known_, [](const auto& known) { return known.second.isInternal; });
        follow(code.entries, call);
    }

private:
    struct Layout {
        std::vector<int64_t> size, strideMap;
        bool isInternal = false;
    };
    std::map<string, Layout> known_;
    bool hidesWrites_ = false;

    void follow(const std::vector<OpEntry>& entries, const KernelCall& call) {
        for (const OpEntry& e : entries) {
            if (e.isLoop) follow(e.body, call);
            for (const EntryTensor& t : e.tensors)
                look(e, t, call);
        }
    }

    void look(const OpEntry& e, const EntryTensor& t, const KernelCall& call) {
        if (t.strideMap.empty() || (hidesWrites_ && t.argument < 0) ||
            t.argument >= static_cast<int64_t>(call.arguments.size()))
            return;
        const string place = t.argument < 0 ? t.memory + " " + std::to_string(t.address)
                                            : call.arguments[static_cast<std::size_t>(t.argument)];
        const auto [it, isFirst] = known_.try_emplace(place, Layout{t.size, t.strideMap, t.argument < 0});
        const bool isOverwritten = !t.isInput && t.argument < 0;
        if (!isFirst && !isOverwritten && it->second.size == t.size && it->second.strideMap != t.strideMap)
            throw Contradiction{e.line.number, "OpSpec " + quoted(e.op) + " says other host strides of " + place +
                                                   " than an operation before it"};
        if (isOverwritten) it->second = {t.size, t.strideMap, true};
    }
};

}  // namespace

std::optional<Fault> checkEntries(const LoadedBundle& bundle) {
    StrideModels models;
    BufferLayouts layouts;
    std::set<string> seen;
    for (const KernelCall& call : bundle.wrapper.calls) {
        const auto code = bundle.wrapper.kernels.find(call.kernel);
        const auto kernel = bundle.kernels.find(call.kernel);
        if (code == bundle.wrapper.kernels.end() || kernel == bundle.kernels.end() || !seen.insert(call.kernel).second)
            continue;
        try {
            KernelCheck(*kernel->second, code->second, call, bundle.isPerTensor, models).run();
            layouts.follow(code->second, call);
        } catch (const Contradiction& c) {
            Fault f;
            f.code = "VER-020";
            f.op = "output_code.py:" + c.place;
            f.kind = "order or missing op";
            f.message = c.what;
            return f;
        }
    }
    return std::nullopt;
}

}  // namespace memplan::sim::artefact
