// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/record/object_reader.h"

#include "engine/target/target.h"

#include <cstdlib>

namespace memplan::io::record {
namespace {

constexpr std::size_t kDeepestLoop = 64;

std::string onlyExecuted() {
    std::vector<std::string> names;
    for (const Target* target : allTargets()) {
        if (target->info().isExecuted) names.push_back(text::quoted(target->info().id));
    }
    return "only " + text::join(names, ", ") + " plans are executed";
}

}  // namespace

// ---- values ------------------------------------------------------------------------------------------

void ObjectReader::isObject() {
    if (tape().type(at_) != JsonType::Object) fail(at_, "an object is expected");
}

std::size_t ObjectReader::count(std::string_view key) const {
    const TapeIndex at = find(key);
    return at == 0 ? 0 : tape().count(at);
}

std::int64_t ObjectReader::integerAt(TapeIndex at, Range range) {
    const std::int64_t v = r_.fields.integerAt(at);
    if (v >= range.min && v <= range.max) return v;
    fail(at, tape().json(at) + " is not from " + text::grouped(range.min) + " to " + text::grouped(range.max));
    return range.min;
}

std::vector<TapeIndex> ObjectReader::entries(TapeIndex list, std::size_t least, std::size_t most,
                                             std::string_view expected) {
    std::vector<TapeIndex> out;
    if (tape().type(list) == JsonType::Array && tape().count(list) >= least && tape().count(list) <= most) {
        for (const TapeIndex entry : tape().children(list))
            out.push_back(entry);
        return out;
    }
    fail(list, std::string(expected) + " is expected");
    return out;
}

// ---- members -----------------------------------------------------------------------------------------

void ObjectReader::text(std::string_view key, std::string& v) {
    if (const TapeIndex at = required(key)) v = textAt(at);
}

void ObjectReader::optionalText(std::string_view key, std::string& v) {
    if (const TapeIndex at = find(key)) v = textAt(at);
}

void ObjectReader::texts(std::string_view key, std::vector<std::string>& v) {
    if (find(key) != 0) each(key, [&](TapeIndex at) { v.push_back(textAt(at)); });
}

void ObjectReader::target(std::string_view key, std::string& v) {
    text(key, v);
    if (hasFailed()) return;
    const Target* known = findTarget(v);
    if (known == nullptr || !known->info().isExecuted) fail(find(key), onlyExecuted());
}

void ObjectReader::variable(std::string_view key, std::string& v) {
    text(key, v);
    if (!hasFailed()) expect(r_.variables.insert(v).second, "the loop variable is taken");
}

void ObjectReader::flag(std::string_view key, bool& v, bool otherwise) {
    const TapeIndex at = find(key);
    v = at == 0 ? otherwise : r_.fields.booleanAt(at);
}

void ObjectReader::real(std::string_view key, double& v, bool) {
    static constexpr std::array<std::pair<std::string_view, double>, 3> kWords = {
        {{"inf", std::numeric_limits<double>::infinity()},
         {"-inf", -std::numeric_limits<double>::infinity()},
         {"nan", std::numeric_limits<double>::quiet_NaN()}}};
    const TapeIndex at = find(key);
    if (at == 0) return;
    const JsonType type = tape().type(at);
    if (type == JsonType::Integer || type == JsonType::Real) {
        v = tape().number(at);
        return;
    }
    for (const auto& [word, value] : kWords) {
        if (type != JsonType::String || tape().text(at) != word) continue;
        v = value;
        return;
    }
    fail(at, "a number is expected");
}

void ObjectReader::choice(std::string_view key, bool& isChosen, std::string_view word, std::string_view what) {
    std::string given;
    optionalText(key, given);
    isChosen = given == word;
    if (!given.empty() && !isChosen) fail(find(key), "unknown " + std::string(what) + " " + text::quoted(given));
}

/// Extents of a tensor: few, and their product bounded, so that positions in it are numbers.
void ObjectReader::extents(std::string_view key, std::vector<std::int64_t>& v, std::int64_t min) {
    list(key, v, {min, kLargest});
    std::int64_t product = 1;
    for (const std::int64_t extent : v)
        product = saturatedMul(product, std::max<std::int64_t>(extent, 1));
    if (v.size() > kMostDimensions || product > kLargest) fail(find(key), "the tensor is too large");
}

void ObjectReader::interval(std::string_view key, std::int64_t& start, std::int64_t& end, Range range) {
    std::vector<std::int64_t> bounds;
    list(key, bounds, range);
    expect(bounds.size() == 2, "\"" + std::string(key) + "\" is [start, end)");
    if (bounds.size() != 2) return;
    start = bounds[0];
    end = bounds[1];
}

sim::LinearIndex ObjectReader::indexAt(TapeIndex at) {
    const std::string written = textAt(at);
    auto read = sim::indexFromText(written, *space_);
    const auto isInRange = [](std::int64_t v) { return std::abs(v) <= kLargest; };
    if (read && isInRange(read->constant) &&
        std::all_of(read->terms.begin(), read->terms.end(), [&](const auto& t) { return isInRange(t.second); }))
        return *std::move(read);
    fail(at, text::quoted(written) + " is no sum over the symbols of the op");
    return {};
}

void ObjectReader::index(std::string_view key, sim::LinearIndex& v) {
    if (const TapeIndex at = find(key)) v = indexAt(at);
}

void ObjectReader::index(std::string_view key, std::optional<sim::LinearIndex>& v) {
    if (const TapeIndex at = find(key)) v = indexAt(at);
}

void ObjectReader::slices(std::string_view key, std::vector<std::pair<int, std::int64_t>>& v) {
    if (find(key) == 0) return;
    each(key, [&](TapeIndex at) {
        const std::vector<TapeIndex> pair = entries(at, 2, 2, "[symbol, slices]");
        if (pair.empty()) return;
        const std::int64_t symbol = integerAt(pair[0], {0, static_cast<std::int64_t>(space_->size()) - 1});
        v.emplace_back(static_cast<int>(symbol), integerAt(pair[1], {1, kMostCores}));
    });
}

// ---- symbols -----------------------------------------------------------------------------------------

sim::RecordSymbol ObjectReader::symbolAt(TapeIndex at, const std::vector<sim::RecordSymbol>& known) {
    sim::RecordSymbol s;
    const std::vector<TapeIndex> parts = entries(at, 2, 3, "[symbol, extent] or [symbol, extent, reduction]");
    if (parts.empty()) return s;
    s.name = textAt(parts[0]);
    s.extent = integerAt(parts[1], {1, kLargest});
    s.isReduction = parts.size() == 3 && r_.fields.booleanAt(parts[2]);
    const bool isTaken = std::any_of(known.begin(), known.end(), [&](const auto& k) { return k.name == s.name; });
    if (!sim::isSymbolName(s.name) || isTaken) fail(parts[0], "a name of its own is expected, such as \"d0\"");
    return s;
}

void ObjectReader::symbols(std::string_view key, std::vector<sim::RecordSymbol>& v) {
    each(key, [&](TapeIndex at) { v.push_back(symbolAt(at, v)); });
}

void ObjectReader::bySymbol(std::string_view key, std::vector<sim::RecordSymbol>& space,
                            std::int64_t sim::RecordSymbol::*value) {
    const TapeIndex object = find(key);
    if (hasFailed() || object == 0) return;
    if (tape().type(object) != JsonType::Object) return fail(object, "an object is expected");
    for (const TapeIndex entry : tape().children(object)) {
        const std::string_view name = tape().key(entry);
        const auto it = std::find_if(space.begin(), space.end(), [&](const auto& s) { return s.name == name; });
        if (it == space.end()) return fail(object, "the op has no symbol " + text::quoted(name));
        (*it).*value = integerAt(entry, {1, kLargest});
    }
}

// ---- steps -------------------------------------------------------------------------------------------

void ObjectReader::steps(std::string_view key, std::vector<sim::RecordStep>& v) {
    if (hasFailed()) return;
    const TapeIndex list = required(key);
    if (list == 0) return;
    if (level_ > kDeepestLoop) return fail(list, "loops are nested too deeply");
    eachEntry(list, [&](TapeIndex at) { ObjectReader(r_, at, nullptr, level_).step(v.emplace_back()); });
}

void ObjectReader::step(sim::RecordStep& v) {
    const bool isOp = find("op") != 0;
    if (isOp == (find("loop") != 0)) return fail(at_, "a step is an op or a loop");
    if (!isOp) {
        ObjectReader loop(r_, find("loop"), nullptr, level_ + 1);
        return Members::ofLoop(loop, v);
    }
    number("op", v.op, ops());
    if (hasFailed()) return;
    int& known = r_.depth[static_cast<std::size_t>(v.op)];
    const int level = static_cast<int>(level_);
    expect(known < 0 || known == level, "the op stands in loops of another depth too");
    known = level;
}

}  // namespace memplan::io::record
