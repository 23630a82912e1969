// SPDX-License-Identifier: Apache-2.0
// Makes the faults of proof-and-search A13 that a record has a place for. The families stand in files of their own:
// place_mutants, order_mutants, slice_mutants, and functions and moves in mutants.
#pragma once

#include "engine/sim/eval/values.h"
#include "engine/sim/machine/prepared_op.h"
#include "engine/sim/mutants/mutate.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace memplan::sim {

class MutantMaker {
public:
    MutantMaker(const ExecutionRecord& record, const std::vector<bool>& wasRead);

    [[nodiscard]] std::vector<Mutant> run();

private:
    using Path = std::vector<std::size_t>;  ///< positions in the tree of steps, outermost first
    static constexpr std::int64_t kStick = 128;

    /// What a placement checker of its own needs: lives and bytes of the on-chip buffers.
    struct Slot {
        int buffer = -1;
        std::int64_t start = 0, end = 0, bytes = 0;
    };
    /// A range of one memory that an op accesses.
    struct Bytes {
        RecordMemory memory;
        std::int64_t begin, end;
        int buffer;
        bool write;
    };

    void findSteps(const std::vector<RecordStep>& steps, std::vector<std::int64_t> counts);
    void measure();
    void add(std::string family, std::string what, std::string equivalent,
             std::function<void(ExecutionRecord&)> damage);
    [[nodiscard]] static RecordArg& argOf(ExecutionRecord& r, int op, std::size_t a);
    [[nodiscard]] const std::string& name(int buffer) const;
    [[nodiscard]] bool isRead(int buffer) const;
    /// The rule for a fault of an op that nobody reads from; empty where somebody does.
    [[nodiscard]] std::string unreadRule(int op) const;

    // M1 to M4, M7, M18: addresses and lives of on-chip buffers
    void shiftBases(int id, const RecordOp& op);
    void moveBuffers();
    void addMove(const std::string& family, const std::map<int, std::int64_t>& moved, const std::string& what);
    void endLivesEarly();
    void takeLiveSlot(int id, const RecordOp& op);
    void keepFromHost();
    [[nodiscard]] bool isShared(int buffer) const;
    [[nodiscard]] bool crossesToHost(int buffer) const;
    [[nodiscard]] bool isAncestor(int parent, int child) const;
    [[nodiscard]] bool mayTakeOver(int parent, int child) const;
    [[nodiscard]] bool isLegal(const std::map<int, std::int64_t>& moved) const;
    static void move(ExecutionRecord& r, int buffer, std::int64_t to);
    static void keepOnChip(ExecutionRecord& r, int buffer, std::int64_t address);

    // M5, M6, M14 and M15 as far as they leave a move out: order
    void dropOp(int id, const RecordOp& op);
    void swapNeighbours(const std::vector<RecordStep>& steps, const Path& path);
    static bool eraseOp(std::vector<RecordStep>& steps, int op);
    [[nodiscard]] std::vector<Bytes> bytesOf(const RecordOp& op) const;
    [[nodiscard]] bool isIndependent(const RecordOp& a, const RecordOp& b) const;
    [[nodiscard]] bool dependsOn(const RecordOp& a, const RecordOp& b) const;
    [[nodiscard]] bool slotsMeet(const RecordArg& x, const RecordArg& y) const;
    [[nodiscard]] static std::set<std::int64_t> elementsOf(const RecordOp& op, const RecordArg& arg);
    [[nodiscard]] static bool elementsMeet(const RecordOp& a, const RecordArg& x, const RecordOp& b,
                                           const RecordArg& y);

    // M8 to M10, M13: slices, extents, loops
    void changeSlices(int id, const RecordOp& op);
    void addSlices(int id, const RecordOp& op, const std::string& what, const RecordOp& changed);
    void shortenLoops(int id, const RecordOp& op);
    void changeCounts(const std::vector<RecordStep>& steps, const Path& path);
    void changeAdvance(int id, const RecordOp& op);
    void addAdvance(int id, std::size_t arg, const std::string& what, const std::vector<std::int64_t>& to);
    [[nodiscard]] bool hasSameViews(const RecordOp& before, const RecordOp& after) const;
    [[nodiscard]] static std::map<int, std::vector<std::int64_t>>
    partsOf(const RecordOp& op, const RecordArg& arg, const DeviceMap& layout, const std::vector<CoreWork>& work);
    [[nodiscard]] std::optional<std::uint64_t> effectOf(const RecordOp& op) const;
    [[nodiscard]] static std::optional<std::uint64_t> productEffect(const RecordOp& op, const std::vector<ArgMap>& maps,
                                                                    const std::vector<CoreWork>& work);
    [[nodiscard]] static std::uint64_t effectAt(const RecordOp& op, const std::vector<ArgMap>& maps, std::size_t w,
                                                int core, const std::vector<std::int64_t>& point);

    // M11, M12, M14: functions and moves
    void changeFunction(int id, const RecordOp& op);
    void copyPlainly(int id, const RecordOp& op);
    [[nodiscard]] bool liesAlike(const RecordOp& op) const;
    void keepOnCore(int id, const RecordOp& op);

    const ExecutionRecord& r_;
    const std::vector<bool>& wasRead_;
    std::vector<DeviceMap> layouts_;
    std::vector<int> order_;                             ///< ops in step order
    std::map<int, std::vector<std::int64_t>> counts_;    ///< by op: iterations of the loops around it, outermost first
    std::map<int, std::vector<int>> readers_, writers_;  ///< by buffer
    std::map<int, Slot> slots_;
    std::vector<bool> isHost_;  ///< by op
    std::vector<Mutant> list_;
};

}  // namespace memplan::sim
