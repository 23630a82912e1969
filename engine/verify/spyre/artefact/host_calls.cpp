// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/host_calls.h"

#include "engine/base/text.h"
#include "engine/sim/device_map.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace memplan::sim::artefact {

using std::string;

void HostCalls::runUpTo(std::size_t position) {
    for (; next_ < bind_.hostCalls.size() && bind_.hostCalls[next_].position <= position; ++next_) {
        if (m_.isFaulty()) return;
        run(bind_.hostCalls[next_], bind_.hostOps[next_]);
    }
}

/// What the host reads must be what the graph says; what it writes then is. `number` is of an op of the graph, -1
/// for a copy that the planner added.
void HostCalls::run(const HostCall& call, int number) {
    const Op* op = number < 0 ? nullptr : &g_.ops[static_cast<std::size_t>(number)];
    m_.outcome.outside.push_back(call.op + " (" + (op == nullptr ? "copy" : op->fn) + ")");
    for (const string& name : call.read)
        checkOperand(call, name, op == nullptr ? tensorsOf(call.written) : op->inputs);
    if (op == nullptr) return call.fill ? fillView(call, *call.fill) : copy(call);
    for (const TensorId input : op->inputs) {
        if (!m_.isFaulty() && input.isValid() && !isRead(call, input)) misplaced(call, input, "reads");
    }
    for (const TensorId output : op->outputs) {
        if (!output.isValid() || m_.isFaulty()) continue;
        const string* name = nameIn(call.written, output);
        if (name == nullptr) return misplaced(call, output, "writes");
        // What no other operation writes is all of one, such as the filled border of a pad.
        const bool isShared = bind_.writers[output.at()] > 1;
        put(*name, output, isShared ? partOf(g_, number, output) : Part());
    }
}

/// The operand lies in what the host reads, or is a copy of values that do: the planner reads through copies.
bool HostCalls::isRead(const HostCall& call, TensorId input) {
    const int producer = bind_.producers[input.at()];
    const bool isConstant = producer < 0 ? g_.tensor(input).role == TensorRole::Constant
                                         : g_.ops[static_cast<std::size_t>(producer)].kind == OpKind::Constant;
    return isConstant || nameIn(call.read, input) != nullptr || isAmong(call.read, static_cast<int>(input.at()));
}

/// Every value of the tensor is one of those that these names hold, or 0.
bool HostCalls::isAmong(const std::vector<string>& names, int tensor) {
    std::unordered_set<Value> read{0};
    for (const string& name : names) {
        const int held = m_.region(name).tensor;
        for (std::size_t i = 0; held >= 0 && i < g_.tensors.size(); ++i) {
            if (bind_.origins[i].root != bind_.origins[static_cast<std::size_t>(held)].root) continue;
            const std::vector<Value>& values = m_.oracle().of(static_cast<int>(i));
            read.insert(values.begin(), values.end());
        }
    }
    const std::vector<Value>& wanted = m_.oracle().of(tensor);
    return std::all_of(wanted.begin(), wanted.end(), [&](Value v) { return read.contains(v); });
}

/// The name among these that holds the tensor, one of the tensor itself before one of its storage.
const string* HostCalls::nameIn(const std::vector<string>& names, TensorId tensor) const {
    const string* found = nullptr;
    for (const string& name : names) {
        const int held = m_.region(name).tensor;
        if (held < 0) continue;
        if (static_cast<std::size_t>(held) == tensor.at()) return &name;
        const bool isSameStorage =
            bind_.origins[static_cast<std::size_t>(held)].root == bind_.origins[tensor.at()].root;
        if (isSameStorage && found == nullptr) found = &name;
    }
    return found;
}

std::vector<TensorId> HostCalls::tensorsOf(const std::vector<string>& names) const {
    std::vector<TensorId> out;
    for (const string& name : names) {
        if (const int t = m_.region(name).tensor; t >= 0) out.push_back(TensorId::of(static_cast<std::size_t>(t)));
    }
    return out;
}

