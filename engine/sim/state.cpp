// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/state.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/sim/eval/source_values.h"
#include "engine/sim/sabotage.h"

#include <algorithm>

namespace memplan::sim {
namespace {

using std::int64_t;

constexpr int64_t kStickBytes = 128;

/// First and last op of a loop.
void spanOf(const RecordStep& step, int& from, int& to) {
    if (step.op >= 0) {
        from = std::min(from, step.op);
        to = std::max(to, step.op);
    }
    for (const RecordStep& inner : step.body)
        spanOf(inner, from, to);
}

/// The narrowest element of the buffers in one kind of memory.
int64_t narrowest(const ExecutionRecord& record, RecordMemory memory) {
    int64_t bytes = 8;
    for (const RecordBuffer& b : record.buffers) {
        if (b.memory == memory) bytes = std::min(bytes, b.itemBytes);
    }
    return std::max<int64_t>(bytes, 1);
}

}  // namespace

SimState::SimState(const ExecutionRecord& r, const SimOptions& o) : record(r), options(o) {
    for (const RecordBuffer& b : record.buffers)
        layouts.emplace_back(b.deviceSize, b.strideMap);
    events.resize(kFirstPlanEvent);
    outcome.seed = options.seed;
    kernelOf_.assign(record.ops.size(), -1);
    for (std::size_t k = 0; k < record.kernels.size(); ++k) {
        for (const int op : record.kernels[k].ops)
            kernelOf_[static_cast<std::size_t>(op)] = static_cast<int>(k);
    }
    isHost_ = hostOps(record);
    shownBase_.assign(record.buffers.size(), 0);
    regions_.resize(record.buffers.size());
    lxBytes_.assign(record.buffers.size(), 0);
    for (std::size_t i = 0; i < record.buffers.size(); ++i) {
        if (record.buffers[i].memory == RecordMemory::Lx)
            ends_.emplace_back(record.buffers[i].end, static_cast<int>(i));
    }
    std::sort(ends_.begin(), ends_.end());
}

int64_t SimState::regionBytes(int buffer) const {
    const auto b = static_cast<std::size_t>(buffer);
    return saturatedMul(layouts[b].elements(), record.buffers[b].itemBytes);
}

Result<void> SimState::start() {
    int64_t bytes = 0;
    int64_t poolBytes = 0;
    int64_t lxBytes = 0;
    for (std::size_t i = 0; i < record.buffers.size(); ++i) {
        const RecordBuffer& b = record.buffers[i];
        if (b.memory != RecordMemory::Pool) continue;
        poolBytes = std::max(poolBytes, saturatedAdd(b.address, regionBytes(static_cast<int>(i))));
    }
    bytes = peakOfRegions();
    // What the slices of a core fill is less than the whole; more is added when somebody writes there.
    for (const RecordBuffer& b : record.buffers) {
        if (b.memory == RecordMemory::Lx) lxBytes = std::max(lxBytes, std::min(b.address, record.lxCapacity));
    }
    const int64_t poolCell = narrowest(record, RecordMemory::Pool);
    const int64_t lxCell = narrowest(record, RecordMemory::Lx);
    bytes = saturatedAdd(bytes, Memory::footprint(std::min(poolBytes, options.memoryBytes), poolCell));
    bytes = saturatedAdd(bytes, saturatedMul(record.cores, Memory::footprint(lxBytes, lxCell)));
    if (bytes > options.memoryBytes || poolBytes > options.memoryBytes) {
        return makeError("VER-026", "simulation",
                         "the memories of the plan take " + text::grouped(bytes) + " bytes, " +
                             text::grouped(options.memoryBytes) + " are allowed",
                         "raise sim.memory_bytes");
    }
    pool_ = std::make_unique<Memory>(poolBytes, poolCell);
    lx_.assign(static_cast<std::size_t>(record.cores), Memory(lxBytes, lxCell));
    for (std::size_t i = 0; i < record.buffers.size(); ++i) {
        if (record.buffers[i].memory == RecordMemory::Hbm) fillSources(static_cast<int>(i));
    }
    return {};
}

const Tensor* SimState::sourceOf(int buffer) const {
    const RecordBuffer& b = record.buffers[static_cast<std::size_t>(buffer)];
    const bool isSource = b.role == "input" || b.role == "parameter" || b.role == "constant";
    if (!isSource || !record.graph) return nullptr;
    const auto& tensors = record.graph->tensors;
    const auto it = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.id == b.denotes; });
    return it == tensors.end() ? nullptr : &*it;
}

bool SimState::isVirtual(int buffer) const {
    constexpr int64_t kLargeShare = 64;
    if (regionBytes(buffer) <= options.memoryBytes / kLargeShare) return false;
    const Tensor* source = sourceOf(buffer);
    return source != nullptr && source->value.empty();
}

