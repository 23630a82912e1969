// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/graph/graph_fields.h"

namespace memplan::io {

namespace {

constexpr std::size_t kMaxRank = 8;
constexpr std::uint32_t kMaxValues = 4096;
constexpr FieldReader::TextRule kWord{0, 256, false};

void readShape(FieldReader& in, TapeIndex at, Tensor& t) {
    if (!in.expect(at, JsonType::Array)) return;
    if (in.tape.count(at) > kMaxRank) {
        in.error("MPG-107", at, "rank " + std::to_string(in.tape.count(at)) + " is above 8", "merge dimensions");
        return;
    }
    for (const TapeIndex c : in.tape.children(at)) {
        const int axis = static_cast<int>(t.shape.size());
        t.shape.push_back(0);
        if (in.tape.type(c) == JsonType::String) {
            if (auto s = in.string(c, {1, 64, true})) t.symbols.push_back({axis, std::move(*s)});
        } else if (const auto extent = in.integer(c, 0, kMaxExtent)) {
            t.shape.back() = *extent;
        }
    }
}

void readValue(FieldReader& in, TapeIndex at, Tensor& t) {
    if (!in.expect(at, JsonType::Array)) return;
    if (t.role != TensorRole::Constant) {
        in.error("MPG-107", at, "only a tensor of role constant has a value", "remove it or change the role");
        return;
    }
    if (in.tape.count(at) > kMaxValues) {
        in.error("MPG-110", at,
                 "the value has " + text::grouped(in.tape.count(at)) + " entries, at most 4096 are allowed",
                 "leave it out");
        return;
    }
    t.value.reserve(in.tape.count(at));
    for (const TapeIndex c : in.tape.children(at)) {
        const JsonType type = in.tape.type(c);
        if (type != JsonType::Integer && type != JsonType::Real) {
            in.error("MPG-106", c, "expected a number, found " + std::string(jsonTypeName(type)));
            continue;
        }
        t.value.push_back(in.tape.number(c));
    }
    t.valueText = in.tape.json(at);
}

void readDType(FieldReader& in, TapeIndex at, Tensor& t) {
    const auto name = in.string(at, kWord);
    if (!name) return;
    if (const auto dtype = dtypeFromName(*name)) {
        t.dtype = *dtype;
    } else {
        in.error(
            "MPG-107", at, "unknown dtype " + text::quoted(*name),
            "one of f64 f32 tf32 f16 bf16 f8e4m3 f8e5m2 f4 i64 i32 i16 i8 i4 u64 u32 u16 u8 u4 bool bfp8 bfp4 str");
    }
}

void readRole(FieldReader& in, TapeIndex at, Tensor& t) {
    const auto name = in.string(at, kWord);
    if (!name) return;
    if (const auto role = roleFromName(*name)) {
        t.role = *role;
    } else {
        in.error("MPG-107", at, "unknown role " + text::quoted(*name),
                 "one of input parameter constant state activation");
    }
}

}  // namespace

void readTensor(FieldReader& in, RawGraph& out) {
    Tensor& t = out.graph.tensors.emplace_back();
    std::string& alias = out.aliases.emplace_back();
    if (!in.expect(0, JsonType::Object)) return;
    static constexpr std::array<std::string_view, 9> kKeys = {"id",    "name",     "dtype",        "shape", "role",
                                                              "value", "alias_of", "alias_offset", "layout"};
    const auto [id, name, dtype, shape, role, value, aliasOf, aliasOffset, layout] = in.members(0, kKeys, &t.unknown);
    if (!in.require(0, {{"id", id}, {"dtype", dtype}, {"shape", shape}, {"role", role}})) return;
    t.id = in.string(id, kIdRule).value_or("");
    if (name != 0) t.name = in.string(name, {0, 1024, false}).value_or("");
    readDType(in, dtype, t);
    readShape(in, shape, t);
    readRole(in, role, t);
    if (value != 0) readValue(in, value, t);
    if (aliasOf != 0) alias = in.string(aliasOf, kIdRule).value_or("");
    if (aliasOffset != 0) t.aliasOffset = in.integer(aliasOffset, 0, INT64_MAX).value_or(0);
    if (layout != 0 && in.expect(layout, JsonType::Object)) t.layout = in.tape.json(layout);
}

}  // namespace memplan::io
