// SPDX-License-Identifier: Apache-2.0
// StableHLO operations as TTIR operations.
#include "engine/ttnn/layout/attribute_text.h"
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/stablehlo_windows.h"
#include "engine/ttnn/lower/steps.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

/// Operations that differ in nothing but the name.
const std::unordered_map<std::string_view, std::string_view>& sameMeaning() {
    static const std::unordered_map<std::string_view, std::string_view> kNames{
        {"add", "add"},
        {"subtract", "subtract"},
        {"multiply", "multiply"},
        {"divide", "div"},
        {"maximum", "maximum"},
        {"minimum", "minimum"},
        {"power", "pow"},
        {"remainder", "remainder"},
        {"exponential", "exp"},
        {"log", "log"},
        {"sqrt", "sqrt"},
        {"rsqrt", "rsqrt"},
        {"cbrt", "cbrt"},
        {"negate", "neg"},
        {"abs", "abs"},
        {"sign", "sign"},
        {"cosine", "cos"},
        {"sine", "sin"},
        {"tan", "tan"},
        {"tanh", "tanh"},
        {"floor", "floor"},
        {"ceil", "ceil"},
        {"logistic", "sigmoid"},
        {"exponential_minus_one", "expm1"},
        {"log_plus_one", "log1p"},
        {"is_finite", "isfinite"},
        {"select", "where"},
        {"convert", "typecast"},
        {"constant", "constant"},
        {"round_nearest_even", "round"},
        {"round_nearest_afz", "round"},
        {"shift_left", "logical_left_shift"},
        {"shift_right_logical", "logical_right_shift"},
        {"atan2", "atan2"},
        // Of CHLO.
        {"erf", "erf"},
        {"erfc", "erfc"},
        {"sinh", "sinh"},
        {"cosh", "cosh"},
        {"asin", "asin"},
        {"acos", "acos"},
        {"atan", "atan"},
        {"asinh", "asinh"},
        {"acosh", "acosh"},
        {"atanh", "atanh"},
        {"square", "square"},
    };
    return kNames;
}

std::string word(const std::string* text) {
    return text == nullptr ? std::string() : *text;
}

/// "lhs_batching_dimensions = [0, 1]" out of the dot attribute, as an array.
std::optional<Shape> dimensionsIn(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return Shape{};
    const std::size_t open = text.find('[', at), close = text.find(']', at);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    return integersOf(text.substr(open, close - open + 1));
}

class StableHlo {
public:
    explicit StableHlo(Function& function) : function_(function) {}

    void run() {
        for (const OperationId id : std::exchange(function_.order, {})) {
            useResolved(id);
            if (passesOn(function_.operation(id))) {
                passOn(id);
                continue;
            }
            if (isOurs(function_.operation(id).name)) convert(id);
            function_.order.push_back(id);
        }
        for (ValueId& value : function_.returned)
            value = resolved(value);
        dropUnreadInitials();
    }

private:
    static bool isOurs(std::string_view name) {
        return name.starts_with("stablehlo.") || name.starts_with("chlo.") || name == "sdy.constant";
    }

    /// Says something about its operands and gives them on as they are: how they are shared out among devices, which
    /// arguments they are, that nothing may move past it.
    static bool passesOn(const Operation& op) {
        if (op.operands.empty() || op.operands.size() != op.results.size()) return false;
        if (op.name == "stablehlo.optimization_barrier" || op.name == "sdy.sharding_constraint") return true;
        if (op.name != "stablehlo.custom_call") return false;
        const std::string* target = op.find("call_target_name");
        const std::string name = target == nullptr ? std::string() : stringOf(*target).value_or(*target);
        return name == "Sharding" || name == "tt.mark_argument" || name == "tt.sharding_constraint";
    }

    void passOn(OperationId id) {
        for (std::size_t i = 0; i < at(id).results.size(); ++i)
            instead_[at(id).results[i].index] = at(id).operands[i];
    }

    [[nodiscard]] ValueId resolved(ValueId value) const {
        const auto it = instead_.find(value.index);
        return it == instead_.end() ? value : it->second;
    }

