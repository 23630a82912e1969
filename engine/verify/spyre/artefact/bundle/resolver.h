// SPDX-License-Identifier: Apache-2.0
// From the addresses of a bundle to places in the arguments of its kernels.
#pragma once

#include "engine/base/numeric.h"
#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace memplan::sim::artefact {

inline constexpr std::int64_t kSegment = 0x400000000;  ///< bytes between two arguments

/// A place in main memory: slot and byte in it.
struct Spot {
    std::int64_t slot = -1, byte = 0;
    friend bool operator==(const Spot&, const Spot&) = default;
};

/// Where the slots lie. Loaders may put them anywhere: a bundle that passes addresses must not care (A5.7).
class Bases {
public:
    explicit Bases(bool isShifted) : isShifted_(isShifted) {}
    std::int64_t of(std::int64_t slot) const {
        return isShifted_ ? (2 * slot + 3) * kSegment + 384 * (slot + 1) : slot * kSegment;
    }
    Spot find(std::int64_t address) const {
        if (address < 0) return {};
        if (!isShifted_) return {address / kSegment, address % kSegment};
        const std::int64_t slot = (address / kSegment - 3) / 2;
        const std::int64_t byte = address - of(std::max<std::int64_t>(slot, 0));
        return slot < 0 || byte < 0 || byte >= kSegment ? Spot{} : Spot{slot, byte};
    }

private:
    bool isShifted_;
};

class Resolver {
public:
    Resolver(const LoadedKernel& kernel, bool hasPool, bool isPerTensor)
        : k_(kernel), hasPool_(hasPool), isPerTensor_(isPerTensor) {}

    /// Address that an operand has in this iteration.
    Spot spot(const Step& step, const LoadedFile& file, std::size_t tensor, std::size_t core,
              const std::vector<std::int64_t>& loops, const Bases& bases) const {
        const Tensor& t = file.descriptor.tensors[tensor];
        const std::int64_t start = t.start[core];
        if (!t.isSymbolic) return bases.find(start);
        const auto at = std::find(step.ids.begin(), step.ids.end(), start) - step.ids.begin();
        std::int64_t address = base(step.operands[static_cast<std::size_t>(at)], bases);
        for (const auto& [loop, bytes] : step.operands[static_cast<std::size_t>(at)].loops)
            address = saturatedAdd(address, saturatedMul(loops[static_cast<std::size_t>(loop)], bytes));
        if (isPerTensor_) address = saturatedAdd(address, sliceOffset(file, tensor, core));
        return bases.find(address);
    }

    /// Bytes from the start of a tensor to the slice of a core (13.4).
    static std::int64_t sliceOffset(const LoadedFile& file, std::size_t tensor, std::size_t core) {
        const Access& a = file.ready.access[tensor];
        std::int64_t bytes = 0;
        for (std::size_t l = 0; l < a.sliceBytes.size(); ++l)
            bytes = saturatedAdd(bytes, saturatedMul(file.descriptor.slice[core][l], a.sliceBytes[l]));
        return bytes;
    }

private:
    const LoadedKernel& k_;
    bool hasPool_, isPerTensor_;

    std::int64_t base(const Address& a, const Bases& bases) const {
        if (a.parameter < 0) {
            const Spot s = Bases(false).find(a.constant);
            return s.slot < 0 ? -1 : saturatedAdd(bases.of(s.slot), s.byte);
        }
        const Parameter& p = k_.program.parameters[static_cast<std::size_t>(a.parameter)];
        return saturatedAdd(bases.of(p.isPool ? 0 : p.argument + (hasPool_ ? 1 : 0)), a.constant);
    }
};

}  // namespace memplan::sim::artefact
