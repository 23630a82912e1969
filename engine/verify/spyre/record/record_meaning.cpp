// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/record/record_meaning.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/sim/eval/functions.h"
#include "engine/sim/record/record.h"
#include "engine/verify/spyre/record/record_advance.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::verify {
namespace {

using sim::RecordArg;
using sim::RecordBuffer;
using sim::RecordOp;
using sim::RecordRole;
using text::quoted;

std::string_view wordOf(BufferRole role) {
    switch (role) {
    case BufferRole::GraphInput:
        return "input";
    case BufferRole::Parameter:
        return "parameter";
    case BufferRole::Constant:
        return "constant";
    case BufferRole::GraphOutput:
        return "output";
    case BufferRole::Intermediate:
        break;
    }
    return "intermediate";
}

class RecordMeaning {
public:
    RecordMeaning(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), record_(*plan_.execution), report_(report),
          isDetailed_(
              std::any_of(plan_.ops.begin(), plan_.ops.end(), [](const PlanOp& op) { return !op.accesses.empty(); })) {
        if (!plan_.graph) return;
        for (const Op& op : plan_.graph->ops)
            graphOps_.emplace(op.id, &op);
        for (std::size_t t = 0; t < plan_.graph->tensors.size(); ++t)
            graphTensors_.emplace(plan_.graph->tensors[t].id, TensorId::of(t));
    }

