// SPDX-License-Identifier: Apache-2.0
// The values that a kind takes on its subjects, from the settings, the graph and the last plan.
#include "engine/hints/allowed.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/hints/value.h"
#include "engine/hints/world.h"

#include <algorithm>
#include <limits>
#include <map>

namespace memplan::hints {
namespace {

constexpr std::size_t kMostListed = 4096;  // entries of one drop-down

std::string numberList(const std::vector<std::int64_t>& numbers) {
    constexpr std::size_t kSpoken = 128;  // of the divisors of a hint's number there can be thousands
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(numbers.size(), kSpoken); ++i)
        parts.push_back(text::grouped(numbers[i]));
    if (numbers.size() > kSpoken)
        parts.push_back("and " + text::grouped(static_cast<std::int64_t>(numbers.size() - kSpoken)) + " more");
    return text::join(parts, ", ");
}

AllowedValues fromList(std::vector<AllowedValue> list) {
    AllowedValues out;
    std::vector<std::string> words;
    for (const AllowedValue& v : list)
        words.push_back(v.value.word() != nullptr ? *v.value.word() : v.value.json());
    out.text = text::join(words, ", ");
    out.list = std::move(list);
    return out;
}

AllowedValues yesOrNo(std::string yes, std::string no) {
    return fromList({{HintValue(true), std::move(yes)}, {HintValue(false), std::move(no)}});
}

AllowedValues booleans(std::string_view key) {
    if (key == "clone_input") return yesOrNo("always clone", "never clone");
    if (key == "lx_eligible") return yesOrNo("include", "exclude");
    if (key == "fuse") return yesOrNo("fuse", "do not fuse");
    return yesOrNo("yes", "no");
}

AllowedValues choices(const KindInfo& kind) {
    std::vector<AllowedValue> list;
    for (const std::string_view word : kind.choices)
        list.push_back({HintValue(std::string(word)), std::string(word)});
    return fromList(std::move(list));
}

AllowedValues fromRange(AllowedRange range) {
    AllowedValues out;
    const std::string step = range.step > 1 ? ", multiples of " + std::to_string(range.step) : std::string();
    out.text = range.max < range.min
                   ? std::string("none")
                   : text::grouped(range.min) + " to " + text::grouped(range.max) + " " + range.unit + step;
    const std::int64_t count = range.max < range.min ? 0 : (range.max - range.min) / range.step + 1;
    if (range.step == 1 && count > 0 && count <= 64) {
        for (std::int64_t v = range.min; v <= range.max; ++v)
            out.list.push_back({HintValue(v), text::grouped(v)});
    }
    out.range = std::move(range);
    return out;
}

/// A limit above the memory asks for nothing, and is none the less a limit.
AllowedValues addressLimits(Bytes alignment) {
    AllowedValues out;
    out.range = AllowedRange{0, alignDown(std::numeric_limits<Bytes>::max(), alignment), alignment, "bytes"};
    out.text = "0 bytes or more, multiples of " + std::to_string(alignment);
    return out;
}

AllowedValues bytes(const KindInfo& kind, const std::vector<Scope>& scopes, const World& world) {
    const Bytes alignment = figuresOf(world).alignment;
    if (kind.key == "address_limit") return addressLimits(alignment);
    const Bytes capacity = usableBytes(world);
    const PlanBuffer* buffer = planBufferOf(scopes, world);
    const Bytes size = buffer != nullptr ? buffer->sizePerCore : world.bufferBytes.value_or(0);
    const Bytes last = capacity - size;
    AllowedValues out = fromRange({0, last < 0 ? -alignment : alignDown(last, alignment), alignment, "bytes"});
    if (last < 0) {
        out.text = "none: the buffer needs " + text::grouped(size) + " B on a core, " + text::grouped(capacity) +
                   " B are usable";
    }
    return out;
}

AllowedValues integers(const KindInfo& kind, const World& world) {
    if (kind.key == "max_cores") return fromRange({1, figuresOf(world).cores, 1, "cores"});
    if (kind.key == "layer_min") {
        return fromRange({0, figuresOf(world).layers - 1, 1, "layers"});
    }
    return fromRange({-1000, 1000, 1, "steps of priority"});
}

std::vector<std::int64_t> divisorsUpTo(std::int64_t n, std::int64_t most) {
    std::vector<std::int64_t> counts;
    for (const std::int64_t d : divisors(std::max<std::int64_t>(1, n))) {
        if (d <= most) counts.push_back(d);
    }
    return counts;
}

AllowedValues fromDims(std::vector<AllowedDim> dims) {
    AllowedValues out;
    std::vector<std::string> parts;
    for (const AllowedDim& d : dims) {
        parts.push_back(d.text());
        out.names.push_back(d.name);
        for (const std::int64_t count : d.counts) {
            if (out.list.size() >= kMostListed || count == 1) continue;
            out.list.push_back({HintValue(NamedCounts{{d.name, count}}), d.name + " / " + std::to_string(count)});
        }
    }
    out.text = text::join(parts, "; ");
    out.dims = std::move(dims);
    return out;
}

/// Names that propagation gave to the output loops, when they stand one to one.
std::vector<std::string> namesOfOutputLoops(const Plan& plan, const PlanOp& op) {
    const auto at = static_cast<std::size_t>(&op - plan.ops.data());
    const auto loops = std::count_if(op.iterationSpace.begin(), op.iterationSpace.end(),
                                     [](const IterationDim& d) { return !d.isReduction; });
    std::vector<std::string> names = dimensionNamesOf(plan, OpId::of(at));
    return names.size() == static_cast<std::size_t>(loops) ? names : std::vector<std::string>{};
}

AllowedValues splits(const std::vector<Scope>& scopes, const World& world) {
    const std::int64_t cores = coresFor(scopes, world);
    const PlanOp* op = planOpOf(scopes, world);
    if (op == nullptr) {
        AllowedValues out;
        out.maxProduct = cores;
        out.text = "loops or named dimensions with counts that divide them, " + std::to_string(cores) +
                   (cores == 1 ? " core in all" : " cores in all");
        return out;
    }
    std::vector<AllowedDim> dims;
    const std::vector<std::string> names = namesOfOutputLoops(*world.plan, *op);
    std::size_t output = 0;
    for (const IterationDim& d : op->iterationSpace) {
        AllowedDim dim{d.name,     d.isReduction,       d.extent,
                       d.adjusted, d.elemsPerStick > 0, divisorsUpTo(d.adjusted, cores)};
        dims.push_back(dim);
        if (d.isReduction || names.empty()) continue;
        dim.name = names[output++];
        if (dim.name != d.name) dims.push_back(std::move(dim));
    }
    AllowedValues out = fromDims(std::move(dims));
    out.maxProduct = cores;
    if (out.dims.empty()) out.text = "none: the operation has no loop to cut";
    return out;
}

AllowedValues slices(const World& world) {
    std::vector<AllowedDim> dims;
    for (const auto& [name, size] : declaredDims(world.hints))
        dims.push_back({name, false, size, size, false, divisorsUpTo(size, size)});
    AllowedValues out = fromDims(std::move(dims));
    if (out.dims.empty()) out.text = "none: no dimension is declared; declare it with a dim_sizes hint first";
    return out;
}

AllowedValues names(std::vector<std::string> list, std::string_view whenEmpty) {
    AllowedValues out;
    constexpr std::size_t kSpoken = 12;
    std::vector<std::string> spoken(list.begin(),
                                    list.begin() + static_cast<std::ptrdiff_t>(std::min(list.size(), kSpoken)));
    out.text = list.empty() ? std::string(whenEmpty) : text::join(spoken, ", ");
    if (list.size() > kSpoken) out.text += " and " + std::to_string(list.size() - kSpoken) + " more";
    out.names = std::move(list);
    return out;
}

AllowedValues dimNames(const World& world) {
    std::vector<std::string> list;
    for (const auto& [name, size] : declaredDims(world.hints))
        list.push_back(name);
    return names(std::move(list), "none: no dimension is declared; declare it with a dim_sizes hint first");
}

AllowedValues opIds(const World& world) {
    if (world.subjects != nullptr) return names(world.subjects->ids(ScopeKind::Op), "none");
    return names(world.graph != nullptr ? Subjects(*world.graph).ids(ScopeKind::Op) : std::vector<std::string>{},
                 "none");
}

AllowedValues operands(const std::vector<Scope>& scopes, const World& world) {
    const Op* op = graphOpOf(scopes, world);
    if (op == nullptr) return fromRange({0, 63, 1, "operand"});
    return fromRange({0, static_cast<std::int64_t>(op->inputs.size()) - 1, 1, "operand"});
}

}  // namespace

