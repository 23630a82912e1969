// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/transform.h"

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/layout/layout_attribute.h"
#include "engine/ttnn/options/config_text.h"
#include "engine/ttnn/transform/memory_config.h"
#include "engine/ttnn/transform/order.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace memplan::ttnn {
namespace {

constexpr std::array<std::string_view, 5> kKindWords{"forced", "override", "proactive", "spill", "to_l1_interleaved"};

bool isQuantised(const std::string& element) {
    return element.starts_with("!quant");
}

/// Element type as MLIR writes it for a scalar type; block floats exist as tiles only.
std::string elementText(DataType type) {
    const std::string_view word = elementWord(type);
    if (!word.starts_with("bfp")) return std::string(word);
    return "!ttcore.tile<32x32, " + std::string(word) + ">";
}

void setLayout(Type& type, Layout layout) {
    if (type.dtype != layout.dtype && !isQuantised(type.element)) {
        type.dtype = layout.dtype;
        type.element = elementText(layout.dtype);
    }
    type.layout = std::move(layout);
}

/// Location of an inserted operation: the name of its neighbour with a suffix, around the neighbour's own location.
Location suffixed(const Location& neighbour, std::string_view nameless, std::string_view suffix) {
    Location location;
    location.name = neighbour.name.empty() ? std::string(nameless) : neighbour.name;
    location.name += suffix;
    location.text = "\"" + location.name + "\"";
    if (!neighbour.text.empty()) location.text += "(" + neighbour.text + ")";
    return location;
}

Location suffixed(const Operation& neighbour, std::string_view suffix) {
    return suffixed(neighbour.location, neighbour.kind(), suffix);
}

void replaceInRegions(std::vector<Region>& regions, ValueId from, ValueId to) {
    for (Region& region : regions)
        for (Region::Block& block : region.blocks)
            for (Operation& op : block.operations) {
                std::replace(op.operands.begin(), op.operands.end(), from, to);
                replaceInRegions(op.regions, from, to);
            }
}

/// Writes the attributes of a kernel.
struct AttributeSetter {
    Operation& op;

    void operator()(const std::monostate&) const {}
    void operator()(const Conv2dAttrs& attrs) const {
        if (attrs.config) set("conv2d_config", attributeText(*attrs.config));
        if (attrs.compute) set("compute_config", attributeText(*attrs.compute));
    }
    void operator()(const Conv3dAttrs& attrs) const {
        if (attrs.config) set("conv3d_config", attributeText(*attrs.config));
        if (attrs.compute) set("compute_config", attributeText(*attrs.compute));
    }
    void operator()(const MatmulAttrs& attrs) const {
        if (attrs.program)
            set("matmul_program_config", attributeText(*attrs.program));
        else
            removeAttribute(op.properties, "matmul_program_config");
        if (attrs.compute) set("compute_config", attributeText(*attrs.compute));
        if (attrs.program && attrs.program->fusedActivation) removeAttribute(op.properties, "activation");
    }

private:
    void set(std::string_view name, std::string text) const { setAttribute(op.properties, name, std::move(text)); }
};

class Transformer {
public:
    Transformer(const Function& function, const Solution& solution, const Device& device, const Options& options)
        : solution_(solution), device_(device), options_(options) {
        result_.function = function;
        result_.configs.resize(function.operations.size());
    }

    Transformed run() {
        f().order = transformedOrder(f(), solution_.schedule);
        uses_ = usesOf(f());
        before_.resize(f().operations.size());
        behind_.resize(f().operations.size());
        position_.assign(f().operations.size(), -1);
        for (std::size_t i = 0; i < f().order.size(); ++i)
            position_[f().order[i].at()] = static_cast<Step>(i);
        for (const OperationId id : f().order)
            if (const auto& config = solution_.configs[id.at()]) applyConfig(result_, id, *config);
        if (options_.memreconfig) insertReshards();
        for (const OperationId id : inOrder(solution_.spillToDram))
            spill(id, ConversionKind::Spill);
        for (const OperationId id : inOrder(solution_.spillToL1))
            spill(id, ConversionKind::ToL1);
        spillReturned();
        rebuildOrder();
        updateFunctionTypes(f());
        return std::move(result_);
    }

private:
    Function& f() { return result_.function; }
    const Layout* layoutOf(ValueId value) {
        const Type& type = f().typeOf(value);
        return type.layout ? &*type.layout : nullptr;
    }

    void insertReshards();
    void insertReshard(const Reshard& reshard);
    [[nodiscard]] Layout reshardLayout(const Reshard& reshard, ValueId value);
    void spill(OperationId id, ConversionKind kind);
    void joinClosestReshard(OperationId producer, ValueId value);
    void spillReturned();
    void rebuildOrder();

