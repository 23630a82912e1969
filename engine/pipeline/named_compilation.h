// SPDX-License-Identifier: Apache-2.0
// A compile over a table of passes that take the plain context: what machines would write alike.
#pragma once

#include "engine/pipeline/compilation.h"

#include <vector>

namespace memplan {

/// A compile whose passes take the plain context. The names of its operations are made when they are asked for, and
/// again after a pass.
template <class State> class NamedCompilation : public CompilationOver<State> {
public:
    using typename CompilationOver<State>::Pass;

    NamedCompilation(const std::vector<Pass>& passes, const CompileRequest& request, State state)
        : CompilationOver<State>(passes), request_(request) {
        this->state_ = std::move(state);
    }

    [[nodiscard]] std::size_t opCount() const override { return names().size(); }
    [[nodiscard]] const std::string& opName(OpId op) const override { return names()[op.at()]; }

protected:
    const CompileRequest& request_;

    /// One of each operation as they stand.
    [[nodiscard]] virtual std::vector<std::string> makeNames() const = 0;

    [[nodiscard]] Result<PassOutcome> runPass(const Pass& pass, PassContext& context) override {
        Result<PassOutcome> outcome = pass.run(this->state_, context);
        names_.clear();
        return outcome;
    }

private:
    mutable std::vector<std::string> names_;

    [[nodiscard]] const std::vector<std::string>& names() const {
        if (names_.empty()) names_ = makeNames();
        return names_;
    }
};

}  // namespace memplan
