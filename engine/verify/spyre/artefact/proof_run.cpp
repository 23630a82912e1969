// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/proof_run.h"

#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/bundle/entry_check.h"
#include "engine/verify/spyre/artefact/host_calls.h"
#include "engine/verify/spyre/artefact/products.h"
#include "engine/verify/spyre/artefact/run_memory.h"

#include <algorithm>
#include <tuple>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

class ProofRun {
public:
    ProofRun(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle, const ProofOptions& options,
             const RunControl& control, const std::unordered_set<Value>* known, std::uint64_t unknowns)
        : b_(bundle), bind_(binding), options_(options), control_(control),
          m_(bundle, binding, oracle, options, control, known, unknowns), host_(m_) {}

    Result<Outcome> run() {
        for (std::size_t i = 0; i < bind_.calls.size() && !m_.isFaulty(); ++i) {
            control_.progress("run the bundle", static_cast<double>(i), static_cast<double>(bind_.calls.size()));
            host_.runUpTo(i);
            if (m_.isFaulty()) break;
            if (auto ok = call(bind_.calls[i]); !ok) return ok.error();
        }
        host_.runAll();
        for (std::size_t i = 0; i < bind_.outputs.size() && !m_.isFaulty(); ++i)
            m_.provide(bind_.outputs[i]);
        if (!m_.isFaulty()) {
            for (std::size_t i = 0; i < bind_.outputs.size(); ++i)
                checkOutput(i);
        }
        return finish();
    }

    /// Something is wrong, and something was read that no file states.
    [[nodiscard]] bool isDoubtful() const { return m_.hasUnknown && wasFaulty_; }
    [[nodiscard]] Value firstWrong() const { return m_.firstWrong; }

private:
    const LoadedBundle& b_;
    const Binding& bind_;
    const ProofOptions& options_;
    const RunControl& control_;
    bool wasFaulty_ = false;
    RunMemory m_;
    HostCalls host_;
    std::vector<string> unimplemented_;  ///< entries without a descriptor, of the kernels that ran

    // ---- kernels -----------------------------------------------------------------------------------

    Result<void> call(const KernelCall& c) {
        Slots slots;
        if (c.hasPool) slots.push_back(&m_.pool);
        for (std::size_t k = 0; k < c.arguments.size(); ++k) {
            const string& name = c.arguments[k];
            m_.provide(name);
            m_.bind(name, slots.size());
            slots.push_back(&m_.region(name).store);
        }
        if (m_.isFaulty()) return {};
        if (const auto code = b_.wrapper.kernels.find(c.kernel); code != b_.wrapper.kernels.end()) {
            for (const string& op : code->second.unimplemented)
                unimplemented_.push_back(op + " of " + c.kernel);
        }
        if (options_.sim.wipeLxAtKernels) m_.machine.wipeLx();
        auto fault = runKernel(m_.machine, *b_.kernels.at(c.kernel), slots, c.hasPool, b_.isPerTensor, control_);
        if (!fault) return fault.error();
        if (fault.value()) m_.outcome.faults.push_back(std::move(*fault.value()));
        return {};
    }

    // ---- results -----------------------------------------------------------------------------------