    void useResolved(Operation& op) {
        for (ValueId& operand : op.operands)
            operand = resolved(operand);
        for (Region& region : op.regions)
            for (Region::Block& block : region.blocks)
                for (Operation& inner : block.operations)
                    useResolved(inner);
    }
    void useResolved(OperationId id) {
        if (!instead_.empty()) useResolved(at(id));
    }

    /// What a reduction begins with is part of its kind now.
    void dropUnreadInitials() {
        if (initials_.empty()) return;
        const Uses uses = usesOf(function_);
        filterOrder(function_, [&](OperationId id) {
            const bool isInitial = initials_.contains(id.index);
            return !isInitial || !uses[function_.resultOf(id).at()].empty();
        });
    }

    /// Leaves an operation as it is where something about it is not understood.
    void convert(OperationId id) {
        const std::string kind(function_.operation(id).kind());
        if (const auto it = sameMeaning().find(kind); it != sameMeaning().end()) return rename(id, it->second);
        if (kind == "and" || kind == "or" || kind == "xor" || kind == "not") return logical(id, kind);
        if (kind == "compare") return compare(id);
        if (kind == "reshape") return reshape(id);
        if (kind == "transpose") return rename(id, "permute");
        if (kind == "concatenate") return renamed(id, "concat", "dimension", "dim");
        if (kind == "slice") return slice(id);
        if (kind == "broadcast_in_dim") return broadcast(id);
        if (kind == "dot_general") return dotGeneral(id);
        if (kind == "dot") return dot(id);
        if (kind == "reduce") return reduce(id);
        if (kind == "iota") return iota(id);
        if (kind == "clamp") return clamp(id);
        if (kind == "pad") return pad(id);
        if (kind == "convolution") return imageConvolution(function_, id);
        if (kind == "reduce_window") return pool(id);
        if (kind == "batch_norm_inference") return renamed(id, "batch_norm_inference", "feature_index", "dimension");
        constexpr std::string_view kBroadcast = "broadcast_";
        if (!kind.starts_with(kBroadcast) || !at(id).name.starts_with("chlo.")) return;
        const auto it = sameMeaning().find(std::string_view(kind).substr(kBroadcast.size()));
        if (it != sameMeaning().end()) rename(id, it->second);
    }

    Operation& at(OperationId id) { return function_.operation(id); }
    const Type& resultType(OperationId id) { return function_.typeOf(function_.resultOf(id)); }
    const Type& operandType(OperationId id, std::size_t i) { return function_.typeOf(at(id).operands[i]); }
    bool has(OperationId id, std::size_t operands) {
        return at(id).operands.size() == operands && at(id).results.size() == 1 && resultType(id).isTensor;
    }

    void rename(OperationId id, std::string_view kind) { at(id).name = "ttir." + std::string(kind); }

    void renamed(OperationId id, std::string_view kind, std::string_view property, std::string_view as) {
        const auto value = integerOf(word(at(id).find(property)));
        if (!value) return;
        removeAttribute(at(id).properties, property);
        setAttribute(at(id).properties, as, std::to_string(*value) + " : si32");
        rename(id, kind);
    }

    /// On truth values they are logical, on integers bitwise.
    void logical(OperationId id, const std::string& kind) {
        if (at(id).results.size() != 1) return;
        const bool isTruth = resultType(id).element == "i1";
        rename(id, (isTruth ? "logical_" : "bitwise_") + kind);
    }

    void compare(OperationId id) {
        const std::string text = word(at(id).find("comparison_direction"));
        for (const auto& [direction, kind] :
             {std::pair{"EQ", "eq"}, {"NE", "ne"}, {"LT", "lt"}, {"LE", "le"}, {"GT", "gt"}, {"GE", "ge"}}) {
            if (text.find(std::string("direction ") + direction) == std::string::npos) continue;
            at(id).properties.clear();
            return rename(id, kind);
        }
    }

    void reshape(OperationId id) {
        if (!has(id, 1)) return;
        setAttribute(at(id).properties, "shape", listText(resultType(id).shape));
        rename(id, "reshape");
    }

