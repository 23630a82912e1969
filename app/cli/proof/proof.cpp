// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proof/proof.h"

#include "app/cli/program/reporter.h"
#include "engine/base/text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace memplan::cli {
namespace {

using nlohmann::ordered_json;

ordered_json faultJson(const sim::Fault& f) {
    ordered_json j;
    j["code"] = f.code;
    if (f.isNote) j["note"] = true;
    j["op"] = f.op;
    j["buffer"] = f.buffer;
    j["core"] = f.core >= 0 ? ordered_json(f.core) : ordered_json(nullptr);
    j["loop"] = f.loop;
    j["memory"] = f.memory;
    j["address"] = f.address >= 0 ? ordered_json(f.address) : ordered_json(nullptr);
    j["expected"] = f.expected;
    j["found"] = f.found;
    j["writer"] = f.writer;
    j["kind"] = f.kind;
    j["count"] = f.count;
    j["message"] = f.message;
    return j;
}

ordered_json measured(std::int64_t value, const char* other, std::optional<std::int64_t> claimed) {
    ordered_json j;
    j["measured"] = value;
    j[other] = claimed ? ordered_json(*claimed) : ordered_json(nullptr);
    return j;
}

/// Why something is not proved, and what helps.
Diagnostic unproved(const std::string& why, bool isAllowed) {
    Diagnostic d;
    d.severity = isAllowed ? Severity::Warning : Severity::Error;
    d.code = "VER-025";
    d.message = "not proved: " + why;
    d.hint = isAllowed ? "--allow-unproved takes it as it is" : "--allow-unproved ends with status 0 all the same";
    return d;
}

/// Settings of a plan are those it was made with; what a simulation may use is another matter.
Result<std::optional<std::int64_t>> memoryFrom(const std::vector<std::string>& sets) {
    const auto pairs = keyValuePairs(sets, "--set");
    if (!pairs) return pairs.error();
    for (const auto& [key, value] : pairs.value()) {
        if (key.starts_with("sim.")) continue;
        return makeError("CLI-001", "--set", text::quoted(key) + " belongs to the compile that made the plan",
                         "only settings that begin with sim. can be given here");
    }
    const auto settings = Settings::fromPairs(pairs.value());
    if (!settings) return settings.error();
    if (sets.empty()) return std::optional<std::int64_t>();
    return std::optional<std::int64_t>(settings.value().integer("sim.memory_bytes"));
}

Result<void> checkLevel(const std::string& level) {
    if (level.empty() || level == "tokens" || level == "all") return {};
    return makeError("CLI-001", "--level", "this version has no level \"" + level + "\"",
                     "tokens, or all for every level that there is");
}

}  // namespace

void addProofOptions(Arguments& a, ProofTexts& into) {
    a.flag("--simulate", into.simulate, "run what the plan says on memories of cells and compare with the graph");
    a.option("--level", "LEVEL", into.level, "tokens, or all (the same in this version); implies --simulate");
    a.option("--seed", "N", into.seed, "seed of the names that elements get, default 0; implies --simulate");
    a.option("--budget", "SECONDS", into.budget, "stop after this time, not proved; implies --simulate");
    a.option("--wipe-lx", "kernels", into.wipe,
             "clear the on-chip memory between kernels that do not keep it; implies --simulate");
    a.repeated("--set", "sim.KEY=VALUE", into.sets, "setting of the simulation, for instance sim.memory_bytes");
    a.flag("--allow-unproved", into.allowUnproved, "end with status 0 where something could not be simulated");
    a.option("--out", "REPORT.json", into.out, "file of the report, - for standard output; implies --simulate");
    a.flag("--timings", into.timings, "write seconds into the report; implies --simulate");
    a.option("--progress", "auto|always|never", into.progress, "progress bar on standard error");
}

