// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/value_checks.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/hints/allowed.h"
#include "engine/hints/op_order.h"
#include "engine/hints/world.h"
#include "engine/json/json_text.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace memplan::hints {
namespace {

std::string token(std::string_view key) {
    std::string out = "/";
    io::appendPointerToken(out, key);
    return out;
}

class Checker {
public:
    Checker(const KindInfo& kind, const std::vector<Scope>& scopes, const World& world)
        : kind_(kind), scopes_(scopes), world_(world) {}

    std::vector<ValueFinding> run(const Value& value) {
        switch (kind_.type) {
        case ValueType::True:
            if (expect(value, JsonKind::Bool) && !value.boolean) {
                refuse("", "false is not a value of " + std::string(kind_.key),
                       "allowed: true; disable the hint instead");
            }
            break;
        case ValueType::Bool:
            expect(value, JsonKind::Bool);
            break;
        case ValueType::Bytes:
        case ValueType::Integer:
            if (expect(value, JsonKind::Integer)) number(value.integer);
            break;
        case ValueType::Choice:
            if (expect(value, JsonKind::String)) choice(value.string);
            break;
        case ValueType::Splits:
            if (counts(value)) splits(value);
            break;
        case ValueType::Slices:
            if (counts(value)) slices(value);
            break;
        case ValueType::DimSizes:
            if (counts(value)) dimSizes(value);
            break;
        case ValueType::DimNames:
            if (strings(value, "")) dimNames(value);
            break;
        case ValueType::Groups:
            if (expect(value, JsonKind::Array)) groups(value);
            break;
        case ValueType::OpOrder:
            if (strings(value, "")) opOrder(value);
            break;
        case ValueType::OpIds:
            opIds(value, "");
            break;
        case ValueType::OperandIndices:
            if (expect(value, JsonKind::Array)) operands(value);
            break;
        case ValueType::OutputLayout:
            if (expect(value, JsonKind::Object)) outputLayout(value);
            break;
        case ValueType::ConvConfig:
            if (expect(value, JsonKind::Object)) knownKeys(value);
            break;
        case ValueType::Concurrency:
            if (expect(value, JsonKind::Object)) concurrency(value);
            break;
        }
        return std::move(found_);
    }

private:
    void refuse(std::string pointer, std::string message, std::string fix) {
        found_.push_back({false, std::move(pointer), std::move(message), std::move(fix)});
    }

    void wrongType(std::string pointer, std::string message, std::string fix) {
        found_.push_back({true, std::move(pointer), std::move(message), std::move(fix)});
    }

    [[nodiscard]] std::string allowedText() const { return "allowed: " + allowedValues(kind_, scopes_, world_).text; }

    bool expect(const Value& value, JsonKind wanted, const std::string& pointer = {}) {
        if (value.is(wanted)) return true;
        const std::string_view expected = pointer.empty() ? valueTypeText(kind_.type) : kindText(wanted);
        wrongType(pointer, "the value is " + std::string(kindText(value.type)), "expected: " + std::string(expected));
        return false;
    }

    void number(std::int64_t n) {
        const AllowedValues allowed = allowedValues(kind_, scopes_, world_);
        if (!allowed.range) return;
        const AllowedRange& r = *allowed.range;
        if (n < r.min || n > r.max) {
            refuse("", text::grouped(n) + " is outside the range", "allowed: " + allowed.text);
        } else if ((n - r.min) % r.step != 0) {
            const std::int64_t below = alignDown(n, r.step);
            const std::string above = below <= r.max - r.step ? " and " + text::grouped(below + r.step) : std::string();
            refuse("", text::grouped(n) + " is no multiple of " + std::to_string(r.step),
                   "allowed: " + allowed.text + "; nearest: " + text::grouped(below) + above);
        }
    }

    void choice(const std::string& word) {
        if (std::find(kind_.choices.begin(), kind_.choices.end(), word) != kind_.choices.end()) return;
        refuse("", text::quoted(word) + " is not allowed", allowedText());
    }

