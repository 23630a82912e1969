// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program/arguments.h"

#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/settings/settings.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace memplan::cli {

struct Arguments::Parser {
    CLI::App app;
    bool jsonErrors = false;  ///< taken out before parsing, here for the help only
};

namespace {

std::string nameOf(const std::string& argument) {
    return argument.substr(0, argument.find('='));
}

std::string firstLine(const std::string& s) {
    return s.substr(0, s.find('\n'));
}

/// The setting whose key, or the last part of it, is `name`, for those who write "--cores 4"; empty when none is.
std::string settingNamed(const std::string& name) {
    std::string wanted = name;
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    for (const SettingInfo& s : allSettings()) {
        if (s.key == wanted || s.key.substr(s.key.rfind('.') + 1) == wanted) return std::string(s.key);
    }
    return {};
}

}  // namespace

Arguments::Arguments(const std::string& command, const std::string& summary)
    : parser_(std::make_unique<Parser>()), command_(command) {
    parser_->app.name("memplan " + command);
    parser_->app.description(summary);
    parser_->app.allow_extras();
    parser_->app.set_help_flag("-h,--help", "print this help and exit");
    names_ = {"--help", "--json-errors"};
    parser_->app.add_flag("--json-errors", parser_->jsonErrors, "print findings as JSON lines");
}

Arguments::~Arguments() = default;

void Arguments::positional(const std::string& name, std::string& into, const std::string& help, bool required) {
    parser_->app.add_option(name, into, help)->required(required)->type_name("");
}

void Arguments::option(const std::string& name, const std::string& value, std::string& into, const std::string& help) {
    names_.push_back(name);
    parser_->app.add_option(name, into, help)->type_name(value)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void Arguments::repeated(const std::string& name, const std::string& value, std::vector<std::string>& into,
                         const std::string& help) {
    names_.push_back(name);
    // One value for each occurrence: a list option must not swallow the argument that follows it.
    parser_->app.add_option(name, into, help + " (may be repeated)")->type_name(value)->allow_extra_args(false);
}

void Arguments::flag(const std::string& name, bool& into, const std::string& help) {
    names_.push_back(name);
    parser_->app.add_flag(name, into, help);
}

void Arguments::footer(const std::string& text) {
    parser_->app.footer(text);
}

void Arguments::notOffered(const std::string& name, const std::string& sentence) {
    notOffered_.emplace_back(name, sentence);
}

Error Arguments::unknown(const std::string& argument) const {
    const std::string fix = "see `memplan " + command_ + " --help`";
    if (!argument.starts_with('-'))
        return makeError("CLI-001", command_, "unexpected argument \"" + argument + "\"", fix);
    const std::string name = nameOf(argument);
    const std::string setting = settingNamed(name.substr(name.find_first_not_of('-')));
    const bool isSetting = !setting.empty() && std::find(names_.begin(), names_.end(), "--set") != names_.end();
    return makeError("CLI-001", command_, "unknown option \"" + name + "\"",
                     isSetting ? "did you mean --set " + setting + "=VALUE? " + fix : didYouMean(name, names_, fix));
}

Result<bool> Arguments::parse(std::vector<std::string> args) {
    for (const auto& [name, sentence] : notOffered_) {
        const auto is = [&name = name](const std::string& a) { return nameOf(a) == name; };
        if (std::any_of(args.begin(), args.end(), is)) return makeError("CLI-001", command_ + " " + name, sentence);
    }
    std::reverse(args.begin(), args.end());  // the order in which CLI11 wants a vector
    try {
        parser_->app.parse(args);
    } catch (const CLI::CallForHelp&) {
        return false;
    } catch (const CLI::ArgumentMismatch& e) {
        return wrongCount(firstLine(e.what()));
    } catch (const CLI::ConversionError& e) {
        return takesNoValue(firstLine(e.what()));
    } catch (const CLI::ParseError& e) {
        return makeError("CLI-001", command_, firstLine(e.what()), "see `memplan " + command_ + " --help`");
    }
    const std::vector<std::string> extras = parser_->app.remaining();
    if (!extras.empty()) return unknown(extras.front());
    if (auto empty = emptyValue()) return std::move(*empty);
    return true;
}

/// From the parser's words: "--out: 1 required PLAN.json missing", "--out: At Most 1 required but received 2".
Error Arguments::wrongCount(const std::string& what) const {
    const std::string where = command_ + " " + what.substr(0, what.find(':'));
    const std::string see = "; see `memplan " + command_ + " --help`";
    if (what.ends_with(" missing")) return makeError("CLI-001", where, "its value is missing", "give one" + see);
    return makeError("CLI-001", where, "it is given more than once", "give it once" + see);
}

/// From "Could not convert: --stats = maybe": only flags are converted.
Error Arguments::takesNoValue(const std::string& what) const {
    const std::size_t begin = what.find("--");
    const std::string name = begin == std::string::npos ? what : what.substr(begin, what.find(' ', begin) - begin);
    return makeError("CLI-001", command_ + " " + name, "it takes no value",
                     "give it alone; see `memplan " + command_ + " --help`");
}

/// An empty word, mostly of a shell variable that is not set, must not pass for an option that was not given.
std::optional<Error> Arguments::emptyValue() const {
    for (const CLI::Option* option : parser_->app.get_options()) {
        if (option->count() == 0) continue;
        const std::vector<std::string>& values = option->results();
        if (std::none_of(values.begin(), values.end(), [](const std::string& v) { return v.empty(); })) continue;
        return makeError("CLI-001", command_ + " " + option->get_name(), "its value is empty",
                         "give a value, or leave the option out; see `memplan " + command_ + " --help`");
    }
    return std::nullopt;
}

std::string Arguments::helpText() const {
    return parser_->app.help();
}

}  // namespace memplan::cli
