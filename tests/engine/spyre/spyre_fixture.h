// SPDX-License-Identifier: Apache-2.0
// Small Spyre programs for tests: buffers and operations by name, indices from host coordinates.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace memplan::spyre::test {

/// Which loop each host dimension of an operand moves with; -1 = none.
using Dims = std::vector<int>;

struct Operand {
    std::string buffer;
    Dims dims;
    std::int64_t offset = 0;
};

struct OpSpec {
    std::string name;
    std::string fn;
    std::vector<std::int64_t> loops;  ///< extents, output loops first
    int reductions = 0;               ///< how many of the last loops are reduced
    std::vector<Operand> reads;
    Dims write;
    OpClass kind = OpClass::Pointwise;
};

class ProgramBuilder {
public:
    BufferId input(const std::string& name, std::vector<std::int64_t> size, HostType dtype = HostType::Float16);
    /// An input whose last ordered dimension is the stick.
    BufferId inputInOrder(const std::string& name, std::vector<std::int64_t> size, std::vector<int> order,
                          HostType dtype = HostType::Float16);
    BufferId buffer(const std::string& name, std::vector<std::int64_t> size, HostType dtype = HostType::Float16);
    /// An op that writes the buffer of its name, which must exist.
    OpId op(const OpSpec& spec);
    OpId constant(const std::string& name, double value);
    void output(const std::string& name);

    Program program;

    [[nodiscard]] BufferId find(const std::string& name) const;
};

/// s = p + q with p sticked on rows and q on columns, then o = s @ y with K = the columns of s
/// (spyre-layouts-and-work-division 5.6).
[[nodiscard]] ProgramBuilder crossedSum();
/// o = sum of x over two loops, of which the first is not enough to keep the span (18.11); o is no output yet.
[[nodiscard]] ProgramBuilder twoReducedLoops();

using PassFunction = decltype(Pass::run);

/// Runs passes over a program and keeps what they said.
struct PassRunner {
    State state;
    Settings settings;
    SpyreMachine machine;
    RunControl control;
    std::vector<Hint> hints;
    std::vector<Diagnostic> diagnostics;
    std::vector<Decision> decisions;
    std::vector<memplan::hints::SubjectOutcome> outcomes;

    explicit PassRunner(Program program) { state.program = std::move(program); }

    Result<PassOutcome> run(PassFunction pass);
    /// Every pass up to and with `last`; the first error ends it.
    Result<PassOutcome> runThrough(PassFunction last);
    [[nodiscard]] int opAt(const std::string& name) const;  ///< position, -1 for none
    [[nodiscard]] const Op& op(const std::string& name) const;
    [[nodiscard]] const Buffer& buffer(const std::string& name) const;
    [[nodiscard]] const Division& division(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> opNames() const;
    [[nodiscard]] int count(const std::string& code) const;
    [[nodiscard]] int count(memplan::hints::Outcome outcome) const;  ///< outcomes of hints
};

}  // namespace memplan::spyre::test
