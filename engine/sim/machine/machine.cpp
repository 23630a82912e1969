// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/machine/machine.h"

#include "engine/base/text.h"
#include "engine/sim/eval/source_values.h"
#include "engine/sim/machine/op_run.h"
#include "engine/sim/sabotage.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

namespace memplan::sim {
namespace {

using std::int64_t;

const Tensor* tensorNamed(const Graph& graph, std::string_view id) {
    const auto it =
        std::find_if(graph.tensors.begin(), graph.tensors.end(), [&](const Tensor& t) { return t.id == id; });
    return it == graph.tensors.end() ? nullptr : &*it;
}

std::vector<int64_t> rowMajor(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    return strides;
}

/// Host elements of a strided view in row-major order of the tensor.
std::vector<int64_t> hostElements(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides,
                                  int64_t offset) {
    std::vector<int64_t> list;
    std::vector<int64_t> point(shape.size(), 0);
    if (std::any_of(shape.begin(), shape.end(), [](int64_t e) { return e <= 0; })) return list;
    while (true) {
        int64_t h = offset;
        for (std::size_t d = 0; d < shape.size(); ++d)
            h += strides[d] * point[d];
        list.push_back(h);
        std::size_t d = shape.size();
        while (d-- > 0) {
            if (++point[d] < shape[d]) break;
            point[d] = 0;
        }
        if (d == static_cast<std::size_t>(-1)) return list;
    }
}

class Machine {
public:
    Machine(const ExecutionRecord& record, const SimOptions& options, const RunControl& control)
        : r_(record), control_(control), s_(record, options), prepared_(record.ops.size()),
          functions_(record.ops.size()) {}

    SimState& state() { return s_; }

    /// Runs all steps; false when it was cancelled or its time is over.
    Result<bool> run() {
        if (auto started = s_.start(); !started) return started.error();
        total_ = static_cast<double>(r_.ops.size());
        if (!runSteps(r_.steps, {})) return false;
        s_.endLives(position_, INT64_MAX);
        return true;
    }

    void compare(const Evaluation& evaluation) {
        for (const RecordOutput& o : r_.outputs)
            compareOutput(o, evaluation);
    }

    /// More was moved than the plan counts.
    [[nodiscard]] bool isOverTraffic() const {
        return s_.outcome.measuredReadBytes > r_.claimedReadBytes ||
               s_.outcome.measuredWriteBytes > r_.claimedWriteBytes;
    }

    /// What ran may access less than the plan counts (padding, parts of buffers), never more (A11.5).
    void checkTraffic() {
        const Outcome& v = s_.outcome;
        const auto over = [&](const char* what, int64_t measured, int64_t claimed) {
            if (measured <= claimed) return;
            if (Fault* f = s_.fault("VER-013", -1, what)) {
                f->message = std::string(what) + ": the plan says " + text::grouped(claimed) + ", " +
                             text::grouped(measured) + " were touched";
            }
        };
        over("main_memory_read_bytes", v.measuredReadBytes, r_.claimedReadBytes);
        over("main_memory_write_bytes", v.measuredWriteBytes, r_.claimedWriteBytes);
    }

private:
    bool runSteps(const std::vector<RecordStep>& steps, const std::vector<int64_t>& loop) {
        for (const RecordStep& step : steps) {
            if (step.op >= 0) {
                if (!runOp(step.op, loop)) return false;
                continue;
            }
            const int64_t before = position_;
            std::vector<int64_t> inner = loop;
            inner.push_back(0);
            const int64_t count = sabotage == Sabotage::LastLoop ? step.count - 1 : step.count;
            for (inner.back() = 0; inner.back() < count; ++inner.back()) {
                // An iteration begins where the loop does: lives that began and end in its body have ended, what
                // was there before stays until the loop ends.
                if (inner.back() > 0) {
                    s_.endLives(position_, position_ + 1, before + 1);
                    position_ = before;
                }
                if (!runSteps(step.body, inner)) return false;
            }
        }
        return true;
    }

