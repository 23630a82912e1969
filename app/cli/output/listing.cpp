// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/listing.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string cell(const Json& value) {
    if (value.is_string()) return text::escaped(value.get<std::string>());
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_null()) return "";
    if (value.is_number_float()) return text::number(value.get<double>());
    if (!value.is_array()) return value.dump();
    std::string joined;
    for (const Json& one : value)
        joined += (joined.empty() ? "" : ",") + cell(one);
    return joined;
}

/// Characters, not bytes: every continuation byte of UTF-8 is left out.
std::size_t width(const std::string& s) {
    return static_cast<std::size_t>(
        std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        out += cells[i];
        if (i + 1 < cells.size()) out += std::string(widths[i] - width(cells[i]) + 2, ' ');
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

}  // namespace

std::string asText(const Listing& listing) {
    std::vector<std::vector<std::string>> table(1);
    for (const auto& [key, heading] : listing.columns)
        table.front().push_back(heading);
    for (const Json& row : listing.rows) {
        std::vector<std::string> cells;
        for (const auto& [key, heading] : listing.columns)
            cells.push_back(row.contains(key) ? cell(row[key]) : "");
        table.push_back(std::move(cells));
    }
    std::vector<std::size_t> widths(listing.columns.size(), 0);
    for (const auto& cells : table) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], width(cells[i]));
    }
    std::string out;
    for (const auto& cells : table)
        out += line(cells, widths);
    return out;
}

std::string asJson(const Listing& listing) {
    return Json(listing.rows).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace memplan::cli
