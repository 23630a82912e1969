// SPDX-License-Identifier: Apache-2.0
// An operation that overwrites what it still has to read. The order in which a core walks through its part is its own
// (proof-and-search A4.3): in place is right where every element is read for its own result alone and that result
// takes its place (scratchpad 4), whatever an ascending walk would make of the rest.
#include "engine/sim/machine/op_run.h"

#include <map>

namespace memplan::sim {
namespace {

using std::int64_t;

/// Calls visit(point) for every point of the box; symbols that are not `used` stay where they begin. Ends when visit
/// says no.
template <class Visit> void walkUsed(const Box& box, const std::vector<bool>& used, Visit&& visit) {
    std::vector<int64_t> point;
    for (const Range& r : box) {
        if (r.size() <= 0) return;
        point.push_back(r.begin);
    }
    while (visit(point)) {
        std::size_t v = box.size();
        while (v-- > 0) {
            if (!used[v]) continue;
            if (++point[v] < box[v].end) break;
            point[v] = box[v].begin;
        }
        if (v == static_cast<std::size_t>(-1)) return;
    }
}

}  // namespace

OpRun::Bound OpRun::boundOf(std::size_t work, std::size_t arg) {
    const RecordArg& a = op_.args[arg];
    return {&a, &p_.maps[arg], s_.place(id_, a, p_.work[work].core, loop_),
            s_.record.buffers[static_cast<std::size_t>(a.buffer)].itemBytes, work};
}

void OpRun::checkOperandsStay(std::size_t work) {
    if (op_.args.empty() || op_.args.back().memory == RecordMemory::Hbm) return;
    const std::size_t last = op_.args.size() - 1;
    const Bound out = boundOf(work, last);
    for (std::size_t a = 0; a < last; ++a) {
        if (op_.args[a].memory == RecordMemory::Hbm) continue;
        const Bound in = boundOf(work, a);
        if (meets(in, out) && !isSamePlace(a)) checkOperandStays(in, out);
    }
}

/// Every element is read where its own result goes.
bool OpRun::isSamePlace(std::size_t arg) const {
    const RecordArg& in = op_.args[arg];
    const RecordArg& out = op_.args.back();
    const RecordBuffer& from = s_.record.buffers[static_cast<std::size_t>(in.buffer)];
    const RecordBuffer& to = s_.record.buffers[static_cast<std::size_t>(out.buffer)];
    return in.base == out.base && in.advance == out.advance && in.index == out.index &&
           from.deviceSize == to.deviceSize && from.strideMap == to.strideMap && from.itemBytes == to.itemBytes;
}

void OpRun::checkOperandStays(const Bound& in, const Bound& out) {
    const Box& box = p_.work[in.work].box;
    const auto address = [](const Bound& b, const Point& point) -> int64_t {
        const auto at = b.map->position(b.work, point);
        return at ? b.place.address + *at * b.itemBytes : -1;
    };
    // Results that one element is read for are distinguished by the symbols of the output; a sum has only one of them,
    // and reads on after it.
    std::vector<bool> kept(box.size());
    std::vector<bool> all(box.size(), true);
    bool reduces = false;
    for (std::size_t v = 0; v < box.size(); ++v) {
        kept[v] = out.map->usesSymbol(v);
        reduces = reduces || (op_.space[v].isReduction && op_.space[v].extent > 1);
    }
    std::map<int64_t, Point> written;
    walkUsed(box, kept, [&](const Point& point) {
        written[address(out, point)] = point;
        return true;
    });
    if (reduces) {
        for (std::size_t v = 0; v < box.size(); ++v)
            all[v] = in.map->usesSymbol(v);
    }
    walkUsed(box, all, [&](const Point& point) {
        const int64_t at = address(in, point);
        const auto it = written.lower_bound(at - out.itemBytes + 1);
        if (at < 0 || it == written.end() || it->first >= at + in.itemBytes) return true;
        const bool isOwn = !reduces && it->first == at && in.itemBytes == out.itemBytes && address(out, point) == at;
        if (isOwn) return true;
        Fault* f = s_.fault("VER-015", id_, s_.record.buffers[static_cast<std::size_t>(in.arg->buffer)].name);
        if (f == nullptr) return false;
        f->core = p_.work[in.work].core;
        f->loop = loop_;
        f->memory = SimState::memoryText(in.place.kind);
        f->address = at;
        f->kind = "overlap";
        f->message = "overwrites an operand that it reads for other results";
        return false;
    });
}

}  // namespace memplan::sim
