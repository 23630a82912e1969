// SPDX-License-Identifier: Apache-2.0
// What is in the memories while a record runs, and what was found so far (proof-and-search A4.1, A11, A12).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/sim/device_map.h"
#include "engine/sim/eval/evaluator.h"
#include "engine/sim/memory.h"
#include "engine/sim/outcome.h"
#include "engine/sim/record/record.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace memplan::sim {

/// One write: which op, on which core, in which iteration of its loops.
struct EventInfo {
    int op = -1;
    int core = -1;
    int buffer = -1;
    std::vector<std::int64_t> loop;
};

/// A place that an argument names: a memory and a byte address in it.
struct Place {
    Memory* memory = nullptr;
    std::int64_t address = 0;  ///< in the memory
    std::int64_t shown = 0;    ///< what a report calls it
    std::int64_t limit = 0;    ///< bytes that may be used
    RecordMemory kind = RecordMemory::Hbm;
    int region = -1;  ///< buffer of a region of main memory, -1 for the pool and LX
};

class SimState {
public:
    SimState(const ExecutionRecord& record, const SimOptions& options);

    /// Regions, pool and LX; fills what the host provides. Errors: VER-026.
    [[nodiscard]] Result<void> start();

    const ExecutionRecord& record;
    const SimOptions& options;
    std::vector<DeviceMap> layouts;  ///< by buffer
    Outcome outcome;
    std::vector<EventInfo> events;  ///< by Event
    /// Values of every tensor by id, when faults are explained; else null.
    const std::map<std::string, const std::vector<Value>*, std::less<>>* wanted = nullptr;

    std::vector<bool>* wasRead = nullptr;  ///< by op: somebody read what it wrote
    void noteRead(Event event) {
        if (wasRead != nullptr && event >= kFirstPlanEvent)
            (*wasRead)[static_cast<std::size_t>(events[event].op)] = true;
    }

    /// The memory behind argument `arg` of op `op` on `core`; memory is null where there is none at that address. The
    /// host sees main memory alone: a tensor that the plan keeps in LX or in the pool has a region there that no kernel
    /// looks into.
    [[nodiscard]] Place place(int op, const RecordArg& arg, int core, const std::vector<std::int64_t>& loop);
    [[nodiscard]] Place regionOf(int buffer);
    [[nodiscard]] Event newEvent(EventInfo info);
    /// Ends the lifetime of on-chip buffers whose end lies in (from, to] and that began at `start` or later.
    void endLives(std::int64_t from, std::int64_t to, std::int64_t start = 0);
    void wipeLx();
    /// Lets go of regions of main memory that no op from position `id` on accesses and that no output needs.
    void releaseRegions(int id);
    /// A core holds so many bytes of an on-chip buffer.
    void noteLxBytes(int buffer, std::int64_t bytes) {
        std::int64_t& most = lxBytes_[static_cast<std::size_t>(buffer)];
        most = std::max(most, bytes);
    }
    [[nodiscard]] int kernelOf(int op) const { return kernelOf_[static_cast<std::size_t>(op)]; }
    /// Main-memory traffic counts the bytes of elements (A11.5) and not the whole sticks that hold them, of which they
    /// are at most the same: slower, for plans whose iterations share sticks.
    bool countsBytes = false;
    /// Counts an element of `bytes` bytes of main memory, or the stick that holds it, once per op instance and
    /// direction.
    void access(const Place& place, std::int64_t address, std::int64_t bytes, bool write);
    void nextInstance() { ++instance_; }

    /// Counts a fault under (code, op, argument); the first of each keeps its place. Returns it when it is new.
    Fault* fault(std::string code, int op, const std::string& buffer);
    [[nodiscard]] std::string writerText(Event event) const;
    /// "sub[645,192]" for an element of a graph tensor.
    [[nodiscard]] std::string elementText(std::string_view tensor, std::int64_t element) const;
    /// The element of some tensor that has this value, empty when there is none or values are not kept.
    [[nodiscard]] std::string meaningOf(Value value) const;
    [[nodiscard]] static std::string memoryText(RecordMemory m);
    [[nodiscard]] std::int64_t lastShownBase(int buffer) const { return shownBase_[static_cast<std::size_t>(buffer)]; }

private:
    /// A stick of main memory: the instance that accessed it last, and which of its bytes (where bytes are counted).
    struct Stick {
        std::uint64_t instance = 0;
        std::bitset<128> bytes;
    };
    struct Sticks {
        std::vector<std::uint64_t> read, written;  ///< instance that accessed each stick last
        std::vector<Stick> readBytes, writtenBytes;
    };
    void accessBytes(std::int64_t address, std::int64_t bytes, bool write);

    [[nodiscard]] std::int64_t regionBytes(int buffer) const;
    void fillSources(int buffer);
    /// The tensor that the host puts into a buffer; null for what the plan computes.
    [[nodiscard]] const Tensor* sourceOf(int buffer) const;
    /// Too large to keep in cells, and its values follow from their places.
    [[nodiscard]] bool isVirtual(int buffer) const;
    /// Most bytes that the regions of main memory take at one time in the program.
    [[nodiscard]] std::int64_t peakOfRegions();

    std::vector<std::unique_ptr<Memory>> regions_;  ///< by buffer
    std::unique_ptr<Memory> pool_;
    std::vector<Memory> lx_;  ///< by core
    std::map<const Memory*, Sticks> sticks_;
    const Memory* touchedMemory_ = nullptr;
    Sticks* touchedSticks_ = nullptr;
    std::vector<int> kernelOf_;  ///< by op, -1 outside of kernels
    std::vector<bool> isHost_;   ///< by op
    std::vector<std::int64_t> shownBase_;
    std::vector<std::pair<int, int>> lastUses_;  ///< (last op, region of main memory), ascending
    std::size_t released_ = 0;
    std::vector<std::int64_t> lxBytes_;               ///< by buffer
    std::vector<std::pair<std::int64_t, int>> ends_;  ///< (end of lifetime, on-chip buffer), ascending
    std::uint64_t instance_ = 0;
    std::map<std::tuple<std::string, int, std::string>, std::size_t> faultAt_;
};

}  // namespace memplan::sim
