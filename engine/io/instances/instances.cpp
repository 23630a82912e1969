// SPDX-License-Identifier: Apache-2.0
// Writing buffer lists; reading and writing allocation instances.
#include "engine/io/instances/instances.h"

#include "engine/base/text.h"
#include "engine/json/json_sax.h"
#include "engine/json/json_text.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::io {

namespace {

using solve::Item;
using solve::Problem;

constexpr JsonCodes kInstanceCodes{"IN-008", "MPG-002", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};

void appendGaps(std::string& out, const Item& item) {
    for (std::size_t i = 0; i < item.gaps.size(); ++i) {
        const Item::Gap& gap = item.gaps[i];
        if (i > 0) out += ' ';
        appendInteger(out, gap.from);
        out += '-';
        appendInteger(out, gap.to);
        if (gap.lo >= gap.hi) continue;
        out += '@';
        appendInteger(out, gap.lo);
        out += ':';
        appendInteger(out, gap.hi);
    }
}

/// Reads one line's object; the first finding ends it.
class InstanceReader {
public:
    explicit InstanceReader(const Tape& tape) : tape_(tape) {}

    Result<Problem> run() {
        if (tape_.type(0) != JsonType::Object) return fail(0, "an instance is an object with capacity and buffers");
        problem_.name = textOf(0, "name").value_or("");
        problem_.capacity = integer(0, "capacity", false);  // solve --capacity may give it
        problem_.alignment = tape_.find(0, "alignment") == 0 ? 1 : integer(0, "alignment", true);
        const TapeIndex buffers = tape_.find(0, "buffers");
        if (buffers == 0 || tape_.type(buffers) != JsonType::Array) fail(buffers, "the array \"buffers\" is missing");
        if (error_) return *error_;
        std::unordered_map<std::string, int> positions;
        for (const TapeIndex b : tape_.children(buffers)) {
            Item item = readItem(b);
            positions.emplace(item.name, static_cast<int>(problem_.items.size()));
            problem_.items.push_back(std::move(item));
        }
        std::size_t i = 0;
        for (const TapeIndex b : tape_.children(buffers))
            readParents(b, positions, problem_.items[i++]);
        if (error_) return *error_;
        return std::move(problem_);
    }

private:
    Error fail(TapeIndex at, std::string message) {
        Error e = makeError("IN-008", tape_.pointer(at), std::move(message),
                            "an instance is {name,capacity,alignment,buffers:[{name,size,start,end,...}]}");
        if (!error_) error_ = e;
        return e;
    }

    std::optional<std::string> textOf(TapeIndex object, std::string_view key) {
        const TapeIndex at = tape_.find(object, key);
        if (at == 0) return std::nullopt;
        if (tape_.type(at) == JsonType::String) return std::string(tape_.text(at));
        if (tape_.type(at) == JsonType::Integer) return std::to_string(tape_.at(at).integer);
        fail(at, "\"" + std::string(key) + "\" must be a string");
        return std::nullopt;
    }

    std::int64_t integer(TapeIndex object, std::string_view key, bool required) {
        const TapeIndex at = tape_.find(object, key);
        if (at == 0) {
            if (required) fail(object, "the key \"" + std::string(key) + "\" is missing");
            return 0;
        }
        if (tape_.type(at) != JsonType::Integer) fail(at, "\"" + std::string(key) + "\" must be an integer");
        return tape_.at(at).integer;
    }

    Step step(TapeIndex at, std::int64_t value) {
        if (value < INT32_MIN || value > INT32_MAX)
            fail(at, "the time " + text::grouped(value) + " does not fit 32 bits");
        return static_cast<Step>(value);
    }

    Item readItem(TapeIndex at) {
        Item item;
        if (tape_.type(at) != JsonType::Object) {
            fail(at, "a buffer is an object");
            return item;
        }
        const auto name = textOf(at, "name");
        if (!name) fail(at, "the key \"name\" is missing");
        item.name = name.value_or("");
        item.size = integer(at, "size", true);
        item.start = step(at, integer(at, "start", true));
        item.end = step(at, integer(at, "end", true));
        if (const TapeIndex uses = tape_.find(at, "uses"); uses != 0 && tape_.type(uses) == JsonType::Array) {
            for (const TapeIndex u : tape_.children(uses)) {
                if (tape_.type(u) != JsonType::Integer) fail(u, "a use is an integer");
                item.uses.push_back(step(u, tape_.at(u).integer));
            }
        }
        readOverwrites(at, item);
        const TapeIndex isRead = tape_.find(at, "first_use_is_read");
        item.firstUseIsRead = isRead != 0 && tape_.type(isRead) == JsonType::Bool && tape_.at(isRead).boolean;
        const TapeIndex preset = tape_.find(at, "address");
        if (preset != 0 && tape_.type(preset) == JsonType::Integer) item.presetAddress = tape_.at(preset).integer;
        return item;
    }

    /// Uses that write the whole buffer and read nothing of it: what was there is dead behind the use before.
    void readOverwrites(TapeIndex at, Item& item) {
        const TapeIndex list = tape_.find(at, "overwrites");
        if (list == 0) return;
        if (tape_.type(list) != JsonType::Array) {
            fail(list, "\"overwrites\" must be a list of uses");
            return;
        }
        for (const TapeIndex w : tape_.children(list)) {
            const auto use = tape_.type(w) == JsonType::Integer
                                 ? std::find(item.uses.begin(), item.uses.end(), step(w, tape_.at(w).integer))
                                 : item.uses.end();
            if (use == item.uses.end()) {
                fail(w, "an overwrite is one of the uses");
            } else if (use != item.uses.begin()) {
                item.gaps.push_back({*(use - 1) + 1, *use, 0, 0});
            }
        }
    }