    bool runOp(int id, const std::vector<int64_t>& loop) {
        if (control_.shouldStop()) return false;
        if (s_.options.stopAtFault && !s_.outcome.faults.empty()) return true;
        const RecordOp& op = r_.ops[static_cast<std::size_t>(id)];
        s_.endLives(position_, id);
        if (loop.empty() && id > position_) s_.releaseRegions(id);
        position_ = id;
        control_.progress("simulate", static_cast<double>(id), total_);
        if (op.role == RecordRole::Allocate) return true;
        const int kernel = s_.kernelOf(id);
        if (s_.options.wipeLxAtKernels && kernel != kernel_ && kernel_ != kNoKernel) {
            const bool keeps = kernel_ >= 0 && r_.kernels[static_cast<std::size_t>(kernel_)].nonTerminal;
            if (!keeps) s_.wipeLx();
        }
        kernel_ = kernel;
        if (op.role == RecordRole::Outside) {
            runOutside(id, op);
            return true;
        }
        std::unique_ptr<PreparedOp>& prepared = prepared_[static_cast<std::size_t>(id)];
        std::unique_ptr<Function>& function = functions_[static_cast<std::size_t>(id)];
        if (!prepared) {
            prepared = std::make_unique<PreparedOp>(op, s_.layouts);
            const bool moves = op.role == RecordRole::Move;
            function = std::make_unique<Function>(moves ? "identity" : op.fn,
                                                  moves || op.fn == "matmul" ? "" : op.attributes, s_.options.seed);
        }
        OpRun(s_, id, *prepared, *function).run(loop);
        // Outside of loops nobody needs it again.
        if (loop.empty()) {
            prepared.reset();
            function.reset();
        }
        return true;
    }

    // ---- kernels outside the planner -----------------------------------------------------------------

    const Op* graphOp(const RecordOp& op) const {
        if (op.source.empty()) return nullptr;
        const auto it = std::find_if(r_.graph->ops.begin(), r_.graph->ops.end(),
                                     [&](const Op& o) { return o.id == op.source.front(); });
        return it == r_.graph->ops.end() ? nullptr : &*it;
    }

    static std::vector<TensorId> valid(const std::vector<TensorId>& list) {
        std::vector<TensorId> out;
        std::copy_if(list.begin(), list.end(), std::back_inserter(out), [](TensorId b) { return b.isValid(); });
        return out;
    }

    void runOutside(int id, const RecordOp& op) {
        const Op* source = graphOp(op);
        ++s_.outcome.instances;
        s_.nextInstance();
        if (source == nullptr) {
            if (Fault* f = s_.fault("VER-025", id, "")) f->message = "the graph has no such operation";
            return;
        }
        s_.outcome.outside.push_back(source->id + " (" + source->fn + ")");
        const std::vector<TensorId> inputs = valid(source->inputs);
        std::vector<std::uint64_t> prints;
        std::size_t next = 0;
        for (const RecordArg& a : op.args) {
            if (!a.isInput || next >= inputs.size()) continue;
            prints.push_back(fingerprint(readWhole(id, a, r_.graph->tensor(inputs[next++]))));
        }
        if (next != inputs.size()) {
            if (Fault* f = s_.fault("VER-021", id, "")) f->message = "it has fewer operands than in the graph";
        }
        const std::uint64_t key = opaqueKey(*source, prints, s_.options.seed);
        std::size_t result = 0;
        for (const RecordArg& a : op.args) {
            if (a.isInput) continue;
            while (result < source->outputs.size() && !source->outputs[result].isValid())
                ++result;
            if (result >= source->outputs.size()) break;
            writeWhole(id, a, r_.graph->tensor(source->outputs[result]), key, result);
            ++result;
        }
    }