    void checkOutput(std::size_t i) {
        const Region& r = m_.region(bind_.outputs[i]);
        const memplan::Tensor& t = m_.graph().tensor(m_.graph().outputs[i]);
        const std::vector<Value>& wanted = m_.oracle().of(static_cast<int>(m_.graph().outputs[i].at()));
        if (!r.host) return m_.needLayout(bind_.outputs[i]);
        m_.outcome.elementsChecked += static_cast<int64_t>(wanted.size());
        const std::optional<ReturnedView>& view = bind_.outputViews[i];
        if (view && view->shape != t.shape) return misshapen(bind_.outputs[i], t, textOf(view->shape));
        // A name alone is all of its tensor.
        const int64_t all =
            r.tensor < 0 ? 1 : elementCount(m_.graph().tensors[static_cast<std::size_t>(r.tensor)].shape).value_or(0);
        if (!view && b_.hasWrapper && all != static_cast<int64_t>(wanted.size()))
            return misshapen(bind_.outputs[i], t, text::grouped(all));
        m_.report(bind_.outputs[i], t,
                  view ? compare(r, wanted, *view) : compare(r, wanted, m_.offsetIn(r, m_.graph().outputs[i])),
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
        m_.outcome.faults.push_back(std::move(f));
    }

    /// What an entry without a descriptor computes is not in the files: what misses it cannot be decided.
    void excuseUnimplemented() {
        const string entries = text::join(unimplemented_, ", ");
        if (entries.empty() || !m_.isFaulty()) return;
        const string code = m_.outcome.faults.front().code;
        if (code != "VER-011" && code != "VER-015" && code != "VER-017") return;
        m_.outcome.skipped.push_back("entries without a descriptor, whose results are in no file: " + entries +
                                     "; then " + m_.outcome.faults.front().op + ": " +
                                     m_.outcome.faults.front().message);
        m_.outcome.faults.clear();
    }

    Result<Outcome> finish() {
        if (!m_.machine.firstUnknown.empty() && m_.isFaulty())
            m_.outcome.faults.front().message +=
                "; the first value that the graph does not have is made by " + m_.machine.firstUnknown;
        excuseUnimplemented();
        wasFaulty_ = m_.isFaulty();
        for (const string& f : m_.oracle().leftOut())
            m_.outcome.skipped.push_back("no file carries the attributes of " + f + ": compared without them");
        m_.outcome.outside.insert(m_.outcome.outside.end(), unimplemented_.begin(), unimplemented_.end());
        m_.outcome.instances = m_.machine.instances;
        m_.outcome.bytesMoved = m_.machine.counts.bytesMoved;
        m_.outcome.productTerms = m_.machine.counts.productTerms;
        m_.outcome.measuredReadBytes = m_.machine.counts.readBytes;
        m_.outcome.measuredWriteBytes = m_.machine.counts.writeBytes;
        m_.outcome.measuredPeakBytes = m_.machine.counts.lxPeak;
        m_.outcome.redundantWrites = m_.machine.counts.redundantWrites;
        m_.outcome.kind = m_.isFaulty()                 ? OutcomeKind::Wrong
                          : !m_.outcome.skipped.empty() ? OutcomeKind::NotProved
                                                        : OutcomeKind::Proved;
        return std::move(m_.outcome);
    }
};

bool isSameFault(const Fault& a, const Fault& b) {
    const auto place = [](const Fault& f) {
        return std::tie(f.code, f.op, f.buffer, f.core, f.loop, f.address, f.count);
    };
    return place(a) == place(b);
}

Outcome undecided(Outcome v) {
    v.skipped.push_back("then " + v.faults.front().op + ": " + v.faults.front().message +
                        ", which depends on what is not known");
    v.faults.clear();
    v.kind = OutcomeKind::NotProved;
    return v;
}

/// A bundle that contradicts itself is wrong, not unreadable.
Outcome inconsistent(const Diagnostic& d, std::uint64_t seed) {
    Outcome v;
    v.kind = OutcomeKind::Wrong;
    v.seed = seed;
    Fault f;
    f.code = d.code;
    f.op = d.where;
    f.message = d.message;
    v.faults.push_back(std::move(f));
    return v;
}

/// Files that compute the graph, and a source that says something else of them: one of the two is not the other's.
void refuseContradiction(const LoadedBundle& bundle, Outcome& outcome) {
    auto fault = checkEntries(bundle);
    if (!fault) return;
    outcome.kind = OutcomeKind::Wrong;
    outcome.faults.push_back(std::move(*fault));
}

}  // namespace

Result<Outcome> runBundle(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle,
                          const ProofOptions& options, const RunControl& control,
                          const std::unordered_set<Value>* known) {
    ProofRun run(bundle, binding, oracle, options, control, known, 1);
    auto outcome = run.run();
    if (!outcome || !run.isDoubtful()) return outcome;
    // Once more with other values for what is not known: what is wrong without it stays as it is.
    ProofRun other(bundle, binding, oracle, options, control, known, 2);
    auto again = other.run();
    if (!again) return again;
    if (again.value().kind == OutcomeKind::Wrong && other.firstWrong() == run.firstWrong() &&
        isSameFault(outcome.value().faults.front(), again.value().faults.front()))
        return outcome;
    return undecided(std::move(outcome).value());
}

Result<Outcome> proveBundle(const BundleText& text, const Graph& graph, const ProofOptions& options,
                            const RunControl& control) {
    auto bundle = loadBundle(text);
    if (!bundle) return inconsistent(bundle.error().primary(), options.sim.seed);
    const Graph whole = withProducts(graph, bundle.value());
    auto binding = bindArguments(bundle.value(), whole, options.arguments);
    if (!binding) return binding.error();
    Oracle oracle(whole, options.sim);
    if (auto ok = oracle.prepare(binding.value(), bundle.value(), control); !ok) return ok.error();
    auto outcome = runBundle(bundle.value(), binding.value(), oracle, options, control);
    if (outcome && outcome.value().faults.empty()) refuseContradiction(bundle.value(), outcome.value());
    const bool isUnexplained = outcome && options.sim.explain && !outcome.value().faults.empty() &&
                               outcome.value().faults.front().found == kNoValue;
    if (!isUnexplained) return outcome;
    // Once more, watching for the first operation that goes wrong.
    const std::unordered_set<Value> known = oracle.all(control);
    return runBundle(bundle.value(), binding.value(), oracle, options, control, &known);
}

}  // namespace memplan::sim::artefact