    void slice(OperationId id) {
        const auto begins = integersOf(word(at(id).find("start_indices")));
        const auto ends = integersOf(word(at(id).find("limit_indices")));
        const auto steps = integersOf(word(at(id).find("strides")));
        if (!begins || !ends || !steps) return;
        at(id).properties = {{"begins", listText(*begins)}, {"ends", listText(*ends)}, {"step", listText(*steps)}};
        rename(id, "slice_static");
    }

    /// A reshape that puts sizes of 1 where the new dimensions are, then a broadcast; either only if it does something.
    void broadcast(OperationId id) {
        const auto dims = integersOf(word(at(id).find("broadcast_dimensions")));
        if (!dims || !has(id, 1) || dims->size() != operandType(id, 0).shape.size()) return;
        const Shape wide = resultType(id).shape;
        Shape narrow(wide.size(), 1);
        std::int64_t last = -1;
        for (std::size_t i = 0; i < dims->size(); ++i) {
            const std::int64_t d = (*dims)[i];
            if (d <= last || d >= static_cast<std::int64_t>(wide.size())) return;
            narrow[static_cast<std::size_t>(d)] = operandType(id, 0).shape[i];
            last = d;
        }
        Shape times;
        for (std::size_t i = 0; i < wide.size(); ++i) {
            if (narrow[i] != wide[i] && narrow[i] != 1) return;
            times.push_back(narrow[i] == wide[i] ? 1 : wide[i]);
        }
        if (narrow == wide) {
            at(id).properties = {{"shape", listText(wide)}};
            return rename(id, "reshape");
        }
        if (narrow != operandType(id, 0).shape) at(id).operands[0] = reshaped(id, narrow);
        at(id).properties = {{"broadcast_dimensions", array64Text(times)}};
        rename(id, "broadcast");
    }

    /// A reshape of operand 0 before the operation.
    ValueId reshaped(OperationId before, const Shape& shape) {
        Operation helper;
        helper.name = "ttir.reshape";
        helper.operands = {at(before).operands[0]};
        helper.results = {function_.addValue(tensorType(shape, operandType(before, 0).element))};
        helper.properties = {{"shape", listText(shape)}};
        helper.location = withSuffix(at(before).location, "_reshape");
        const ValueId result = helper.results.front();
        function_.order.push_back(function_.addOperation(std::move(helper)));
        return result;
    }

    void setDot(OperationId id, const Shape& batchL, const Shape& batchR, const Shape& contractL,
                const Shape& contractR) {
        at(id).properties = {{"batch_dims_lhs", array64Text(batchL)},
                             {"batch_dims_rhs", array64Text(batchR)},
                             {"contract_dims_lhs", array64Text(contractL)},
                             {"contract_dims_rhs", array64Text(contractR)}};
        rename(id, "dot_general");
    }

    void dotGeneral(OperationId id) {
        const std::string text = word(at(id).find("dot_dimension_numbers"));
        const auto bl = dimensionsIn(text, "lhs_batching_dimensions"),
                   br = dimensionsIn(text, "rhs_batching_dimensions");
        const auto cl = dimensionsIn(text, "lhs_contracting_dimensions");
        const auto cr = dimensionsIn(text, "rhs_contracting_dimensions");
        if (bl && br && cl && cr) setDot(id, *bl, *br, *cl, *cr);
    }

    void dot(OperationId id) {
        if (!has(id, 2) || operandType(id, 0).shape.empty() || operandType(id, 1).shape.empty()) return;
        setDot(id, {}, {}, {static_cast<std::int64_t>(operandType(id, 0).shape.size()) - 1}, {0});
    }

