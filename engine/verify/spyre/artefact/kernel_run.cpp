// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/kernel_run.h"

#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/bundle/resolver.h"

#include <algorithm>
#include <map>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

constexpr int64_t kMostInstances = 2'000'000;

class Run {
public:
    Run(Machine& machine, const LoadedKernel& kernel, const Slots& slots, bool hasPool, bool isPerTensor,
        const RunControl& control)
        : m_(machine), k_(kernel), slots_(slots), control_(control), resolver_(kernel, hasPool, isPerTensor),
          loops_(static_cast<std::size_t>(kernel.program.loops), 0) {}

    Result<std::optional<Fault>> run() {
        walk(k_.program.steps);
        if (error_) return *error_;
        return fault_;
    }

private:
    Machine& m_;
    const LoadedKernel& k_;
    const Slots& slots_;
    const RunControl& control_;
    Resolver resolver_;
    std::vector<int64_t> loops_, path_;
    std::optional<Fault> fault_;
    std::optional<Error> error_;

    bool ended() const { return fault_ || error_; }

    static bool runs(const std::vector<Step>& steps) {
        return std::any_of(steps.begin(), steps.end(), [](const Step& s) { return !s.isLoop() || runs(s.body); });
    }

    void walk(const std::vector<Step>& steps) {
        for (const Step& s : steps) {
            if (ended()) return;
            if (!s.isLoop()) {
                execute(s);
                continue;
            }
            const int64_t trips = runs(s.body) ? s.trips() : 0;
            path_.push_back(0);
            for (int64_t i = 0; i < trips && !ended(); ++i) {
                loops_[static_cast<std::size_t>(s.loop)] = s.first + i * s.step;
                path_.back() = i;
                walk(s.body);
            }
            path_.pop_back();
        }
    }

    void fail(const LoadedFile& file, std::size_t tensor, std::size_t core, const char* code, std::string message) {
        Fault f;
        f.code = code;
        f.op = file.ready.name;
        f.buffer = file.descriptor.tensors[tensor].name;
        f.core = static_cast<int>(core);
        f.loop = path_;
        f.memory = file.descriptor.tensors[tensor].isLx ? "LX" : "HBM";
        f.message = std::move(message);
        fault_ = std::move(f);
    }

    void execute(const Step& s) {
        if (control_.cancelled()) {
            error_ = makeError(kCancelledCode, "", "cancelled");
            return;
        }
        const LoadedFile& file = *k_.files.at(s.file);
        if (++m_.instances > kMostInstances || control_.timedOut()) {
            error_ =
                makeError("VER-026", file.ready.name, "the run of the bundle needs too many operations or too long");
            return;
        }
        std::vector<std::vector<Placed>> at(file.descriptor.tensors.size());
        for (std::size_t t = 0; t < at.size() && !ended(); ++t)
            place(s, file, t, at[t]);
        if (ended()) return;
        const std::uint32_t event = m_.begin(file.ready.name, path_);
        fault_ = runInstance(file.ready, at, event, m_.seed, m_.counts);
        if (fault_) fault_->loop = path_;
        if (!fault_ && m_.known != nullptr && m_.firstUnknown.empty())
            findUnknown(file, at[file.descriptor.output], event);
        checkMemory(file);
    }

    /// Looks at what an instance wrote, but for the lanes that may hold no data.
    void findUnknown(const LoadedFile& file, const std::vector<Placed>& out, std::uint32_t event) {
        const Descriptor& d = file.descriptor;
        const Access& a = file.ready.access[d.output];
        if (file.ready.form == ReadyOp::Form::Product) return;
        for (std::size_t c = 0; c < out.size(); ++c) {
            std::vector<int64_t> point(d.labels.size(), 0);
            for (bool more = true; more; more = next(d, point)) {
                int64_t byte = out[c].start;
                bool isSure = true;
                for (std::size_t l = 0; l < point.size(); ++l) {
                    if (!a.moves(l)) continue;
                    byte += a.offset[l][static_cast<std::size_t>(point[l])];
                    const int64_t global = d.slice[c][l] * d.labels[l].perCore + point[l];
                    isSure = isSure && global < d.labels[l].extent - a.stickSize + 1;
                }
                int64_t other = 0;
                const Cell* cells = isSure ? out[c].store->stick(byte / kStickBytes, a.width, other) : nullptr;
                const Cell cell = cells == nullptr ? Cell{} : cells[byte % kStickBytes / a.width];
                if (cell.writer != event || cell.value == 0 || m_.known->contains(cell.value)) continue;
                m_.firstUnknown = m_.writerOf(cell) + ", core " + std::to_string(c) + ", " +
                                  (out[c].isLx ? "LX" : out[c].store->name()) + " byte " + std::to_string(byte);
                return;
            }
        }
    }

