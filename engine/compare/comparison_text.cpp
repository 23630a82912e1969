// SPDX-License-Identifier: Apache-2.0
// A comparison as text for a terminal and as CSV.
#include "engine/base/text.h"
#include "engine/compare/comparison.h"

#include <algorithm>

namespace memplan::compare {

namespace {

/// Columns on screen: every character that is not a continuation byte takes one.
std::size_t columns(const std::string& s) {
    return static_cast<std::size_t>(
        std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

struct Cell {
    std::string text;
    bool right = false;
};

std::string aligned(const std::vector<std::vector<Cell>>& rows) {
    std::vector<std::size_t> width;
    for (const auto& row : rows) {
        width.resize(std::max(width.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            width[i] = std::max(width[i], columns(row[i].text));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(width[i] - columns(row[i].text), ' ');
            line += (i > 0 ? "  " : "") + (row[i].right ? pad + row[i].text : row[i].text + pad);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string deltaOf(const Change& c) {
    if (!c.delta) return {};
    return signedText(*c.delta) + (c.unit.empty() ? "" : " " + unitText(c));
}

std::string itemOf(const Change& c) {
    return text::escaped(c.itemInA.empty() ? c.item : c.itemInA + " -> " + c.item);
}

/// Groups of digits and the typographic minus are for readers; a table program wants plain numbers.
std::string plain(std::string s) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"\u202f", ""}, {"\u2212", "-"}}) {
        for (std::size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size()))
            s.replace(at, from.size(), to);
    }
    return s;
}

}  // namespace

std::string comparisonText(const Comparison& c, const ComparedNames& names) {
    std::string out = c.unlike.empty() ? "" : c.unlike + "\n";
    out += "A  " + text::escaped(names.a) + "\nB  " + text::escaped(names.b) + "\n\n" + c.outcome + "\n\n";
    std::vector<std::vector<Cell>> metrics{
        {{"metric"}, {"A", true}, {"B", true}, {"delta", true}, {"change", true}, {"outcome"}}};
    for (const MetricRow& m : c.metrics)
        metrics.push_back({{m.title},
                           {m.textA, true},
                           {m.textB, true},
                           {m.deltaText(), true},
                           {m.changeText(), true},
                           {std::string(outcomeText(m.outcome))}});
    out += aligned(metrics) + "\n";
    out += "matched " + text::grouped(static_cast<std::int64_t>(c.match.buffers.matched())) + " of " +
           text::grouped(static_cast<std::int64_t>(c.match.buffers.inA.size())) + " buffers and " +
           text::grouped(static_cast<std::int64_t>(c.match.ops.matched())) + " of " +
           text::grouped(static_cast<std::int64_t>(c.match.ops.inA.size())) + " operations of B\n";
    if (c.changes.empty()) return out + "no item changed\n";
    for (int k = 0; k < kChangeKinds; ++k)
        if (const int n = c.count(static_cast<ChangeKind>(k)))
            out += std::string(kindText(static_cast<ChangeKind>(k))) + ": " + text::grouped(n) + "\n";
    std::vector<std::vector<Cell>> rows{
        {{"change"}, {"item"}, {"field"}, {"A", true}, {"B", true}, {"delta", true}, {"match"}, {"effect"}}};
    for (const Change& x : c.changes)
        rows.push_back({{std::string(kindText(x.kind))},
                        {itemOf(x)},
                        {x.field},
                        {text::escaped(x.a), true},
                        {text::escaped(x.b), true},
                        {deltaOf(x), true},
                        {x.rule ? std::string(ruleText(*x.rule)) : ""},
                        {x.effect}});
    return out + "\n" + aligned(rows);
}

std::string changesCsv(const Comparison& c) {
    std::string out = "change,item,field,a,b,delta,unit,match,effect\n";
    for (const Change& x : c.changes) {
        const std::vector<std::string> fields{std::string(kindText(x.kind)),
                                              x.itemInA.empty() ? x.item : x.itemInA + " -> " + x.item,
                                              x.field,
                                              plain(x.a),
                                              plain(x.b),
                                              x.delta ? std::to_string(*x.delta) : "",
                                              x.unit,
                                              x.rule ? std::string(ruleText(*x.rule)) : "",
                                              plain(x.effect)};
        for (std::size_t i = 0; i < fields.size(); ++i)
            out += (i > 0 ? "," : "") + text::csvField(fields[i]);
        out += "\n";
    }
    return out;
}

}  // namespace memplan::compare
