// SPDX-License-Identifier: Apache-2.0
#include "sim/artefact/proof_run.h"

#include "base/text.h"
#include "sim/artefact/kernel_run.h"
#include "sim/artefact/outside_parts.h"
#include "sim/artefact/products.h"
#include "sim/artefact/regions.h"
#include "sim/artefact/resolver.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

constexpr const char* kHost = "the host";

class ProofRun {
public:
    ProofRun(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle, const ProofOptions& options,
             const RunControl& control, const std::unordered_set<Value>* known, bool isSearch)
        : b_(bundle), bind_(binding), oracle_(oracle), g_(oracle.graph()), options_(options), control_(control),
          isSearch_(isSearch) {
        machine_.seed = options.sim.seed;
        machine_.memoryBytes = options.sim.memoryBytes;
        machine_.known = known;
        verdict_.seed = options.sim.seed;
    }

    Result<Verdict> run() {
        makeRegions();
        host_ = machine_.begin(kHost);
        for (std::size_t i = 0; i < bind_.calls.size() && verdict_.faults.empty(); ++i) {
            control_.progress("run the bundle", static_cast<double>(i), static_cast<double>(bind_.calls.size()));
            if (auto ok = call(bind_.calls[i]); !ok) return ok.error();
        }
        for (std::size_t i = 0; i < bind_.outputs.size() && verdict_.faults.empty(); ++i)
            provideOutput(bind_.outputs[i]);
        if (verdict_.faults.empty()) {
            for (std::size_t i = 0; i < bind_.outputs.size(); ++i)
                checkOutput(i);
        }
        return finish();
    }

    /// Outside parts that the host made and no kernel wrote, before or later.
    [[nodiscard]] std::set<int> untouchedParts() const {
        std::set<int> out;
        for (const auto& [number, place] : given_) {
            const Region& r = regions_.at(place.region);
            const BufferId result = g_.ops[static_cast<std::size_t>(number)].outputs[0];
            const bool isMade = isWrittenByKernels(r, place.part, offsetIn(r, result), host_);
            if (!place.wasWritten && !isMade) out.insert(number);
        }
        return out;
    }

private:
    /// An outside part that is there.
    struct GivenPart {
        Part part;
        string region;
        bool wasWritten = false;  ///< by a kernel, before the host came
    };

    const LoadedBundle& b_;
    const Binding& bind_;
    Oracle& oracle_;
    const Graph& g_;
    const ProofOptions& options_;
    const RunControl& control_;
    Machine machine_;
    Verdict verdict_;
    std::map<string, Region> regions_;
    Store pool_{"the pool", 0};
    std::uint32_t host_ = 0;
    std::vector<string> unimplemented_;  ///< entries without a descriptor, of the kernels that ran
    std::set<int> checked_;              ///< outside ops whose operands were compared
    std::map<int, GivenPart> given_;     ///< by op of the graph
    bool isSearch_ = false;              ///< what kernels write is wanted, no values: operands are not compared
    std::map<string, int64_t> base_;     ///< address of the last binding, for messages

    // ---- memory ------------------------------------------------------------------------------------

    void makeRegions() {
        for (const KernelCall& c : bind_.calls) {
            for (const string& name : c.arguments)
                makeRegion(name);
            const auto code = b_.wrapper.kernels.find(c.kernel);
            const int64_t bytes = code == b_.wrapper.kernels.end() ? kSegment : code->second.poolBytes;
            if (c.hasPool) pool_.grow(bytes);
        }
        for (const string& name : bind_.outputs)
            makeRegion(name);
    }

    /// Layouts that the wrapper names for an argument.
    std::vector<DeviceLayout> layoutsOf(const string& name) const {
        std::vector<DeviceLayout> out;
        for (const KernelCall& c : bind_.calls) {
            const auto code = b_.wrapper.kernels.find(c.kernel);
            if (code == b_.wrapper.kernels.end()) continue;
            for (std::size_t k = 0; k < c.arguments.size(); ++k) {
                const auto layout = code->second.arguments.find(static_cast<int64_t>(k));
                if (c.arguments[k] == name && layout != code->second.arguments.end()) out.push_back(layout->second);
            }
        }
        std::stable_sort(out.begin(), out.end(),
                         [](const auto& a, const auto& b) { return a.elements() > b.elements(); });
        return out;
    }

