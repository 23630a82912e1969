// SPDX-License-Identifier: Apache-2.0
// A machine as a row of functions: the part of the seam that every machine fills in. What only some have they override.
#pragma once

#include "engine/target/target.h"

#include <utility>

namespace memplan {

struct TargetParts {
    using Facts = std::vector<std::pair<std::string, std::string>>;

    TargetInfo info;
    PassList passes;
    Result<std::unique_ptr<Compilation>> (*begin)(const CompileRequest& request);
    std::vector<Diagnostic> (*verify)(const Plan& plan);
    std::span<const TargetFormat> (*formats)();
    void (*writeData)(const Plan& plan, io::RecordWriter& file);
    void (*readData)(io::PlanFields& fields, io::TapeIndex at, Plan& plan);
    Facts (*factsOf)(const Plan& plan, OpId op);
    std::vector<StatisticsTable> (*statistics)(const Plan& plan);
    bool losesThePacking = false;  ///< a buffer without room may have lost a search for addresses
};

class TargetOfParts : public Target {
public:
    explicit TargetOfParts(TargetParts parts) : parts_(std::move(parts)) {}

    [[nodiscard]] const TargetInfo& info() const override { return parts_.info; }
    [[nodiscard]] PassList passes() const override { return parts_.passes; }
    [[nodiscard]] Result<std::unique_ptr<Compilation>> begin(const CompileRequest& request) const override {
        return parts_.begin(request);
    }
    [[nodiscard]] std::vector<Diagnostic> verify(const Plan& plan) const override { return parts_.verify(plan); }
    [[nodiscard]] std::span<const TargetFormat> formats() const override { return parts_.formats(); }
    void writeData(const Plan& plan, io::RecordWriter& file) const override { parts_.writeData(plan, file); }
    void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) const override {
        parts_.readData(fields, at, plan);
    }
    [[nodiscard]] TargetParts::Facts factsOf(const Plan& plan, OpId op) const override {
        return parts_.factsOf(plan, op);
    }
    [[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan) const override {
        return parts_.statistics(plan);
    }
    [[nodiscard]] bool lostThePacking(const Plan&, const PlanBuffer&) const override { return parts_.losesThePacking; }

private:
    TargetParts parts_;
};

}  // namespace memplan