    std::vector<int64_t> elementsOf(const RecordArg& a, const Tensor& t) const {
        const bool isPlain = a.viewStrides.size() != t.shape.size();
        return hostElements(t.shape, isPlain ? rowMajor(t.shape) : a.viewStrides, a.index.constant);
    }

    std::vector<Value> readWhole(int id, const RecordArg& a, const Tensor& t) {
        const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(a.buffer)];
        const Place place = s_.regionOf(a.buffer);
        std::vector<Value> values;
        for (const int64_t h : elementsOf(a, t)) {
            const int64_t position = s_.layouts[static_cast<std::size_t>(a.buffer)].position(h);
            const int64_t address = place.address + position * b.itemBytes;
            const bool there = position >= 0 && place.memory->holds(address, b.itemBytes);
            Memory::Cell cell;
            if (there) {
                cell = place.memory->read(address, b.itemBytes);
                s_.access(place, address, b.itemBytes, false);
            }
            if (!there || cell.event == kNeverWritten) {
                if (Fault* f = s_.fault(there ? "VER-011" : "VER-002", id, b.name)) {
                    f->memory = SimState::memoryText(place.kind);
                    f->address = place.shown + std::max<int64_t>(position, 0) * b.itemBytes;
                    f->message = there ? "reads bytes that nothing wrote" : "reads outside of the tensor";
                }
            }
            s_.noteRead(cell.event);
            values.push_back(cell.value);
        }
        return values;
    }

    void writeWhole(int id, const RecordArg& a, const Tensor& t, std::uint64_t key, std::size_t output) {
        const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(a.buffer)];
        const Place place = s_.regionOf(a.buffer);
        const Event event = s_.newEvent({id, 0, a.buffer, {}});
        std::uint64_t i = 0;
        for (const int64_t h : elementsOf(a, t)) {
            const int64_t position = s_.layouts[static_cast<std::size_t>(a.buffer)].position(h);
            const int64_t address = place.address + position * b.itemBytes;
            if (position >= 0 && place.memory->holds(address, b.itemBytes)) {
                place.memory->write(address, b.itemBytes, opaqueValue(key, output, i), event);
                s_.access(place, address, b.itemBytes, true);
            } else if (Fault* f = s_.fault("VER-002", id, b.name)) {
                f->message = "writes outside of the tensor";
            }
            ++i;
        }
    }

    // ---- results -------------------------------------------------------------------------------------

