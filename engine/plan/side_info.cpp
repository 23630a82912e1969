// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/side_info.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>

namespace memplan {

namespace {

struct KindNames {
    SideKind kind;
    std::string_view name, title;
};

constexpr std::array<KindNames, 3> kKinds = {{{SideKind::Provenance, "provenance", "provenance"},
                                              {SideKind::PassLog, "pass_log", "pass log"},
                                              {SideKind::CostDump, "cost_dump", "cost dump"}}};

const KindNames& namesOf(SideKind k) {
    return *std::find_if(kKinds.begin(), kKinds.end(), [k](const KindNames& n) { return n.kind == k; });
}

std::string shortened(const std::string& s) {
    constexpr std::size_t kShown = 240;
    if (s.size() <= kShown) return s;
    std::size_t end = kShown;
    // Not in the middle of a character.
    while (end > 0 && (static_cast<unsigned char>(s[end]) & 0xC0U) == 0x80U)
        --end;
    return s.substr(0, end) + " ...";
}

}  // namespace

std::string_view sideKindName(SideKind k) {
    return namesOf(k).name;
}

std::string_view sideKindTitle(SideKind k) {
    return namesOf(k).title;
}

std::optional<SideKind> sideKindNamed(std::string_view name) {
    for (const KindNames& n : kKinds) {
        if (n.name == name) return n.kind;
    }
    return std::nullopt;
}

SideFact textFact(std::string key, std::string text) {
    return {std::move(key), std::move(text), std::nullopt};
}

SideFact numberFact(std::string key, std::int64_t number) {
    return {std::move(key), text::grouped(number), number};
}

std::vector<std::pair<std::string, std::string>> sideLines(const SideInformation& side, const SideRecords& records,
                                                           const std::string& name) {
    std::vector<std::pair<std::string, std::string>> lines;
    const auto found = records.find(name);
    if (found == records.end()) return lines;
    for (const SideRecord& record : found->second) {
        const SideSource& source = side.sources[static_cast<std::size_t>(record.source)];
        for (const SideFact& fact : record.facts) {
            std::string label = fact.key;
            std::replace(label.begin(), label.end(), '_', ' ');
            lines.emplace_back(std::string(sideKindTitle(source.kind)) + ", " + label, shortened(fact.text));
        }
    }
    return lines;
}

std::string sideText(const SideInformation& side) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const SideSource& s : side.sources) {
        rows.emplace_back(sideKindTitle(s.kind), s.file + ", " + text::grouped(s.matched) + " of " +
                                                     text::grouped(s.records) + " names found" +
                                                     (s.byOrder ? ", operations taken in order" : ""));
        for (const SideFact& fact : s.facts)
            rows.emplace_back("  " + fact.key, fact.text);
    }
    for (const auto& kernel : side.kernels) {
        for (auto& [label, value] : sideLines(side, side.kernels, kernel.first))
            rows.emplace_back(kernel.first + ": " + label, std::move(value));
    }
    std::size_t width = 0;
    for (const auto& row : rows)
        width = std::max(width, row.first.size());
    std::string out = "side information\n";
    for (const auto& [label, value] : rows)
        out += "  " + text::escaped(label) + std::string(width - label.size() + 2, ' ') + text::escaped(value) + "\n";
    return out;
}

}  // namespace memplan