    void reduce(OperationId id) {
        const auto dims = integersOf(word(at(id).find("dimensions")));
        if (!dims || !has(id, 2) || at(id).regions.size() != 1 || at(id).regions[0].blocks.size() != 1) return;
        const auto& body = at(id).regions[0].blocks[0].operations;
        if (body.size() != 2 || body[0].operands.size() != 2) return;
        const bool isTruth = resultType(id).element == "i1";
        for (const auto& [inner, kind] : {std::pair<std::string_view, std::string_view>{"add", "sum"},
                                          {"maximum", "max"},
                                          {"minimum", "min"},
                                          {"multiply", "prod"},
                                          {"or", "reduce_or"},
                                          {"and", "reduce_and"}}) {
            const bool needsTruth = inner == "or" || inner == "and";
            if (!body[0].is(inner) || (needsTruth && !isTruth)) continue;
            takeInitial(at(id).operands.back());
            at(id).operands.pop_back();
            at(id).regions.clear();
            at(id).properties = {{"dim_arg", listText(*dims)}, {"keep_dim", "false"}};
            return rename(id, kind);
        }
    }

    void takeInitial(ValueId value) {
        const OperationId producer = function_.value(value).producer;
        if (producer.isValid() && at(producer).is("constant")) initials_.insert(producer.index);
    }

    /// Bounds of one value each are numbers of the operation; else all three have one shape.
    void clamp(OperationId id) {
        if (!has(id, 3)) return;
        const auto least = splatOf(function_, at(id).operands[0]), most = splatOf(function_, at(id).operands[2]);
        if (least && most) {
            for (const std::size_t i : {std::size_t{0}, std::size_t{2}})
                takeInitial(at(id).operands[i]);
            at(id).operands = {at(id).operands[1]};
            at(id).properties = {{"max", numberText(*most)}, {"min", numberText(*least)}};
            return rename(id, "clamp_scalar");
        }
        if (operandType(id, 0).shape != resultType(id).shape || operandType(id, 2).shape != resultType(id).shape)
            return;
        at(id).operands = {at(id).operands[1], at(id).operands[0], at(id).operands[2]};
        rename(id, "clamp_tensor");
    }

    static std::string numberText(double value) {
        std::array<char, 40> text{};
        std::snprintf(text.data(), text.size(), "%.8e : f32", value);
        return text.data();
    }

    /// Edges of one value; what lies between elements is not padding there.
    void pad(OperationId id) {
        const auto low = integersOf(word(at(id).find("edge_padding_low")));
        const auto high = integersOf(word(at(id).find("edge_padding_high")));
        const auto between = integersOf(word(at(id).find("interior_padding")));
        if (!has(id, 2) || !low || !high || !between || low->size() != high->size()) return;
        const auto value = splatOf(function_, at(id).operands[1]);
        Shape sides;
        for (std::size_t i = 0; i < low->size(); ++i) {
            if ((*low)[i] < 0 || (*high)[i] < 0) return;
            sides.push_back((*low)[i]);
            sides.push_back((*high)[i]);
        }
        if (!value || std::ranges::any_of(*between, [](std::int64_t n) { return n != 0; })) return;
        takeInitial(at(id).operands[1]);
        at(id).operands.pop_back();
        at(id).properties = {{"padding", array32Text(sides)}, {"value", numberText(*value)}};
        rename(id, "pad");
    }

    void pool(OperationId id) {
        const ValueId initial = at(id).operands.empty() ? ValueId{} : at(id).operands.back();
        imagePool(function_, id);
        if (at(id).is("max_pool2d")) takeInitial(initial);
    }

    void iota(OperationId id) {
        const auto dim = integerOf(word(at(id).find("iota_dimension")));
        if (!dim || !has(id, 0)) return;
        const auto along = dimensionOf(*dim, resultType(id).shape.size());
        if (!along) return;
        at(id).properties = {{"arange_dimension", std::to_string(*dim) + " : i64"},
                             {"end", std::to_string(resultType(id).shape[*along]) + " : si64"},
                             {"start", "0 : si64"},
                             {"step", "1 : si64"}};
        rename(id, "arange");
    }

    Function& function_;
    std::unordered_map<std::int32_t, ValueId> instead_;  ///< results of what only gives on
    std::set<std::int32_t> initials_;                    ///< constants that became part of what read them
};

}  // namespace

void stableHloToTtir(Function& function) {
    StableHlo(function).run();
}

}  // namespace memplan::ttnn::lower
