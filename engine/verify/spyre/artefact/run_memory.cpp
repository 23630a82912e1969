// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/run_memory.h"

#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/bundle/resolver.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

int64_t saturating(int64_t a, int64_t b) {
    return a > kSegment ? kSegment : a * b;
}

bool placeHost(Region& r, const DeviceLayout& l, int64_t elements) {
    auto host = HostOrder::of(l, elements);
    if (!host) return false;
    r.layout = l;
    r.host = std::move(host);
    return true;
}

bool placeAmong(Region& r, const std::vector<DeviceLayout>& layouts, int64_t elements) {
    return std::any_of(layouts.begin(), layouts.end(),
                       [&](const DeviceLayout& l) { return l.wordLength() > 0 && placeHost(r, l, elements); });
}

}  // namespace

RunMemory::RunMemory(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle, const ProofOptions& options,
                     const RunControl& control, const std::unordered_set<Value>* known, std::uint64_t unknowns)
    : b_(bundle), bind_(binding), oracle_(oracle), g_(oracle.graph()), options_(options), control_(control),
      unknowns_(unknowns) {
    machine.seed = options.sim.seed;
    machine.memoryBytes = options.sim.memoryBytes;
    machine.lxBytes = options.lxBytes;
    machine.known = known;
    outcome.seed = options.sim.seed;
    makeRegions();
    host = machine.begin("the host");
}

void RunMemory::bind(const string& name, std::size_t slot) {
    base_[name] = static_cast<int64_t>(slot) * kSegment;
}

void RunMemory::makeRegions() {
    for (const KernelCall& c : bind_.calls) {
        for (const string& name : c.arguments)
            makeRegion(name);
        const auto code = b_.wrapper.kernels.find(c.kernel);
        const int64_t bytes = code == b_.wrapper.kernels.end() ? kSegment : code->second.poolBytes;
        if (c.hasPool) pool.grow(bytes);
    }
    for (const HostCall& c : bind_.hostCalls) {
        for (const auto* names : {&c.read, &c.written}) {
            for (const string& name : *names)
                makeRegion(name);
        }
    }
    for (const string& name : bind_.outputs)
        makeRegion(name);
}

/// Layouts that the wrapper names for an argument.
std::vector<DeviceLayout> RunMemory::layoutsOf(const string& name) const {
    std::vector<DeviceLayout> out;
    for (const KernelCall& c : bind_.calls) {
        const auto code = b_.wrapper.kernels.find(c.kernel);
        if (code == b_.wrapper.kernels.end()) continue;
        for (std::size_t k = 0; k < c.arguments.size(); ++k) {
            const auto layout = code->second.arguments.find(static_cast<int64_t>(k));
            if (c.arguments[k] == name && layout != code->second.arguments.end()) out.push_back(layout->second);
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.elements() > b.elements(); });
    return out;
}

int RunMemory::tensorOf(const string& name) const {
    if (const auto it = bind_.tensors.find(name); it != bind_.tensors.end()) return it->second;
    const auto at = std::find(bind_.outputs.begin(), bind_.outputs.end(), name);
    return at == bind_.outputs.end()
               ? -1
               : static_cast<int>(g_.outputs[static_cast<std::size_t>(at - bind_.outputs.begin())].at());
}

/// In the layout that kernels see. What is known by the name of a view, such as an output, may be all of its storage:
/// then no layout holds the elements of the view alone.
void RunMemory::placeTensor(Region& r, const std::vector<DeviceLayout>& layouts) {
    const auto elements = [&](int t) {
        return elementCount(g_.tensors[static_cast<std::size_t>(t)].shape).value_or(0);
    };
    if (placeAmong(r, layouts, elements(r.tensor))) return;
    const int root = bind_.origins[static_cast<std::size_t>(r.tensor)].root;
    if (placeAmong(r, layouts, elements(root))) {
        r.tensor = root;
        return;
    }
    const memplan::Tensor& t = g_.tensors[static_cast<std::size_t>(r.tensor)];
    // A layout of one tile, or one without strides, leaves the order open; another one that holds the tensor does not
    // fit it.
    const auto isOpen = [&](const DeviceLayout& l) {
        return l.strideMap.empty() || l.elements() < elements(r.tensor) || l.wordLength() == 0;
    };
    if (!std::all_of(layouts.begin(), layouts.end(), isOpen))
        outcome.skipped.push_back("the layout of " + t.id + " in the wrapper source does not hold its elements");
    if (const auto l = genericLayout(t.shape, t.dtype)) placeHost(r, *l, elements(r.tensor));
}

void RunMemory::makeRegion(const string& name) {
    if (regions_.contains(name)) return;
    Region& r = regions_[name];
    r.tensor = tensorOf(name);
    const std::vector<DeviceLayout> layouts = layoutsOf(name);
    if (r.tensor >= 0) {
        placeTensor(r, layouts);
    } else if (bind_.scalars.contains(name)) {
        placeAmong(r, layouts, 1);
    }
    if (!r.host && !layouts.empty()) r.layout = layouts.front();
    r.store = Store(name, saturating(r.layout.elements(), r.layout.wordLength()));
}