    int tensorOf(const string& name) const {
        if (const auto it = bind_.tensors.find(name); it != bind_.tensors.end()) return it->second;
        const auto at = std::find(bind_.outputs.begin(), bind_.outputs.end(), name);
        return at == bind_.outputs.end()
                   ? -1
                   : static_cast<int>(g_.outputs[static_cast<std::size_t>(at - bind_.outputs.begin())].at());
    }

    void makeRegion(const string& name) {
        if (regions_.contains(name)) return;
        Region& r = regions_[name];
        r.tensor = tensorOf(name);
        const std::vector<DeviceLayout> layouts = layoutsOf(name);
        const int64_t elements = r.tensor >= 0
                                     ? elementCount(g_.tensors[static_cast<std::size_t>(r.tensor)].shape).value_or(0)
                                 : bind_.scalars.contains(name) ? 1
                                                                : 0;
        if (elements > 0) {
            for (const DeviceLayout& l : layouts) {
                if (l.wordLength() > 0 && placeHost(r, l, elements)) break;
            }
            if (!r.host && r.tensor >= 0) {
                const memplan::Tensor& t = g_.tensors[static_cast<std::size_t>(r.tensor)];
                if (const auto l = genericLayout(t.shape, t.dtype)) placeHost(r, *l, elements);
            }
        }
        if (!r.host && !layouts.empty()) r.layout = layouts.front();
        r.store = Store(name, saturating(r.layout.elements(), r.layout.wordLength()));
    }

    static int64_t saturating(int64_t a, int64_t b) { return a > kSegment ? kSegment : a * b; }

    static bool placeHost(Region& r, const DeviceLayout& l, int64_t elements) {
        auto host = HostOrder::of(l, elements);
        if (!host) return false;
        r.layout = l;
        r.host = std::move(host);
        return true;
    }

    // ---- the host ----------------------------------------------------------------------------------

    /// Fills what the host provides and nobody filled yet.
    void provide(const string& name) {
        Region& r = regions_.at(name);
        if (r.isFilled) return;
        if (bind_.scalars.contains(name)) {
            fill(r, {0}, host_);
            verdict_.outside.push_back("constant " + name + ": the number 0");
            return;
        }
        if (r.tensor < 0) return;
        const auto tensor = static_cast<std::size_t>(r.tensor);
        if (bind_.copies.contains(name)) return copyPart(name, r);
        const int producer = bind_.producers[tensor];
        const bool isSource =
            g_.tensors[static_cast<std::size_t>(bind_.origins[tensor].root)].role != TensorRole::Activation;
        const bool isOutside = producer >= 0 && (bind_.outsideOps.contains(producer) ||
                                                 g_.ops[static_cast<std::size_t>(producer)].kind == OpKind::Constant);
        if (isOutside && bind_.written.contains(name)) return;
        if (!isSource && !isOutside) return;
        if (isOutside) checkOperands(producer);
        if (!r.host) {
            verdict_.skipped.push_back("the layout of " + name + " is not known");
            return;
        }
        if (isSource && isLarge(r)) {
            const StorageOrigin& origin = bind_.origins[tensor];
            const std::string& root = g_.tensors[static_cast<std::size_t>(origin.root)].id;
            fillNamed(r, keyOf(root, options_.sim.seed), origin.offset,
                      elementCount(g_.tensors[tensor].shape).value_or(0), host_);
            return;
        }
        fill(r, oracle_.of(r.tensor), host_);
    }

    /// Too large to be kept in cells, and its values follow from their places.
    bool isLarge(const Region& r) const {
        constexpr int64_t kLargeShare = 64;
        const memplan::Tensor& root =
            g_.tensors[static_cast<std::size_t>(bind_.origins[static_cast<std::size_t>(r.tensor)].root)];
        const int64_t elements = std::max(r.layout.elements(), elementCount(root.shape).value_or(0));
        return root.value.empty() && hasStickRows(r) && elements > options_.sim.memoryBytes / kLargeShare;
    }

    /// The host copies what a kernel has written, which must be what the graph says.
    void copyPart(const string& name, Region& r) {
        const BufferId tensor = BufferId::of(static_cast<std::size_t>(r.tensor));
        verdict_.outside.push_back("copy of " + g_.tensor(tensor).id);
        checkOperand("the copy of " + g_.tensor(tensor).id, tensor);
        if (!r.host) {
            verdict_.skipped.push_back("the layout of " + name + " is not known");
            return;
        }
        fill(r, oracle_.of(r.tensor), host_);
    }