    static bool next(const Descriptor& d, std::vector<int64_t>& point) {
        for (std::size_t k = point.size(); k-- > 0;) {
            if (++point[k] < d.labels[k].perCore) return true;
            point[k] = 0;
        }
        return false;
    }

    void place(const Step& s, const LoadedFile& file, std::size_t t, std::vector<Placed>& at) {
        const Tensor& tensor = file.descriptor.tensors[t];
        for (std::size_t c = 0; c < tensor.start.size() && !ended(); ++c) {
            if (tensor.isLx) {
                while (m_.lx.size() <= c)
                    m_.lx.emplace_back("LX of core " + std::to_string(m_.lx.size()), m_.lxBytes);
            }
        }
        for (std::size_t c = 0; c < tensor.start.size() && !ended(); ++c) {
            if (tensor.isLx) {
                at.push_back({&m_.lx[c], tensor.start[c], true});
                continue;
            }
            const Spot spot = resolver_.spot(s, file, t, c, loops_, Bases(false));
            if (k_.hasSymbols && resolver_.spot(s, file, t, c, loops_, Bases(true)) != spot) {
                return fail(file, t, c, "VER-020",
                            "the address does not follow the argument when the loader puts it elsewhere");
            }
            const bool isBound = spot.slot >= 0 && spot.slot < static_cast<int64_t>(slots_.size()) &&
                                 slots_[static_cast<std::size_t>(spot.slot)] != nullptr;
            if (!isBound) return fail(file, t, c, "VER-002", "an address is in no argument of the kernel");
            at.push_back({slots_[static_cast<std::size_t>(spot.slot)], spot.byte, false});
            const int64_t step = resolver_.sliceOffset(file, t, c) - resolver_.sliceOffset(file, t, 0);
            if (at.back().store != at.front().store || at.back().start - at.front().start != step)
                return fail(file, t, c, "VER-020", "the address of the core contradicts its slices");
        }
    }

    void checkMemory(const LoadedFile& file) {
        int64_t held = 0;
        for (const Store& s : m_.lx)
            held += s.held();
        for (const Store* s : slots_)
            held += s == nullptr ? 0 : s->held();
        if (held <= m_.memoryBytes || error_) return;
        error_ = makeError("VER-026", file.ready.name,
                           "running the bundle needs more than " + text::grouped(m_.memoryBytes) + " bytes",
                           "raise sim.memory_bytes");
    }
};

}  // namespace

std::uint32_t Machine::begin(std::string op, std::vector<int64_t> loop) {
    events.push_back({std::move(op), std::move(loop)});
    return static_cast<std::uint32_t>(events.size());
}

std::string Machine::writerOf(const Cell& cell) const {
    const std::uint32_t e = eventOf(cell);
    if (e == 0 || e > events.size()) return "never written";
    std::string out = events[e - 1].op;
    if (!events[e - 1].loop.empty()) {
        std::vector<std::string> indices;
        for (const int64_t i : events[e - 1].loop)
            indices.push_back(std::to_string(i));
        out += " in loop (" + text::join(indices, ",") + ")";
    }
    return out;
}

void Machine::wipeLx() {
    for (Store& s : lx)
        s.wipe();
}

std::vector<SlotUse> slotUses(const LoadedKernel& kernel, bool hasPool) {
    const Resolver resolver(kernel, hasPool, false);
    std::vector<int64_t> loops(static_cast<std::size_t>(kernel.program.loops), 0);
    std::vector<SlotUse> out;
    for (const Step* s : kernel.program.executes()) {
        const LoadedFile& file = *kernel.files.at(s->file);
        const auto add = [&](std::size_t t, bool isWritten) {
            if (file.descriptor.tensors[t].isLx) return;
            const Spot spot = resolver.spot(*s, file, t, 0, loops, Bases(false));
            out.push_back({static_cast<int>(std::min<int64_t>(spot.slot, 1 << 20)), isWritten});
        };
        for (const std::size_t t : file.descriptor.inputs)
            add(t, false);
        add(file.descriptor.output, true);
    }
    return out;
}

Result<std::optional<Fault>> runKernel(Machine& machine, const LoadedKernel& kernel, const Slots& slots, bool hasPool,
                                       bool isPerTensor, const RunControl& control) {
    return Run(machine, kernel, slots, hasPool, isPerTensor, control).run();
}

}  // namespace memplan::sim::artefact
