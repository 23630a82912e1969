// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/machine/op_run.h"

#include "engine/sim/machine/box_walk.h"
#include "engine/sim/sabotage.h"

#include <algorithm>

namespace memplan::sim {

using std::int64_t;

namespace {

constexpr int64_t kAlignment = 128;

}  // namespace

void OpRun::run(const std::vector<int64_t>& loop) {
    loop_ = loop;
    s_.nextInstance();
    ++s_.outcome.instances;
    firstEvent_ = static_cast<Event>(s_.events.size());
    if (!p_.misfit.empty()) {
        if (Fault* f = s_.fault("VER-005", id_, "")) f->message = p_.misfit;
    }
    // What is reduced may have an extent of 1 and so no symbol.
    const bool isNamed = op_.kind == "reduction" || op_.fn == "matmul";
    const bool reduces = op_.role == RecordRole::Compute && (isNamed || !symbolsWhere(op_, true).empty());
    const bool isRing = op_.fn == "lx_relayout";
    if (isRing) return runRelayout();
    if (reduces) runGroups();
    for (std::size_t w = 0; w < p_.work.size() && !reduces; ++w) {
        if (isEmpty(p_.work[w].box)) continue;
        if (op_.role == RecordRole::Fill) {
            runFill(w);
        } else {
            runPointwise(w);
        }
    }
    // After the elements, whose faults say more.
    for (std::size_t w = 0; w < p_.work.size(); ++w)
        checkOperandsStay(w);
}

std::vector<OpRun::Bound> OpRun::bind(std::size_t work) {
    std::vector<Bound> list;
    const int core = p_.work[work].core;
    for (std::size_t a = 0; a < op_.args.size(); ++a) {
        const RecordArg& arg = op_.args[a];
        const RecordBuffer& buffer = s_.record.buffers[static_cast<std::size_t>(arg.buffer)];
        Bound b{&arg, &p_.maps[a], s_.place(id_, arg, core, loop_), buffer.itemBytes, work};
        if (arg.base % kAlignment != 0) {
            if (Fault* f = s_.fault("VER-001", id_, buffer.name)) {
                f->address = arg.base;
                f->message = "the base address " + std::to_string(arg.base) + " is no multiple of 128";
            }
        }
        if (!b.map->misfit().empty()) {
            if (Fault* f = s_.fault("VER-022", id_, buffer.name)) f->message = b.map->misfit();
        }
        if (b.place.kind == RecordMemory::Lx) s_.noteLxBytes(arg.buffer, b.map->localElements() * buffer.itemBytes);
        list.push_back(b);
    }
    if (!op_.args.empty()) {
        event_ = s_.newEvent({id_, core, op_.args.back().buffer, loop_});
    }
    return list;
}

void OpRun::positions(const Bound& b, const Point& point, const Range& last, std::vector<int64_t>& out) const {
    positionsAlong(b, point, point.empty() ? kNoSymbol : point.size() - 1, last, out);
}

void OpRun::positionsAlong(const Bound& b, const Point& point, std::size_t along, const Range& range,
                           std::vector<int64_t>& out) const {
    positionsByMap(b, point, along, range, out);
    if (sabotage != Sabotage::StickOrder || !b.arg->isInput) return;
    const int64_t lanes = std::max<int64_t>(kAlignment / b.itemBytes, 1);
    for (int64_t& p : out)
        p = p < 0 ? p : p - p % lanes + (lanes - 1 - p % lanes);
}

void OpRun::positionsByMap(const Bound& b, const Point& point, std::size_t along, const Range& range,
                           std::vector<int64_t>& out) const {
    out.resize(static_cast<std::size_t>(std::max<int64_t>(range.size(), 0)));
    if (b.map->isPlain(b.work)) {
        int64_t base = b.map->start(b.work);
        for (std::size_t v = 0; v < point.size(); ++v) {
            if (v != along) base += b.map->table(v)[static_cast<std::size_t>(point[v])];
        }
        for (std::size_t j = 0; j < out.size(); ++j)
            out[j] = base;
        if (along == kNoSymbol) return;
        const int64_t* table = b.map->table(along).data() + range.begin;
        for (std::size_t j = 0; j < out.size(); ++j)
            out[j] += table[j];
        return;
    }
    Point at = point;
    for (std::size_t j = 0; j < out.size(); ++j) {
        if (along != kNoSymbol) at[along] = range.begin + static_cast<int64_t>(j);
        out[j] = b.map->position(b.work, at).value_or(-1);
    }
}

/// Nothing to report: every element lies inside, was written whole and is alive. False leaves it to readAt().
bool OpRun::readPlainRun(const Bound& b, const std::vector<int64_t>& positions, std::vector<Value>& out) {
    const Memory* memory = b.place.memory;
    if (memory == nullptr || memory->cellBytes() != b.itemBytes || !memory->isAligned(b.place.address)) return false;
    const Memory::Cells cells = memory->cells();
    if (cells.values == nullptr || s_.wasRead != nullptr) return false;
    const int64_t first = b.place.address / b.itemBytes;
    const int64_t end = std::min(b.place.limit, memory->bytes()) / b.itemBytes;
    const bool offChip = b.place.kind != RecordMemory::Lx;
    const int64_t perStick = std::max<int64_t>(kAlignment / b.itemBytes, 1);
    int64_t stick = -1;
    out.resize(positions.size());
    for (std::size_t j = 0; j < positions.size(); ++j) {
        const int64_t at = first + positions[j];
        if (positions[j] < 0 || at < 0 || at >= end) return false;
        const auto i = static_cast<std::size_t>(at);
        if (cells.events[i] == kNeverWritten || cells.dead[i] != 0 || !Memory::isWhole(cells.values[i])) return false;
        out[j] = cells.values[i];
        if (offChip && (s_.countsBytes || at / perStick != stick)) {
            stick = at / perStick;
            s_.access(b.place, at * b.itemBytes, b.itemBytes, false);
        }
    }
    s_.outcome.bytesMoved += static_cast<int64_t>(positions.size()) * b.itemBytes;
    return true;
}

void OpRun::readRun(const Bound& b, const std::vector<int64_t>& positions, const Point& point,
                    std::vector<Value>& out) {
    if (readPlainRun(b, positions, out)) return;
    out.resize(positions.size());
    Point at = point;
    for (std::size_t j = 0; j < positions.size(); ++j) {
        out[j] = readAt(b, positions[j], at);
        if (!at.empty()) ++at.back();
    }
}

Value OpRun::readAt(const Bound& b, int64_t position, const Point& point) {
    const int64_t address = b.place.address + position * b.itemBytes;
    const bool reachable =
        position >= 0 && b.place.memory != nullptr && address >= 0 && address + b.itemBytes <= b.place.limit;
    const std::string& name = s_.record.buffers[static_cast<std::size_t>(b.arg->buffer)].name;
    if (!reachable) {
        const char* code = position < 0 && b.place.kind == RecordMemory::Lx ? "VER-022" : "VER-002";
        if (Fault* f = s_.fault(code, id_, name)) {
            fillFault(*f, b, position);
            f->message = position < 0
                             ? "reads an element outside of " +
                                   std::string(b.place.kind == RecordMemory::Lx ? "the core's slice" : "the tensor")
                             : "reads outside of the memory that it names";
        }
        return kUnset;
    }
    if (!b.place.memory->isAligned(address)) {
        if (Fault* f = s_.fault("VER-001", id_, name)) {
            fillFault(*f, b, position);
            f->message = "reads between two elements";
        }
        return kUnset;
    }
    if (!b.place.memory->holds(address, b.itemBytes)) {
        if (Fault* f = s_.fault("VER-011", id_, name)) {
            fillFault(*f, b, position);
            f->found = "nothing";
            f->writer = "never written";
            f->kind = "order or missing op";
            f->message = "reads bytes that nothing wrote";
        }
        return kUnset;
    }
    if (b.place.kind != RecordMemory::Lx) s_.access(b.place, address, b.itemBytes, false);
    s_.outcome.bytesMoved += b.itemBytes;
    const Memory::Cell cell = b.place.memory->read(address, b.itemBytes);
    s_.noteRead(cell.event);
    if (cell.event != kNeverWritten && !cell.dead && cell.whole) return cell.value;
    const bool never = cell.event == kNeverWritten;
    if (Fault* f = s_.fault(never ? "VER-011" : "VER-015", id_, name)) {
        fillFault(*f, b, position);
        int64_t element = 0;
        if (wantedValue(*b.arg, point, &element) != nullptr)
            f->expected = s_.elementText(s_.record.buffers[static_cast<std::size_t>(b.arg->buffer)].denotes, element);
        f->writer = s_.writerText(cell.event);
        f->found = never ? "nothing" : cell.dead ? "a value whose lifetime has ended" : "an element of another width";
        f->kind = never ? "order or missing op" : "stale copy or missing copy";
        f->message = never ? "reads bytes that nothing wrote" : "reads " + f->found + ", written by " + f->writer;
    }
    return kUnset;
}

void OpRun::writeAt(const Bound& b, int64_t position, const Point& point, Value value) {
    const int64_t address = b.place.address + position * b.itemBytes;
    const bool reachable = position >= 0 && b.place.memory != nullptr && address >= 0 &&
                           address + b.itemBytes <= b.place.limit && b.place.memory->isAligned(address);
    const std::string& name = s_.record.buffers[static_cast<std::size_t>(b.arg->buffer)].name;
    if (!reachable) {
        if (Fault* f = s_.fault(position < 0 && b.place.kind == RecordMemory::Lx ? "VER-022" : "VER-002", id_, name)) {
            fillFault(*f, b, position);
            f->message = "writes outside of the memory that it names";
        }
        return;
    }
    if (b.place.kind == RecordMemory::Lx) {
        b.place.memory->grow(address + b.itemBytes);
        s_.outcome.measuredPeakBytes = std::max(s_.outcome.measuredPeakBytes, address + b.itemBytes);
    } else {
        s_.access(b.place, address, b.itemBytes, true);
        const Memory::Cell before = b.place.memory->read(address, b.itemBytes);
        if (before.event >= firstEvent_ && before.event != event_ && before.event != kNeverWritten) {
            if (before.value == value) {
                ++s_.outcome.redundantWrites;
            } else if (Fault* f = s_.fault("VER-016", id_, name)) {
                fillFault(*f, b, position);
                f->writer = s_.writerText(before.event);
                f->kind = "slice or core map";
                f->message = "two cores write different values: core " + std::to_string(s_.events[before.event].core) +
                             " did before";
            }
        }
    }
    s_.outcome.bytesMoved += b.itemBytes;
    if (s_.wanted != nullptr) explainWrite(b, point, value);
    b.place.memory->write(address, b.itemBytes, value, event_);
}

void OpRun::runFill(std::size_t work) {
    const std::vector<Bound> bound = bind(work);
    if (bound.empty()) return;
    const Bound& out = bound.back();
    const Value value = constantValue(op_.fillValue);
    std::vector<std::size_t> all;
    for (std::size_t v = 0; v < op_.space.size(); ++v)
        all.push_back(v);
    Point point(op_.space.size(), 0);
    walk(p_.work[work].box, all, point,
         [&] { writeAt(out, out.map->position(work, point).value_or(-1), point, value); });
}

/// The bytes that one core holds of two arguments may be the same.
bool OpRun::meets(const Bound& a, const Bound& b) {
    if (a.place.memory != b.place.memory) return false;
    const int64_t endA = a.place.address + a.map->localElements() * a.itemBytes;
    const int64_t endB = b.place.address + b.map->localElements() * b.itemBytes;
    return a.place.address < endB && b.place.address < endA;
}

void OpRun::runPointwise(std::size_t work) {
    const std::vector<Bound> bound = bind(work);
    if (bound.empty()) return;
    const Box& box = p_.work[work].box;
    const std::size_t n = op_.space.size();
    const Range last = n > 0 ? box[n - 1] : Range{0, 1};
    std::vector<std::size_t> outer;
    for (std::size_t v = 0; v + 1 < n; ++v)
        outer.push_back(v);
    const std::size_t inputs = bound.size() - 1;
    std::vector<std::vector<int64_t>> at(bound.size());
    std::vector<std::vector<Value>> read(inputs);
    std::vector<Value> operands(inputs);
    const bool inPlace =
        std::any_of(bound.begin(), bound.end() - 1, [&](const Bound& b) { return meets(b, bound.back()); });
    Point point(n, 0);
    walk(box, outer, point, [&] {
        for (std::size_t a = 0; a < bound.size(); ++a)
            positions(bound[a], point, last, at[a]);
        if (n > 0) point[n - 1] = last.begin;
        for (std::size_t a = 0; a < inputs && !inPlace; ++a)
            readRun(bound[a], at[a], point, read[a]);
        for (std::size_t j = 0; j < at.back().size(); ++j) {
            if (n > 0) point[n - 1] = last.begin + static_cast<int64_t>(j);
            // In one memory an element is read in all operands before it is written: what makes equal indices legal in
            // place and shifted ones visible.
            if (sabotage == Sabotage::WriteBeforeRead && inPlace)
                writeAt(bound.back(), at.back()[j], point, constantValue(0));
            for (std::size_t a = 0; a < inputs; ++a)
                operands[a] = inPlace ? readAt(bound[a], at[a][j], point) : read[a][j];
            writeAt(bound.back(), at.back()[j], point, f_.apply(operands));
        }
    });
}

/// Cores first read what they hold into a transfer set, then all write: every element comes from the core that has it.
void OpRun::runRelayout() {
    if (op_.args.size() != 2) return;
    const RecordArg& in = op_.args.front();
    // The op that wrote the source says how the cores hold it.
    const RecordOp* writer = nullptr;
    for (const RecordOp& o : s_.record.ops) {
        if (&o == &op_) break;
        for (const RecordArg& a : o.args) {
            if (!a.isInput && a.buffer == in.buffer) writer = &o;
        }
    }
    const std::string& name = s_.record.buffers[static_cast<std::size_t>(in.buffer)].name;
    if (writer == nullptr) {
        if (Fault* f = s_.fault("VER-018", id_, name)) f->message = "nothing wrote the source of the transfer";
        return;
    }
    const PreparedOp source(*writer, s_.layouts);
    const ArgMap& held = source.maps.back();
    struct Element {
        std::size_t work;
        Point point;
        Value value;
    };
    std::vector<Element> set;
    std::vector<std::size_t> all;
    for (std::size_t v = 0; v < op_.space.size(); ++v)
        all.push_back(v);
    for (std::size_t w = 0; w < p_.work.size(); ++w) {
        Point point(op_.space.size(), 0);
        std::vector<Bound> bound = bind(w);
        walk(p_.work[w].box, all, point, [&] {
            const auto c = held.layout().coordinates(bound[0].map->hostElement(point));
            std::vector<std::size_t> owners;
            for (std::size_t s = 0; c && s < source.work.size(); ++s) {
                if (held.localPosition(s, *c)) owners.push_back(s);
            }
            if (owners.empty()) {
                if (Fault* f = s_.fault("VER-018", id_, name)) {
                    fillFault(*f, bound[0], -1);
                    f->message = "no core holds an element that is to be transferred";
                }
                return;
            }
            // A core that has the element itself needs no transfer.
            const auto own = std::find(owners.begin(), owners.end(), static_cast<std::size_t>(p_.work[w].core));
            const std::size_t from = own != owners.end() ? *own : owners.front();
            Bound there = bound[0];
            there.place = s_.place(id_, in, source.work[from].core, loop_);
            there.map = &held;
            there.work = from;
            set.push_back({w, point, readAt(there, *held.localPosition(from, *c), point)});
        });
    }
    std::size_t i = 0;
    for (std::size_t w = 0; w < p_.work.size(); ++w) {
        const std::vector<Bound> bound = bind(w);
        for (; i < set.size() && set[i].work == w; ++i)
            writeAt(bound[1], bound[1].map->position(w, set[i].point).value_or(-1), set[i].point, set[i].value);
    }
}

}  // namespace memplan::sim
