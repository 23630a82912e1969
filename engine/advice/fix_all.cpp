// SPDX-License-Identifier: Apache-2.0
#include "engine/advice/fix_all.h"

#include <algorithm>

namespace memplan::advice {
namespace {

/// `next` was found under `sum`: its positions count the hints that `sum` appended to the `given` ones.
void append(Change& sum, const Change& next, std::size_t given) {
    for (const auto& setting : next.settings) {
        std::erase_if(sum.settings, [&](const auto& s) { return s.first == setting.first; });
        sum.settings.push_back(setting);
    }
    for (const std::size_t i : next.hintsOff) {
        if (i < given)
            sum.hintsOff.push_back(i);
        else if (i - given < sum.hints.size())
            sum.hints[i - given].enabled = false;
    }
    sum.hints.insert(sum.hints.end(), next.hints.begin(), next.hints.end());
    sum.text += (sum.text.empty() ? "" : "; ") + next.text;
}

class Fixer {
public:
    Fixer(const CompileRequest& request, const PlanPtr& plan, std::string_view code, const FixAllOptions& options,
          const RunControl& control)
        : request_(request), code_(code), options_(options), control_(control), now_(request), plan_(plan),
          first_(plan) {}

    Result<FixAllReport> run() {
        const std::vector<BufferId> wanted = buffersRefusedAs(*first_, code_);
        report_.refused = static_cast<int>(wanted.size());
        report_.trafficBefore = report_.trafficAfter = first_->metrics.traffic();
        for (std::size_t i = 0; i < wanted.size() && report_.tried < options_.maxTrials; ++i) {
            if (control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
            if (control_.timedOut()) break;
            control_.progress("fixing", static_cast<double>(i), static_cast<double>(wanted.size()));
            if (auto done = fixOne(first_->buffer(wanted[i])); !done) return std::move(done).error();
        }
        finish(wanted);
        return std::move(report_);
    }

private:
    Result<void> fixOne(const PlanBuffer& wanted) {
        const auto at = std::find_if(plan_->buffers.begin(), plan_->buffers.end(), [&](const PlanBuffer& b) {
            return wanted.graphTensor.isValid() && !wanted.cloneOf.isValid()
                       ? b.graphTensor == wanted.graphTensor && !b.cloneOf.isValid()
                       : b.name == wanted.name;
        });
        if (at == plan_->buffers.end() || !at->reason || reasonInfo(at->reason->code).diagnostic != code_) return {};
        FixOptions options;
        options.enough = 1;
        options.maxTrials = std::min(options_.maxTrialsPerBuffer, options_.maxTrials - report_.tried);
        RunControl quiet = control_;
        quiet.onProgress = nullptr;
        auto fixes = findFixes(now_, *plan_, BufferId::of(static_cast<std::size_t>(at - plan_->buffers.begin())),
                               options, quiet);
        if (!fixes) return std::move(fixes).error();
        report_.tried += fixes.value().tried;
        if (fixes.value().fixes.empty() || !fixes.value().fixes.front().pays()) return {};
        Fix& fix = fixes.value().fixes.front();
        append(report_.change, fix.change, request_.hints.size());
        now_ = applied(request_, report_.change);
        plan_ = fix.plan;
        return {};
    }

    void finish(const std::vector<BufferId>& wanted) {
        if (plan_ == first_) return;
        report_.plan = plan_;
        report_.trafficAfter = plan_->metrics.traffic();
        report_.fixed = static_cast<int>(std::count_if(
            wanted.begin(), wanted.end(), [&](BufferId id) { return isOnChipIn(*plan_, first_->buffer(id)); }));
        control_.progress("fixing", 1, 1);
    }

    const CompileRequest& request_;
    std::string_view code_;
    const FixAllOptions& options_;
    const RunControl& control_;
    CompileRequest now_;
    PlanPtr plan_;
    PlanPtr first_;
    FixAllReport report_;
};

}  // namespace

std::vector<BufferId> buffersRefusedAs(const Plan& plan, std::string_view code) {
    std::vector<BufferId> list;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlanBuffer& b = plan.buffers[i];
        if (b.reason && reasonInfo(b.reason->code).diagnostic == code) list.push_back(BufferId::of(i));
    }
    return list;
}

Result<FixAllReport> fixAll(const CompileRequest& request, const PlanPtr& plan, std::string_view code,
                            const FixAllOptions& options, const RunControl& control) {
    return Fixer(request, plan, code, options, control).run();
}

}  // namespace memplan::advice