    /// Makes the copies into parts of a tensor that are left to the host and whose operands are there: before its first
    /// reader. `isLast`: they must be there now.
    void provideParts(const string& name, bool isLast) {
        Region& r = regions_.at(name);
        if (bind_.outsideParts.empty() || r.tensor < 0 || !r.host) return;
        const int root = bind_.origins[static_cast<std::size_t>(r.tensor)].root;
        for (const int number : bind_.outsideParts) {
            const BufferId result = g_.ops[static_cast<std::size_t>(number)].outputs[0];
            if (bind_.origins[result.at()].root != root || given_.contains(number)) continue;
            if (!isSearch_ && !isLast && !isReady(number)) continue;
            GivenPart place{partOf(g_, number), name, false};
            place.wasWritten = isWrittenByKernels(r, place.part, offsetIn(r, result), host_);
            // A part that a kernel wrote may have operands that are in no argument.
            if (!place.wasWritten) {
                checkOperands(number);
                fillPart(r, place.part, offsetIn(r, result), oracle_.of(static_cast<int>(result.at())), host_);
            }
            given_.emplace(number, std::move(place));
        }
    }

    /// All that an outside op reads is there already.
    bool isReady(int number) {
        const std::set<int> checked = checked_;
        const std::vector<string> outside = verdict_.outside;
        checkOperands(number);
        checked_ = checked;
        verdict_.outside = outside;
        const bool isThere = verdict_.faults.empty();
        verdict_.faults.clear();
        return isThere;
    }

    /// What an outside kernel reads must be what the graph says.
    void checkOperands(int producer) {
        const bool isOutside = bind_.outsideOps.contains(producer) || bind_.outsideParts.contains(producer);
        if (!isOutside || !checked_.insert(producer).second) return;
        const Op& op = g_.ops[static_cast<std::size_t>(producer)];
        verdict_.outside.push_back(op.id + " (" + op.fn + ")");
        for (const BufferId input : op.inputs) {
            if (!input.isValid() || !verdict_.faults.empty()) continue;
            const int from = bind_.producers[input.at()];
            if (from < 0 || g_.ops[static_cast<std::size_t>(from)].kind == OpKind::Constant) continue;
            if (bind_.outsideOps.contains(from)) {
                checkOperands(from);
            } else {
                checkOperand(op.id, input);
            }
        }
    }

    void checkOperand(const string& reader, BufferId input) {
        const memplan::Tensor& t = g_.tensor(input);
        for (auto& [name, r] : regions_) {
            const bool isThere =
                r.tensor >= 0 && r.host && bind_.written.contains(name) &&
                bind_.origins[static_cast<std::size_t>(r.tensor)].root == bind_.origins[input.at()].root;
            if (!isThere) continue;
            provideParts(name, false);
            if (isSearch_) return;
            report(name, t, compare(r, oracle_.of(static_cast<int>(input.at())), offsetIn(r, input)),
                   "operand of " + reader);
            return;
        }
        if (isSearch_) return;
        Fault f;
        f.code = "VER-011";
        f.op = reader;
        f.expected = t.id;
        f.message = "the operand " + text::quoted(t.id) +
                    " of an operation outside of the bundle is in no argument of any kernel";
        verdict_.faults.push_back(std::move(f));
    }

    int64_t offsetIn(const Region& r, BufferId tensor) const {
        if (r.tensor < 0) return 0;
        return bind_.origins[tensor.at()].offset - bind_.origins[static_cast<std::size_t>(r.tensor)].offset;
    }

    // ---- kernels -----------------------------------------------------------------------------------

    Result<void> call(const KernelCall& c) {
        Slots slots;
        if (c.hasPool) slots.push_back(&pool_);
        for (std::size_t k = 0; k < c.arguments.size(); ++k) {
            const string& name = c.arguments[k];
            provide(name);
            base_[name] = static_cast<int64_t>(slots.size()) * kSegment;
            slots.push_back(&regions_.at(name).store);
        }
        provideReadParts(c);
        if (!verdict_.faults.empty()) return {};
        if (const auto code = b_.wrapper.kernels.find(c.kernel); code != b_.wrapper.kernels.end()) {
            for (const string& op : code->second.unimplemented)
                unimplemented_.push_back(op + " of " + c.kernel);
        }
        if (options_.sim.wipeLxAtKernels) machine_.wipeLx();
        auto fault = runKernel(machine_, *b_.kernels.at(c.kernel), slots, c.hasPool, b_.isPerTensor, control_);
        if (!fault) return fault.error();
        if (fault.value()) verdict_.faults.push_back(std::move(*fault.value()));
        return {};
    }

