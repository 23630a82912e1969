// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/value_trace.h"

#include "engine/sim/eval/values.h"
#include "engine/verify/spyre/artefact/access/parts.h"
#include "engine/verify/spyre/artefact/bundle/resolver.h"

#include <bit>
#include <map>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

void join(std::uint64_t& state, std::uint64_t x) {
    state = mix(state ^ mix(x)) + 1;
}

/// Bytes of one memory with the names of what they hold.
class NamedBytes {
public:
    explicit NamedBytes(std::uint64_t first = 0) { pieces_[0] = {first, 0}; }

    void write(int64_t from, int64_t end, std::uint64_t name) {
        const auto behind = std::prev(pieces_.upper_bound(end))->second;
        const bool isCut = !pieces_.contains(end);
        pieces_.erase(pieces_.lower_bound(from), pieces_.lower_bound(end));
        pieces_[from] = {name, from};
        if (isCut) pieces_[end] = behind;
    }

    void read(int64_t from, int64_t end, std::uint64_t& state) const {
        for (auto it = std::prev(pieces_.upper_bound(from)); it != pieces_.end() && it->first < end; ++it) {
            const int64_t first = std::max(it->first, from);
            join(state, it->second.name);
            join(state, static_cast<std::uint64_t>(first - it->second.start));
            join(state, static_cast<std::uint64_t>(first - from));
        }
    }

private:
    struct Piece {
        std::uint64_t name = 0;
        int64_t start = 0;  ///< first byte of what was written then
    };
    std::map<int64_t, Piece> pieces_;  ///< by their first byte
};

class ValueTracer {
public:
    ValueTracer(const LoadedBundle& bundle, const Binding& binding, const Graph& graph)
        : b_(bundle), bind_(binding), g_(graph) {}

    std::uint64_t run() {
        std::size_t host = 0;
        const auto hostUpTo = [&](std::size_t position) {
            for (; host < bind_.hostCalls.size() && bind_.hostCalls[host].position <= position; ++host)
                hostCall(bind_.hostCalls[host], bind_.hostOps[host]);
        };
        for (std::size_t i = 0; i < bind_.calls.size(); ++i) {
            hostUpTo(i);
            kernel(bind_.calls[i]);
        }
        hostUpTo(bind_.calls.size());
        std::uint64_t state = 0;
        for (std::size_t i = 0; i < bind_.outputs.size(); ++i)
            output(i, state);
        return state;
    }

private:
    const LoadedBundle& b_;
    const Binding& bind_;
    const Graph& g_;
    std::map<string, NamedBytes> memories_;
    std::vector<int64_t> loops_;

    NamedBytes& memory(const string& name) { return memories_.try_emplace(name, fnv1a(name)).first->second; }

    void readAll(const string& name, std::uint64_t& state) {
        memory(name).read(0, kSegment, state);
        memory(partsOf(name)).read(0, kSegment, state);
    }

    /// The elements of a tensor that operations of the host made one part after the other.
    static string partsOf(const string& name) { return "parts of " + name; }

    /// `number` is of an op of the graph, -1 for a copy that the planner added.
    void hostCall(const HostCall& call, int number) {
        std::uint64_t value = fnv1a(call.op);
        for (const string& read : call.read)
            readAll(read, value);
        if (call.fill) joinFill(*call.fill, value);
        for (const string& written : call.written) {
            const std::uint64_t made = mix(value ^ fnv1a(written));
            if (number >= 0 && writeParts(written, g_.ops[static_cast<std::size_t>(number)], number, made)) continue;
            memory(written).write(0, kSegment, made);
        }
    }

    static void joinFill(const HostFill& fill, std::uint64_t& state) {
        join(state, fnv1a(fill.tensor));
        join(state, std::bit_cast<std::uint64_t>(fill.number));
        joinView(fill.at, state);
    }

    static void joinView(const ReturnedView& view, std::uint64_t& state) {
        for (const auto* list : {&view.shape, &view.strides}) {
            for (const int64_t v : *list)
                join(state, static_cast<std::uint64_t>(v));
        }
        join(state, static_cast<std::uint64_t>(view.offset));
    }

    /// False where the op makes all of what it writes.
    bool writeParts(const string& name, const Op& op, int number, std::uint64_t value) {
        for (const TensorId output : op.outputs) {
            if (!output.isValid() || bind_.writers[output.at()] < 2) continue;
            const Part part = partOf(g_, number, output);
            if (!part.isPartial) continue;
            const int64_t offset = bind_.origins[output.at()].offset;
            for (std::size_t i = 0; i < part.elements.size();) {
                std::size_t end = i + 1;
                while (end < part.elements.size() && part.elements[end] == part.elements[end - 1] + 1)
                    ++end;
                memory(partsOf(name)).write(offset + part.elements[i], offset + part.elements[end - 1] + 1, value);
                i = end;
            }
            return true;
        }
        return false;
    }

    void kernel(const KernelCall& call) {
        const LoadedKernel& k = *b_.kernels.at(call.kernel);
        loops_.assign(static_cast<std::size_t>(k.program.loops), 0);
        walk(k.program.steps, k, call, Resolver(k, call.hasPool, b_.isPerTensor));
    }

    void walk(const std::vector<Step>& steps, const LoadedKernel& k, const KernelCall& call, const Resolver& resolver) {
        for (const Step& s : steps) {
            if (!s.isLoop()) {
                execute(s, k, call, resolver);
                continue;
            }
            for (int64_t i = 0; i < s.trips(); ++i) {
                loops_[static_cast<std::size_t>(s.loop)] = s.first + i * s.step;
                walk(s.body, k, call, resolver);
            }
        }
    }

    void execute(const Step& s, const LoadedKernel& k, const KernelCall& call, const Resolver& resolver) {
        const LoadedFile& file = *k.files.at(s.file);
        std::uint64_t name = fnv1a(k.name + "/" + s.file);
        const auto visit = [&](std::size_t t, auto&& access) {
            for (std::size_t c = 0; c < file.descriptor.slice.size(); ++c) {
                const Tensor& tensor = file.descriptor.tensors[t];
                const Spot spot =
                    tensor.isLx ? Spot{-2, tensor.start[c]} : resolver.spot(s, file, t, c, loops_, Bases(false));
                const Access& a = file.ready.access[t];
                access(memory(placeOf(spot.slot, c, call)), spot.byte, spot.byte + a.highest + a.width);
            }
        };
        for (const std::size_t t : file.descriptor.inputs)
            visit(t, [&](NamedBytes& m, int64_t from, int64_t end) { m.read(from, end, name); });
        visit(file.descriptor.output, [&](NamedBytes& m, int64_t from, int64_t end) { m.write(from, end, name); });
    }

    static string placeOf(int64_t slot, std::size_t core, const KernelCall& call) {
        if (slot == -2) return "LX " + std::to_string(core);
        if (slot == 0 && call.hasPool) return "the pool";
        const int64_t argument = slot - (call.hasPool ? 1 : 0);
        const bool isThere = argument >= 0 && argument < static_cast<int64_t>(call.arguments.size());
        return isThere ? call.arguments[static_cast<std::size_t>(argument)] : "nowhere";
    }

    void output(std::size_t i, std::uint64_t& state) {
        readAll(bind_.outputs[i], state);
        const std::optional<ReturnedView>& view = bind_.outputViews[i];
        join(state, view ? 1 : 0);
        if (view) joinView(*view, state);
    }
};

}  // namespace

std::uint64_t namedOutputs(const LoadedBundle& bundle, const Binding& binding, const Graph& graph) {
    return ValueTracer(bundle, binding, graph).run();
}

}  // namespace memplan::sim::artefact
