// SPDX-License-Identifier: Apache-2.0
// Runs one op in one iteration of its loops on all its cores (proof-and-search A4.3, A4.4).
#pragma once

#include "engine/sim/eval/functions.h"
#include "engine/sim/machine/prepared_op.h"
#include "engine/sim/state.h"

#include <cstdint>
#include <vector>

namespace memplan::sim {

class OpRun {
public:
    OpRun(SimState& state, int op, const PreparedOp& prepared, const Function& function)
        : s_(state), id_(op), p_(prepared), op_(prepared.op), f_(function) {}

    void run(const std::vector<std::int64_t>& loop);

private:
    using Point = std::vector<std::int64_t>;

    /// An argument on one core: where it is, and its positions.
    struct Bound {
        const RecordArg* arg = nullptr;
        const ArgMap* map = nullptr;
        Place place;
        std::int64_t itemBytes = 0;
        std::size_t work = 0;
    };

    [[nodiscard]] std::vector<Bound> bind(std::size_t work);
    [[nodiscard]] Bound boundOf(std::size_t work, std::size_t arg);
    void checkOperandsStay(std::size_t work);
    void checkOperandStays(const Bound& in, const Bound& out);
    [[nodiscard]] bool isSamePlace(std::size_t arg) const;
    void runPointwise(std::size_t work);
    [[nodiscard]] static bool meets(const Bound& a, const Bound& b);
    void runFill(std::size_t work);
    void runGroups();
    void runReductionGroup(const std::vector<std::size_t>& group);
    void runProductGroup(const std::vector<std::size_t>& group);
    void writeResults(std::size_t owner, const Box& box, const std::vector<std::uint64_t>& sums);
    void runRelayout();

    /// Positions of a run along the last symbol; -1 where an element lies outside.
    void positions(const Bound& b, const Point& point, const Range& last, std::vector<std::int64_t>& out) const;
    /// The same along any symbol.
    void positionsAlong(const Bound& b, const Point& point, std::size_t along, const Range& range,
                        std::vector<std::int64_t>& out) const;
    void positionsByMap(const Bound& b, const Point& point, std::size_t along, const Range& range,
                        std::vector<std::int64_t>& out) const;
    /// Values at many positions of one argument; `point` is where a fault is reported.
    void readRun(const Bound& b, const std::vector<std::int64_t>& positions, const Point& point,
                 std::vector<Value>& out);
    [[nodiscard]] bool readPlainRun(const Bound& b, const std::vector<std::int64_t>& positions,
                                    std::vector<Value>& out);
    [[nodiscard]] Value readAt(const Bound& b, std::int64_t position, const Point& point);
    void writeAt(const Bound& b, std::int64_t position, const Point& point, Value value);
    void addSequences(const Bound& b, const Box& box, const std::vector<std::size_t>& symbols,
                      std::vector<std::uint64_t>& sums);
    const std::vector<std::uint64_t>& sequences(std::size_t operand, const Bound& b, const Box& box,
                                                const std::vector<std::size_t>& symbols);

    void explainWrite(const Bound& b, const Point& point, Value found);
    [[nodiscard]] bool explainDomain(std::size_t work, Point point, Fault& fault);
    [[nodiscard]] bool wrongOperand(const Bound& b, const Point& point, Fault& fault);
    [[nodiscard]] const Value* wantedValue(const RecordArg& arg, const Point& point, std::int64_t* element) const;
    void fillFault(Fault& f, const Bound& b, std::int64_t position);

    SimState& s_;
    int id_;
    const PreparedOp& p_;
    const RecordOp& op_;
    const Function& f_;
    std::vector<std::int64_t> loop_;
    Event event_ = 0, firstEvent_ = 0;
    /// Sums of the operands of a product that earlier cores made from main memory.
    struct Kept {
        std::vector<std::uint64_t> sums;
        Box box;
        const Memory* memory = nullptr;
        std::int64_t address = -1;
    };
    std::vector<Kept> kept_[2];
};

}  // namespace memplan::sim
