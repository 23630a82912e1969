// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program/reporter.h"

#include "engine/base/run_control.h"
#include "engine/base/text.h"
#include "engine/plan/reasons.h"
#include "engine/target/target.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace memplan::cli {

namespace {

std::string jsonLine(std::string_view file, const Diagnostic& d) {
    nlohmann::ordered_json line;
    line["severity"] = severityName(d.severity);
    line["code"] = d.code;
    line["where"] = d.where;
    line["message"] = d.message;
    line["hint"] = d.hint;
    if (!file.empty()) line["file"] = file;
    if (!d.pass.empty()) line["pass"] = d.pass;
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// One line: where a text has lines of its own, "; " takes the place of a break and its indent.
std::string oneLine(std::string_view s) {
    std::string out;
    for (std::size_t at = 0; at < s.size();) {
        const std::size_t end = std::min(s.find('\n', at), s.size());
        if (at > 0) out += "; ";
        out += s.substr(at, end - at);
        at = end == s.size() ? end : s.find_first_not_of(" \n", end);
        if (at == std::string_view::npos) break;
    }
    return text::escaped(out);
}

std::string humanLine(std::string_view program, std::string_view file, const Diagnostic& d) {
    std::string line = std::string(program) + ": " + severityName(d.severity) + ": ";
    if (!file.empty()) line += text::escaped(file) + ":";
    if (!d.where.empty()) line += text::escaped(d.where) + ":";
    if (line.back() == ':') line += ' ';
    // A message may begin with its code already; it is never said twice.
    if (!d.code.empty() && !d.message.starts_with(d.code)) line += d.code + " ";
    line += oneLine(d.message);
    if (!d.hint.empty()) line += " (" + oneLine(d.hint) + ")";
    return line;
}

/// Errors that come about in many places and are fixed in one way; empty for every other.
std::string commonFix(std::string_view code, std::string_view where) {
    if (code == kCancelledCode) return "give the command again to begin anew";
    if (code == "HNT-010" && where.starts_with("/hints/")) {
        return R"(a hint is {"target": ")" + std::string(allTargets().front()->info().id) +
               R"(", "scope": "op:NAME", "key": "max_cores", "value": 4}, with )"
               R"("enabled": true or false and a "comment" as you like)";
    }
    // The checks know what is wrong and not how it came about: a plan that was changed, or a defect of the planner.
    if (code.starts_with("VER-"))
        return "compile the input again; if it is reported then too, it is a defect of the planner: please report it";
    return {};
}

Diagnostic withFix(Diagnostic d) {
    if (d.severity == Severity::Error && d.hint.empty()) d.hint = commonFix(d.code, d.where);
    return d;
}

}  // namespace

void Reporter::print(std::string_view file, const Diagnostic& d) const {
    const Diagnostic reported = withFix(d);
    streams_.err << (streams_.jsonErrors ? jsonLine(file, reported) : humanLine(streams_.program, file, reported))
                 << '\n';
}

void Reporter::printAll(std::string_view file, const std::vector<Diagnostic>& list) const {
    constexpr std::size_t kShownOfOneCode = 3;
    std::size_t notes = 0;
    bool isAnyShown = false;
    std::map<std::string, std::size_t> seen;
    std::set<std::string> lines;
    for (const Diagnostic& d : list) {
        // Notes of passes stand in the plan and may be many: a person gets their number.
        const bool isOfPass = d.severity == Severity::Note && !d.pass.empty();
        if (isOfPass && !streams_.jsonErrors) {
            ++notes;
        } else if (!streams_.jsonErrors && !lines.insert(humanLine(streams_.program, file, d)).second) {
            continue;  // said already: of several of one kind at one place
        } else if (streams_.jsonErrors || ++seen[d.code] <= kShownOfOneCode) {
            print(file, d);
            isAnyShown = true;
        }
    }
    for (const auto& [code, count] : seen) {
        if (count > kShownOfOneCode) sayMore(file, "and " + std::to_string(count - kShownOfOneCode) + " more " + code);
    }
    if (notes > 0)
        sayMore(file, (isAnyShown ? "and " : "") + std::to_string(notes) + (notes == 1 ? " note" : " notes"));
}

void Reporter::sayMore(std::string_view file, const std::string& what) const {
    Diagnostic d;
    d.severity = Severity::Note;
    d.message = what;
    d.hint = "--json-errors prints all";
    print(file, d);
}

int Reporter::fail(std::string_view file, const Error& error) const {
    const Diagnostic& primary = error.primary();
    print(file, primary);
    for (const Diagnostic& d : error.diagnostics) {
        if (&d != &primary) print(file, d);
    }
    return exitStatusOf(primary.code);
}

int Reporter::usage(std::string_view where, std::string_view what, std::string_view fix) const {
    print("command line", makeError("CLI-001", std::string(where), std::string(what), std::string(fix)).primary());
    return kWrongUsage;
}

void Reporter::say(std::string_view sentence) const {
    if (!streams_.jsonErrors) streams_.err << streams_.program << ": " << sentence << '\n';
}

}  // namespace memplan::cli
