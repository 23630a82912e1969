// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/pass_rules.h"

#include "engine/plan/ttnn_data.h"
#include "engine/verify/ttnn/space_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::ChainInfo;
using text::grouped;

/// When a pass has changed the program.
enum class Change : std::uint8_t {
    Any,      ///< a plan does not say
    Never,    ///< it looks, or makes what is not of the program
    Counted,  ///< one of its figures is not 0
    Ran,      ///< it has figures
    Planned,  ///< the optimizer is on
    Stepped   ///< one of its steps has
};

struct Row {
    std::string_view name, title;
    std::string_view switchKey;  ///< empty: it always runs
    Change change;
};

constexpr std::string_view kAnalysis = "ttnn.memory_layout_analysis", kConcats = "ttnn.concat_chains";
constexpr std::string_view kWhole = "memory_layout_analysis", kLast = "update_function_types";
constexpr std::string_view kExport = "write_module";

/// Passes of pipeline.md 2, in their order.
constexpr std::array<Row, 23> kRows{
    {{"ttir_to_ttnn", "Lower to TTNN", "", Change::Any},
     {"fuse_ops", "Fuse operations", "ttnn.fusing", Change::Counted},
     {"check_overrides", "Check overrides", "", Change::Never},
     {"scalar_data_type_analysis", "Scalar data types", "", Change::Never},
     {"legal_tensor_layout_analysis", "Legal tensor layouts", "", Change::Never},
     {"legal_op_layout_analysis", "Legal operation layouts", "", Change::Never},
     {"legal_op_config_analysis", "Legal configurations", "", Change::Never},
     {"collect_override_reshards", "Forced reshards", "", Change::Counted},
     {kWhole, "Memory layout analysis", kAnalysis, Change::Stepped},
     {"memory_layout_analysis.policy", "Search by policy", kAnalysis, Change::Ran},
     {"memory_layout_analysis.build_chains", "Build chains", kAnalysis, Change::Ran},
     {"memory_layout_analysis.concat_preferences", "Concat preferences", kConcats, Change::Counted},
     {"memory_layout_analysis.resolve_chains", "Resolve chains", kAnalysis, Change::Counted},
     {"memory_layout_analysis.resolve_concats", "Resolve concat chains", kConcats, Change::Counted},
     {"memory_layout_analysis.reshape_reservations", "Reshape reservations", "ttnn.reshape_reservations",
      Change::Counted},
     {"memory_layout_analysis.fork_reservations", "Fork reservations", "ttnn.fork_reservations", Change::Counted},
     {"memory_layout_analysis.merge_chains", "Merge chains", "ttnn.chain_merging", Change::Counted},
     {"apply_override_reshards", "Add forced reshards", "", Change::Counted},
     {"op_config_analysis", "Remaining configurations", "", Change::Planned},
     {"graph_transformation", "Graph transformation", "", Change::Planned},
     {"l1_interleaved_fallback", "L1 interleaved fallback", "ttnn.l1_interleaved_fallback", Change::Counted},
     {kLast, "Function types and figures", "", Change::Never},
     {kExport, "Write the module", "", Change::Never}}};

class PassRules {
public:
    PassRules(const Plan& plan, Report& report) : plan_(plan), data_(ttnnData(plan)), report_(report) {}

