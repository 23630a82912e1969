// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/writer.h"

#include "engine/base/text.h"
#include "engine/ttnn/mlir/library.h"
#include "engine/ttnn/mlir/scanner.h"

#include <vector>

namespace memplan::ttnn {

namespace {

Result<std::string> printed(const ir::Library& library, const std::string& text, bool locations, bool names) {
    ir::Printed out;
    library.print({text, locations, names}, out);
    if (out.problems.empty()) return std::move(out.text);
    const ir::Problem& first = out.problems.front();
    const std::string_view line = std::string_view(text).substr(0, std::min(first.at + 60, text.size()));
    return makeError("MLIR-002", {},
                     "the module cannot be printed: " + memplan::text::escaped(first.message) + ", at " +
                         memplan::text::escaped(line.substr(std::min(first.at, line.size()))),
                     {});
}

/// Places and lengths of values (`%name`) outside strings, in order.
std::vector<std::pair<std::size_t, std::size_t>> valuesIn(std::string_view s) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t at = 0; at < s.size();) {
        if (s[at] == '"') {
            at = scan::skipString(s, at);
        } else if (s[at] == '%') {
            const std::size_t end = scan::skipWord(s, at + 1);
            out.emplace_back(at, end - at);
            at = end;
        } else {
            ++at;
        }
    }
    return out;
}

/// The text with the values named as in another print of the same module.
std::string namedAs(std::string_view text, std::string_view named) {
    const auto old = valuesIn(text), fresh = valuesIn(named);
    if (old.size() != fresh.size()) return std::string(text);
    std::string out;
    std::size_t from = 0;
    for (std::size_t i = 0; i < old.size(); ++i) {
        out += text.substr(from, old[i].first - from);
        out += named.substr(fresh[i].first, fresh[i].second);
        from = old[i].first + old[i].second;
    }
    out += text.substr(from);
    return out;
}

}  // namespace

Result<std::string> writeModule(const Module& module, const WriteOptions& options) {
    const auto library = ir::loadLibrary();
    if (!library) return library.error();
    auto text = printed(library.value(), plainText(module, false), options.debugInfo, false);
    if (!text) return text;
    if (options.keepNames) {
        auto named = printed(library.value(), plainText(module, true), false, true);
        if (!named) return named;
        text.value() = namedAs(text.value(), named.value());
    }
    if (!module.resources.empty()) text.value() += "\n" + module.resources + "\n";
    return text;
}

}  // namespace memplan::ttnn
