// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/memory/buffer_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/verify/spyre/reading/device_form.h"
#include "engine/verify/spyre/specs/whole_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace memplan::verify {
namespace {

using text::grouped;
using text::quoted;

std::string steps(StepRange r) {
    return "[" + std::to_string(r.begin) + ", " + std::to_string(r.end) + ")";
}

class BufferFacts {
public:
    BufferFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), report_(report),
          isDetailed_(
              std::any_of(plan_.ops.begin(), plan_.ops.end(), [](const PlanOp& op) { return !op.accesses.empty(); })),
          casts_(castsOf(plan_)) {}

    void run() {
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const BufferId id = BufferId::of(i);
            const PlanBuffer& b = plan_.buffer(id);
            checkSpace(id, b);
            checkForm(id, b);
            checkDense(id, b);
            checkUsers(id, b);
            if (isDetailed_) checkDetails(id, b);
        }
    }

private:
    /// What makes two layouts the same form: device dimensions, their strides, stored type.
    using Form = std::tuple<std::vector<std::int64_t>, std::vector<std::int64_t>, std::string>;

    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    bool isDetailed_;
    const std::map<Form, std::int64_t> casts_;  ///< form of what a cast makes -> elements of a stick of its operand

    void wrong(BufferId id, std::string message) { report_.buffer("VER-013", id, std::move(message)); }

    void checkSpace(BufferId id, const PlanBuffer& b) {
        if (b.space != MemorySpace::Lx && b.space != MemorySpace::Hbm)
            wrong(id, "is in the space " + quoted(spaceName(b.space)) + ", which this target does not have");
        const bool isPoolOffset = b.poolOffset && b.address == b.poolOffset;
        if (!reading_.isOn(id) && b.address && !isPoolOffset)
            wrong(id, "is off chip and has the address " + grouped(*b.address));
        if (reading_.isOn(id) && b.poolOffset) wrong(id, "is on chip and has a place in the pool of main memory");
        if (reading_.isOn(id) && b.reason) wrong(id, "is on chip and gives a reason for being off chip");
    }

    // ---- layout --------------------------------------------------------------------------------------

    void checkForm(BufferId id, const PlanBuffer& b) {
        if (!b.layout) return;
        const BufferLayout& l = *b.layout;
        const auto refuse = [&](std::string why) { report_.buffer("VER-008", id, std::move(why)); };
        if (l.size != b.shape)
            refuse("has the shape " + text::shapeText(b.shape) + ", its layout is one of " + text::shapeText(l.size));
        if (l.stride.size() != l.size.size()) refuse("has not one stride for each dimension of its shape");
        if (l.strideMap.size() != l.deviceSize.size()) return refuse("has not one stride for each device dimension");
        const std::string_view format = deviceFormatOf(b.dtype);
        if (!l.deviceDtype.empty() && l.deviceDtype != format)
            refuse("is of the type " + std::string(dtypeName(b.dtype)) + ", which is stored as " + std::string(format) +
                   " and not as " + quoted(l.deviceDtype));
        const std::int64_t eps = elementsOfStick(l.deviceDtype);
        if (!l.deviceSize.empty() && eps > 0 && l.deviceSize.back() != eps)
            refuse("ends in " + grouped(l.deviceSize.back()) + " elements, a stick of its type has " + grouped(eps));
        static constexpr std::array<std::string_view, 4> kArrangements{"STANDARD", "DL16_TO_FP32", "DL16_TO_FP8",
                                                                       "EXX2"};
        if (std::find(kArrangements.begin(), kArrangements.end(), l.elementArrangement) == kArrangements.end())
            refuse("has the unknown element arrangement " + quoted(l.elementArrangement));
        if (!isRowMajor(l)) refuse("has strides that are not those of its shape");
    }

    static bool isRowMajor(const BufferLayout& l) {
        std::int64_t stride = 1;
        for (std::size_t d = l.size.size(); d-- > 0 && d < l.stride.size();) {
            if (l.stride[d] != stride) return false;
            stride = saturatedMul(stride, std::max<std::int64_t>(l.size[d], 1));
        }
        return true;
    }

    /// The strides of the device dimensions are the digits of the host elements: each goes on where the one below it
    /// ends, so that every element has one place.
    void checkDense(BufferId id, const PlanBuffer& b) {
        if (!b.layout || b.layout->strideMap.size() != b.layout->deviceSize.size()) return;
        const std::int64_t elements = elementsOf(b.shape);
        std::vector<std::pair<std::int64_t, std::int64_t>> digits;  // stride, positions
        const std::size_t rank = b.layout->deviceSize.size();
        for (std::size_t d = 0; d < rank; ++d) {
            if (b.layout->deviceSize[d] > 1 && b.layout->strideMap[d] > 0)
                digits.emplace_back(b.layout->strideMap[d], b.layout->deviceSize[d]);
        }
        std::sort(digits.begin(), digits.end());
        std::int64_t reached = 1;
        for (const auto& [stride, positions] : digits) {
            // Padding of a stick reaches beyond the next stride; a gap does not reach it.
            if (stride > reached) break;
            const std::int64_t end = saturatedMul(stride, positions);
            const bool isStick = stride == b.layout->strideMap[rank - 1] && positions == b.layout->deviceSize[rank - 1];
            const bool isPadded = saturatedMul(stride, positions - 1) < alignUp(elements, sticksOfCast(*b.layout));
            if (!isStick && saturatedMul(stride, positions - 1) >= elements && !isPadded) {
                return report_.buffer("VER-008", id,
                                      "has " + grouped(positions) + " positions of stride " + grouped(stride) +
                                          " for " + grouped(elements) + " elements");
            }
            reached = std::max(reached, end);
        }
        if (reached >= elements) return;
        report_.buffer("VER-008", id,
                       "has " + grouped(elements) + " elements, its device dimensions reach " + grouped(reached) +
                           " of them");
    }

    static Form formOf(const BufferLayout& layout) { return {layout.deviceSize, layout.strideMap, layout.deviceDtype}; }

    /// A cast fills whole sticks of its operand, and so does what takes over its layout (layouts 5.2): elements of that
    /// stick; 1 where no cast has the layout.
    [[nodiscard]] std::int64_t sticksOfCast(const BufferLayout& layout) const {
        if (casts_.empty()) return 1;
        const auto it = casts_.find(formOf(layout));
        return it == casts_.end() ? 1 : it->second;
    }

    /// Read once: programs of many operations ask it of every buffer.
    [[nodiscard]] static std::map<Form, std::int64_t> castsOf(const Plan& plan) {
        std::map<Form, std::int64_t> casts;
        for (const PlanOp& op : plan.ops) {
            if (op.type != "cast" || op.inputs.empty() || op.outputs.empty()) continue;
            const auto& made = plan.buffer(op.outputs.front()).layout;
            const auto& from = plan.buffer(op.inputs.front()).layout;
            if (!made || !from) continue;
            std::int64_t& most = casts.emplace(formOf(*made), 1).first->second;
            most = std::max(most, elementsOfStick(from->deviceDtype));
        }
        return casts;
    }

    // ---- users ---------------------------------------------------------------------------------------

    static bool arrives(const PlanBuffer& b) {
        return b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter;
    }

    void checkUsers(BufferId id, const PlanBuffer& b) {
        const auto& uses = reading_.uses(id);
        const OpId writer = reading_.writer(id);
        const StepRange life = reading_.life(id);
        if (isDetailed_ && (b.life.begin != life.begin || b.life.end != life.end))
            wrong(id, "says it lives in steps " + steps(b.life) + ", its users give " + steps(life));
        if (isDetailed_ && arrives(b) && writer.isValid())
            wrong(id, "is said to arrive filled, op " + quoted(plan_.op(writer).name) + " writes it");
        const bool isMade = b.role == BufferRole::Intermediate || b.role == BufferRole::GraphOutput;
        if (isMade && !writer.isValid() && !uses.empty() && isDetailed_)
            wrong(id, "is said to be computed, and no operation writes it");
        if (b.cloneOf.isValid() && (b.cloneOf == id || !writer.isValid()))
            wrong(id,
                  "is said to be a copy of " + quoted(plan_.buffer(b.cloneOf).name) + ", and no operation makes one");
        const OpId producer = arrives(b) ? OpId{} : producerOf(id);
        if (b.producer != producer) {
            wrong(id, producer.isValid() ? "is produced by op " + quoted(plan_.op(producer).name) + ", the plan says " +
                                               (b.producer.isValid() ? quoted(plan_.op(b.producer).name) : "nothing")
                                         : "has no producer, the plan says " + quoted(plan_.op(b.producer).name));
        }
    }

    /// Who makes the value; who makes the room where nobody does.
    [[nodiscard]] OpId producerOf(BufferId id) const {
        if (const OpId writer = reading_.writer(id); writer.isValid()) return writer;
        for (const Use& use : reading_.uses(id)) {
            if (use.writes) return use.op;
        }
        return {};
    }

    // ---- figures that only the keys of this program state ----------------------------------------------

    void checkDetails(BufferId id, const PlanBuffer& b) {
        std::vector<OpId> uses;
        for (const Use& use : reading_.uses(id))
            uses.push_back(use.op);
        if (b.uses != uses) wrong(id, "its users are not the operations that touch it, in their order");
        if (b.role == BufferRole::GraphOutput && reading_.isOn(id)) wrong(id, "is a graph output and on chip");
        if (!uses.empty()) checkCores(id, b);
        report_.expect("buffer " + b.name + ", main-memory bytes it saves", b.trafficSaved, saved(id, b));
    }

    /// Cores that share its bytes: the writer's, or the most of its users' (spyre-scratchpad 3.2).
    void checkCores(BufferId id, const PlanBuffer& b) {
        const bool byMost = plan_.settings.text("spyre.lx_size_rule") == "max_users";
        std::int64_t most = 1;
        std::int64_t writer = 0;
        for (const Use& use : reading_.uses(id)) {
            most = std::max(most, plan_.op(use.op).cores);
            if (use.writes && writer == 0) writer = plan_.op(use.op).cores;
        }
        const std::int64_t cores = byMost || arrives(b) || writer == 0 ? most : writer;
        if (b.role == BufferRole::Constant && b.cores == most) return;
        report_.expect("buffer " + b.name + ", cores that divide it", b.cores, cores);
        if (b.cores < 1) return;
        const Bytes part = byMost ? b.size / b.cores : wholeParts(b.size, b.cores);
        report_.expect("buffer " + b.name + ", its size on a core", b.sizePerCore, part);
    }

    [[nodiscard]] Bytes saved(BufferId id, const PlanBuffer& b) const {
        if (!reading_.isOn(id) || !b.address) return 0;
        std::int64_t accesses = b.cloneOf.isValid() || hasOutputClone(id) ? -2 : 0;
        for (const Use& use : reading_.uses(id)) {
            accesses += reading_.loops.trips(use.op, id, !use.reads);
            // An lx_evict is an access that only residency makes, and it writes to main memory once.
            accesses -= plan_.op(use.op).kind == "evict" ? 2 : 0;
        }
        return saturatedMul(b.size, accesses);
    }

    [[nodiscard]] bool hasOutputClone(BufferId id) const {
        return std::any_of(reading_.uses(id).begin(), reading_.uses(id).end(), [&](const Use& use) {
            const auto& outputs = plan_.op(use.op).outputs;
            return !outputs.empty() && plan_.buffer(outputs.front()).cloneOf == id &&
                   plan_.buffer(outputs.front()).role == BufferRole::GraphOutput;
        });
    }
};

}  // namespace

void checkBufferFacts(const PlanReading& reading, Report& report) {
    if (isPlannedHere(reading.plan)) BufferFacts(reading, report).run();
}

}  // namespace memplan::verify
