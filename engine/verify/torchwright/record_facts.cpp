// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/record_facts.h"

#include "engine/verify/plan_hashes.h"

#include <algorithm>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

std::int64_t count(std::size_t n) {
    return static_cast<std::int64_t>(n);
}

class RecordFacts {
public:
    RecordFacts(const Plan& plan, const TorchwrightData& data, Report& report)
        : plan_(plan), data_(data), s_(data.schedule), report_(report) {}

    void run() {
        const bool isSearched = plan_.settings.integer("torchwright.optimize") > 0;
        if (plan_.solver != (isSearched ? "exact" : "heuristic"))
            report_.add("VER-013", "solver", "it is not that of torchwright.optimize");
        if (plan_.stoppedAfter.empty()) {
            checkNames();
        } else if (std::ranges::find(kPasses, plan_.stoppedAfter) == std::end(kPasses)) {
            report_.add("VER-013", "stopped_after", "this machine has no such pass");
        }
        for (const PassRun& pass : plan_.passes)
            checkCounts(pass);
        checkProblems();
        checkPlanHash(plan_, report_);
        checkInputHash(plan_, report_);
    }

private:
    static constexpr std::string_view kPasses[] = {
        "lower_to_torchwright", "strip",           "analyse",        "fuse_linears",
        "apply_scopes",         "detect_clusters", "schedule",       "write_weights",
        "diagnostics",          "verify_numeric",  "write_artefacts"};

    const Plan& plan_;
    const TorchwrightData& data_;
    const Schedule& s_;
    Report& report_;

    void checkNames() {
        std::vector<std::string> wanted{"lower_to_torchwright", "strip", "analyse", "fuse_linears", "apply_scopes"};
        if (plan_.settings.boolean("torchwright.admission_control")) wanted.emplace_back("detect_clusters");
        wanted.emplace_back("schedule");
        if (plan_.settings.boolean("torchwright.weights")) wanted.emplace_back("write_weights");
        wanted.emplace_back("diagnostics");
        if (plan_.settings.boolean("torchwright.verify")) wanted.emplace_back("verify_numeric");
        std::vector<std::string> ran;
        for (const PassRun& pass : plan_.passes)
            if (pass.ran && pass.name != "write_artefacts") ran.push_back(pass.name);
        if (ran != wanted) report_.add("VER-013", "passes", "they are not those that the settings ask for");
    }

    void checkCounts(const PassRun& pass) {
        checkTrials(pass);
        for (const auto& [key, real] : countsOf(pass)) {
            const auto stated = pass.counts.find(key);
            if (stated != pass.counts.end()) report_.expect("pass " + pass.name + " " + key, stated->second, real);
        }
    }

    /// Those of its counts that the rest of the plan gives.
    [[nodiscard]] std::map<std::string, std::int64_t> countsOf(const PassRun& run) const {
        const std::string& pass = run.name;
        const NodeGraph& graph = data_.unfused ? *data_.unfused : *data_.graph;
        const TorchwrightPath& path = data_.path;
        if (pass == "strip") return {{"nodes", count(graph.size())}};
        if (pass == "analyse" && data_.isReported)
            return {
                {"critical_path", path.lengthEdges}, {"tied_paths", path.tiedPaths}, {"asap_layers", path.asapLayers}};
        if (pass == "fuse_linears") return {{"fused_pairs", count(graph.size() - data_.graph->size())}};
        if (pass == "apply_scopes" && !hasEdgeHints()) return {{"hints", 0}};
        if (pass == "schedule")
            return {{"layers", s_.layerCount()},
                    {"heads", s_.headsTotal},
                    {"slots", s_.slotsTotal},
                    {"peak_columns", s_.peakOccupied}};
        if (pass == "diagnostics" && data_.isReported)
            return {{"annotations", count(data_.annotations.size())},
                    {"plateaus", count(data_.plateaus.size())},
                    {"clusters", count(data_.clusters.size())},
                    {"advice", adviceOf(run)}};
        if (pass == "detect_clusters" && data_.isReported) return {{"clusters", count(data_.clusters.size())}};
        if (pass == "write_weights") {
            // Of a graph without tensors none are written.
            const auto stated = run.counts.find("layers");
            const bool isNone = stated == run.counts.end() || stated->second == 0;
            return {{"layers", isNone ? 0 : s_.layerCount()}};
        }
        if (pass == "verify_numeric") return {{"compared", data_.probe ? data_.probe->compared : 0}};
        return {};
    }