    void readParents(TapeIndex at, const std::unordered_map<std::string, int>& positions, Item& item) {
        const TapeIndex parents = tape_.find(at, "in_place_parents");
        if (parents == 0 || tape_.type(parents) != JsonType::Array) return;
        for (const TapeIndex p : tape_.children(parents)) {
            if (tape_.type(p) != JsonType::String) {
                fail(p, "an in-place parent is the name of a buffer");
                continue;
            }
            // scratchpad 2: a name that is not in the list is ignored.
            const auto found = positions.find(std::string(tape_.text(p)));
            if (found == positions.end()) continue;
            // A parent named again offers no second slot.
            auto& known = item.inPlaceParents;
            if (std::find(known.begin(), known.end(), found->second) == known.end()) known.push_back(found->second);
        }
    }

    const Tape& tape_;
    Problem problem_;
    std::optional<Error> error_;
};

void writeItem(JsonWriter& w, const Problem& p, const Item& item) {
    w.beginInlineObject();
    w.member("name", item.name);
    w.member("size", item.size);
    w.member("start", std::int64_t{item.start});
    w.member("end", std::int64_t{item.end});
    w.key("in_place_parents");
    w.beginArray(true);
    for (const int parent : item.inPlaceParents)
        w.string(p.items[static_cast<std::size_t>(parent)].name);
    w.endArray();
    w.key("uses");
    w.beginArray(true);
    for (const Step s : item.uses)
        w.integer(s);
    w.endArray();
    w.member("first_use_is_read", item.firstUseIsRead);
    w.endObject();
}

}  // namespace

std::string writeBufferCsv(const BufferList& list, const solve::Addresses& addresses) {
    const auto& items = list.problem.items;
    const auto any = [&items](auto&& test) { return std::any_of(items.begin(), items.end(), test); };
    const bool hasAlignment = any([&](const Item& i) { return list.problem.alignmentOf(i) != 1; });
    const bool hasGaps = any([](const Item& i) { return !i.gaps.empty(); });
    const bool hasOffset = std::any_of(addresses.begin(), addresses.end(), [](const auto& a) { return a.has_value(); });
    std::string out = "id,lower,upper,size";
    if (hasAlignment) out += ",alignment";
    if (hasGaps) out += ",gaps";
    if (hasOffset) out += ",offset";
    if (!list.hints.empty()) out += ",hint";
    for (const ExtraColumn& e : list.extra)
        out += "," + e.name;
    out += '\n';
    for (std::size_t i = 0; i < items.size(); ++i) {
        out += items[i].name;
        for (const std::int64_t v : {std::int64_t{items[i].start}, std::int64_t{items[i].end}, items[i].size}) {
            out += ',';
            appendInteger(out, v);
        }
        if (hasAlignment) out += "," + std::to_string(list.problem.alignmentOf(items[i]));
        if (hasGaps) {
            out += ',';
            appendGaps(out, items[i]);
        }
        if (hasOffset) out += "," + (addresses[i] ? std::to_string(*addresses[i]) : std::string());
        if (!list.hints.empty()) out += "," + std::to_string(list.hints[i].value_or(-1));
        for (const ExtraColumn& e : list.extra)
            out += "," + e.cells[i];
        out += '\n';
    }
    return out;
}

Result<std::vector<Problem>> readInstances(std::string_view bytes, const Limits& limits, const RunControl& control) {
    std::vector<Problem> problems;
    std::size_t line = 0;
    while (!bytes.empty()) {
        ++line;
        const std::size_t lf = std::min(bytes.find('\n'), bytes.size());
        const std::string_view text = bytes.substr(0, lf);
        bytes.remove_prefix(std::min(lf + 1, bytes.size()));
        if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        JsonCodes codes = kInstanceCodes;
        codes.firstLine = static_cast<std::int64_t>(line);
        auto tape = readTape(text, codes, limits, control);
        auto problem = tape ? InstanceReader(tape.value()).run() : Result<Problem>(std::move(tape).error());
        if (!problem) {
            Error e = std::move(problem).error();
            // A syntax error has its line already, a place inside the object has none.
            for (Diagnostic& d : e.diagnostics) {
                if (d.where.empty() || d.where.front() == '/') d.where = std::to_string(line) + ":" + d.where;
            }
            return e;
        }
        problems.push_back(std::move(problem).value());
    }
    if (problems.empty()) return makeError("IN-008", "1:", "the file holds no instance", "one JSON object per line");
    return problems;
}

std::string writeInstances(const std::vector<Problem>& problems) {
    std::string out;
    for (const Problem& p : problems) {
        JsonWriter w;
        w.beginInlineObject();
        w.member("name", p.name);
        // A buffer list names none, and 0 would be a capacity that holds nothing.
        if (p.capacity > 0) w.member("capacity", p.capacity);
        w.member("alignment", p.alignment);
        w.key("buffers");
        w.beginArray(true);
        for (const Item& item : p.items)
            writeItem(w, p, item);
        w.endArray();
        w.endObject();
        out += w.finish();
    }
    return out;
}

}  // namespace memplan::io
