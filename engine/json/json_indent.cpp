// SPDX-License-Identifier: Apache-2.0
// Canonical layout of JSON text that is there already (inputs-and-interchange 2.8).
#include "engine/json/json_text.h"

#include <vector>

namespace memplan::io {

namespace {

/// Position behind the string that begins at `i`.
std::size_t skipString(std::string_view s, std::size_t i) {
    for (++i; i < s.size() && s[i] != '"'; ++i) {
        if (s[i] == '\\') ++i;
    }
    return i + 1;
}

bool isBlank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// True when the container at `i` holds no other container (or nothing).
bool holdsScalarsOnly(std::string_view s, std::size_t i) {
    for (++i; i < s.size();) {
        if (s[i] == '"') {
            i = skipString(s, i);
            continue;
        }
        if (s[i] == '[' || s[i] == '{') return false;
        if (s[i] == ']' || s[i] == '}') return true;
        ++i;
    }
    return true;
}

bool isEmptyContainer(std::string_view s, std::size_t i) {
    for (++i; i < s.size() && isBlank(s[i]);)
        ++i;
    return i < s.size() && (s[i] == ']' || s[i] == '}');
}

/// State of appendIndented: brackets that are open and whether each is on one line.
class Indenter {
public:
    Indenter(TextBuffer& out, int level) : out_(out), level_(static_cast<std::size_t>(level)) {}

    void run(std::string_view s) {
        for (std::size_t i = 0; i < s.size();)
            i = step(s, i);
    }

private:
    std::size_t step(std::string_view s, std::size_t i) {
        switch (s[i]) {
        case '"': {
            const std::size_t end = skipString(s, i);
            out_.append(s.substr(i, end - i));
            return end;
        }
        case '[':
        case '{':
            open(s, i);
            return i + 1;
        case ']':
        case '}':
            close(s[i]);
            return i + 1;
        case ',':
            out_.append(',');
            separate();
            return i + 1;
        case ':':
            out_.append(": ");
            return i + 1;
        default:
            if (!isBlank(s[i])) out_.append(s[i]);
            return i + 1;
        }
    }

    void open(std::string_view s, std::size_t i) {
        out_.append(s[i]);
        const bool inlined = isEmptyContainer(s, i) || (s[i] == '[' && holdsScalarsOnly(s, i));
        inlined_.push_back(inlined);
        if (!inlined) newLine();
    }

    void close(char bracket) {
        const bool inlined = inlined_.back();
        inlined_.pop_back();
        if (!inlined) newLine();
        out_.append(bracket);
    }

    void separate() {
        if (inlined_.back()) {
            out_.append(' ');
        } else {
            newLine();
        }
    }

    void newLine() {
        out_.append('\n');
        for (std::size_t depth = level_ + inlined_.size(); depth > 0; --depth)
            out_.append("  ");
    }

    TextBuffer& out_;
    std::size_t level_;
    std::vector<char> inlined_;
};

}  // namespace

void appendIndented(TextBuffer& out, std::string_view json, int level) {
    Indenter(out, level).run(json);
}

void appendCompact(TextBuffer& out, std::string_view json) {
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') inString = !inString;
        const bool isBlank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (isBlank && !inString) continue;
        out.append(c);
        // What is escaped ends no string.
        if (c == '\\' && inString && i + 1 < json.size()) out.append(json[++i]);
    }
}

}  // namespace memplan::io