    OperationId addConversion(ValueId from, Layout to, Location location);
    [[nodiscard]] Location locationOfSpill(ValueId value) const;
    void rewire(const Use& use, ValueId from, ValueId to);
    [[nodiscard]] bool isDirect(const Use& use) const {
        if (!solution_.directUses) return false;
        return std::find(solution_.directUses->begin(), solution_.directUses->end(), use) !=
               solution_.directUses->end();
    }
    [[nodiscard]] std::vector<OperationId> inOrder(std::vector<OperationId> ops) const {
        std::sort(ops.begin(), ops.end(),
                  [this](OperationId a, OperationId b) { return position_[a.at()] < position_[b.at()]; });
        ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
        return ops;
    }

    const Solution& solution_;
    const Device& device_;
    const Options& options_;
    Transformed result_;
    Uses uses_;  ///< of the input's values, kept up to date for reshards
    std::vector<Step> position_;
    // By operation of the input: what was inserted right before and right behind it.
    std::vector<std::vector<OperationId>> before_, behind_;
    std::vector<OperationId> atReturn_;
};

OperationId Transformer::addConversion(ValueId from, Layout to, Location location) {
    const Layout* source = layoutOf(from);
    const bool keepsPage = source && source->page == to.page;
    Operation op = conversionOf(from, to, options_.conversionOpAuto && keepsPage ? "to_memory_config" : "to_layout");
    op.location = std::move(location);
    Type type = f().typeOf(from);
    OpConfig config;
    config.output = to;
    setLayout(type, std::move(to));
    op.results = {f().addValue(std::move(type))};
    const OperationId id = f().addOperation(std::move(op));
    uses_.resize(f().values.size());
    result_.configs.push_back(std::move(config));
    return id;
}

void Transformer::rewire(const Use& use, ValueId from, ValueId to) {
    if (!use.user.isValid())
        f().returned[static_cast<std::size_t>(use.operand)] = to;
    else if (use.operand < 0)
        replaceInRegions(f().operation(use.user).regions, from, to);
    else
        f().operation(use.user).operands[static_cast<std::size_t>(use.operand)] = to;
}

Layout Transformer::reshardLayout(const Reshard& reshard, ValueId value) {
    const Layout& source = *layoutOf(value);
    const ValueId result = f().resultOf(reshard.consumer);
    const bool isOwn = reshard.candidates.empty() || reshard.origin == ReshardOrigin::Override;
    if (isOwn && result.isValid() && layoutOf(result)) {
        const Layout& like = *layoutOf(result);
        return makeLayout(f().typeOf(value).shape, {source.dtype, like.page, like.buffer, like.mem, like.grid},
                          device_);
    }
    for (const Layout& candidate : reshard.candidates)
        if (candidate.page == source.page) return candidate;
    return reshard.candidates.empty() ? source : reshard.candidates.front();
}

void Transformer::insertReshards() {
    std::vector<Reshard> reshards = solution_.reshards;
    std::stable_sort(reshards.begin(), reshards.end(), [this](const Reshard& a, const Reshard& b) {
        const Step x = position_[a.consumer.at()], y = position_[b.consumer.at()];
        return x != y ? x < y : a.operand < b.operand;
    });
    for (const Reshard& reshard : reshards)
        insertReshard(reshard);
}

void Transformer::insertReshard(const Reshard& reshard) {
    const auto operand = static_cast<std::size_t>(reshard.operand);
    const ValueId value = f().operation(reshard.consumer).operands[operand];
    if (!layoutOf(value)) return;
    Layout target = reshardLayout(reshard, value);
    target.ignorePhysicalLayout = false;
    Conversion conversion;
    conversion.kind = static_cast<ConversionKind>(reshard.origin);
    conversion.value = value;
    conversion.consumer = reshard.consumer;
    conversion.operand = reshard.operand;
    const OperationId producer = f().value(value).producer;
    auto& uses = uses_[value.at()];
    if (producer.isValid() && f().operation(producer).is("to_layout") && uses.size() == 1) {
        conversion.op = producer;
        conversion.isInPlace = true;
        result_.configs[producer.at()].output = target;
        setLayout(f().value(value).type, std::move(target));
        result_.conversions.push_back(conversion);
        return;
    }
    conversion.op = addConversion(value, std::move(target), suffixed(f().operation(reshard.consumer), "_mem_reconfig"));
    std::erase(uses_[value.at()], Use{reshard.consumer, reshard.operand});
    f().operation(reshard.consumer).operands[operand] = f().resultOf(conversion.op);
    before_[reshard.consumer.at()].push_back(conversion.op);
    result_.conversions.push_back(conversion);
}

void Transformer::spill(OperationId id, ConversionKind kind) {
    const ValueId value = f().resultOf(id);
    if (!value.isValid() || !layoutOf(value)) return;
    const Layout own = *layoutOf(value);
    const auto& shape = f().typeOf(value).shape;
    const bool toDram = kind == ConversionKind::Spill;
    Layout target = toDram ? dramInterleaved(shape, own, device_) : l1Interleaved(shape, own, device_);
    if (target == own || own.isInDram()) return;
    Conversion conversion;
    conversion.kind = kind;
    conversion.value = value;
    conversion.op =
        addConversion(value, std::move(target), suffixed(f().operation(id), toDram ? "_spill" : "_to_l1_interleaved"));
    const ValueId copy = f().resultOf(conversion.op);
    for (const Use& use : uses_[value.at()])
        if (!toDram || !isDirect(use)) rewire(use, value, copy);
    for (const Conversion& reshard : result_.conversions)
        if (isReshard(reshard.kind) && reshard.value == value && !reshard.isInPlace &&
            !(toDram && isDirect({reshard.consumer, reshard.operand})))
            f().operation(reshard.op).operands.front() = copy;
    behind_[id.at()].push_back(conversion.op);
    result_.conversions.push_back(conversion);
    if (toDram && !solution_.directUses) joinClosestReshard(id, value);
}

/// Of the reshards that hang on a spilled value the closest reads it from L1, or is not needed at all.
void Transformer::joinClosestReshard(OperationId producer, ValueId value) {
    auto closest = result_.conversions.end();
    for (auto it = result_.conversions.begin(); it != result_.conversions.end(); ++it) {
        if (!isReshard(it->kind) || it->value != value || it->isInPlace) continue;
        if (closest == result_.conversions.end() || position_[it->consumer.at()] < position_[closest->consumer.at()])
            closest = it;
    }
    if (closest == result_.conversions.end()) return;
    Operation& reshard = f().operation(closest->op);
    if (*layoutOf(reshard.results.front()) != *layoutOf(f().resultOf(producer))) {
        reshard.operands.front() = value;
        return;
    }
    f().operation(closest->consumer).operands[static_cast<std::size_t>(closest->operand)] = value;
    std::erase(before_[closest->consumer.at()], closest->op);
    result_.conversions.erase(closest);
}

Location Transformer::locationOfSpill(ValueId value) const {
    const Value& spilled = result_.function.value(value);
    if (spilled.producer.isValid()) return suffixed(result_.function.operation(spilled.producer), "_spill");
    return suffixed(spilled.location, "arg" + std::to_string(spilled.argument), "_spill");
}

/// Arguments too: one that arrives in L1 and is returned is copied.
void Transformer::spillReturned() {
    for (std::size_t k = 0; k < f().returned.size(); ++k) {
        const ValueId value = f().returned[k];
        if (!layoutOf(value) || !layoutOf(value)->isInL1()) continue;
        Layout target = dramInterleaved(f().typeOf(value).shape, *layoutOf(value), device_);
        Conversion conversion;
        conversion.kind = ConversionKind::Spill;
        conversion.value = value;
        conversion.op = addConversion(value, std::move(target), locationOfSpill(value));
        std::replace(f().returned.begin(), f().returned.end(), value, f().resultOf(conversion.op));
        atReturn_.push_back(conversion.op);
        result_.conversions.push_back(conversion);
    }
}

void Transformer::rebuildOrder() {
    std::vector<OperationId> order;
    order.reserve(f().operations.size());
    for (const OperationId id : f().order) {
        order.insert(order.end(), before_[id.at()].begin(), before_[id.at()].end());
        order.push_back(id);
        order.insert(order.end(), behind_[id.at()].begin(), behind_[id.at()].end());
    }
    order.insert(order.end(), atReturn_.begin(), atReturn_.end());
    f().order = std::move(order);
    std::vector<std::size_t> rank(f().operations.size(), 0);
    for (std::size_t i = 0; i < f().order.size(); ++i)
        rank[f().order[i].at()] = i;
    std::stable_sort(result_.conversions.begin(), result_.conversions.end(),
                     [&](const Conversion& a, const Conversion& b) { return rank[a.op.at()] < rank[b.op.at()]; });
}

}  // namespace

std::string_view wordOf(ConversionKind kind) {
    return kKindWords[static_cast<std::size_t>(kind)];
}

Transformed transformGraph(const Function& function, const Solution& solution, const Device& device,
                           const Options& options) {
    return Transformer(function, solution, device, options).run();
}

void applyConfig(Transformed& transformed, OperationId id, const OpConfig& config) {
    Operation& op = transformed.function.operation(id);
    transformed.configs[id.at()] = config;
    const ValueId result = transformed.function.resultOf(id);
    if (result.isValid() && config.output) {
        setLayout(transformed.function.value(result).type, *config.output);
        if (op.find("memory_config")) setAttribute(op.properties, "memory_config", memoryConfigText(*config.output));
    }
    std::visit(AttributeSetter{op}, config.attrs);
}

void updateFunctionTypes(Function& function) {
    for (std::size_t k = 0; k < function.returned.size() && k < function.resultTypes.size(); ++k)
        function.resultTypes[k] = function.typeOf(function.returned[k]);
}

}  // namespace memplan::ttnn