    void run() {
        // Lists of different length are reported where positions are compared.
        if (record_.buffers.size() != plan_.buffers.size() || record_.ops.size() != plan_.ops.size()) return;
        for (std::size_t b = 0; b < record_.buffers.size() && isDetailed_; ++b)
            checkBuffer(BufferId::of(b), record_.buffers[b]);
        for (std::size_t i = 0; i < record_.ops.size(); ++i)
            checkOp(OpId::of(i), record_.ops[i]);
        checkOutputs();
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    const sim::ExecutionRecord& record_;
    Report& report_;
    bool isDetailed_;  ///< the plan states more than the contract asks for
    std::unordered_map<std::string_view, const Op*> graphOps_;
    std::unordered_map<std::string_view, TensorId> graphTensors_;

    void wrong(std::string where, std::string message, std::vector<OpId> ops = {}) {
        report_.add("VER-013", std::move(where), std::move(message), std::move(ops));
    }

    template <class T> void same(const std::string& where, const char* what, const T& stated, const T& real) {
        if (!(stated == real)) wrong(where, std::string("its ") + what + " is not that of the plan");
    }

    // ---- buffers -------------------------------------------------------------------------------------

    void checkBuffer(BufferId id, const RecordBuffer& r) {
        const PlanBuffer& b = plan_.buffer(id);
        const std::string where = "execution buffer " + b.name;
        same(where, "role", std::string_view(r.role), wordOf(b.role));
        if (const std::int64_t bytes = itemBytes(b); bytes > 0) same(where, "bytes of an element", r.itemBytes, bytes);
        const bool isNamed = plan_.graph && b.graphTensor.isValid() && b.graphTensor.at() < plan_.graph->tensors.size();
        if (isNamed && !r.denotes.empty())
            same(where, "tensor", storageOf(r.denotes), aliasRoot(*plan_.graph, b.graphTensor));
    }

    /// Tensors that share storage are one after the other in one buffer: a record may name the last of them.
    [[nodiscard]] TensorId storageOf(const std::string& tensor) const {
        const auto it = graphTensors_.find(tensor);
        return it == graphTensors_.end() ? TensorId() : aliasRoot(*plan_.graph, it->second);
    }

    // ---- operations ----------------------------------------------------------------------------------

    /// A copy between cores has a name of its own, all other moves are identities.
    static std::string functionOf(const PlanOp& op, RecordRole role) {
        if (op.kind == "relayout") return op.type;
        return role == RecordRole::Move ? std::string("identity") : sim::canonicalFunction(op.type);
    }

    /// A kernel of the lowering without loops: what it does is taken as given. A fallback of an op whose loops all have
    /// one iteration has none either, and does what the op says.
    [[nodiscard]] bool isGiven(const PlanOp& op, const RecordOp& r) const {
        if (op.kind != "extern" || !op.iterationSpace.empty()) return false;
        if (op.type == "clone" || op.type == "batchmatmul") return false;
        if (!plan_.graph) return r.role == RecordRole::Outside;
        const auto it = r.source.size() == 1 ? graphOps_.find(r.source.front()) : graphOps_.end();
        if (it == graphOps_.end()) return true;
        const Op& source = *it->second;
        const auto isNothing = [](const IterDim& d) { return d.size == 0; };
        if (!source.hasIter || source.outputs.size() != 1 || isDataDependent(source)) return true;
        if (std::any_of(source.iter.begin(), source.iter.end(), isNothing)) return true;
        if (plan_.graph->tensor(source.outputs.front()).dtype == DType::Str) return true;
        return source.kind != OpKind::Pointwise && source.kind != OpKind::Reduction && source.kind != OpKind::Constant;
    }

    static bool isDataDependent(const Op& op) {
        for (const auto* maps : {&op.inMaps, &op.outMaps}) {
            for (const OperandMap& map : *maps) {
                if (map && std::any_of(map->begin(), map->end(), [](const IndexExpr& e) { return e.dataDependent; }))
                    return true;
            }
        }
        return false;
    }

    [[nodiscard]] RecordRole roleOf(const PlanOp& op, const RecordOp& r) const {
        if (LoopReading::isAllocation(op)) return RecordRole::Allocate;
        if (op.kind == "constant") return RecordRole::Fill;
        if (isGiven(op, r)) return RecordRole::Outside;
        const bool moves = op.type == "fill" || sim::isIdentity(sim::canonicalFunction(op.type));
        return moves ? RecordRole::Move : RecordRole::Compute;
    }

    void checkOp(OpId id, const RecordOp& r) {
        const PlanOp& op = plan_.op(id);
        const std::string where = "execution op " + op.name;
        const RecordRole role = roleOf(op, r);
        same(where, "part in the run", r.role, role);
        same(where, "function", r.fn, functionOf(op, role));
        if (op.kind != "extern")
            same(where, "kind", r.kind, op.kind == "mutation" ? std::string("pointwise") : op.kind);
        checkSource(where, op, r, role);
        if (role == RecordRole::Outside || !PlanReading::statesAccesses(op)) return;
        if (r.args.size() < op.accesses.size() || !isComputed(op) || !spyreData(plan_).opSpecs) return;
        for (std::size_t a = 0; a < op.accesses.size(); ++a)
            checkArg(id, a, r.args[a]);
    }

    /// It stands for operations of the graph; of one alone it has the attributes that change its function.
    void checkSource(const std::string& where, const PlanOp& op, const RecordOp& r, RecordRole role) {
        if (!plan_.graph) return;
        std::vector<const Op*> sources;
        for (const std::string& id : r.source) {
            const auto it = graphOps_.find(id);
            if (it == graphOps_.end())
                return wrong(where, "stands for " + quoted(id) + ", which the graph does not have");
            if (std::find(sources.begin(), sources.end(), it->second) != sources.end())
                return wrong(where, "stands for " + quoted(id) + " twice");
            sources.push_back(it->second);
        }
        if (isDetailed_ && sources.empty() && op.addedBy.empty() && role != RecordRole::Allocate &&
            role != RecordRole::Fill)
            wrong(where, "stands for no operation of the graph");
        const auto named = graphOps_.find(op.name);
        const bool isItself = sources.size() == 1 && named != graphOps_.end() && sources.front() == named->second;
        if (isItself && !op.addedBy.empty())
            wrong(where,
                  "is an operation of the graph, and the pass " + quoted(op.addedBy) + " is said to have added it");
        const bool isOwn = named != graphOps_.end() && op.addedBy.empty() && !sources.empty();
        if (isOwn && std::find(sources.begin(), sources.end(), named->second) == sources.end())
            wrong(where, "stands for " + quoted(sources.front()->id) + ", and has the name of another operation");
        const bool isWhole = sources.size() == 1 && sources.front()->kind != OpKind::Conv;
        if (isWhole && role == RecordRole::Compute)
            same(where, "list of attributes", r.attributes, sim::functionAttributes(*sources.front()));
    }

    void checkArg(OpId id, std::size_t position, const RecordArg& r) {
        const PlanAccess& a = plan_.op(id).accesses[position];
        const PlanBuffer& b = plan_.buffer(a.buffer);
        const std::string where =
            "execution op " + plan_.op(id).name + ", args[" + std::to_string(position) + "] (" + quoted(b.name) + ")";
        same(where, "mark of one tile", r.perTileFixed, reading_.loops.holdsOneTile(a.buffer));
        const auto advance = advanceOf(reading_, id, a);
        if (advance) same(where, "advance", moving(id, r.advance), moving(id, *advance));
        checkElements(where, id, a, r);
    }

    /// The elements that an access means move by whole tiles of its index; a list that is not there says that they do
    /// not move. A buffer of one tile means what the op that fills it writes in that iteration, whoever reads it. A
    /// buffer that denotes nothing has no elements to mean.
    void checkElements(const std::string& where, OpId id, const PlanAccess& a, const RecordArg& r) {
        if (r.elementAdvance.empty() && record_.buffers[a.buffer.at()].denotes.empty()) return;
        if (reading_.loops.holdsOneTile(a.buffer)) {
            const RecordArg* filled = writtenBy(reading_.writer(a.buffer), a.buffer);
            if (filled != nullptr) same(where, "element_advance", r.elementAdvance, filled->elementAdvance);
            return;
        }
        std::vector<std::int64_t> coefficients = a.coefficients;
        if (r.element) {
            coefficients.assign(plan_.op(id).iterationSpace.size(), 0);
            for (const auto& [symbol, step] : r.element->terms) {
                if (symbol >= 0 && static_cast<std::size_t>(symbol) < coefficients.size())
                    coefficients[static_cast<std::size_t>(symbol)] = step;
            }
        }
        const auto advance = elementAdvanceOf(reading_, id, coefficients);
        if (advance) same(where, "element_advance", moving(id, r.elementAdvance), moving(id, *advance));
    }

    /// How the record says that an op writes a buffer; null where it does not.
    [[nodiscard]] const RecordArg* writtenBy(OpId id, BufferId buffer) const {
        if (!id.isValid() || id.at() >= record_.ops.size()) return nullptr;
        for (const RecordArg& r : record_.ops[id.at()].args) {
            if (!r.isInput && r.buffer == buffer.index) return &r;
        }
        return nullptr;
    }

    /// Without levels of one iteration, in which nothing advances; empty where nothing is left.
    [[nodiscard]] std::vector<std::int64_t> moving(OpId id, std::vector<std::int64_t> advance) const {
        const auto& counts = plan_.op(id).loopCounts;
        for (std::size_t level = 0; level < advance.size() && level < counts.size(); ++level)
            advance[level] = counts[level] == 1 ? 0 : advance[level];
        const bool stands = std::all_of(advance.begin(), advance.end(), [](std::int64_t bytes) { return bytes == 0; });
        return stands ? std::vector<std::int64_t>() : advance;
    }

    // ---- results -----------------------------------------------------------------------------------

    void checkOutputs() {
        if (!plan_.graph) return;
        std::vector<std::string> real;
        for (const TensorId id : plan_.graph->outputs)
            real.push_back(plan_.graph->tensor(id).id);
        std::vector<std::string> stated;
        for (const sim::RecordOutput& o : record_.outputs)
            stated.push_back(o.tensor);
        same("execution outputs", "list of results", stated, real);
        if (stated != real) return;
        for (std::size_t i = 0; i < real.size(); ++i)
            checkOutput(plan_.graph->outputs[i], record_.outputs[i]);
    }

    /// A result that is no view lies in a buffer of its own, row by row; of a view every element is one of the buffer.
    void checkOutput(TensorId tensor, const sim::RecordOutput& o) {
        const Tensor& t = plan_.graph->tensor(tensor);
        const std::string where = "execution output " + t.id;
        if (o.buffer < 0 || static_cast<std::size_t>(o.buffer) >= plan_.buffers.size())
            return wrong(where, "lies in no buffer of the plan");
        const PlanBuffer& b = plan_.buffers[static_cast<std::size_t>(o.buffer)];
        if (isOnChip(b.space)) wrong(where, "is left on chip in " + quoted(b.name));
        if (o.strides.size() != t.shape.size()) return wrong(where, "has not one stride for each dimension");
        std::int64_t last = o.offset;
        std::int64_t natural = 1;
        bool isPlain = o.offset == 0;
        for (std::size_t d = t.shape.size(); d-- > 0;) {
            isPlain = isPlain && (t.shape[d] <= 1 || o.strides[d] == natural);
            natural = saturatedMul(natural, t.shape[d]);
            last = saturatedAdd(last, saturatedMul(o.strides[d], std::max<std::int64_t>(t.shape[d] - 1, 0)));
        }
        if (o.offset < 0 || last >= std::max<std::int64_t>(elementsOf(b.shape), 1))
            wrong(where, "lies outside of " + quoted(b.name));
        const bool isOwn = !t.aliasOf.isValid() && t.role == TensorRole::Activation && b.graphTensor == tensor;
        if (isOwn && !isPlain) wrong(where, "is said not to lie row by row in its own buffer " + quoted(b.name));
        if (isDetailed_ && b.role != BufferRole::GraphOutput && b.role != BufferRole::GraphInput &&
            b.role != BufferRole::Parameter && b.role != BufferRole::Constant)
            wrong(where, "is said to lie in " + quoted(b.name) + ", which is no result of the plan");
    }
};

}  // namespace

void checkRecordMeaning(const PlanReading& reading, Report& report) {
    if (reading.plan.execution && isPlannedHere(reading.plan)) RecordMeaning(reading, report).run();
}

}  // namespace memplan::verify