/// What nobody computes is in main memory before the plan runs.
void SimState::fillSources(int buffer) {
    const Tensor* source = sourceOf(buffer);
    if (source == nullptr) return;
    const RecordBuffer& b = record.buffers[static_cast<std::size_t>(buffer)];
    const DeviceMap& layout = layouts[static_cast<std::size_t>(buffer)];
    if (isVirtual(buffer)) {
        const int64_t count = elementCount(source->shape).value_or(0);
        regions_[static_cast<std::size_t>(buffer)] =
            std::make_unique<Memory>(layout, count, keyOf(source->id, options.seed), b.itemBytes);
        return;
    }
    Memory& memory = *regionOf(buffer).memory;
    const std::vector<Value> values = sourceValues(*source, options.seed);
    for (std::size_t h = 0; h < values.size(); ++h) {
        const int64_t at = layout.position(static_cast<int64_t>(h));
        if (at >= 0) memory.write(at * b.itemBytes, b.itemBytes, values[h], kHostEvent);
    }
}

int64_t SimState::peakOfRegions() {
    constexpr int kAlways = INT32_MAX;
    std::vector<int> first(record.buffers.size(), kAlways);
    std::vector<int> last(record.buffers.size(), -1);
    for (std::size_t i = 0; i < record.ops.size(); ++i) {
        for (const RecordArg& a : record.ops[i].args) {
            const auto b = static_cast<std::size_t>(a.buffer);
            first[b] = std::min(first[b], static_cast<int>(i));
            last[b] = static_cast<int>(i);
        }
    }
    // A loop runs its ops again: what one of them accesses is needed until the outermost loop ends.
    for (const RecordStep& step : record.steps) {
        if (step.op >= 0) continue;
        int from = kAlways;
        int to = -1;
        spanOf(step, from, to);
        for (int& l : last) {
            if (l >= from && l < to) l = to;
        }
    }
    for (const RecordOutput& o : record.outputs)
        last[static_cast<std::size_t>(o.buffer)] = kAlways;
    std::map<int, int64_t> change;
    for (std::size_t i = 0; i < record.buffers.size(); ++i) {
        if (record.buffers[i].memory != RecordMemory::Hbm || isVirtual(static_cast<int>(i))) continue;
        const int64_t bytes = Memory::footprint(regionBytes(static_cast<int>(i)), record.buffers[i].itemBytes);
        const bool isFilled = sourceOf(static_cast<int>(i)) != nullptr;
        change[isFilled ? -1 : first[i]] += bytes;
        if (last[i] == kAlways || last[i] < 0) continue;
        change[last[i] + 1] -= bytes;
        lastUses_.emplace_back(last[i], static_cast<int>(i));
    }
    std::sort(lastUses_.begin(), lastUses_.end());
    int64_t held = 0;
    int64_t most = 0;
    for (const auto& [at, by] : change) {
        held = saturatedAdd(held, by);
        most = std::max(most, held);
    }
    return most;
}

void SimState::releaseRegions(int id) {
    for (; released_ < lastUses_.size() && lastUses_[released_].first < id; ++released_) {
        const auto region = static_cast<std::size_t>(lastUses_[released_].second);
        sticks_.erase(regions_[region].get());
        if (touchedMemory_ == regions_[region].get()) touchedMemory_ = nullptr;
        regions_[region].reset();
    }
}

Place SimState::regionOf(int buffer) {
    auto& region = regions_[static_cast<std::size_t>(buffer)];
    if (!region) {
        region =
            std::make_unique<Memory>(regionBytes(buffer), record.buffers[static_cast<std::size_t>(buffer)].itemBytes);
    }
    return {region.get(), 0, lastShownBase(buffer), region->bytes(), RecordMemory::Hbm, buffer};
}

Place SimState::place(int op, const RecordArg& arg, int core, const std::vector<int64_t>& loop) {
    if (isHost_[static_cast<std::size_t>(op)] && arg.memory != RecordMemory::Hbm) return regionOf(arg.buffer);
    int64_t address = arg.base;
    for (std::size_t level = 0; level < loop.size() && level < arg.advance.size(); ++level)
        address = saturatedAdd(address, saturatedMul(arg.advance[level], loop[level]));
    if (arg.memory == RecordMemory::Lx) {
        return {&lx_[static_cast<std::size_t>(core)], address, address, record.lxCapacity, RecordMemory::Lx, -1};
    }
    if (arg.memory == RecordMemory::Pool) {
        return {pool_.get(), address, address, pool_->bytes(), RecordMemory::Pool, -1};
    }
    const int kernel = kernelOf_[static_cast<std::size_t>(op)];
    if (kernel < 0) return regionOf(arg.buffer);
    // The segment says which argument of the kernel it is, whatever the record calls it.
    const auto& arguments = record.kernels[static_cast<std::size_t>(kernel)].arguments;
    const int64_t segment = address < 0 ? -1 : address / kSegmentBytes - (record.hasPool ? 1 : 0);
    if (segment < 0 || segment >= static_cast<int64_t>(arguments.size()))
        return {nullptr, 0, address, 0, RecordMemory::Hbm, -1};
    const int buffer = arguments[static_cast<std::size_t>(segment)];
    Place p = regionOf(buffer);
    shownBase_[static_cast<std::size_t>(buffer)] = (address / kSegmentBytes) * kSegmentBytes;
    p.address = address % kSegmentBytes;
    p.shown = address;
    return p;
}