void RunMemory::provide(const string& name) {
    Region& r = regions_.at(name);
    if (r.isFilled) return;
    if (bind_.scalars.contains(name)) {
        fill(r, {0}, host);
        outcome.outside.push_back("constant " + name + ": the number 0");
        return;
    }
    if (r.tensor < 0) return;
    const auto tensor = static_cast<std::size_t>(r.tensor);
    const int producer = bind_.producers[tensor];
    const bool isSource =
        g_.tensors[static_cast<std::size_t>(bind_.origins[tensor].root)].role != TensorRole::Activation;
    const bool isOutside = producer >= 0 && (bind_.outsideOps.contains(producer) ||
                                             g_.ops[static_cast<std::size_t>(producer)].kind == OpKind::Constant);
    // With a wrapper, the operations of the host have their place in it.
    const bool isLater = bind_.written.contains(name) || (b_.hasWrapper && bind_.outsideOps.contains(producer));
    if (!isSource && (!isOutside || isLater)) return;
    if (isOutside && bind_.outsideOps.contains(producer)) {
        const Op& op = g_.ops[static_cast<std::size_t>(producer)];
        outcome.outside.push_back(op.id + " (" + op.fn + ")");
    }
    if (!r.host) return forget(name, "the layout of " + name + " is not known");
    if (isSource && isLarge(r)) {
        const StorageOrigin& origin = bind_.origins[tensor];
        const std::string& root = g_.tensors[static_cast<std::size_t>(origin.root)].id;
        fillNamed(r, keyOf(root, options_.sim.seed), origin.offset, elementCount(g_.tensors[tensor].shape).value_or(0),
                  host);
        return;
    }
    fill(r, oracle_.of(r.tensor), host);
}

/// Too large to be kept in cells, and its values follow from their places.
bool RunMemory::isLarge(const Region& r) const {
    constexpr int64_t kLargeShare = 64;
    const memplan::Tensor& root =
        g_.tensors[static_cast<std::size_t>(bind_.origins[static_cast<std::size_t>(r.tensor)].root)];
    const int64_t elements = std::max(r.layout.elements(), elementCount(root.shape).value_or(0));
    return root.value.empty() && hasStickRows(r) && elements > options_.sim.memoryBytes / kLargeShare;
}

int64_t RunMemory::offsetIn(const Region& r, TensorId tensor) const {
    if (r.tensor < 0) return 0;
    return bind_.origins[tensor.at()].offset - bind_.origins[static_cast<std::size_t>(r.tensor)].offset;
}

void RunMemory::needLayout(const string& name) {
    const auto accesses = [&](const KernelCall& c) {
        return std::find(c.arguments.begin(), c.arguments.end(), name) != c.arguments.end();
    };
    if (std::any_of(bind_.calls.begin(), bind_.calls.end(), accesses)) {
        forget(name, "the layout of " + name + " is not known");
    } else if (!regions_.at(name).isFilled) {
        Fault f;
        f.code = "VER-011";
        f.buffer = name;
        f.message = "the host needs " + name + ", which nobody wrote";
        outcome.faults.push_back(std::move(f));
    }
}

void RunMemory::forget(const string& name, string why) {
    Region& r = regions_.at(name);
    outcome.skipped.push_back(std::move(why));
    hasUnknown = true;
    r.isFilled = true;
    const int64_t width = r.layout.wordLength();
    if (width < 1) return;
    r.store.wipe();
    const auto source = [key = keyOf(name, unknowns_), event = host](int64_t stick, std::vector<Cell>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = {inputValue(key, static_cast<std::uint64_t>(stick) * kStickBytes + i), event};
    };
    r.store.setSource(source, r.store.bytes() / kStickBytes, width);
}

void RunMemory::report(const string& name, const memplan::Tensor& t, const Difference& d, const string& what) {
    if (d.missing > 0) reportMissing(name, t, d, what);
    if (d.wrong > 0) reportWrong(name, t, d, what);
}

/// A fault of `count` items of the tensor, the first of them at this element and offset in bytes of the name.
Fault& RunMemory::faultAt(const string& name, const memplan::Tensor& t, int64_t count, int64_t element,
                          int64_t offset) {
    Fault f;
    f.buffer = name;
    f.memory = "HBM";
    f.count = count;
    f.address = (base_.contains(name) ? base_.at(name) : 0) + offset;
    f.expected = elementText(t, element);
    return outcome.faults.emplace_back(std::move(f));
}

void RunMemory::reportMissing(const string& name, const memplan::Tensor& t, const Difference& d, const string& what) {
    Fault& f = faultAt(name, t, d.missingSticks, d.firstMissing, d.addressMissing);
    f.code = "VER-017";
    f.writer = "never written";
    f.kind = "order or missing op";
    f.message = text::grouped(f.count) + " sticks of " + t.id + " (" + what + ") never written, first at " +
                f.expected + ", HBM address " + text::grouped(f.address);
}

void RunMemory::reportWrong(const string& name, const memplan::Tensor& t, const Difference& d, const string& what) {
    if (!isFaulty()) firstWrong = d.found.value;
    Fault& f = faultAt(name, t, d.wrong, d.firstWrong, d.addressWrong);
    f.code = "VER-015";
    if (options_.sim.explain)
        f.found = isPadding(d.found) ? "a lane without data" : oracle_.nameOf(d.found.value, control_);
    f.writer = machine.writerOf(d.found);
    if (d.found.writer != 0) {
        f.op = machine.events[eventOf(d.found) - 1].op;
        f.loop = machine.events[eventOf(d.found) - 1].loop;
    }
    f.kind = f.found == kNoValue ? "function" : "address or stride";
    f.message = text::grouped(f.count) + " elements of " + t.id + " (" + what + ") are wrong, first at " + f.expected +
                ", HBM address " + text::grouped(f.address) + ": it holds " +
                (f.found.empty() ? "something else" : f.found) + " written by " + f.writer;
}

}  // namespace memplan::sim::artefact
