// SPDX-License-Identifier: Apache-2.0
// The state of one compile as the runner sees it (architecture 5.9). A machine writes its state, its passes, `snapshot`
// and `freeze`; CompilationOver does the rest.
#pragma once

#include "engine/hints/outcome.h"
#include "engine/pipeline/pass.h"
#include "engine/pipeline/request.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

using Tags = std::set<std::string, std::less<>>;

/// What the runner knows of a run when the plan is made.
struct RunFacts {
    std::vector<PassRun> passes;
    std::vector<Decision> decisions;
    std::vector<hints::Conclusion> hintStates;  ///< parallel to the request's hints; empty after a failure
    Tags provided;                              ///< tags of pipeline.md that are there
};

/// In run order; a row above steps stands before the first of them.
using PassList = std::vector<PassInfo>;

class Compilation {
public:
    virtual ~Compilation() = default;

    [[nodiscard]] virtual const PassList& passes() const = 0;
    /// Runs pass `i`, which is no row above steps.
    [[nodiscard]] virtual Result<PassOutcome> run(std::size_t i, PassContext& context) = 0;
    /// Pass `i` is switched off: what it leaves behind all the same.
    virtual void skip(std::size_t i) = 0;
    /// The program as text: one operation a line, stable order (architecture 5.6).
    [[nodiscard]] virtual std::string snapshot() const = 0;

    /// True where a place in memory was decided: a failed compile then shows what there was.
    [[nodiscard]] virtual bool hasPlaces() const { return false; }
    /// Before freeze(): what no pass measured because the compile was stopped. `provided` are the tags that are there.
    virtual void finish(const Tags& provided) { (void)provided; }
    /// The plan as it stands; also after a failure, then without hint states.
    [[nodiscard]] virtual std::shared_ptr<Plan> freeze(RunFacts facts) const = 0;
    /// After freeze(): frees the state, which takes as long as to verify the plan of a large program.
    virtual void release() {}
    /// After a failure: the same compile with what it found out, which may end well; null where there is no other.
    [[nodiscard]] virtual std::unique_ptr<Compilation> retry() { return nullptr; }

    // ---- what subjects became (ids of the program as it stands) ---------------------------------------

    [[nodiscard]] virtual std::size_t opCount() const = 0;
    [[nodiscard]] virtual const std::string& opName(OpId op) const = 0;
    /// Operations that stand for an operation of the source graph.
    [[nodiscard]] virtual std::vector<OpId> opsOf(GraphOpId graphOp) const = 0;
    /// Buffers that hold a tensor of the source graph.
    [[nodiscard]] virtual std::vector<BufferId> buffersOf(TensorId graphTensor) const = 0;
    /// On-chip bytes of a core that a buffer takes; 0 before it was measured.
    [[nodiscard]] virtual Bytes bytesOnCore(BufferId buffer) const = 0;
    /// Name of the kernel that runs an operation outside the planner; empty for planned ones.
    [[nodiscard]] virtual std::string outsideKernel(OpId op) const {
        (void)op;
        return {};
    }
};

/// passes(), run() and skip() over a list of passes.
template <class State, class Context = PassContext> class CompilationOver : public Compilation {
public:
    using Pass = PassOver<State, Context>;

    explicit CompilationOver(const std::vector<Pass>& passes) : passes_(passes) {
        for (const Pass& pass : passes)
            infos_.push_back(pass.info);
    }

    [[nodiscard]] const PassList& passes() const override { return infos_; }
    [[nodiscard]] Result<PassOutcome> run(std::size_t i, PassContext& context) override {
        return runPass(passes_[i], context);
    }
    void skip(std::size_t) override {}

protected:
    State state_;

    /// Gives the pass the context it wants; a machine with a context of its own overrides it.
    [[nodiscard]] virtual Result<PassOutcome> runPass(const Pass& pass, PassContext& context) = 0;

private:
    const std::vector<Pass>& passes_;
    PassList infos_;
};

}  // namespace memplan
