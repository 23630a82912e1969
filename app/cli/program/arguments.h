// SPDX-License-Identifier: Apache-2.0
// Options and arguments of one subcommand. Thin layer over CLI11, which is included in one source
// only; values stay text here and are checked by the engine, so that every message has one form.
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::cli {

class Arguments {
public:
    Arguments(const std::string& command, const std::string& summary);
    ~Arguments();
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    /// Each call binds a variable that must outlive parse().
    void positional(const std::string& name, std::string& into, const std::string& help, bool required = true);
    void option(const std::string& name, const std::string& value, std::string& into, const std::string& help);
    void repeated(const std::string& name, const std::string& value, std::vector<std::string>& into,
                  const std::string& help);
    void flag(const std::string& name, bool& into, const std::string& help);
    void footer(const std::string& text);
    /// An option of the contract that this version does not offer: refused with the sentence, not in the help.
    void notOffered(const std::string& name, const std::string& sentence);

    /// True: go on; false: --help was asked for. Error CLI-001 for anything else.
    [[nodiscard]] Result<bool> parse(std::vector<std::string> args);
    [[nodiscard]] std::string helpText() const;

private:
    [[nodiscard]] Error unknown(const std::string& argument) const;
    [[nodiscard]] Error wrongCount(const std::string& what) const;
    [[nodiscard]] Error takesNoValue(const std::string& what) const;
    [[nodiscard]] std::optional<Error> emptyValue() const;

    struct Parser;
    std::unique_ptr<Parser> parser_;
    std::vector<std::string> names_;
    std::vector<std::pair<std::string, std::string>> notOffered_;
    std::string command_;
};

}  // namespace memplan::cli
