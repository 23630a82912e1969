// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/registry.h"

#include <exception>
#include <stdexcept>

namespace memplan::probe {

namespace {

nlohmann::json errorAnswer(const nlohmann::json& name, const nlohmann::json& kind, const ProbeError& error) {
    return {{"name", name}, {"kind", kind}, {"error", {{"code", error.code}, {"message", error.message}}}};
}

nlohmann::json member(const nlohmann::json& object, const char* key) {
    const auto it = object.find(key);
    return it == object.end() ? nlohmann::json() : *it;
}

}  // namespace

nlohmann::json Registry::output(const std::string& kind, const nlohmann::json& input, const std::string& line) const {
    const auto it = kinds_.find(kind);
    const auto ordered = ordered_.find(kind);
    const auto form = forms_.find(kind);
    const bool other = form != forms_.end() && input.is_object() && input.contains(form->second.first);
    if (it == kinds_.end() && ordered == ordered_.end() && !other) {
        throw ProbeError{"unknown_kind", "this engine has no kind '" + kind + "'"};
    }
    try {
        if (other) return form->second.second(input);
        return ordered == ordered_.end() ? it->second(input)
                                         : ordered->second(nlohmann::ordered_json::parse(line).at("input"));
    } catch (const nlohmann::json::exception& e) {
        throw ProbeError{"bad_input", e.what()};
    } catch (const std::logic_error& e) {  // a name or a number of the input that leads nowhere
        throw ProbeError{"bad_input", e.what()};
    }
}

nlohmann::json Registry::answer(const std::string& line) const {
    const nlohmann::json query = nlohmann::json::parse(line, nullptr, false);
    if (!query.is_object()) return errorAnswer(nullptr, nullptr, {"bad_input", "the line is no JSON object"});
    const nlohmann::json name = member(query, "name");
    const nlohmann::json kind = member(query, "kind");
    try {
        if (!kind.is_string()) throw ProbeError{"bad_input", "'kind' is missing or no text"};
        return {
            {"name", name}, {"kind", kind}, {"output", output(kind.get<std::string>(), member(query, "input"), line)}};
    } catch (const ProbeError& e) {
        return errorAnswer(name, kind, e);
    } catch (const std::exception& e) {
        return errorAnswer(name, kind, {"internal", e.what()});
    }
}

}  // namespace memplan::probe
