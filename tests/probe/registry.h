// SPDX-License-Identifier: Apache-2.0
// The table of kinds that engine_probe answers (command-line.md, "The conformance probe"). A new kind is a
// function from the line's `input` to its `output`, added by one register...Kinds() function per source file.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace memplan::probe {

/// Gives the `output` of one line. Throws ProbeError for an answer of the form `error`; an exception of the
/// JSON library (missing key, wrong type) becomes `bad_input`.
using ProbeFunction = std::function<nlohmann::json(const nlohmann::json& input)>;
/// The same for kinds in which the order of an object's keys means something.
using OrderedProbeFunction = std::function<nlohmann::json(const nlohmann::ordered_json& input)>;

/// Answer of the form {"code", "message"}; `code` is the word of the kind's schema chapter.
struct ProbeError {
    std::string code;
    std::string message;
};

class Registry {
public:
    void add(std::string kind, ProbeFunction function) { kinds_[std::move(kind)] = std::move(function); }
    void addOrdered(std::string kind, OrderedProbeFunction function) {
        ordered_[std::move(kind)] = std::move(function);
    }
    /// A second form of a kind, recognised by a key that its input has.
    void addForm(std::string kind, std::string key, ProbeFunction function) {
        forms_[std::move(kind)] = {std::move(key), std::move(function)};
    }

    /// The answer to one line of standard input, whole or malformed; never throws.
    [[nodiscard]] nlohmann::json answer(const std::string& line) const;

private:
    [[nodiscard]] nlohmann::json output(const std::string& kind, const nlohmann::json& input,
                                        const std::string& line) const;

    std::map<std::string, ProbeFunction> kinds_;
    std::map<std::string, OrderedProbeFunction> ordered_;
    std::map<std::string, std::pair<std::string, ProbeFunction>> forms_;
};

}  // namespace memplan::probe
