// SPDX-License-Identifier: Apache-2.0
// The first cause of a wrong value: which operand of which op was not what the graph wants there (A12).
#include "engine/base/text.h"
#include "engine/sim/machine/op_run.h"

namespace memplan::sim {

using std::int64_t;

const Value* OpRun::wantedValue(const RecordArg& arg, const Point& point, int64_t* element) const {
    const RecordBuffer& buffer = s_.record.buffers[static_cast<std::size_t>(arg.buffer)];
    if (buffer.denotes.empty()) return nullptr;
    const LinearIndex& index = arg.element ? *arg.element : arg.index;
    int64_t at = index.constant;
    for (const auto& [symbol, coefficient] : index.terms)
        at += coefficient * point[static_cast<std::size_t>(symbol)];
    for (std::size_t level = 0; level < loop_.size() && level < arg.elementAdvance.size(); ++level)
        at += arg.elementAdvance[level] * loop_[level];
    *element = at;
    if (s_.wanted == nullptr) return nullptr;
    const auto it = s_.wanted->find(buffer.denotes);
    if (it == s_.wanted->end() || at < 0 || at >= static_cast<int64_t>(it->second->size())) return nullptr;
    const Value& wanted = (*it->second)[static_cast<std::size_t>(at)];
    // A part of a tensor that others complete later: nothing is known of the rest.
    return wanted == kUnset ? nullptr : &wanted;
}

void OpRun::fillFault(Fault& f, const Bound& b, int64_t position) {
    f.core = p_.work[b.work].core;
    f.loop = loop_;
    f.memory = SimState::memoryText(b.place.kind);
    f.address = b.place.shown + std::max<int64_t>(position, 0) * b.itemBytes;
}

bool OpRun::wrongOperand(const Bound& b, const Point& point, Fault& fault) {
    int64_t element = 0;
    const Value* wanted = wantedValue(*b.arg, point, &element);
    if (wanted == nullptr || b.place.memory == nullptr) return false;
    const int64_t position = b.map->position(b.work, point).value_or(-1);
    const int64_t address = b.place.address + position * b.itemBytes;
    if (position < 0 || !b.place.memory->holds(address, b.itemBytes)) return false;
    const Memory::Cell cell = b.place.memory->read(address, b.itemBytes);
    if (cell.value == *wanted) return false;
    const RecordBuffer& buffer = s_.record.buffers[static_cast<std::size_t>(b.arg->buffer)];
    fault.buffer = buffer.name;
    fillFault(fault, b, position);
    fault.expected = s_.elementText(buffer.denotes, element);
    fault.found = s_.meaningOf(cell.value);
    fault.writer = s_.writerText(cell.event);
    const bool sameTensor = fault.found.starts_with(buffer.denotes + "[");
    fault.kind = cell.event == kNeverWritten    ? "order or missing op"
                 : sameTensor && !loop_.empty() ? "address, stride or iteration"
                 : sameTensor                   ? "address or stride"
                                                : "overlap or stale copy";
    fault.message = fault.memory + " byte " + std::to_string(fault.address) + " of buffer " + buffer.name + " holds " +
                    (fault.found.empty() ? "another value" : fault.found) + " written by " + fault.writer +
                    ", wanted " + fault.expected;
    return true;
}

/// Operands of a reduction: the first wrong one of the whole domain.
bool OpRun::explainDomain(std::size_t work, Point point, Fault& fault) {
    std::vector<std::size_t> reduced;
    for (std::size_t v = 0; v < op_.space.size(); ++v) {
        if (op_.space[v].isReduction) reduced.push_back(v);
    }
    for (const std::size_t v : reduced)
        point[v] = 0;
    while (true) {
        for (std::size_t a = 0; a + 1 < op_.args.size(); ++a) {
            const RecordArg& arg = op_.args[a];
            const RecordBuffer& buffer = s_.record.buffers[static_cast<std::size_t>(arg.buffer)];
            const Bound b{&arg, &p_.maps[a], s_.place(id_, arg, p_.work[work].core, loop_), buffer.itemBytes, work};
            if (wrongOperand(b, point, fault)) return true;
        }
        std::size_t i = reduced.size();
        while (i-- > 0) {
            if (++point[reduced[i]] < op_.space[reduced[i]].extent) break;
            point[reduced[i]] = 0;
        }
        if (i == static_cast<std::size_t>(-1)) return false;
    }
}

/// Called with what is about to be written; the first value that is not the one the graph wants is explained.
void OpRun::explainWrite(const Bound& b, const Point& point, Value found) {
    int64_t element = 0;
    const Value* wanted = wantedValue(*b.arg, point, &element);
    if (wanted == nullptr || *wanted == found) return;
    const RecordBuffer& buffer = s_.record.buffers[static_cast<std::size_t>(b.arg->buffer)];
    Fault* fault = s_.fault("VER-015", id_, buffer.name);
    if (fault == nullptr) return;
    // A transfer reads what other cores hold.
    if (op_.fn != "lx_relayout" && explainDomain(b.work, point, *fault)) return;
    fillFault(*fault, b, b.map->position(b.work, point).value_or(-1));
    fault->expected = s_.elementText(buffer.denotes, element);
    fault->found = s_.meaningOf(found);
    fault->kind = "function, operand order or domain";
    fault->message = fault->memory + " byte " + std::to_string(fault->address) + " of buffer " + buffer.name +
                     " gets another value than " + fault->expected + ", though its operands are right";
}

}  // namespace memplan::sim