    void run() {
        std::size_t next = 0;
        for (const PassRun& run : plan_.passes) {
            if (!run.ran) continue;  // stands in no file
            const auto row = std::ranges::find(kRows, run.name, &Row::name);
            if (row == kRows.end()) {
                fault(run.name, "there is no such pass");
                continue;
            }
            const auto at = static_cast<std::size_t>(row - kRows.begin());
            if (at < next)
                fault(run.name, "it ran before the one that stands before it");
            else
                next = at + 1;
            checkRun(run, *row);
        }
        for (const Row& row : kRows)
            checkSwitch(row);
        checkEnd();
        checkCounts();
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    Report& report_;

    void fault(std::string_view pass, std::string message) {
        report_.add("VER-013", "passes " + std::string(pass), std::move(message));
    }

    // ---- one pass ----------------------------------------------------------------------------------------------

    static std::string parentOf(std::string_view name) {
        const std::size_t dot = name.find('.');
        return dot == std::string_view::npos ? std::string() : std::string(name.substr(0, dot));
    }

    void checkRun(const PassRun& run, const Row& row) {
        if (run.title != row.title) fault(run.name, "its title is " + text::quoted(run.title));
        const bool isMandatory = row.switchKey.empty() && row.name != kExport;
        if (run.mandatory != isMandatory)
            fault(run.name, isMandatory ? "it is said to be optional" : "it is said to be mandatory");
        if (run.parent != parentOf(run.name)) fault(run.name, "it is said to be a step of " + text::quoted(run.parent));
        if (!std::isfinite(run.seconds) || run.seconds < 0)
            fault(run.name, "it took " + text::number(run.seconds) + " seconds");
        checkChange(run, row.change);
        if (row.change == Change::Stepped) checkSeconds(run);
    }

    void checkChange(const PassRun& run, Change change) {
        const auto isCounted = [](const auto& entry) { return entry.second != 0; };
        const auto isChangedStep = [&](const PassRun& step) { return step.parent == run.name && step.changed; };
        bool isChanged = false;
        switch (change) {
        case Change::Any:
            return;
        case Change::Never:
            break;
        case Change::Counted:
            isChanged = std::ranges::any_of(run.counts, isCounted);
            break;
        case Change::Ran:
            isChanged = !run.counts.empty();
            break;
        case Change::Planned:
            isChanged = plan_.settings.boolean("ttnn.enable_optimizer");
            break;
        case Change::Stepped:
            isChanged = std::ranges::any_of(plan_.passes, isChangedStep);
            break;
        }
        if (run.changed != isChanged)
            fault(run.name, run.changed ? "it is said to have changed the program, its figures say nothing of it"
                                        : "it is said to have changed nothing, its figures say otherwise");
    }

    /// A clock is nobody's rule, but a whole takes as long as its steps.
    void checkSeconds(const PassRun& whole) {
        double seconds = 0;
        for (const PassRun& step : plan_.passes)
            seconds += step.parent == whole.name ? step.seconds : 0;
        report_.expect("passes " + whole.name + " seconds", whole.seconds, seconds);
    }

    /// A pass stands in the plan where it is not switched off.
    void checkSwitch(const Row& row) {
        if (row.name == kExport) return;
        const bool isThere =
            std::ranges::any_of(plan_.passes, [&](const PassRun& run) { return run.ran && run.name == row.name; });
        const bool isOn = row.switchKey.empty() || plan_.settings.boolean(row.switchKey);
        if (isThere && !isOn) fault(row.name, "it ran, and " + std::string(row.switchKey) + " switches it off");
        if (!isThere && isOn && isReached(row)) fault(row.name, "it did not run, and nothing switches it off");
    }

    /// A compile that was stopped ended with the pass that it names. Without a folder to write to nothing is exported.
    void checkEnd() {
        const std::string_view last = plan_.passes.empty() ? std::string_view() : plan_.passes.back().name;
        if (plan_.stoppedAfter.empty() || last == plan_.stoppedAfter) return;
        if (plan_.stoppedAfter == kExport && last == kLast) return;
        report_.add("VER-013", "x_stopped_after",
                    "says " + plan_.stoppedAfter + ", which is not the last pass that ran");
    }

    /// What a step belongs to is on.
    [[nodiscard]] bool isReached(const Row& row) const {
        return parentOf(row.name).empty() || plan_.settings.boolean(kAnalysis);
    }

    // ---- figures -----------------------------------------------------------------------------------------------

    /// Null where the pass did not run or does not count that.
    [[nodiscard]] const std::int64_t* count(std::string_view pass, const std::string& key) const {
        const auto run = std::ranges::find(plan_.passes, pass, &PassRun::name);
        if (run == plan_.passes.end()) return nullptr;
        const auto found = run->counts.find(key);
        return found == run->counts.end() ? nullptr : &found->second;
    }
    void expectCount(std::string_view pass, const std::string& key, std::int64_t real) {
        if (const std::int64_t* stated = count(pass, key))
            report_.expect("passes " + std::string(pass) + " " + key, *stated, real);
    }

    void checkCounts() {
        constexpr std::string_view kConfigs = "legal_op_config_analysis";
        expectCount(kLast, "peak_l1", plan_.memory.peak);
        expectCount(kLast, "reshards", data_.goals.reshards());
        expectCount(kLast, "sharded_ops", data_.goals.shardedOps);
        expectCount(kLast, "spills", data_.goals.spills);
        expectCount("memory_layout_analysis.build_chains", "chains",
                    std::ranges::count(data_.record.chains, false, &ChainInfo::isReshape));
        if (const std::int64_t* built = count("memory_layout_analysis.build_chains", "chains"))
            expectCount("memory_layout_analysis", "chains", *built);
        const std::int64_t *sharded = count(kConfigs, "sharded"), *all = count(kConfigs, "configurations");
        if (sharded != nullptr && all != nullptr && *sharded > *all)
            report_.add("VER-013", "passes " + std::string(kConfigs), "it has more sharded configurations than all");
        checkSums();
        checkOperations();
        checkCalls();
        checkSpace();
    }

    /// Operations of the module without what was fused, and conversions beside them: new ones and those of the module
    /// that were given another layout.
    void checkOperations() {
        const std::int64_t *all = count("ttir_to_ttnn", "operations"), *less = count("fuse_ops", "operations_less");
        const std::int64_t own = std::ranges::count(data_.ops, TtnnConversion::None, &TtnnOp::conversion);
        const std::int64_t inserted = std::ssize(data_.ops) - own;
        if (all != nullptr) report_.expect("passes ttir_to_ttnn operations", *all, own + (less != nullptr ? *less : 0));
        const auto isOfModule = [](const TtnnOp& op) {
            return op.conversion == TtnnConversion::None && op.name.starts_with("ttnn.to_");
        };
        expectWithin("graph_transformation", "conversions",
                     {inserted, inserted + std::ranges::count_if(data_.ops, isOfModule)});
    }

    /// What the steps of the analysis count one by one it counts as a whole.
    void checkSums() {
        for (const char* key : {"completed_chains", "merges", "reservations"}) {
            std::int64_t sum = 0;
            bool isThere = false;
            for (const PassRun& run : plan_.passes) {
                const auto found = run.counts.find(key);
                if (run.parent != kWhole || found == run.counts.end()) continue;
                sum += found->second;
                isThere = true;
            }
            if (isThere) expectCount(kWhole, key, sum);
        }
    }

    /// The search space, counted again (ttnn-optimizer 3).
    void checkSpace() {
        const auto figures = spaceFigures(plan_);
        if (!figures) return;
        expectWithin("scalar_data_type_analysis", "scalar_types", figures->scalars);
        expectCount("legal_tensor_layout_analysis", "tensors", figures->tensors);
        expectCount("legal_tensor_layout_analysis", "layouts", figures->layouts);
        expectCount("legal_op_layout_analysis", "sharded_layouts", figures->kept);
        expectCount("legal_op_layout_analysis", "cut_by_the_limit", figures->cut);
        // Without the optimizer there is none.
        if (!plan_.settings.boolean("ttnn.enable_optimizer")) return;
        expectWithin("legal_op_config_analysis", "configurations", figures->configs);
        expectWithin("legal_op_config_analysis", "sharded", figures->sharded);
    }

    void expectWithin(std::string_view pass, const std::string& key, const CountRange& range) {
        const std::int64_t* stated = count(pass, key);
        if (stated == nullptr || (*stated >= range.least && *stated <= range.most)) return;
        const std::string most = range.most > range.least ? " to " + grouped(range.most) : std::string();
        fault(std::string(pass) + " " + key,
              "says " + grouped(*stated) + ", the plan gives " + grouped(range.least) + most);
    }

    /// The model was asked at least as often as all chains together asked it.
    void checkCalls() {
        std::int64_t ofChains = 0;
        for (const ChainInfo& chain : data_.record.chains)
            ofChains += chain.counters.modelCalls;
        const std::int64_t* calls = count(kLast, "model_calls");
        if (calls != nullptr && *calls < ofChains)
            fault(kLast, "the model was asked " + grouped(*calls) + " times, its chains asked it " + grouped(ofChains) +
                             " times");
    }
};

}  // namespace

void checkPasses(const Plan& plan, Report& report) {
    PassRules(plan, report).run();
}

}  // namespace memplan::verify::ttnn
