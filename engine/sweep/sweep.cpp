// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep.h"

#include "engine/base/parallel.h"
#include "engine/base/text.h"
#include "engine/io/plan/plan_metric_fields.h"
#include "engine/settings/owner.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace memplan::sweep {

namespace {

Result<CompileRequest> requestAt(const SweepRequest& sweep, const std::vector<std::string>& values) {
    CompileRequest request = sweep.base;
    request.recordTimes = false;
    request.keepSnapshotTexts = sweep.keepPlans && request.keepSnapshotTexts;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (auto set = applyValue(request, sweep.hints, sweep.axes[i].key, values[i]); !set) return set.error();
    if (auto allowed = request.settings.check(); !allowed) return allowed.error();
    return request;
}

void fill(SweepCell& cell, const PlanPtr& plan, bool keepPlan) {
    cell.status = "ok";
    cell.metrics = io::planMetricFields(*plan);
    cell.inputHash = plan->inputHash;
    cell.planHash = plan->planHash;
    cell.traffic = static_cast<double>(plan->metrics.traffic());
    cell.peak = static_cast<double>(plan->memory.peak);
    for (const PlanBuffer& b : plan->buffers)
        cell.onChipBytes += isOnChip(b.space) ? static_cast<double>(b.size) : 0;
    if (keepPlan) cell.plan = plan;
}

void refuse(SweepCell& cell, const Error& error) {
    cell.status = error.primary().code;
    cell.message = error.primary().message;
}

SweepCell runCell(const SweepRequest& sweep, std::size_t index, const RunControl& quiet) {
    SweepCell cell;
    cell.values = valuesAt(sweep.axes, index);
    auto request = requestAt(sweep, cell.values);
    if (!request) {
        refuse(cell, request.error());
        return cell;
    }
    readSettingFiles(request.value());  // a setting that varies may name one
    const CompileOutcome outcome = compile(request.value(), quiet);
    if (outcome.plan) {
        fill(cell, outcome.plan, sweep.keepPlans);
    } else {
        refuse(cell, outcome.failure->error);
    }
    return cell;
}

/// Rows that differ in a setting that no pass of this compile reads would be the same.
Result<void> checkMachine(const std::string& key, const TargetId& target) {
    const std::string_view machine = machineOfSetting(key);
    const SettingInfo* info = findSetting(key);
    if (!machine.empty() && machine != target)
        return makeError("CLI-001", "--vary",
                         "\"" + key + "\" is a setting of " + std::string(machine) + ", and this sweep plans for " +
                             target,
                         "vary a setting of " + target + ", or choose the machine with --target");
    if (info != nullptr && !info->inUse)
        return makeError("CLI-001", "--vary", "nothing in this version reads \"" + key + "\"",
                         "`memplan list settings` names what is in use");
    return {};
}

unsigned workerCount(int wanted, std::size_t cells) {
    return static_cast<unsigned>(std::min<std::size_t>(threadCount(wanted), cells));
}

}  // namespace

std::size_t cellCount(const std::vector<Axis>& axes) {
    if (axes.empty()) return 0;
    std::size_t n = 1;
    for (const Axis& axis : axes) {
        if (axis.values.empty()) return 0;
        if (axis.values.size() > kMostCells) return kMostCells + 1;
        n = std::min(n * axis.values.size(), kMostCells + 1);
    }
    return n;
}

std::vector<std::string> valuesAt(const std::vector<Axis>& axes, std::size_t index) {
    std::vector<std::string> values(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        values[i] = axes[i].values[index % axes[i].values.size()];
        index /= axes[i].values.size();
    }
    return values;
}

Result<void> checkSweep(const SweepRequest& request) {
    const std::size_t cells = cellCount(request.axes);
    if (cells == 0) return makeError("CLI-001", "--vary", "nothing is varied", "--vary KEY=V1,V2,... names what");
    if (cells > kMostCells)
        return makeError("CLI-001", "--vary", "more than " + std::to_string(kMostCells) + " combinations",
                         "give fewer values, or several sweeps");
    // A request without a target is for the natural one of its input.
    const TargetId& named = request.base.target;
    const TargetId target = named.empty() ? TargetId(naturalTarget(request.base.program.get()).info().id) : named;
    std::set<std::string> keys;
    for (const Axis& axis : request.axes) {
        if (!keys.insert(axis.key).second)
            return makeError("CLI-001", "--vary", "\"" + axis.key + "\" is varied twice",
                             "put all its values into one --vary");
        // The input is read once, before the first combination: rows that differ in a limit would be the same.
        if (axis.key.starts_with("limits."))
            return makeError("CLI-001", "--vary", "\"" + axis.key + "\" governs the reading of the input, not the plan",
                             "give it once: --set " + axis.key + "=VALUE");
        if (auto own = checkMachine(axis.key, target); !own) return own;
        for (const std::string& value : axis.values) {
            CompileRequest trial = request.base;
            if (auto set = applyValue(trial, request.hints, axis.key, value); !set) return set.error();
        }
    }
    return {};
}

Result<std::vector<SweepCell>> runSweep(const SweepRequest& request, const RunControl& control, const OnCell& onCell) {
    if (auto ok = checkSweep(request); !ok) return ok.error();
    const std::size_t count = cellCount(request.axes);
    std::vector<SweepCell> cells(count);
    std::atomic<std::size_t> next{0};
    std::mutex reporting;  // of progress only: results are separate by index
    std::size_t done = 0;
    const auto work = [&] {
        RunControl quiet = control;
        quiet.onProgress = nullptr;
        for (std::size_t i = next++; i < count && !control.cancelled(); i = next++) {
            SweepCell cell = runCell(request, i, quiet);
            if (control.cancelled()) return;
            const std::lock_guard lock(reporting);
            cells[i] = std::move(cell);
            control.progress("combinations", static_cast<double>(++done), static_cast<double>(count));
            if (onCell) onCell(i, cells[i]);
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (unsigned i = 1; i < workerCount(request.threads, count); ++i)
            helpers.emplace_back(work);
        work();
    }
    if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
    return cells;
}

namespace {

/// Those of every plan and what the machine of these plans adds, in alphabetical order.
std::vector<std::string> metricKeys(const std::vector<SweepCell>& cells) {
    std::set<std::string> keys;
    for (const auto& [key, value] : io::planMetricFields(Plan{}))
        keys.insert(key);
    for (const SweepCell& cell : cells) {
        for (const auto& [key, value] : cell.metrics)
            keys.insert(key);
    }
    return {keys.begin(), keys.end()};
}

}  // namespace

std::string sweepCsv(const std::vector<Axis>& axes, const std::vector<SweepCell>& cells) {
    std::string out;
    for (const Axis& axis : axes)
        out += text::csvField(axis.key) + ",";
    out += "status";
    const std::vector<std::string> columns = metricKeys(cells);
    for (const std::string& key : columns)
        out += "," + key;
    out += "\n";
    for (const SweepCell& cell : cells) {
        for (const std::string& value : cell.values)
            out += text::csvField(value) + ",";
        out += cell.status;
        for (const std::string& key : columns) {
            const auto it = std::ranges::find(cell.metrics, key, &std::pair<std::string, std::string>::first);
            const bool known = it != cell.metrics.end() && it->second != "null";
            out += "," + (known ? text::csvField(it->second) : std::string());
        }
        out += "\n";
    }
    return out;
}

}  // namespace memplan::sweep