    [[nodiscard]] bool hasEdgeHints() const {
        return std::ranges::any_of(
            plan_.hints, [](const Hint& h) { return h.enabled && (h.key == "concurrency" || h.key == "after"); });
    }

    /// Of the advice: what is reported, without "and 3 more" of a code, and what was tried in vain.
    [[nodiscard]] std::int64_t adviceOf(const PassRun& run) const {
        const auto isOne = [](const Diagnostic& d) {
            const bool isRest = d.where == "graph" && d.message.starts_with("and ") && d.message.ends_with(" more");
            return isAdvice(d.code) && d.code != "TW-100" && !isRest;
        };
        return std::ranges::count_if(run.diagnostics, isOne) +
               std::ranges::count_if(plan_.decisions, [](const Decision& d) { return kindName(d) == "advice"; });
    }

    void checkTrials(const PassRun& run) {
        const auto stated = run.counts.find("advice_trials");
        if (stated == run.counts.end()) return;
        const std::int64_t most = plan_.settings.integer("torchwright.advice_trials");
        if (stated->second < 1 || stated->second > most)
            report_.add("VER-013", "pass " + run.name + " advice_trials",
                        "says " + text::grouped(stated->second) + ", allowed are " + text::grouped(most));
    }

    /// Each finding of a pass stands among those of the plan, and the other way round but for those on hints.
    void checkProblems() {
        std::vector<Diagnostic> left = plan_.problems;
        for (const PassRun& pass : plan_.passes) {
            for (const Diagnostic& d : pass.diagnostics) {
                const auto same = std::ranges::find(left, d);
                if (same == left.end()) {
                    report_.add("VER-013", "pass " + pass.name, "found " + d.code + ", which the plan does not list");
                } else {
                    left.erase(same);
                }
                const bool isOff = !plan_.settings.boolean("torchwright.advice");
                if (isOff && isAdvice(d.code))
                    report_.add("VER-013", "pass " + pass.name, "gives advice " + d.code + ", which is switched off");
            }
        }
        for (const Diagnostic& d : left)
            if (!d.code.starts_with("HNT-"))
                report_.add("VER-013", "problems", "lists " + d.code + ", which no pass found");
    }

    static bool isAdvice(const std::string& code) {
        return code.starts_with("TW-1") && code.size() == 6 && code >= "TW-100";
    }
};

}  // namespace

void checkRecord(const Plan& plan, const TorchwrightData& data, Report& report) {
    RecordFacts(plan, data, report).run();
}

namespace {

/// Each node that the probe compares, and the reason of the others.
class ProbeFacts {
public:
    ProbeFacts(const Program& program, const TorchwrightData& data, Report& report)
        : g_(program.graph), s_(data.schedule), probe_(*data.probe), report_(report) {}

