// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/text_rules.h"

#include "engine/plan/reasons.h"
#include "engine/verify/ttnn/legal_layouts.h"
#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::ChainFailure;
using memplan::ttnn::ChainInfo;
using memplan::ttnn::ChainState;
using memplan::ttnn::Layout;
using memplan::ttnn::MergeInfo;
using text::grouped;

constexpr std::string_view kNotInL1 = " is not in L1: ", kAnalysis = "memory_layout_analysis";

/// A layout as the sentences of a plan have it: tiles are not said, a grid where there is one.
std::string wordsOf(const Layout& layout) {
    std::string words(wordOf(layout.buffer));
    if (layout.mem) words += " " + std::string(wordOf(*layout.mem));
    if (layout.isInL1() || layout.isSharded())
        words += " " + std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols);
    return words + (layout.isTiled() ? "" : " row_major");
}

class TextRules {
public:
    TextRules(const Plan& plan, const Values& values, Report& report)
        : plan_(plan), data_(ttnnData(plan)), values_(values), report_(report) {}

    void run() {
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            if (plan_.buffers[b].reason) checkReason(BufferId::of(b), *plan_.buffers[b].reason);
        for (const Diagnostic& d : plan_.problems)
            checkProblem(d);
        for (const PassRun& run : plan_.passes)
            for (const Diagnostic& d : run.diagnostics)
                checkFinding(run, d);
        for (const Decision& d : plan_.decisions)
            checkDecision(d);
        checkAreDecided();
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    const Values& values_;
    Report& report_;

    [[nodiscard]] const TtnnOp& facts(OpId op) const { return data_.ops[op.at()]; }
    [[nodiscard]] const std::string& name(OpId op) const { return plan_.op(op).name; }

    // ---- why a value is off chip -------------------------------------------------------------------------------

    /// The operation whose value inserted conversions carry; none for an argument.
    [[nodiscard]] OpId origin(BufferId buffer) const {
        OpId op = values_.of(buffer).producer;
        while (op.isValid() && facts(op).conversion != TtnnConversion::None)
            op = values_.of(facts(op).operands.front().buffer).producer;
        return op;
    }

    void checkReason(BufferId id, const Reason& reason) {
        const std::string said = sentence(reason);
        const auto expected = expectedText(id, reason.code);
        if (!expected || *expected == said) return;
        // Where the rest is a matter of the compile the beginning is checked.
        const bool isBeginning = expected->ends_with('*');
        if (isBeginning && said.starts_with(std::string_view(*expected).substr(0, expected->size() - 1))) return;
        report_.buffer("VER-013", id, "says it is off chip since " + said + ", the plan gives: " + *expected);
    }

    /// A star at the end stands for words of the compile; nothing where no rule is known.
    [[nodiscard]] std::optional<std::string> expectedText(BufferId id, ReasonCode code) const {
        const bool isArgument = !values_.of(id).producer.isValid();
        const OpId op = origin(id);
        if (code == ReasonCode::GraphInput) {
            if (!isArgument) return "it is no argument";
            const bool isParameter = sentence(*plan_.buffer(id).reason).starts_with("a parameter");
            return std::string(isParameter ? "a parameter lies in DRAM or on the host"
                                           : "an argument arrives in DRAM: only a reshard of it can be in L1");
        }
        if (code == ReasonCode::GraphOutput)
            return values_.of(id).isReturned ? "it is returned, and returned values end in DRAM" : "it is not returned";
        if (!op.isValid()) return std::nullopt;
        const std::string kind(kindOf(facts(op)));
        switch (code) {
        case ReasonCode::PlanningOff:
            return "the memory layout analysis is switched off (ttnn.memory_layout_analysis)";
        case ReasonCode::OffByHint:
            return "the hint spill on " + name(op) + " sends it to DRAM";
        case ReasonCode::OpNotModelled:
            return "the model does not know operations of kind " + kind + ", so they work in DRAM";
        case ReasonCode::NotShardable:
            return "operations of kind " + kind + " never enter an L1 chain";
        case ReasonCode::NoLegalLayout:
            return "no sharded layout is legal for it*";
        case ReasonCode::ForkRejected:
            return ofReaders(op, sentence(*plan_.buffer(id).reason));
        default:
            return ofChain(op, code);
        }
    }

    /// One reader is called so; how many there are in the source a plan does not say.
    [[nodiscard]] std::optional<std::string> ofReaders(OpId op, std::string_view said) const {
        for (const std::string_view one : {"its reader cannot read it from L1: ", "to keep it in L1 for its reader "})
            if (said.starts_with(one) && ofChain(op, ReasonCode::ForkRejected) == "it has *")
                return std::string(one) + "*";
        return ofChain(op, ReasonCode::ForkRejected);
    }

    [[nodiscard]] std::optional<std::string> ofChain(OpId op, ReasonCode code) const {
        if (code == ReasonCode::ChainEndSpilled && !data_.hasChains)
            return "the policy " + data_.policy + " found nothing better than DRAM for it";
        const int c = op.at() < data_.record.ops.size() ? data_.record.ops[op.at()].chain : -1;
        if (c < 0 || static_cast<std::size_t>(c) >= data_.record.chains.size()) return "it is in no chain";
        const ChainInfo& chain = data_.record.chains[static_cast<std::size_t>(c)];
        if (code == ReasonCode::ChainFailed) return ofFailure(chain);
        if (code == ReasonCode::ChainEndSpilled)
            return "the last value of its chain, which ends here (" + std::string(wordOf(chain.endedBy)) +
                   "); nothing kept it in L1";
        if (code == ReasonCode::MergeRejected) return ofMerge(c);
        if (code == ReasonCode::ForkRejected) return "it has *";
        return std::nullopt;
    }

    [[nodiscard]] std::string ofFailure(const ChainInfo& chain) const {
        if (!chain.failure) return "its chain failed";
        const ChainFailure& f = *chain.failure;
        const std::pair<std::string, std::int64_t>* most = nullptr;
        for (const auto& reason : f.reasons)
            if (reason.first != memplan::ttnn::kOtherMessages && (most == nullptr || reason.second > most->second))
                most = &reason;
        if (most == nullptr && !f.reasons.empty()) most = &f.reasons.front();
        const std::string why = most == nullptr ? f.stage : most->first;
        const std::string reader = name(f.consumer.isValid() ? f.consumer : chain.ops.front());
        if (!f.producer.isValid()) return "its chain failed at the entry of " + reader + ": " + why;
        return "its chain failed at the edge " + name(f.producer) + " to " + reader + ", operand " +
               std::to_string(f.operand) + ": " + why;
    }

    /// Of the first merge that was refused and had no better one beside it.
    [[nodiscard]] std::string ofMerge(int chain) const {
        for (const MergeInfo& m : data_.record.merges) {
            const bool isOf = std::ranges::find(m.sources, chain) != m.sources.end();
            if (m.isAccepted || !isOf || m.rejectedBy == "larger_candidate") continue;
            const std::string join = m.joinOp.isValid() ? name(m.joinOp) : std::string("its reader");
            if (m.needed <= 0)
                return "a merge into " + join + " was refused: " + (m.message.empty() ? m.rejectedBy : m.message);
            return "a merge into " + join + " was tried: " + (m.rejectedAt.isValid() ? name(m.rejectedAt) : join) +
                   " would need " + grouped(m.needed) + " of " + grouped(m.available) + " B of a core";
        }
        return "no merge of it was refused";
    }

    // ---- problems and findings ---------------------------------------------------------------------------------

    /// A problem about a value repeats why it is off chip.
    void checkProblem(const Diagnostic& d) {
        if (!d.code.starts_with("RES-") || d.buffers.empty()) return checkIsOfAPass(d);
        const PlanBuffer& b = plan_.buffer(d.buffers.front());
        const std::string where = "problem " + d.code + " of " + b.name;
        if (b.producer.isValid() && d.ops != std::vector<OpId>{b.producer})
            report_.add("VER-013", where, "it names other operations than the one that writes it");
        if (d.where != "buffer " + b.name) report_.add("VER-013", where, "it is said to be at " + d.where);
        if (d.pass != kAnalysis) report_.add("VER-013", where, "it is said to be of pass " + d.pass);
        if (!b.reason) return report_.add("VER-013", where, "the value has no reason to be off chip");
        if (d.message != text::quoted(b.name) + std::string(kNotInL1) + sentence(*b.reason))
            report_.add("VER-013", where, "its message is not why the value is off chip: " + d.message);
        if (d.code != reasonInfo(b.reason->code).diagnostic)
            report_.add("VER-013", where, "its code is not that of the reason");
    }

    /// Every other problem is what a pass has found.
    void checkIsOfAPass(const Diagnostic& d) {
        for (const PassRun& run : plan_.passes)
            if (std::ranges::find(run.diagnostics, d) != run.diagnostics.end()) return;
        // A hint that no pass of this compile reads is found by none.
        if (d.code.starts_with("HNT-") && std::ranges::find(plan_.passes, d.pass, &PassRun::name) == plan_.passes.end())
            return;
        report_.add("VER-013", "problem " + d.code, "no pass has found it: " + d.message);
    }

    /// A finding has a code of the list and is of its pass; what is said about operations names the first of them.
    void checkFinding(const PassRun& run, const Diagnostic& d) {
        const auto isKnown = [&](const DiagnosticInfo& info) { return info.code == d.code; };
        const auto isReason = [&](const ReasonInfo& info) { return info.diagnostic == d.code; };
        if (std::ranges::none_of(allDiagnostics(), isKnown) && std::ranges::none_of(allReasons(), isReason))
            report_.add("VER-013", "finding " + d.code, "there is no such code");
        if (d.pass != run.name)
            report_.add("VER-013", "finding " + d.code, "it is of pass " + run.name + ", and says " + d.pass);
        if (std::ranges::find(plan_.problems, d) == plan_.problems.end())
            report_.add("VER-013", "finding " + d.code, "the problems of the plan do not have it: " + d.message);
        if (!d.where.starts_with("op ") || d.ops.empty()) return;
        if (d.where != "op " + name(d.ops.front()))
            report_.add("VER-013", "finding " + d.code,
                        "it is said to be at " + d.where + ", and is about op " + name(d.ops.front()));
    }

    // ---- decisions ---------------------------------------------------------------------------------------------

    /// Each operation of the module with a result was decided once.
    void checkAreDecided() {
        std::vector<int> times(data_.ops.size(), 0);
        for (const Decision& d : plan_.decisions)
            if (d.op.isValid()) ++times[d.op.at()];
        for (std::size_t i = 0; i < times.size(); ++i) {
            const bool isDecided = plan_.ops[i].addedBy.empty() && !data_.ops[i].results.empty();
            if (times[i] != (isDecided ? 1 : 0))
                report_.op("VER-013", OpId::of(i), "has " + std::to_string(times[i]) + " decisions");
        }
    }

    /// The layout that was chosen is that of the result; other ones carry at least their own cores.
    void checkDecision(const Decision& d) {
        if (d.kind != DecisionKind::Layout || !d.op.isValid() || facts(d.op).results.empty())
            return report_.add("VER-013", "decision of pass " + d.pass,
                               "it is of kind " + std::string(kindName(d)) + ", and no layout of an operation");
        const std::string where = "decision of " + name(d.op);
        const std::string real = wordsOf(facts(d.op).results.front().layout);
        const std::string chosen = sentence(d.chosen);
        if (chosen != real) report_.add("VER-013", where, "chose " + chosen + ", the result is " + real, {d.op});
        if (d.buffer != facts(d.op).results.front().buffer)
            report_.add("VER-013", where, "is about another value than the result", {d.op});
        if (d.pass != decidingPass()) report_.add("VER-013", where, "is said to be made by pass " + d.pass, {d.op});
        for (const Alternative& other : d.alternatives)
            checkAlternative(d, other);
        checkChoices(d, where);
        checkWhy(d, where);
    }

    [[nodiscard]] std::string_view decidingPass() const {
        if (data_.policy != "none") return kAnalysis;
        return plan_.settings.boolean("ttnn.enable_optimizer") ? "op_config_analysis" : "ttir_to_ttnn";
    }

    /// The alternatives are the sharded layouts of the operation in their order, those of a convolution for each of its
    /// configurations; the first 32.
    void checkChoices(const Decision& d, const std::string& where) {
        constexpr std::size_t kListed = 32;
        const auto choices = shardedChoices(plan_, d.op);
        const std::size_t listed = d.alternatives.size();
        if (!choices || listed == 0) return;
        const std::size_t all = choices->size();
        if (listed != std::min(all, kListed) &&
            !(isConvolution(facts(d.op)) && listed == std::min(all * kConvolutionConfigs, kListed)))
            return report_.add("VER-013", where,
                               "has " + std::to_string(listed) + " choices, the operation has " + std::to_string(all),
                               {d.op});
        for (std::size_t i = 0; i < listed; ++i) {
            const std::string real = wordsOf((*choices)[i % all]), label = sentence(d.alternatives[i].label);
            if (label != real)
                return report_.add(
                    "VER-013", where,
                    "choice " + std::to_string(i) + " is " + label + ", the operation has " + real + " there", {d.op});
        }
    }

    void checkAlternative(const Decision& d, const Alternative& other) {
        const std::string label = sentence(other.label);
        const std::optional<double> cores = coresOf(label);
        const std::string where = "decision of " + name(d.op);
        if (!cores)
            report_.add("VER-013", where, "has a choice that is no sharded layout: " + label, {d.op});
        else if (std::isfinite(other.score) && other.score < *cores)
            report_.add("VER-013", where,
                        "says that " + label + " uses " + text::number(other.score) + " cores to the end of the chain",
                        {d.op});
    }

    /// "l1 height_sharded 64x1" gives 64.
    static std::optional<double> coresOf(std::string_view label) {
        for (const std::string_view mem : {"height_sharded ", "width_sharded ", "block_sharded "}) {
            const std::size_t at = label.find(mem);
            if (at == std::string_view::npos) continue;
            std::string_view grid = label.substr(at + mem.size());
            if (constexpr std::string_view kPage = " row_major"; grid.ends_with(kPage))
                grid.remove_suffix(kPage.size());
            const std::size_t x = grid.find('x');
            if (x == std::string_view::npos) return std::nullopt;
            const auto rows = text::parseInt(grid.substr(0, x)), cols = text::parseInt(grid.substr(x + 1));
            if (rows && cols) return static_cast<double>(*rows * *cols);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::string reasonWithoutChain() const {
        if (data_.policy != "none") return "chosen by " + data_.policy;
        return plan_.settings.boolean("ttnn.enable_optimizer") ? "first legal configuration with the page layout it had"
                                                               : "as the module has it: the optimizer is off";
    }

    void checkWhy(const Decision& d, const std::string& where) {
        const std::string why = sentence(d.why);
        if (!why.starts_with("in chain ")) {
            if (why != reasonWithoutChain())
                report_.add("VER-013", where, "says " + why + ", the plan: " + reasonWithoutChain(), {d.op});
            return;
        }
        const int chain = data_.record.ops[d.op.at()].chain;
        const std::string chosen = sentence(d.chosen);
        const bool isAmong = d.alternatives.empty() || std::ranges::any_of(d.alternatives, [&](const Alternative& a) {
                                 return sentence(a.label) == chosen && std::isfinite(a.score) &&
                                        why == "in chain " + std::to_string(chain) + ", core usage " +
                                                   grouped(static_cast<std::int64_t>(a.score)) +
                                                   " to the end of the chain";
                             });
        if (!isAmong && d.alternatives.size() < 32)
            report_.add("VER-013", where, "its reason is not that of the layout that it chose: " + why, {d.op});
    }
};

}  // namespace

void checkTexts(const Plan& plan, const Values& values, Report& report) {
    TextRules(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn
