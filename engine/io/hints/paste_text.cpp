// SPDX-License-Identifier: Apache-2.0
#include "engine/io/hints/paste_text.h"

#include "engine/base/text.h"
#include "engine/hints/kinds.h"

#include <algorithm>
#include <array>

namespace memplan::hints {
namespace {

struct Word {
    std::string text;
    bool endsCommand = false;  ///< a line end or ; follows
};

/// Words of a POSIX shell; an open quote ends with the text.
class ShellReader {
public:
    explicit ShellReader(std::string_view text) : text_(text) {}

    std::vector<Word> words() {
        for (; at_ < text_.size(); ++at_)
            take(text_[at_]);
        close(true);
        return std::move(words_);
    }

private:
    void take(char c) {
        if (c == '\\') return escaped();
        if (c == '\'') return quoted('\'');
        if (c == '"') return quoted('"');
        if (c == '#' && !isOpen_) return comment();
        if (c == '\n' || c == '\r' || c == ';' || c == '&' || c == '|') return close(true);
        if (c == ' ' || c == '\t') return close(false);
        isOpen_ = true;
        word_ += c;
    }
    void escaped() {
        if (at_ + 1 >= text_.size()) return;
        const char next = text_[++at_];
        if (next == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
        if (next == '\n' || next == '\r') return;  // the line goes on
        isOpen_ = true;
        word_ += next;
    }
    void quoted(char quote) {
        isOpen_ = true;
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            const bool isEscape = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                                  std::string_view("\"\\$`").find(text_[at_ + 1]) != std::string_view::npos;
            if (isEscape) ++at_;
            word_ += text_[at_];
        }
    }
    void comment() {
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n')
            ++at_;
    }
    void close(bool endsCommand) {
        if (isOpen_) words_.push_back({std::move(word_), false});
        word_.clear();
        isOpen_ = false;
        if (endsCommand && !words_.empty()) words_.back().endsCommand = true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string word_;
    bool isOpen_ = false;
    std::vector<Word> words_;
};

std::string_view fileName(std::string_view path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool isProgram(std::string_view word) {
    const std::string_view name = fileName(word);
    return name == "memplan" || name == "memplan-studio" || name == "memplan.exe" || name == "memplan-studio.exe";
}

const SettingInfo* settingOfVariable(std::string_view name) {
    if (const SettingInfo* info = findSetting(name)) return info;
    const auto& all = allSettings();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const SettingInfo& i) { return i.originalName == name; });
    return name.empty() || found == all.end() ? nullptr : &*found;
}

/// Switches of an environment are written in many ways.
std::string switchText(std::string_view value) {
    std::string lower(value);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (lower == "1" || lower == "on" || lower == "yes" || lower == "true") return "true";
    if (lower == "0" || lower == "off" || lower == "no" || lower == "false" || lower.empty()) return "false";
    return lower;
}

constexpr std::array<std::string_view, 6> kWithValue{"--target", "--set", "--hints", "--bind", "--side", "--out"};

class PasteReader {
public:
    explicit PasteReader(const TargetId& target) : target_(target) {}

    PastedText read(const std::vector<Word>& words) {
        for (std::size_t i = 0; i < words.size();) {
            std::size_t end = i;
            while (end + 1 < words.size() && !words[end].endsCommand)
                ++end;
            line(
                {words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(end + 1)});
            i = end + 1;
        }
        return std::move(result_);
    }

private:
    void line(const std::vector<Word>& words) {
        std::size_t at = 0;
        while (at < words.size() && (words[at].text == "export" || words[at].text == "set" || words[at].text == "env"))
            ++at;
        for (; at < words.size(); ++at) {
            const std::string& word = words[at].text;
            if (isProgram(word)) return command(words, at + 1);
            const std::size_t sign = word.find('=');
            if (sign == std::string::npos || sign == 0)
                refuse(word, "neither NAME=VALUE nor a command of memplan");
            else
                variable(word.substr(0, sign), word.substr(sign + 1));
        }
    }

    void command(const std::vector<Word>& words, std::size_t at) {
        const bool isStudio = fileName(words[at - 1].text).starts_with("memplan-studio");
        if (!isStudio && at < words.size()) {
            const std::string& verb = words[at].text;
            if (verb != "compile") refuse(verb, "of the commands only compile has settings for a document");
            ++at;
        }
        for (; at < words.size(); ++at) {
            const std::string& word = words[at].text;
            if (word.size() < 2 || word[0] != '-') {
                inputFile(word);
                continue;
            }
            std::string name = word, value;
            const std::size_t sign = word.find('=');
            const bool takesValue =
                std::find(kWithValue.begin(), kWithValue.end(), word.substr(0, sign)) != kWithValue.end();
            if (sign != std::string::npos && word.starts_with("--")) {
                name = word.substr(0, sign);
                value = word.substr(sign + 1);
            } else if (takesValue && at + 1 < words.size()) {
                value = words[++at].text;
            }
            option(name, value);
        }
    }

    void option(const std::string& name, const std::string& value) {
        if (name == "--hints") {
            if (!value.empty()) result_.hintFiles.push_back(value);
            return;
        }
        if (name == "--target") {
            if (value != target_) refuse(name + " " + value, "the open document is for " + std::string(target_));
            return;
        }
        if (name == "--set") {
            const std::size_t sign = value.find('=');
            if (sign == std::string::npos || sign == 0) return refuse(name + " " + value, "has no form KEY=VALUE");
            return setting(name + " " + value, value.substr(0, sign), value.substr(sign + 1));
        }
        const std::string whole = value.empty() ? name : name + " " + value;
        if (name == "--bind") return refuse(whole, "sizes are bound when a file is opened");
        if (name == "--side") return refuse(whole, "side information is attached with File, Attach side information");
        refuse(whole, "belongs to the command, not to the document");
    }

    void inputFile(const std::string& path) {
        if (result_.input.empty())
            result_.input = path;
        else
            refuse(path, "one document is open");
    }

    void variable(const std::string& name, const std::string& value) {
        const SettingInfo* info = settingOfVariable(name);
        if (info == nullptr) return refuse(name + "=" + value, "no setting has this name");
        setting(name + "=" + value, std::string(info->key),
                info->type == SettingType::Bool ? switchText(value) : value);
    }

    void setting(const std::string& whole, const std::string& key, const std::string& value) {
        for (const hints::MachineHints* machine : hints::machineHints()) {
            const std::string_view other = machine->target;
            if (other != target_ && key.starts_with(std::string(other) + '.'))
                return refuse(whole, "is a setting of " + std::string(other));
        }
        Settings probe;
        if (auto set = probe.set(key, value); !set) {
            const Diagnostic& d = set.error().primary();
            return refuse(whole, d.hint.empty() ? d.message : d.message + " (" + d.hint + ")");
        }
        std::erase_if(result_.settings, [&](const auto& pair) { return pair.first == key; });
        result_.settings.emplace_back(key, probe.textOf(key));
    }

    void refuse(const std::string& what, const std::string& why) {
        const NotTaken part{text::escaped(what), why};
        if (std::find(result_.notTaken.begin(), result_.notTaken.end(), part) == result_.notTaken.end())
            result_.notTaken.push_back(part);
    }

    TargetId target_;
    PastedText result_;
};

}  // namespace

PastedText readPastedText(std::string_view text, const TargetId& target) {
    return PasteReader(target).read(ShellReader(text).words());
}

}  // namespace memplan::hints