    /// Object of positive whole numbers.
    bool counts(const Value& value) {
        if (!expect(value, JsonKind::Object)) return false;
        bool ok = true;
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const std::string pointer = token(value.keys[i]);
            if (!expect(value.items[i], JsonKind::Integer, pointer)) {
                ok = false;
            } else if (value.items[i].integer < 1) {
                refuse(pointer, text::grouped(value.items[i].integer) + " is less than 1",
                       "a whole number of at least 1");
                ok = false;
            }
        }
        return ok;
    }

    void count(const AllowedDim& dim, std::int64_t n, const std::string& pointer) {
        if (std::find(dim.counts.begin(), dim.counts.end(), n) != dim.counts.end()) return;
        const bool divides = dim.adjusted % n == 0;
        const std::string size = text::grouped(dim.adjusted) + (dim.inSticks ? " sticks of " : " of ") + dim.name;
        refuse(pointer,
               divides ? text::grouped(n) + " slices of " + text::quoted(dim.name) + " are too many"
                       : size + (dim.inSticks ? " are" : " is") + " not divisible by " + text::grouped(n),
               "allowed: " + dim.text().substr(dim.text().find(": ") + 2));
    }

    [[nodiscard]] const AllowedDim* dimOf(const AllowedValues& allowed, const std::string& name) const {
        const auto it =
            std::find_if(allowed.dims.begin(), allowed.dims.end(), [&](const AllowedDim& d) { return d.name == name; });
        return it == allowed.dims.end() ? nullptr : &*it;
    }

    [[nodiscard]] bool isDeclared(const std::string& name) const {
        const auto dims = declaredDims(world_.hints);
        return std::any_of(dims.begin(), dims.end(), [&](const auto& d) { return d.first == name; });
    }