/// What the host reads under a name: the tensors of this storage that `wanted` are or are copied from. A tensor
/// that is made in parts is another one after each of them.
void HostCalls::checkOperand(const HostCall& call, const string& name, const std::vector<TensorId>& wanted) {
    const Region& r = m_.region(name);
    if (m_.isFaulty() || r.tensor < 0) return;
    if (bind_.producers[static_cast<std::size_t>(r.tensor)] < 0) return;  // given from the start
    m_.provide(name);
    if (!r.host) return m_.needLayout(name);
    std::set<int> versions;
    for (const TensorId t : wanted) {
        if (t.isValid()) addVersions(bind_.origins[static_cast<std::size_t>(r.tensor)].root, t, 0, versions);
    }
    if (versions.empty()) versions.insert(r.tensor);
    for (const int version : versions) {
        const TensorId tensor = TensorId::of(static_cast<std::size_t>(version));
        m_.report(name, g_.tensor(tensor), compare(r, m_.oracle().of(version), m_.offsetIn(r, tensor)),
                  "operand of " + call.op);
    }
}

void HostCalls::addVersions(int root, TensorId tensor, int copies, std::set<int>& out) const {
    constexpr int kMostCopies = 64;
    if (bind_.origins[tensor.at()].root == root) {
        out.insert(static_cast<int>(tensor.at()));
        return;
    }
    const int producer = bind_.producers[tensor.at()];
    if (producer < 0 || copies == kMostCopies) return;
    const Op& op = g_.ops[static_cast<std::size_t>(producer)];
    if (op.kind != OpKind::Copy) return;
    for (const TensorId input : op.inputs) {
        if (input.isValid()) addVersions(root, input, copies + 1, out);
    }
}

void HostCalls::put(const string& name, TensorId tensor, const Part& part) {
    Region& r = m_.region(name);
    const std::vector<Value>& values = m_.oracle().of(static_cast<int>(tensor.at()));
    r.isFilled = true;
    if (!r.host) return m_.needLayout(name);
    const bool isWhole = !part.isPartial && static_cast<std::size_t>(r.tensor) == tensor.at();
    if (isWhole) {
        fill(r, values, m_.host);
    } else {
        fillPart(r, part, m_.offsetIn(r, tensor), values, m_.host);
    }
}

void HostCalls::copy(const HostCall& call) {
    for (const string& name : call.written) {
        const int tensor = m_.region(name).tensor;
        if (m_.isFaulty()) return;
        if (tensor >= 0 && isAmong(call.read, tensor)) {
            put(name, TensorId::of(static_cast<std::size_t>(tensor)), {});
        } else {
            m_.forget(name, "what the fallback kernel " + call.op + " writes to " + name + " is in no file");
        }
    }
}

/// The zeros that the planner puts behind the data make room, as those of an operation `fill` do.
void HostCalls::fillView(const HostCall& call, const HostFill& what) {
    Region& r = m_.region(what.tensor);
    const std::int64_t width = r.layout.wordLength();
    if (width < 1 || r.layout.strideMap.size() != r.layout.size.size())
        return m_.forget(what.tensor, "the layout of " + what.tensor + " is not known");
    const DeviceMap places(r.layout.size, r.layout.strideMap);
    const std::int64_t elements = elementCount(what.at.shape).value_or(std::numeric_limits<std::int64_t>::max());
    const Value value = constantValue(what.number);
    const std::int64_t lanes = kStickBytes / width;
    r.isFilled = true;
    for (std::int64_t i = 0; i < std::min(elements, places.elements() + 1); ++i) {
        const std::int64_t at = places.position(hostElement(what.at, i));
        if (i == places.elements() || at < 0) return misfilled(call, what.tensor);
        r.store.stickForWriting(at / lanes, width)[at % lanes] = {value, m_.host | (value == 0 ? kFilled : 0U)};
    }
}

void HostCalls::misfilled(const HostCall& call, const string& name) {
    Fault f;
    f.code = "VER-002";
    f.op = call.op;
    f.buffer = name;
    f.message = "the fallback kernel " + call.op + " fills elements that " + name + " does not have";
    m_.outcome.faults.push_back(std::move(f));
}

void HostCalls::misplaced(const HostCall& call, TensorId tensor, const string& verb) {
    Fault f;
    f.code = "VER-021";
    f.op = call.op;
    f.expected = g_.tensor(tensor).id;
    f.message = "the fallback kernel " + call.op + " " + verb + " no tensor that holds " +
                text::quoted(g_.tensor(tensor).id) + " of the graph";
    m_.outcome.faults.push_back(std::move(f));
}

void HostCalls::runAll() {
    runUpTo(std::numeric_limits<std::size_t>::max());
}

}  // namespace memplan::sim::artefact