Result<ProofOptions> proofOptions(const ProofTexts& texts) {
    ProofOptions o;
    o.out = texts.out;
    o.allowUnproved = texts.allowUnproved;
    o.timings = texts.timings;
    if (auto known = checkLevel(texts.level); !known) return known.error();
    if (!texts.seed.empty()) {
        const auto seed = wholeNumber("--seed", texts.seed, {0, std::numeric_limits<std::int64_t>::max()});
        if (!seed) return seed.error();
        o.sim.seed = static_cast<std::uint64_t>(seed.value());
    }
    if (!texts.budget.empty()) {
        o.budgetSeconds = text::parseDouble(texts.budget);
        if (!o.budgetSeconds || !std::isfinite(*o.budgetSeconds) || *o.budgetSeconds <= 0 || *o.budgetSeconds > 1e6) {
            return makeError("CLI-001", "--budget", text::quoted(texts.budget) + " is no number of seconds",
                             "above 0, at most 1000000");
        }
    }
    if (!texts.wipe.empty() && texts.wipe != "kernels") {
        return makeError("CLI-001", "--wipe-lx", text::quoted(texts.wipe) + " is not allowed", "kernels");
    }
    o.sim.wipeLxAtKernels = !texts.wipe.empty();
    const auto memory = memoryFrom(texts.sets);
    if (!memory) return memory.error();
    o.memoryBytes = memory.value();
    const auto progress = progressFrom(texts.progress);
    if (!progress) return progress.error();
    o.progress = progress.value();
    return o;
}

sim::Outcome brokenRules(const std::vector<Diagnostic>& violations) {
    sim::Outcome v;
    v.kind = sim::OutcomeKind::Wrong;
    for (const Diagnostic& d : violations) {
        sim::Fault& f = v.faults.emplace_back();
        f.code = d.code;
        f.op = d.where;
        f.message = d.message;
    }
    return v;
}

std::string proofReport(const ProofSubject& subject, const sim::Outcome& v, bool withTimes) {
    ordered_json j;
    j["format"] = "memplan-proof";
    j["version"] = 1;
    j["plan_sha256"] = subject.sha256;
    j["verdict"] = sim::outcomeName(v.kind);
    ordered_json level;
    level["name"] = "tokens";
    level["verdict"] = sim::outcomeName(v.kind);
    level["seed"] = v.seed;
    level["instances"] = v.instances;
    level["elements_checked"] = v.elementsChecked;
    level["macs"] = v.productTerms;
    level["seconds"] = withTimes ? v.seconds : 0.0;
    // A plan that breaks its rules, or has no record, was not run.
    j["levels"] = v.instances > 0 ? ordered_json::array({level}) : ordered_json::array();
    j["faults"] = ordered_json::array();
    for (const sim::Fault& f : v.faults)
        j["faults"].push_back(faultJson(f));
    j["skipped"] = v.skipped;
    j["outside"] = v.outside;
    j["traffic"]["read"] = measured(v.measuredReadBytes, "claimed", subject.claimedReadBytes);
    j["traffic"]["write"] = measured(v.measuredWriteBytes, "claimed", subject.claimedWriteBytes);
    j["traffic"]["bytes_moved"] = v.bytesMoved;
    j["traffic"]["redundant_writes"] = v.redundantWrites;
    j["peak"] = measured(v.measuredPeakBytes, "model", subject.peakBytes);
    if (!subject.mutation.empty()) j["mutation"] = ordered_json::parse(subject.mutation, nullptr, false);
    return j.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

int finishProof(const ProofSubject& subject, const sim::Outcome& v, const ProofOptions& options,
                const Streams& streams) {
    const Reporter reporter(streams);
    for (const sim::Fault& f : v.faults)
        reporter.print(subject.file, f.diagnostic());
    const bool isUnproved = v.kind == sim::OutcomeKind::NotProved;
    if (isUnproved) {
        for (const std::string& why : v.skipped)
            reporter.print(subject.file, unproved(why, options.allowUnproved));
    }
    // What never ran has no figures: the finding says all. Standard output holds the sentence or the report.
    const bool hasFigures = v.instances > 0 || !isUnproved;
    if (hasFigures && options.out != "-") streams.out << v.sentence() << '\n';
    if (!options.out.empty()) {
        const int written = writeResult(options.out, proofReport(subject, v, options.timings), streams);
        if (written != kDone) return written;
    }
    const bool isGood = v.kind == sim::OutcomeKind::Proved || (isUnproved && options.allowUnproved && v.faults.empty());
    return isGood ? kDone : kAnswerIsNo;
}

RunControl proofControl(ProgressBar& bar, const ProofOptions& options) {
    RunControl control = bar.control();
    if (options.budgetSeconds) {
        using Clock = std::chrono::steady_clock;
        control.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(*options.budgetSeconds));
    }
    return control;
}

}  // namespace memplan::cli