Event SimState::newEvent(EventInfo info) {
    events.push_back(std::move(info));
    return static_cast<Event>(events.size() - 1);
}

void SimState::endLives(int64_t from, int64_t to, int64_t start) {
    if (sabotage == Sabotage::LivesStay) return;
    auto it = std::upper_bound(ends_.begin(), ends_.end(), std::pair<int64_t, int>{from, INT32_MAX});
    for (; it != ends_.end() && it->first <= to; ++it) {
        const int buffer = it->second;
        const auto mine = [&](Event e) { return e >= kFirstPlanEvent && events[e].buffer == buffer; };
        const auto b = static_cast<std::size_t>(buffer);
        if (record.buffers[b].start < start) continue;
        for (Memory& m : lx_)
            m.kill(record.buffers[b].address, lxBytes_[b], mine);
    }
}

void SimState::wipeLx() {
    for (Memory& m : lx_)
        m.wipe();
}

void SimState::access(const Place& place, int64_t address, int64_t bytes, bool write) {
    if (touchedMemory_ != place.memory) {
        touchedMemory_ = place.memory;
        touchedSticks_ = &sticks_[place.memory];
        const auto count = static_cast<std::size_t>(place.memory->bytes() / kStickBytes + 1);
        touchedSticks_->read.resize(std::max(count, touchedSticks_->read.size()), 0);
        touchedSticks_->written.resize(std::max(count, touchedSticks_->written.size()), 0);
    }
    if (countsBytes) return accessBytes(address, bytes, write);
    std::uint64_t& last =
        (write ? touchedSticks_->written : touchedSticks_->read)[static_cast<std::size_t>(address / kStickBytes)];
    if (last == instance_) return;
    last = instance_;
    (write ? outcome.measuredWriteBytes : outcome.measuredReadBytes) += kStickBytes;
}

/// The bytes of one stick that this instance had not accessed yet.
void SimState::accessBytes(int64_t address, int64_t bytes, bool write) {
    std::vector<Stick>& all = write ? touchedSticks_->writtenBytes : touchedSticks_->readBytes;
    all.resize(touchedSticks_->read.size());
    Stick& stick = all[static_cast<std::size_t>(address / kStickBytes)];
    if (stick.instance != instance_) stick = {instance_, {}};
    const auto before = static_cast<int64_t>(stick.bytes.count());
    for (int64_t i = address % kStickBytes; i < std::min(address % kStickBytes + bytes, kStickBytes); ++i)
        stick.bytes.set(static_cast<std::size_t>(i));
    (write ? outcome.measuredWriteBytes : outcome.measuredReadBytes) +=
        static_cast<int64_t>(stick.bytes.count()) - before;
}

Fault* SimState::fault(std::string code, int op, const std::string& buffer) {
    const auto [it, isNew] = faultAt_.try_emplace({code, op, buffer}, outcome.faults.size());
    if (!isNew) {
        if (it->second < outcome.faults.size()) ++outcome.faults[it->second].count;
        return nullptr;
    }
    constexpr std::size_t kKept = 10;
    if (outcome.faults.size() >= kKept) return nullptr;
    Fault f;
    f.code = std::move(code);
    if (op >= 0) f.op = record.ops[static_cast<std::size_t>(op)].name;
    f.buffer = buffer;
    outcome.faults.push_back(std::move(f));
    return &outcome.faults.back();
}

std::string SimState::writerText(Event event) const {
    if (event == kNeverWritten) return "never written";
    if (event == kHostEvent) return "the host";
    const EventInfo& e = events[event];
    std::string out = "op " + record.ops[static_cast<std::size_t>(e.op)].name;
    if (e.loop.empty()) return out;
    std::vector<std::string> parts;
    for (const int64_t i : e.loop)
        parts.push_back(std::to_string(i));
    return out + " in loop (" + text::join(parts, ",") + ")";
}

std::string SimState::elementText(std::string_view tensor, int64_t element) const {
    if (!record.graph) return std::string(tensor);
    const auto& tensors = record.graph->tensors;
    const auto it = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.id == tensor; });
    if (it == tensors.end()) return std::string(tensor);
    std::vector<std::string> index(it->shape.size());
    for (std::size_t d = it->shape.size(); d-- > 0;) {
        index[d] = std::to_string(it->shape[d] > 0 ? element % it->shape[d] : 0);
        element = it->shape[d] > 0 ? element / it->shape[d] : 0;
    }
    return it->id + "[" + text::join(index, ",") + "]";
}

std::string SimState::meaningOf(Value value) const {
    if (wanted == nullptr) return {};
    for (const auto& [tensor, values] : *wanted) {
        const auto it = std::find(values->begin(), values->end(), value);
        if (it != values->end()) return elementText(tensor, it - values->begin());
    }
    return {};
}

std::string SimState::memoryText(RecordMemory m) {
    return m == RecordMemory::Lx ? "LX" : m == RecordMemory::Pool ? "pool" : "HBM";
}

}  // namespace memplan::sim