    void provideReadParts(const KernelCall& c) {
        if (bind_.outsideParts.empty() || !verdict_.faults.empty()) return;
        for (const SlotUse& use : slotUses(*b_.kernels.at(c.kernel), c.hasPool)) {
            const int argument = use.slot - (c.hasPool ? 1 : 0);
            if (use.isWritten || argument < 0 || argument >= static_cast<int>(c.arguments.size())) continue;
            provideParts(c.arguments[static_cast<std::size_t>(argument)], false);
        }
    }

    // ---- results -----------------------------------------------------------------------------------

    void provideOutput(const string& name) {
        provide(name);
        if (verdict_.faults.empty()) provideParts(name, true);
    }

    void checkOutput(std::size_t i) {
        const Region& r = regions_.at(bind_.outputs[i]);
        const memplan::Tensor& t = g_.tensor(g_.outputs[i]);
        const std::vector<Value>& wanted = oracle_.of(static_cast<int>(g_.outputs[i].at()));
        if (!r.host) {
            verdict_.skipped.push_back("the layout of " + bind_.outputs[i] + " is not known");
            return;
        }
        verdict_.elementsChecked += static_cast<int64_t>(wanted.size());
        const std::optional<ReturnedView>& view = bind_.outputViews[i];
        if (view && view->shape != t.shape) return misshapen(bind_.outputs[i], t, textOf(view->shape));
        // A name alone is all of its tensor.
        const int64_t all =
            r.tensor < 0 ? 1 : elementCount(g_.tensors[static_cast<std::size_t>(r.tensor)].shape).value_or(0);
        if (!view && b_.hasWrapper && all != static_cast<int64_t>(wanted.size()))
            return misshapen(bind_.outputs[i], t, text::grouped(all));
        report(bind_.outputs[i], t, view ? compare(r, wanted, *view) : compare(r, wanted, offsetIn(r, g_.outputs[i])),
               "output");
    }

    static string textOf(const std::vector<int64_t>& shape) {
        std::vector<string> extents;
        for (const int64_t e : shape)
            extents.push_back(std::to_string(e));
        return text::join(extents, " x ");
    }

    void misshapen(const string& name, const memplan::Tensor& t, const string& extents) {
        Fault f;
        f.code = "VER-021";
        f.buffer = name;
        f.expected = t.id;
        f.kind = "address or stride";
        f.message = "for the output " + text::quoted(t.id) + " of " + textOf(t.shape) + " elements it returns " +
                    extents + " of " + name;
        verdict_.faults.push_back(std::move(f));
    }

    void report(const string& name, const memplan::Tensor& t, const Difference& d, const string& what) {
        const int64_t base = base_.contains(name) ? base_.at(name) : 0;
        if (d.missing > 0) {
            Fault f;
            f.code = "VER-017";
            f.buffer = name;
            f.memory = "HBM";
            f.count = d.missingSticks;
            f.address = base + d.addressMissing;
            f.expected = elementText(t, d.firstMissing);
            f.writer = "never written";
            f.kind = "order or missing op";
            f.message = text::grouped(d.missingSticks) + " sticks of " + t.id + " (" + what +
                        ") never written, first at " + f.expected + ", HBM address " + text::grouped(f.address);
            verdict_.faults.push_back(std::move(f));
        }
        if (d.wrong == 0) return;
        Fault f;
        f.code = "VER-015";
        f.buffer = name;
        f.memory = "HBM";
        f.count = d.wrong;
        f.address = base + d.addressWrong;
        f.expected = elementText(t, d.firstWrong);
        f.found = !options_.sim.explain ? ""
                  : isPadding(d.found)  ? "a lane without data"
                                        : oracle_.nameOf(d.found.value, control_);
        f.writer = machine_.writerOf(d.found);
        f.op = d.found.writer == 0 ? "" : machine_.events[eventOf(d.found) - 1].op;
        f.loop = d.found.writer == 0 ? std::vector<int64_t>{} : machine_.events[eventOf(d.found) - 1].loop;
        f.kind = f.found == kNoValue ? "function" : "address or stride";
        f.message = text::grouped(d.wrong) + " elements of " + t.id + " (" + what + ") are wrong, first at " +
                    f.expected + ", HBM address " + text::grouped(f.address) + ": it holds " +
                    (f.found.empty() ? "something else" : f.found) + " written by " + f.writer;
        verdict_.faults.push_back(std::move(f));
    }