    void splits(const Value& value) {
        if (value.items.empty()) return refuse("", "no dimension is named", allowedText());
        const AllowedValues allowed = allowedValues(kind_, scopes_, world_);
        std::int64_t product = 1;
        int reductions = 0;
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const std::int64_t n = value.items[i].integer;
            product = saturatedMul(product, n);
            const AllowedDim* dim = dimOf(allowed, value.keys[i]);
            if (dim != nullptr) {
                reductions += dim->isReduction && n > 1 ? 1 : 0;
                count(*dim, n, token(value.keys[i]));
            } else if (planOpOf(scopes_, world_) != nullptr && !isDeclared(value.keys[i])) {
                refuse(token(value.keys[i]), "the operation has no loop or dimension " + text::quoted(value.keys[i]),
                       "allowed: " + allowed.text);
            }
        }
        if (product > allowed.maxProduct) {
            refuse("",
                   text::grouped(product) + " slices need as many cores, there are " +
                       text::grouped(allowed.maxProduct),
                   "allowed: a product of at most " + text::grouped(allowed.maxProduct));
        }
        if (reductions > 1) refuse("", "two reduction dimensions are cut", "allowed: at most one reduction dimension");
    }

    void slices(const Value& value) {
        if (value.items.empty()) return refuse("", "no dimension is named", allowedText());
        if (value.items.size() > 1) {
            return refuse("", std::to_string(value.items.size()) + " dimensions in one hint",
                          "allowed: one name and count; write one hint for each, the outer one first");
        }
        const AllowedValues allowed = allowedValues(kind_, scopes_, world_);
        const AllowedDim* dim = dimOf(allowed, value.keys.front());
        if (dim == nullptr) {
            return refuse(token(value.keys.front()), text::quoted(value.keys.front()) + " is no declared dimension",
                          "allowed: " + allowed.text);
        }
        count(*dim, value.items.front().integer, token(value.keys.front()));
    }

    /// No tensor has more elements than the range, so neither has a dimension.
    void dimSizes(const Value& value) {
        if (value.items.empty()) return refuse("", "no dimension is declared", "at least one name and size");
        const AllowedValues allowed = allowedValues(kind_, scopes_, world_);
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const std::int64_t n = value.items[i].integer;
            if (n <= allowed.range->max) continue;
            refuse(token(value.keys[i]), text::grouped(n) + " is outside the range", "allowed: " + allowed.text);
        }
    }

    bool strings(const Value& value, const std::string& pointer) {
        if (!expect(value, JsonKind::Array, pointer)) return false;
        bool ok = true;
        for (std::size_t i = 0; i < value.items.size(); ++i)
            ok = expect(value.items[i], JsonKind::String, pointer + "/" + std::to_string(i)) && ok;
        return ok;
    }

    /// Names are declared; their sizes multiply to the elements of an input, or stand for one output dimension each.
    void dimNames(const Value& value) {
        if (value.items.empty()) return refuse("", "no name is given", allowedText());
        const auto dims = declaredDims(world_.hints);
        std::int64_t product = 1;
        std::vector<std::string> sizes;
        bool allKnown = true;
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const std::string& name = value.items[i].string;
            const auto it = std::find_if(dims.begin(), dims.end(), [&](const auto& d) { return d.first == name; });
            if (it == dims.end()) {
                refuse("/" + std::to_string(i), text::quoted(name) + " is no declared dimension", allowedText());
                allKnown = false;
                continue;
            }
            product = saturatedMul(product, it->second);
            sizes.push_back(std::to_string(it->second));
        }
        if (!allKnown) return;
        if (const Tensor* tensor = graphTensorOf(scopes_, world_); tensor != nullptr) {
            const auto elements = elementCount(tensor->shape);
            if (elements && *elements != product) {
                refuse("",
                       text::join(sizes, " x ") + " = " + text::grouped(product) + " elements, the buffer has " +
                           text::grouped(*elements) + " (" + text::shapeText(tensor->shape) + ")",
                       "allowed: names whose sizes multiply to " + text::grouped(*elements));
            }
        }
        const Op* op = graphOpOf(scopes_, world_);
        if (op == nullptr || op->outputs.empty() || !op->outputs.front().isValid() || world_.graph == nullptr) return;
        const std::size_t rank = world_.graph->tensor(op->outputs.front()).shape.size();
        if (rank != value.items.size()) {
            refuse("", std::to_string(value.items.size()) + " names for " + std::to_string(rank) + " dimensions",
                   "allowed: one declared name for each output dimension");
        }
    }

    void ids(const Value& list, const std::string& pointer) {
        for (std::size_t i = 0; i < list.items.size(); ++i)
            knownOp(list.items[i].string, pointer + "/" + std::to_string(i));
    }

    /// Ids of operations; where those are numbers, they may be written as numbers.
    void opIds(const Value& list, const std::string& pointer) {
        if (!expect(list, JsonKind::Array, pointer)) return;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const Value& id = list.items[i];
            const std::string at = pointer + "/" + std::to_string(i);
            if (id.is(JsonKind::Integer))
                knownOp(std::to_string(id.integer), at);
            else if (expect(id, JsonKind::String, at))
                knownOp(id.string, at);
        }
    }

    /// The graph's operation of this id; nullptr when there is none. A hint may name every operation of a large graph:
    /// they are listed once.
    [[nodiscard]] const Op* opOf(const std::string& id) {
        if (world_.graph == nullptr) return nullptr;
        if (ops_.empty()) {
            for (const Op& op : world_.graph->ops)
                ops_.emplace(op.id, &op);
        }
        const auto at = ops_.find(id);
        return at == ops_.end() ? nullptr : at->second;
    }

    bool knownOp(const std::string& id, const std::string& pointer) {
        const Scope scope{ScopeKind::Op, id};
        const bool known =
            world_.subjects != nullptr ? world_.subjects->has(scope) : world_.graph == nullptr || opOf(id) != nullptr;
        if (known) return true;
        const std::string nearest = world_.subjects != nullptr ? world_.subjects->nearest(scope) : std::string();
        refuse(pointer, "there is no operation " + text::quoted(id),
               nearest.empty() ? allowedText() : "nearest: " + text::escaped(nearest));
        return false;
    }

    void groups(const Value& value) {
        for (std::size_t g = 0; g < value.items.size(); ++g) {
            const std::string pointer = "/" + std::to_string(g);
            const Value& group = value.items[g];
            if (!expect(group, JsonKind::Object, pointer)) continue;
            const Value* ops = group.find("ops");
            const Value* levels = group.find("levels");
            if (ops == nullptr || levels == nullptr) {
                wrongType(pointer, "a group needs \"ops\" and \"levels\"",
                          R"(expected: {"ops": [ids], "levels": [{"count": n, "dims": [n]}]})");
                continue;
            }
            if (strings(*ops, pointer + "/ops")) ids(*ops, pointer + "/ops");
            if (!expect(*levels, JsonKind::Array, pointer + "/levels")) continue;
            for (std::size_t l = 0; l < levels->items.size(); ++l) {
                const std::string at = pointer + "/levels/" + std::to_string(l);
                if (level(levels->items[l], at)) cutsSomething(*ops, levels->items[l], at + "/dims");
            }
        }
    }

    /// Positions that a level may name for an operation: the dimensions of its result, then those it reduces over,
    /// which the pass refuses with the reason. None without such an operation.
    [[nodiscard]] std::optional<std::int64_t> positionsOf(const Value& id) {
        const Op* op = id.is(JsonKind::String) ? opOf(id.string) : nullptr;
        if (op == nullptr || op->outputs.empty() || !op->outputs.front().isValid()) return std::nullopt;
        const auto reduced = std::count_if(op->iter.begin(), op->iter.end(),
                                           [](const IterDim& d) { return d.kind == IterKind::Reduction; });
        return static_cast<std::int64_t>(world_.graph->tensor(op->outputs.front()).shape.size()) + reduced;
    }

    /// The members of an object by key, the first of a key; none for anything else.
    [[nodiscard]] static std::unordered_map<std::string_view, const Value*> membersOf(const Value* object) {
        std::unordered_map<std::string_view, const Value*> members;
        if (object == nullptr || !object->is(JsonKind::Object)) return members;
        for (std::size_t i = 0; i < object->items.size(); ++i)
            members.emplace(object->keys[i], &object->items[i]);
        return members;
    }

    /// A level that cuts no operation repeats all of them: the plan would read and write everything `count` times.
    void cutsSomething(const Value& ops, const Value& level, const std::string& pointer) {
        const Value& dims = *level.find("dims");
        const auto others = membersOf(level.find("dims_of"));
        std::int64_t most = 0;
        for (const Value& id : ops.items) {
            const auto positions = positionsOf(id);
            if (!positions) return;
            const auto own = others.find(id.string);
            const std::vector<Value>& cut = (own != others.end() ? *own->second : dims).items;
            if (std::any_of(cut.begin(), cut.end(), [&](const Value& d) { return d.integer < *positions; })) return;
            most = std::max(most, *positions);
        }
        if (ops.items.empty() || level.find("count")->integer < 2) return;
        refuse(pointer,
               dims.items.empty()
                   ? std::string("no dimension is cut")
                   : "no operation of the group has the dimension " + text::grouped(dims.items.front().integer),
               most == 0 ? std::string("none: the results have no dimension")
                         : "allowed: positions of dimensions of the result, 0 to " + text::grouped(most - 1));
    }

    /// False when something is wrong with it.
    bool level(const Value& value, const std::string& pointer) {
        const std::size_t before = found_.size();
        levelParts(value, pointer);
        return found_.size() == before;
    }

    void levelParts(const Value& value, const std::string& pointer) {
        if (!expect(value, JsonKind::Object, pointer)) return;
        const Value* count = value.find("count");
        const Value* dims = value.find("dims");
        if (count == nullptr || dims == nullptr) {
            return wrongType(pointer, "a level needs \"count\" and \"dims\"", R"(expected: {"count": n, "dims": [n]})");
        }
        if (expect(*count, JsonKind::Integer, pointer + "/count") && count->integer < 1) {
            refuse(pointer + "/count", text::grouped(count->integer) + " is less than 1",
                   "a whole number of at least 1");
        }
        positions(*dims, pointer + "/dims");
        const Value* others = value.find("dims_of");
        if (others == nullptr || !expect(*others, JsonKind::Object, pointer + "/dims_of")) return;
        for (std::size_t i = 0; i < others->items.size(); ++i)
            positions(others->items[i], pointer + "/dims_of" + token(others->keys[i]));
    }

    void positions(const Value& dims, const std::string& pointer) {
        constexpr std::int64_t kLast = 64;  // the last that the passes read
        if (!expect(dims, JsonKind::Array, pointer)) return;
        for (std::size_t d = 0; d < dims.items.size(); ++d) {
            const std::string at = pointer + "/" + std::to_string(d);
            if (!expect(dims.items[d], JsonKind::Integer, at)) continue;
            const std::int64_t n = dims.items[d].integer;
            if (n < 0 || n > kLast) refuse(at, text::grouped(n) + " is no position of a dimension", "0 or more");
        }
    }

    void opOrder(const Value& value) {
        if (world_.graph == nullptr) return;
        std::vector<std::string> order;
        for (const Value& v : value.items)
            order.push_back(v.string);
        if (auto wrong = orderProblem(order, *world_.graph)) {
            refuse(wrong->position < 0 ? std::string() : "/" + std::to_string(wrong->position), wrong->message,
                   wrong->fix);
        }
    }

    void operands(const Value& value) {
        const AllowedValues allowed = allowedValues(kind_, scopes_, world_);
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const std::string pointer = "/" + std::to_string(i);
            if (!expect(value.items[i], JsonKind::Integer, pointer)) continue;
            const std::int64_t n = value.items[i].integer;
            if (n < allowed.range->min || n > allowed.range->max)
                refuse(pointer, "there is no operand " + text::grouped(n), "allowed: " + allowed.text);
        }
    }

    void knownKeys(const Value& value) {
        for (const std::string& key : value.keys) {
            if (std::find(kind_.choices.begin(), kind_.choices.end(), key) == kind_.choices.end())
                refuse(token(key), text::quoted(key) + " is no field", allowedText());
        }
    }

    void outputLayout(const Value& value) {
        if (value.items.empty()) refuse("", "no field is given", allowedText());
        knownKeys(value);
        static const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> kWords{
            {"buffer", {"dram", "l1", "system_memory", "l1_small", "trace"}},
            {"mem", {"interleaved", "height_sharded", "width_sharded", "block_sharded"}},
            {"page", {"row_major", "tile"}},
            {"dtype",
             {"f32", "f16", "bf16", "bfp_f8", "bfp_bf8", "bfp_f4", "bfp_bf4", "bfp_f2", "bfp_bf2", "u32", "u16", "u8",
              "si32"}}};
        for (const auto& [key, words] : kWords) {
            const Value* word = value.find(key);
            if (word == nullptr || !expect(*word, JsonKind::String, token(key))) continue;
            if (std::find(words.begin(), words.end(), word->string) != words.end()) continue;
            refuse(token(key), text::quoted(word->string) + " is not allowed",
                   "allowed: " + text::join({words.begin(), words.end()}, ", "));
        }
        const Value* grid = value.find("grid");
        if (grid == nullptr || !expect(*grid, JsonKind::Array, "/grid")) return;
        bool ok = grid->items.size() == 2;
        for (const Value& v : grid->items)
            ok = ok && v.is(JsonKind::Integer) && v.integer >= 1;
        if (!ok)
            refuse("/grid", "a grid is two whole numbers of at least 1", "allowed: [rows, columns] inside the device");
    }

    void concurrency(const Value& value) {
        const Value* k = value.find("k");
        if (k == nullptr) return wrongType("", "\"k\" is missing", "expected: {\"k\": n, \"terminals\": [ids]}");
        if (expect(*k, JsonKind::Integer, "/k") && k->integer < 1)
            refuse("/k", text::grouped(k->integer) + " is less than 1", "a whole number of at least 1");
        const Value* terminals = value.find("terminals");
        if (terminals != nullptr) opIds(*terminals, "/terminals");
        const Value* members = value.find("members");
        if (members == nullptr || !expect(*members, JsonKind::Array, "/members")) return;
        for (std::size_t i = 0; i < members->items.size(); ++i)
            opIds(members->items[i], "/members/" + std::to_string(i));
        if (terminals == nullptr || terminals->items.size() != members->items.size())
            refuse("/members", "there must be one member list for each terminal", "give as many lists as terminals");
    }

    const KindInfo& kind_;
    const std::vector<Scope>& scopes_;
    const World& world_;
    std::unordered_map<std::string_view, const Op*> ops_;  ///< of the graph by id, listed when first asked for
    std::vector<ValueFinding> found_;
};

}  // namespace

std::vector<ValueFinding> checkValueOf(const KindInfo& kind, const std::vector<Scope>& scopes, const Value& value,
                                       const World& world) {
    return Checker(kind, scopes, world).run(value);
}

}  // namespace memplan::hints
