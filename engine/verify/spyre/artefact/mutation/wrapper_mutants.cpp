// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/mutation/mutant_candidate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace memplan::sim::artefact {
namespace {

using std::string;

/// Bytes [first, end) of the text.
struct Piece {
    std::size_t first = 0, end = 0;
};

/// What a word becomes; the last one is for all other functions.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOtherWords = {{{"True", "False"},
                                                                                        {"False", "True"},
                                                                                        {"hbm", "lx"},
                                                                                        {"lx", "hbm"},
                                                                                        {"pool", "hbm"},
                                                                                        {"floor", "Mod"},
                                                                                        {"Mod", "floor"},
                                                                                        {"add", "mul"},
                                                                                        {"mul", "add"},
                                                                                        {"sub", "realdiv"},
                                                                                        {"exp", "identity"},
                                                                                        {"max", "sum"}}};

bool isWordChar(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool isNumber(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(),
                                        [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

class WrapperCollector {
public:
    WrapperCollector(const string& file, const string& text) : file_(file), text_(text) {}

    std::vector<MutantCandidate> run() {
        constexpr std::string_view kCall = "\ndef call(";
        const std::size_t call = text_.find(kCall);
        const std::size_t body = call == string::npos ? text_.size() : call + 1;
        const std::size_t first = std::min(text_.find("async_compile.sdsc"), body);
        const std::size_t kernels = first == 0 ? 0 : text_.rfind('\n', first) + 1;
        part("entry", {std::min(kernels, body), body});
        part("call", {body, text_.size()});
        return std::move(out_);
    }

private:
    const string& file_;
    const string& text_;
    std::vector<MutantCandidate> out_;

    string lineAt(std::size_t at) const {
        return "line " +
               std::to_string(1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }

    void add(const string& family, string what, Piece piece, string by) {
        out_.push_back({family, file_, std::move(what), [this_ = &text_, piece, by = std::move(by)] {
                            return this_->substr(0, piece.first) + by + this_->substr(piece.end);
                        }});
    }

    void part(const string& name, Piece piece) {
        const std::vector<Piece> lines = linesOf(piece);
        for (std::size_t i = 0; i < lines.size(); ++i)
            changeLine(name + " line", lines, i);
        words(name, piece);
    }

    /// Lines with their ends, blank ones left out.
    std::vector<Piece> linesOf(Piece piece) const {
        std::vector<Piece> out;
        for (std::size_t at = piece.first; at < piece.end;) {
            const std::size_t end = std::min(text_.find('\n', at), piece.end - 1) + 1;
            if (text_.find_first_not_of(" \n", at) < end) out.push_back({at, end});
            at = end;
        }
        return out;
    }

    void changeLine(const string& family, const std::vector<Piece>& lines, std::size_t i) {
        const Piece line = lines[i];
        const string own = text_.substr(line.first, line.end - line.first);
        add(family, lineAt(line.first) + " left out", line, "");
        add(family, lineAt(line.first) + " twice", line, own + own);
        if (i + 1 == lines.size() || lines[i + 1].first != line.end) return;
        const Piece next = lines[i + 1];
        const string other = text_.substr(next.first, next.end - next.first);
        if (other != own) add(family, lineAt(line.first) + " behind the next", {line.first, next.end}, other + own);
    }

    void words(const string& name, Piece piece) {
        std::vector<Piece> found;
        std::set<string> names;
        for (std::size_t at = piece.first; at < piece.end; ++at) {
            if (!isWordChar(text_[at])) continue;
            const std::size_t from = at;
            while (at < piece.end && isWordChar(text_[at]))
                ++at;
            found.push_back({from, at});
            const string word = text_.substr(from, at - from);
            if (!isNumber(word)) names.insert(word);
        }
        const std::vector<string> sorted(names.begin(), names.end());
        for (const Piece& p : found) {
            const string word = text_.substr(p.first, p.end - p.first);
            if (isNumber(word))
                number(name + " number", p, word);
            else
                otherName(name + " name", p, word, sorted);
        }
    }

    void number(const string& family, Piece p, const string& word) {
        const auto value = text::parseInt(word);
        if (!value) return;
        for (const std::int64_t delta : {1, -1}) {
            if (*value + delta < 0) continue;
            const string now = std::to_string(*value + delta);
            add(family, lineAt(p.first) + ": " + word + " -> " + now, p, now);
        }
    }

    /// Another word of the same sense, and another word of the text.
    void otherName(const string& family, Piece p, const string& word, const std::vector<string>& names) {
        const auto known =
            std::find_if(kOtherWords.begin(), kOtherWords.end(), [&](const auto& pair) { return pair.first == word; });
        const auto at = std::upper_bound(names.begin(), names.end(), word);
        const string next = at == names.end() ? names.front() : *at;
        const string by = known != kOtherWords.end() ? string(known->second) : next;
        if (by != word) add(family, lineAt(p.first) + ": " + word + " -> " + by, p, by);
        add(family, lineAt(p.first) + ": " + word + " -> " + word + "x", p, word + "x");
    }
};

}  // namespace

std::vector<MutantCandidate> wrapperMutants(const string& file, const string& text) {
    return WrapperCollector(file, text).run();
}

}  // namespace memplan::sim::artefact