    /// What an entry without a descriptor computes is not in the files: what misses it cannot be decided.
    void excuseUnimplemented() {
        const string entries = text::join(unimplemented_, ", ");
        if (entries.empty() || verdict_.faults.empty()) return;
        const string code = verdict_.faults.front().code;
        if (code != "VER-011" && code != "VER-015" && code != "VER-017") return;
        verdict_.skipped.push_back("entries without a descriptor, whose results are in no file: " + entries +
                                   "; then " + verdict_.faults.front().op + ": " + verdict_.faults.front().message);
        verdict_.faults.clear();
    }

    Result<Verdict> finish() {
        if (!machine_.firstUnknown.empty() && !verdict_.faults.empty())
            verdict_.faults.front().message +=
                "; the first value that the graph does not have is made by " + machine_.firstUnknown;
        excuseUnimplemented();
        for (const string& f : oracle_.leftOut())
            verdict_.skipped.push_back("no file carries the attributes of " + f + ": compared without them");
        verdict_.outside.insert(verdict_.outside.end(), unimplemented_.begin(), unimplemented_.end());
        verdict_.instances = machine_.instances;
        verdict_.bytesMoved = machine_.counts.bytesMoved;
        verdict_.productTerms = machine_.counts.productTerms;
        verdict_.measuredReadBytes = machine_.counts.readBytes;
        verdict_.measuredWriteBytes = machine_.counts.writeBytes;
        verdict_.measuredPeakBytes = machine_.counts.lxPeak;
        verdict_.redundantWrites = machine_.counts.redundantWrites;
        verdict_.kind = !verdict_.faults.empty()    ? VerdictKind::Wrong
                        : !verdict_.skipped.empty() ? VerdictKind::NotProved
                                                    : VerdictKind::Proved;
        return std::move(verdict_);
    }
};

/// A bundle that contradicts itself is wrong, not unreadable.
Verdict inconsistent(const Diagnostic& d, std::uint64_t seed) {
    Verdict v;
    v.kind = VerdictKind::Wrong;
    v.seed = seed;
    Fault f;
    f.code = d.code;
    f.op = d.where;
    f.message = d.message;
    v.faults.push_back(std::move(f));
    return v;
}

}  // namespace

Result<Verdict> runBundle(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle,
                          const ProofOptions& options, const RunControl& control,
                          const std::unordered_set<Value>* known, std::set<int>* untouched) {
    ProofRun run(bundle, binding, oracle, options, control, known, untouched != nullptr);
    auto verdict = run.run();
    if (untouched != nullptr) *untouched = run.untouchedParts();
    return verdict;
}

Result<Verdict> runWithOutsideParts(const LoadedBundle& bundle, Binding& binding, Oracle& oracle,
                                    const ProofOptions& options, const RunControl& control) {
    auto verdict = runBundle(bundle, binding, oracle, options, control);
    if (!verdict || verdict.value().faults.empty()) return verdict;
    std::set<int> parts = partialCopies(oracle.graph(), binding);
    if (parts.empty()) return verdict;
    Binding search = binding;
    search.outsideParts = parts;
    if (auto tried = runBundle(bundle, search, oracle, options, control, nullptr, &parts); !tried) return tried;
    if (!parts.empty()) binding = withOutsideParts(bundle, oracle.graph(), binding, parts);
    if (auto ok = oracle.prepare(binding, bundle, control); !ok) return ok.error();
    return parts.empty() ? verdict : runBundle(bundle, binding, oracle, options, control);
}

Result<Verdict> proveBundle(const BundleText& text, const Graph& graph, const ProofOptions& options,
                            const RunControl& control) {
    auto bundle = loadBundle(text);
    if (!bundle) return inconsistent(bundle.error().primary(), options.sim.seed);
    const Graph whole = withProducts(graph, bundle.value());
    auto binding = bindArguments(bundle.value(), whole, options.arguments);
    if (!binding) return binding.error();
    Oracle oracle(whole, options.sim);
    if (auto ok = oracle.prepare(binding.value(), bundle.value(), control); !ok) return ok.error();
    auto verdict = runWithOutsideParts(bundle.value(), binding.value(), oracle, options, control);
    const bool isUnexplained = verdict && options.sim.explain && !verdict.value().faults.empty() &&
                               verdict.value().faults.front().found == kNoValue;
    if (!isUnexplained) return verdict;
    // Once more, watching for the first operation that goes wrong.
    const std::unordered_set<Value> known = oracle.all(control);
    return runBundle(bundle.value(), binding.value(), oracle, options, control, &known);
}

}  // namespace memplan::sim::artefact