    void run() {
        int compared = 0;
        std::map<std::string, std::int64_t> others;
        for (std::size_t i = 0; i < g_.size(); ++i) {
            const Node& node = g_.nodes[i];
            if (isInputLike(node.kind) || node.is(NodeKind::Concatenate) || node.is(NodeKind::Placeholder)) continue;
            const int at = s_.holdingOf(NodeId::of(i));
            if (at < 0) {
                ++others["inside of a chain: it never owns columns"];
            } else if (const Holding& h = s_.holdings[static_cast<std::size_t>(at)]; h.lastLayer < h.firstLayer) {
                ++others["its columns are cleared in the layer that computes it"];
            } else {
                ++compared;
            }
        }
        report_.expect("numeric_probe compared", std::int64_t{probe_.compared}, std::int64_t{compared});
        // Fused Linears are nodes of the graph as given, which the export does not know.
        const auto isKnown = [](const auto& entry) { return entry.first != "the export does not know the node"; };
        std::map<std::string, std::int64_t> stated;
        std::ranges::copy_if(probe_.notProbed, std::inserter(stated, stated.end()), isKnown);
        if (stated != others) report_.add("VER-013", "numeric_probe not_probed", "it counts other nodes than own none");
        report_.expect("numeric_probe positions", std::int64_t{probe_.positions}, kPositions);
        report_.expect("numeric_probe worst", count(probe_.worst.size()), std::min<std::int64_t>(10, compared));
        double before = probe_.maxError;
        for (const TorchwrightProbedNode& node : probe_.worst) {
            checkNode(node);
            if (node.maxError > before) fault(node, "is worse than one before it, or than the largest of all");
            before = node.maxError;
        }
    }

private:
    static constexpr std::int64_t kPositions = 8;  ///< of the pass

    const NodeGraph& g_;
    const Schedule& s_;
    const TorchwrightProbe& probe_;
    Report& report_;

    void fault(const TorchwrightProbedNode& node, const char* what) {
        report_.add("VER-013", "numeric_probe node " + std::to_string(node.node), what);
    }

    [[nodiscard]] std::string opOf(NodeId id, int layer) const {
        const Layer& own = s_.layers[static_cast<std::size_t>(layer)];
        for (const AttentionOp& op : own.attention)
            if (op.node == id) return std::string(opName(op.kind));
        for (const MlpOp& op : own.mlp)
            if (op.node == id && op.kind != MlpKind::Bias) return std::string(opName(op.kind));
        return "nothing";
    }

    void checkNode(const TorchwrightProbedNode& n) {
        const NodeId id = g_.find(n.node);
        const int at = id.isValid() ? s_.holdingOf(id) : -1;
        if (at < 0) return fault(n, "owns no columns to compare");
        const Holding& h = s_.holdings[static_cast<std::size_t>(at)];
        if (n.layer != h.firstLayer && n.layer != h.lastLayer)
            return fault(n, "is compared neither in the first nor in the last layer of its columns");
        if (h.firstLayer >= 0 && n.op != opOf(id, h.firstLayer)) fault(n, "names another operation than computes it");
        const double room = 1e-9 * std::max({1.0, std::abs(n.expected), std::abs(n.got)});
        const auto isIn = [&](double value, double low, double mean, double high) {
            return value >= low - room && value <= high + room && mean >= low - room && mean <= high + room;
        };
        if (std::abs(std::abs(n.expected - n.got) - n.maxError) > room)
            fault(n, "has another difference than its values");
        if (!isIn(n.expected, n.expectedLow, n.expectedMean, n.expectedHigh) ||
            !isIn(n.got, n.gotLow, n.gotMean, n.gotHigh))
            fault(n, "has values outside of their spread");
    }
};

}  // namespace

void checkProbe(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report) {
    const bool isWanted = plan.settings.boolean("torchwright.verify") && plan.stoppedAfter.empty();
    if (data.probe && !isWanted) report.add("VER-013", "numeric_probe", "torchwright.verify is false");
    if (!data.probe) return;
    const TorchwrightProbe& probe = *data.probe;
    report.expect("numeric_probe tolerance", probe.tolerance, plan.settings.number("torchwright.verify_tolerance"));
    report.expect("numeric_probe seed", probe.seed, plan.settings.integer("engine.seed"));
    if (!(probe.maxError <= probe.tolerance) || !(probe.garbageMaxError <= probe.tolerance))
        report.add("VER-014", "numeric_probe", "a difference is larger than what is tolerated");
    ProbeFacts(program, data, report).run();
}

}  // namespace memplan::verify::torchwright
