// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/bundle/resolver.h"
#include "engine/verify/spyre/artefact/kernel_run.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

class Tracer {
public:
    Tracer(const LoadedKernel& kernel, bool hasPool, bool isPerTensor, bool anyCores)
        : k_(kernel), resolver_(kernel, hasPool, isPerTensor), anyCores_(anyCores),
          loops_(static_cast<std::size_t>(kernel.program.loops), 0) {}

    std::uint64_t run(std::uint64_t state) {
        state_ = state;
        walk(k_.program.steps);
        return state_;
    }

private:
    const LoadedKernel& k_;
    Resolver resolver_;
    bool anyCores_;
    std::vector<int64_t> loops_;
    std::uint64_t state_ = 0;
    std::map<const LoadedFile*, std::uint64_t> files_;
    int64_t instances_ = 0;

    static void join(std::uint64_t& state, std::uint64_t x) { state = mix(state ^ mix(x)) + 1; }

    void walk(const std::vector<Step>& steps) {
        constexpr int64_t kMost = 200'000;
        for (const Step& s : steps) {
            if (!s.isLoop()) {
                execute(s);
                continue;
            }
            for (int64_t i = 0; i < s.trips() && ++instances_ < kMost; ++i) {
                loops_[static_cast<std::size_t>(s.loop)] = s.first + i * s.step;
                walk(s.body);
            }
        }
    }

    /// What does not depend on the core.
    std::uint64_t fileState(const LoadedFile& file) {
        const auto it = files_.find(&file);
        if (it != files_.end()) return it->second;
        const Descriptor& d = file.descriptor;
        std::uint64_t state = fnv1a(file.ready.function + "(" + file.ready.attributes + ")");
        for (const std::size_t t : d.inputs)
            join(state, t);
        join(state, d.output);
        for (const Label& l : d.labels)
            join(state, static_cast<std::uint64_t>(l.perCore));
        for (std::size_t t = 0; t < d.tensors.size(); ++t) {
            const Access& a = file.ready.access[t];
            join(state, static_cast<std::uint64_t>(a.width) + (d.tensors[t].isLx ? 64 : 0));
            for (const auto& list : a.offset) {
                join(state, list.size());
                for (const int64_t o : list)
                    join(state, static_cast<std::uint64_t>(o));
            }
            for (const auto& core : d.tensors[t].ownSlices) {
                for (const int64_t slice : core)
                    join(state, static_cast<std::uint64_t>(slice));
            }
        }
        return files_[&file] = state;
    }

    void execute(const Step& s) {
        const LoadedFile& file = *k_.files.at(s.file);
        const Descriptor& d = file.descriptor;
        join(state_, fileState(file));
        const bool isFree =
            anyCores_ && std::none_of(d.tensors.begin(), d.tensors.end(), [](const Tensor& t) { return t.isLx; });
        const std::vector<std::uint64_t> groups = groupsOf(file, isFree);
        std::vector<std::uint64_t> cores;
        for (std::size_t c = 0; c < d.slice.size(); ++c) {
            cores.push_back(coreState(s, file, c));
            join(cores.back(), groups[c]);
        }
        if (isFree) std::sort(cores.begin(), cores.end());
        for (const std::uint64_t c : cores)
            join(state_, c);
    }

    /// Which cores add up to the same results, and which slices a transfer moves: what slices decide as numbers. Groups
    /// are named by their first core, whatever numbers the slices have, but where cores may be exchanged.
    static std::vector<std::uint64_t> groupsOf(const LoadedFile& file, bool isFree) {
        const Descriptor& d = file.descriptor;
        std::vector<std::uint64_t> groups(d.slice.size(), 0);
        const bool isTransfer =
            std::any_of(d.tensors.begin(), d.tensors.end(), [](const Tensor& t) { return !t.ownSlices.empty(); });
        if (!isTransfer && file.ready.form == ReadyOp::Form::Pointwise) return groups;
        const Access& out = file.ready.access[d.output];
        std::map<std::vector<int64_t>, std::uint64_t> firstCores;
        for (std::size_t c = 0; c < d.slice.size(); ++c) {
            std::vector<int64_t> key;
            for (std::size_t l = 0; l < d.labels.size(); ++l)
                key.push_back(isTransfer || out.moves(l) ? d.slice[c][l] : 0);
            groups[c] = firstCores.try_emplace(key, c).first->second;
            if (!isTransfer && !isFree) continue;
            groups[c] = 0;
            for (const int64_t slice : key)
                join(groups[c], static_cast<std::uint64_t>(slice));
        }
        return groups;
    }

    /// Addresses of a core, and what its slices decide besides them: masks and lanes without data.
    std::uint64_t coreState(const Step& s, const LoadedFile& file, std::size_t c) const {
        const Descriptor& d = file.descriptor;
        std::uint64_t state = 0;
        for (std::size_t t = 0; t < d.tensors.size(); ++t) {
            const Spot spot = d.tensors[t].isLx ? Spot{-2, d.tensors[t].start[c]}
                                                : resolver_.spot(s, file, t, c, loops_, Bases(false));
            join(state, static_cast<std::uint64_t>(spot.slot));
            join(state, static_cast<std::uint64_t>(spot.byte));
            // The addresses of the cores must agree with their slices.
            if (!d.tensors[t].isLx) join(state, static_cast<std::uint64_t>(Resolver::sliceOffset(file, t, c)));
        }
        for (std::size_t l = 0; l < d.labels.size(); ++l) {
            const Label& label = d.labels[l];
            const int64_t first = d.slice[c][l] * label.perCore;
            join(state, static_cast<std::uint64_t>(std::clamp<int64_t>(label.masked.first - first, 0, label.perCore)));
            join(state, static_cast<std::uint64_t>(std::clamp<int64_t>(label.masked.second - first, 0, label.perCore)));
            for (const Access& a : file.ready.access)
                join(state, static_cast<std::uint64_t>(
                                std::clamp<int64_t>(std::min(a.limit[l], a.sure[l]) - first, 0, label.perCore)));
        }
        return state;
    }
};

}  // namespace

std::uint64_t traceOf(const LoadedBundle& bundle, const std::vector<KernelCall>& calls, bool anyCores) {
    std::uint64_t state = 0;
    for (const KernelCall& call : calls) {
        state = Tracer(*bundle.kernels.at(call.kernel), call.hasPool, bundle.isPerTensor, anyCores).run(mix(state) + 1);
    }
    return state;
}

}  // namespace memplan::sim::artefact