std::string AllowedDim::text() const {
    const std::string size =
        inSticks ? text::grouped(adjusted) + (adjusted == 1 ? " stick" : " sticks") : text::grouped(adjusted);
    return name + " (" + size + (isReduction ? ", reduced" : "") + "): " + numberList(counts);
}

NamedCounts declaredDims(std::span<const Hint> hints) {
    std::vector<std::pair<std::string, std::int64_t>> out;
    for (const Hint& h : hints) {
        if (!h.enabled || h.key != "dim_sizes") continue;
        // Of a value with sizes that are none, those that are some count.
        const io::JsonValue& sizes = h.value.tree();
        for (std::size_t i = 0; i < sizes.keys.size(); ++i) {
            if (!sizes.items[i].is(io::JsonType::Integer) || sizes.items[i].integer < 1) continue;
            const auto known = std::ranges::find(out, sizes.keys[i], &NamedCounts::value_type::first);
            if (known != out.end()) {
                known->second = sizes.items[i].integer;
            } else {
                out.emplace_back(sizes.keys[i], sizes.items[i].integer);
            }
        }
    }
    return out;
}

AllowedValues allowedValues(const KindInfo& kind, const std::vector<Scope>& scopes, const World& world) {
    switch (kind.type) {
    case ValueType::True:
        return fromList({{HintValue(true), "yes"}});
    case ValueType::Bool:
        return booleans(kind.key);
    case ValueType::Bytes:
        return bytes(kind, scopes, world);
    case ValueType::Integer:
        return integers(kind, world);
    case ValueType::Choice:
        return choices(kind);
    case ValueType::Splits:
        return splits(scopes, world);
    case ValueType::Slices:
        return slices(world);
    case ValueType::DimSizes:
        return fromRange({1, std::int64_t{1} << 48, 1, "elements"});
    case ValueType::DimNames:
        return dimNames(world);
    case ValueType::Groups:
    case ValueType::OpOrder:
    case ValueType::OpIds:
    case ValueType::Concurrency:
        return opIds(world);
    case ValueType::OperandIndices:
        return operands(scopes, world);
    case ValueType::OutputLayout:
    case ValueType::ConvConfig:
        break;
    }
    return names({kind.choices.begin(), kind.choices.end()}, "none");
}

}  // namespace memplan::hints