    void compareOutput(const RecordOutput& o, const Evaluation& evaluation) {
        const Tensor* t = tensorNamed(*r_.graph, o.tensor);
        const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(o.buffer)];
        if (t == nullptr || o.strides.size() != t->shape.size())
            return missing(o.tensor, "the graph returns no such tensor");
        if (b.memory != RecordMemory::Hbm)
            return missing(o.tensor, "the host does not find it in main memory when the plan has run");
        const std::vector<Value>& wanted = evaluation.values[static_cast<std::size_t>(t - r_.graph->tensors.data())];
        const Place place = s_.regionOf(o.buffer);
        Unwritten unwritten;
        int64_t element = 0;
        for (const int64_t h : hostElements(t->shape, o.strides, o.offset)) {
            const int64_t position = s_.layouts[static_cast<std::size_t>(o.buffer)].position(h);
            const int64_t address = place.address + position * b.itemBytes;
            ++s_.outcome.elementsChecked;
            const Value expected = wanted[static_cast<std::size_t>(element)];
            if (position < 0 || !place.memory->holds(address, b.itemBytes)) {
                missing(o.tensor, "its element " + s_.elementText(o.tensor, element) + " lies outside of the buffer");
                return;
            }
            const Memory::Cell cell = place.memory->read(address, b.itemBytes);
            s_.noteRead(cell.event);
            if (cell.event == kNeverWritten && expected != kUnset) {
                unwritten.add(address, element);
            } else if (cell.value != expected && expected != kUnset) {
                wrongElement(o, place, position * b.itemBytes, element, cell);
            }
            ++element;
        }
        if (unwritten.first >= 0) reportUnwritten(o, unwritten, place);
    }

    /// Places of an output that nothing wrote; the first one in memory is named.
    struct Unwritten {
        int64_t first = -1, element = -1;
        std::vector<bool> sticks;
        void add(int64_t address, int64_t at) {
            if (first < 0 || address < first) {
                first = address;
                element = at;
            }
            const auto stick = static_cast<std::size_t>(address / kStick);
            if (stick >= sticks.size()) sticks.resize(stick + 1, false);
            sticks[stick] = true;
        }
    };

    void reportUnwritten(const RecordOutput& o, const Unwritten& u, const Place& place) {
        Fault* f = s_.fault("VER-017", -1, o.tensor);
        if (f == nullptr) return;
        f->memory = SimState::memoryText(place.kind);
        f->address = place.shown - place.address + u.first;
        f->expected = s_.elementText(o.tensor, u.element);
        f->count = std::count(u.sticks.begin(), u.sticks.end(), true);
        const int64_t all = (place.memory->bytes() + kStick - 1) / kStick;
        f->message = text::grouped(f->count) + " of " + text::grouped(all) + " sticks of \"" + o.tensor +
                     "\" never written, first at " + f->expected + ", " + f->memory + " address " +
                     text::grouped(f->address);
        f->kind = "missing write";
    }

    void wrongElement(const RecordOutput& o, const Place& place, int64_t offset, int64_t element,
                      const Memory::Cell& cell) {
        Fault* f = s_.fault("VER-015", -1, o.tensor);
        if (f == nullptr) return;
        f->memory = SimState::memoryText(place.kind);
        f->address = place.shown + offset;
        f->expected = s_.elementText(o.tensor, element);
        f->found = s_.meaningOf(cell.value);
        f->writer = s_.writerText(cell.event);
        f->kind = f->found.starts_with(o.tensor + "[") ? "address or stride" : "";
        f->message = "output element " + f->expected + " holds " +
                     (f->found.empty() ? std::string("another value") : f->found) + ", written by " + f->writer;
    }

    void missing(const std::string& tensor, const std::string& why) {
        if (Fault* f = s_.fault("VER-017", -1, tensor)) f->message = "output \"" + tensor + "\": " + why;
    }

    static constexpr int kNoKernel = -2;
    static constexpr int64_t kStick = 128;

    const ExecutionRecord& r_;
    const RunControl& control_;
    SimState s_;
    std::vector<std::unique_ptr<PreparedOp>> prepared_;
    std::vector<std::unique_ptr<Function>> functions_;
    int64_t position_ = -1;
    int kernel_ = kNoKernel;
    double total_ = 0;
};

Outcome notProved(std::string why, std::uint64_t seed) {
    Outcome v;
    v.seed = seed;
    v.skipped.push_back(std::move(why));
    return v;
}

/// The faults of a second run that looks at every value that is written, if it finds any: the first is the cause.
std::vector<Fault> explained(const ExecutionRecord& record, const SimOptions& options, const RunControl& control) {
    EvaluatorOptions e = evaluatorOptions(record, options);
    e.keepAll = true;
    const auto evaluation = evaluate(*record.graph, e, control);
    if (!evaluation) return {};
    std::map<std::string, const std::vector<Value>*, std::less<>> wanted;
    for (std::size_t t = 0; t < record.graph->tensors.size(); ++t) {
        const Tensor& tensor = record.graph->tensors[t];
        const bool isSource = tensor.role != TensorRole::Activation;
        if (!evaluation.value().values[t].empty() && !isSource) wanted[tensor.id] = &evaluation.value().values[t];
    }
    std::vector<std::vector<Value>> sources;
    sources.reserve(record.graph->tensors.size());
    for (const Tensor& tensor : record.graph->tensors) {
        if (tensor.role == TensorRole::Activation || tensor.aliasOf.isValid()) continue;
        sources.push_back(sourceValues(tensor, options.seed));
        wanted[tensor.id] = &sources.back();
    }
    Machine machine(record, options, control);
    machine.state().wanted = &wanted;
    const auto ran = machine.run();
    if (!ran || !ran.value()) return {};
    machine.compare(evaluation.value());
    return machine.state().outcome.faults;
}

