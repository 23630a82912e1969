// SPDX-License-Identifier: Apache-2.0
// Files of recorded figures in tests/data, one JSON object a line, and how an answer is held against a line.
#pragma once

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::test {

/// The lines as they stand: the order of their keys can mean something. None where the file is not there.
[[nodiscard]] inline std::vector<std::string> recordedLines(const std::string& file) {
    std::vector<std::string> lines;
    std::ifstream in(MEMPLAN_TEST_DATA "/" + file);
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

/// A row "line" of test data for each line that `isWanted(query)` takes, named as recorded; how many there are.
template <class IsWanted> [[nodiscard]] int addRecordedRows(const std::string& file, const IsWanted& isWanted) {
    QTest::addColumn<QString>("line");
    int count = 0;
    for (const std::string& line : recordedLines(file)) {
        const nlohmann::json query = nlohmann::json::parse(line);
        if (!isWanted(query)) continue;
        QTest::newRow(query.at("name").get<std::string>().c_str()) << QString::fromStdString(line);
        ++count;
    }
    return count;
}

/// What counts as the recorded value.
struct Likeness {
    double absolute = 0;                ///< fractions may differ by this
    double relative = 0;                ///< or by this part of the recorded one
    std::string_view withoutKeys = {};  ///< keys that start so are not compared; empty = all are
};

/// First difference between a recorded and a computed value, empty when every recorded part is there.
[[nodiscard]] inline std::string difference(const nlohmann::json& want, const nlohmann::json& got,
                                            const Likeness& like = {}, const std::string& path = {}) {
    if (want.is_object()) {
        if (!got.is_object()) return path + ": no object, " + got.dump();
        for (const auto& [key, value] : want.items()) {
            if (!like.withoutKeys.empty() && key.starts_with(like.withoutKeys)) continue;
            if (!got.contains(key)) return path + "/" + key + ": missing";
            const std::string inner = difference(value, got.at(key), like, path + "/" + key);
            if (!inner.empty()) return inner;
        }
        return {};
    }
    if (want.is_array()) {
        if (!got.is_array() || got.size() != want.size()) return path + ": other length, " + got.dump();
        for (std::size_t i = 0; i < want.size(); ++i) {
            const std::string inner = difference(want[i], got[i], like, path + "/" + std::to_string(i));
            if (!inner.empty()) return inner;
        }
        return {};
    }
    if (want.is_number_float() && got.is_number()) {
        const double a = want.get<double>();
        if (std::abs(a - got.get<double>()) <= std::max(like.absolute, like.relative * std::abs(a))) return {};
    } else if (want == got) {
        return {};
    }
    return path + ": expected " + want.dump() + ", got " + got.dump();
}

}  // namespace memplan::test
