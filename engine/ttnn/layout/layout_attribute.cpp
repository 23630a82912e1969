// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/layout/layout_attribute.h"

#include "engine/ttnn/layout/attribute_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace memplan::ttnn {
namespace {

using Parts = std::vector<std::string_view>;

constexpr std::array<std::pair<std::string_view, DataType>, 24> kElements{{
    {"f32", DataType::F32},        {"f16", DataType::F16},        {"bf16", DataType::BF16},
    {"ui32", DataType::U32},       {"ui16", DataType::U16},       {"ui8", DataType::U8},
    {"si32", DataType::Si32},      {"i1", DataType::Bool},        {"bfp_f8", DataType::BfpF8},
    {"bfp_bf8", DataType::BfpBf8}, {"bfp_f4", DataType::BfpF4},   {"bfp_bf4", DataType::BfpBf4},
    {"bfp_f2", DataType::BfpF2},   {"bfp_bf2", DataType::BfpBf2}, {"u32", DataType::U32},
    {"u16", DataType::U16},        {"u8", DataType::U8},          {"f64", DataType::F32},
    {"i32", DataType::Si32},       {"i64", DataType::Si32},       {"si64", DataType::Si32},
    {"ui64", DataType::U32},       {"i16", DataType::U16},        {"i8", DataType::U8},
}};

std::optional<std::int32_t> coordinateOf(std::string_view text) {
    const auto number = wholeNumberOf(trimmed(text));
    if (!number || *number > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return static_cast<std::int32_t>(*number);
}

/// "8x8"; what follows a comma (a map onto cores in old files) adds nothing.
std::optional<Grid> gridOf(std::string_view text) {
    const auto inside = between(text, "<", '>');
    if (!inside) return std::nullopt;
    const std::string_view sizes = trimmed(inside->substr(0, inside->find(',')));
    const std::size_t x = sizes.find('x');
    if (x == std::string_view::npos) return std::nullopt;
    const auto rows = coordinateOf(sizes.substr(0, x)), cols = coordinateOf(sizes.substr(x + 1));
    if (!rows || !cols || *rows == 0 || *cols == 0) return std::nullopt;
    return Grid{*rows, *cols};
}

std::optional<BufferType> bufferOf(std::string_view text, const LayoutReading& reading) {
    if (const auto word = between(text, "#ttnn.buffer_type<", '>')) return bufferTypeOf(trimmed(*word));
    if (!text.starts_with('#')) return std::nullopt;
    std::string_view name = text.substr(1);
    if (reading.alias)
        if (const auto meaning = reading.alias(name)) {
            const auto word = between(*meaning, "#ttnn.buffer_type<", '>');
            return word ? bufferTypeOf(trimmed(*word)) : std::nullopt;
        }
    if (const auto exact = bufferTypeOf(name)) return exact;
    name = name.substr(0, name.find_last_not_of("_0123456789") + 1);  // #dram_, #dram1
    return bufferTypeOf(name == "l" ? "l1" : name);
}

/// "8x16x!ttcore.tile<32x32, bf16>, #dram" into shard, page, data type and buffer.
bool readMemref(std::string_view text, const LayoutReading& reading, Layout& layout) {
    const auto inside = between(text, "memref<", '>');
    const auto parts = inside ? splitAtCommas(*inside) : std::nullopt;
    if (!parts || parts->size() != 2) return false;
    std::string_view rest = parts->front();
    for (std::int64_t& size : layout.shard) {
        const std::size_t x = rest.find('x');
        const auto number = x == std::string_view::npos ? std::nullopt : coordinateOf(rest.substr(0, x));
        if (!number) return false;
        size = *number;
        rest.remove_prefix(x + 1);
    }
    auto tile = between(rest, "!ttcore.tile<", '>');
    if (!tile) tile = between(rest, "!tt.tile<", '>');  // its name in older files
    layout.page = tile ? PageLayout::Tile : PageLayout::RowMajor;
    const auto fields = tile ? splitAtCommas(*tile) : Parts{"32x32", trimmed(rest)};
    if (!fields || fields->size() != 2 || fields->front() != "32x32") return false;
    const auto dtype = dataTypeOfElement(fields->back());
    const auto buffer = bufferOf(parts->back(), reading);
    if (!dtype || !buffer) return false;
    layout.dtype = *dtype;
    layout.buffer = *buffer;
    return true;
}

/// "#ttnn.core_range<(0, 0), (7, 7)>": four numbers.
std::optional<CoreRange> coreRangeOf(std::string_view text) {
    const auto inside = between(text, text.starts_with('<') ? "<" : "#ttnn.core_range<", '>');
    const auto corners = inside ? splitAtCommas(*inside) : std::nullopt;
    if (!corners || corners->size() != 2) return std::nullopt;
    std::array<Core, 2> cores;
    for (std::size_t i = 0; i < 2; ++i) {
        auto pair = between((*corners)[i], "(", ')');
        if (!pair) pair = between((*corners)[i], "#ttnn.core_coord<", '>');
        const auto numbers = pair ? splitAtCommas(*pair) : std::nullopt;
        if (!numbers || numbers->size() != 2) return std::nullopt;
        const auto x = coordinateOf(numbers->front()), y = coordinateOf(numbers->back());
        if (!x || !y) return std::nullopt;
        cores[i] = {*x, *y};
    }
    if (cores[0].x > cores[1].x || cores[0].y > cores[1].y) return std::nullopt;
    return CoreRange{cores[0], cores[1]};
}

std::optional<CoreRanges> coreRangesOf(std::string_view text) {
    auto inside = between(text, "#ttnn.core_range_set<", '>');
    if (!inside) inside = between(text, "<", '>');
    const auto list = inside ? between(*inside, "[", ']') : std::nullopt;
    const auto items = list ? splitAtCommas(*list) : std::nullopt;
    if (!items) return std::nullopt;
    CoreRanges ranges;
    for (const std::string_view item : *items) {
        const auto range = coreRangeOf(item);
        if (!range) return std::nullopt;
        ranges.add(*range);
    }
    return ranges;
}

/// The parts behind the memref: memory layout, core ranges, the flag. False with the part that is of none.
bool readRest(std::string_view part, Layout& layout) {
    if (part.starts_with('<')) {
        layout.mem = memLayoutOf(trimmed(between(part, "<", '>').value_or("")));
        return layout.mem.has_value();
    }
    const auto [key, value] = keyAndValue(part);
    if (key == "core_ranges") {
        layout.cores = coreRangesOf(value);
        return layout.cores.has_value();
    }
    // Every layout is that of its grid exactly here.
    if (key == "exactGrid") return value == "true" || value == "false";
    if (key != "ignorePhysicalLayout" || (value != "true" && value != "false")) return false;
    layout.ignorePhysicalLayout = value == "true";
    return true;
}

/// One reading of a text: what it says, then what is wrong with it.
class Reader {
public:
    Reader(std::string_view text, std::span<const std::int64_t> shape, const LayoutReading& reading)
        : text_(text), shape_(shape), reading_(reading) {}

    Result<ReadLayout> read() {
        if (auto failure = readParts()) return *failure;
        if (auto failure = fillPlacement()) return *failure;
        if (const std::string_view rule = brokenRule(out_.layout); !rule.empty())
            return makeError("TT-020", reading_.where,
                             "the layout is not valid: " + std::string(rule) + ", in " + std::string(text_),
                             "correct the layout attribute");
        compareWithShape();
        return std::move(out_);
    }

private:
    Error malformed(const std::string& part) const {
        return makeError("MLIR-002", reading_.where,
                         "a layout attribute cannot be read: " + part + " expected in " + std::string(text_));
    }

    std::optional<Error> readParts() {
        std::string_view rest = trimmed(text_);
        if (rest.starts_with("#ttnn.")) rest.remove_prefix(6);
        const auto inside = between(rest, "ttnn_layout<", '>');
        if (!inside) return malformed("#ttnn.ttnn_layout<...>");
        const auto parts = splitAtCommas(*inside);
        if (!parts) return malformed("matching brackets");
        if (parts->size() < 3) return malformed("map, grid and memref");
        if ((*parts)[0].find("->") == std::string_view::npos) return malformed("an affine map");
        map_ = (*parts)[0];
        const auto grid = gridOf((*parts)[1]);
        if (!grid) return malformed("a grid such as <8x8>");
        out_.layout.grid = *grid;
        return readTail({parts->begin() + 2, parts->end()});
    }

    std::optional<Error> readTail(Parts parts) {
        Layout& layout = out_.layout;
        layout.mem = std::nullopt;
        if (const auto [key, value] = keyAndValue(parts.front()); key == "mesh") {
            layout.mesh = value;
            parts.erase(parts.begin());
        }
        if (parts.empty() || !readMemref(parts.front(), reading_, layout))
            return malformed("a memref of two sizes, an element type and a buffer");
        for (std::size_t i = 1; i < parts.size(); ++i)
            if (!readRest(parts[i], layout))
                return malformed("<memory layout>, core_ranges or ignorePhysicalLayout in place of '" +
                                 std::string(parts[i]) + "'");
        return std::nullopt;
    }

    std::optional<Error> fillPlacement() {
        Layout& layout = out_.layout;
        const bool isOpaque = layout.mem == MemLayout::NdSharded || layout.ignorePhysicalLayout;
        if (!layout.isSharded() || layout.cores || isOpaque) return std::nullopt;
        auto cores = layout.isInDram() ? bankPlacement(layout.grid, reading_.device)
                                       : canonicalPlacement(*layout.mem, layout.grid, reading_.device);
        if (!cores) {
            Diagnostic d = cores.error().primary();
            d.where = reading_.where;
            return Error(std::move(d));
        }
        layout.cores = std::move(cores).value();
        warn("TT-024", "a sharded layout has no core ranges: the canonical placement is used");
        return std::nullopt;
    }

    /// TT-023: the text's own figures stay.
    void compareWithShape() {
        Layout& layout = out_.layout;
        const std::string canonical = linearMap(shape_, layout.page);
        if (withoutBlanks(map_) != withoutBlanks(canonical)) layout.linear = map_;
        if (layout.ignorePhysicalLayout || layout.mem == MemLayout::NdSharded) return;
        const LayoutChoice choice{layout.dtype, layout.page, layout.buffer, layout.mem, layout.grid};
        const Layout expected = makeLayout(shape_, choice, reading_.device);
        if (expected.shard == layout.shard) return;
        const auto text = [](const Layout& l) { return std::to_string(l.shard[0]) + "x" + std::to_string(l.shard[1]); };
        warn("TT-023", "bad_layout: the memref of a layout is " + text(layout) + ", its tensor and grid give " +
                           text(expected) + "; kept as it is");
    }

    void warn(const char* code, std::string message) {
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = code;
        d.where = reading_.where;
        d.message = std::move(message);
        out_.warnings.push_back(std::move(d));
    }

    std::string_view text_, map_;
    std::span<const std::int64_t> shape_;
    const LayoutReading& reading_;
    ReadLayout out_;
};

std::string text(const CoreRanges& cores) {
    std::string out;
    for (std::size_t i = 0; i < cores.size(); ++i) {
        const auto corner = [](Core c) { return "(" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; };
        out +=
            (i == 0 ? "" : ", ") + ("#ttnn.core_range<" + corner(cores[i].first)) + ", " + corner(cores[i].last) + ">";
    }
    return "<[" + out + "]>";
}

}  // namespace

std::optional<DataType> dataTypeOfElement(std::string_view element) {
    for (const auto& [word, type] : kElements)
        if (word == element) return type;
    return std::nullopt;
}

std::string_view elementWord(DataType type) {
    for (const auto& [word, value] : kElements)
        if (value == type) return word;
    return {};
}

Result<ReadLayout> parseLayoutAttribute(std::string_view text, std::span<const std::int64_t> shape,
                                        const LayoutReading& reading) {
    return Reader(text, shape, reading).read();
}

std::string layoutAttribute(const Layout& layout, std::span<const std::int64_t> shape, BufferSpelling spelling) {
    const std::string word(wordOf(layout.buffer));
    const std::string buffer = spelling == BufferSpelling::Alias ? "#" + word : "#ttnn.buffer_type<" + word + ">";
    const std::string element = layout.isTiled() ? "!ttcore.tile<32x32, " + std::string(wordOf(layout.dtype)) + ">"
                                                 : std::string(elementWord(layout.dtype));
    std::string out = "#ttnn.ttnn_layout<" + (layout.linear.empty() ? linearMap(shape, layout.page) : layout.linear);
    out += ", <" + std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols) + ">, ";
    if (!layout.mesh.empty()) out += "mesh = " + layout.mesh + ", ";
    out += "memref<" + std::to_string(layout.shard[0]) + "x" + std::to_string(layout.shard[1]) + "x" + element + ", " +
           buffer + ">";
    if (layout.mem) out += ", <" + std::string(wordOf(*layout.mem)) + ">";
    if (layout.cores) out += ", core_ranges = " + text(*layout.cores);
    if (layout.ignorePhysicalLayout) out += ", ignorePhysicalLayout = true";
    return out + ">";
}

}  // namespace memplan::ttnn