/// The sticks that ran are an upper bound of the bytes: where they exceed what the plan counts, the bytes decide.
void checkTraffic(Machine& machine, const ExecutionRecord& record, const SimOptions& options,
                  const RunControl& control) {
    if (machine.isOverTraffic()) {
        Machine exact(record, options, control);
        exact.state().countsBytes = true;
        const auto ran = exact.run();
        if (ran && ran.value()) {
            machine.state().outcome.measuredReadBytes = exact.state().outcome.measuredReadBytes;
            machine.state().outcome.measuredWriteBytes = exact.state().outcome.measuredWriteBytes;
        }
    }
    machine.checkTraffic();
}

bool isDecisive(const Fault& f) {
    return !f.isNote;
}

}  // namespace

EvaluatorOptions evaluatorOptions(const ExecutionRecord& record, const SimOptions& options) {
    EvaluatorOptions e;
    e.seed = options.seed;
    e.memoryBytes = options.memoryBytes;
    for (const RecordOp& op : record.ops) {
        if (op.role == RecordRole::Outside) e.opaque.insert(op.source.begin(), op.source.end());
    }
    return e;
}

Result<Outcome> proveAgainst(const ExecutionRecord& record, const Evaluation& evaluation, const SimOptions& options,
                             const RunControl& control, std::vector<bool>* wasRead) {
    const auto begin = std::chrono::steady_clock::now();
    Machine machine(record, options, control);
    if (wasRead != nullptr) wasRead->assign(record.ops.size(), false);
    machine.state().wasRead = wasRead;
    auto ran = machine.run();
    if (!ran) return std::move(ran).error();
    Outcome& outcome = machine.state().outcome;
    if (!ran.value()) {
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        outcome.skipped.push_back("the time was over after " + std::to_string(outcome.instances) + " op instances");
        return std::move(outcome);
    }
    const bool isKnown = options.stopAtFault && !outcome.faults.empty();
    if (!isKnown) machine.compare(evaluation);
    if (!isKnown) checkTraffic(machine, record, options, control);
    if (record.outputs.size() < record.graph->outputs.size()) {
        Fault* f = machine.state().fault("VER-017", -1, "outputs");
        if (f != nullptr) f->message = "the record names fewer outputs than the graph returns";
    }
    const bool isWrong = std::any_of(outcome.faults.begin(), outcome.faults.end(), isDecisive);
    outcome.kind = isWrong ? OutcomeKind::Wrong : OutcomeKind::Proved;
    const bool needsCause = isWrong && std::any_of(outcome.faults.begin(), outcome.faults.end(),
                                                   [](const Fault& f) { return f.code == "VER-015"; });
    if (needsCause && options.explain) {
        std::vector<Fault> causes = explained(record, options, control);
        if (!causes.empty()) outcome.faults = std::move(causes);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    outcome.seconds = took.count();
    return std::move(outcome);
}

Result<Outcome> prove(const ExecutionRecord& record, const SimOptions& options, const RunControl& control) {
    if (!record.graph) return notProved("the plan has no source graph", options.seed);
    auto evaluation = evaluate(*record.graph, evaluatorOptions(record, options), control);
    if (!evaluation) {
        const Diagnostic& d = evaluation.error().primary();
        if (d.code != "VER-025") return std::move(evaluation).error();
        return notProved(d.where + ": " + d.message, options.seed);
    }
    return proveAgainst(record, evaluation.value(), options, control);
}

}  // namespace memplan::sim
