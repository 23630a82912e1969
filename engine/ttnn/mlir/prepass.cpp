// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/prepass.h"

#include "engine/ttnn/mlir/scanner.h"
#include "engine/ttnn/mlir/stablehlo_text.h"

#include <algorithm>
#include <optional>

namespace memplan::ttnn {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
/// Signs between two commas: an expression that long makes the library's parser call itself too deeply.
constexpr int kMostSigns = 4096;

class Prepass {
public:
    Prepass(std::string_view bytes, std::int64_t nesting)
        : s_(bytes), nesting_(static_cast<std::size_t>(nesting)), out_{{}, TextMap(bytes), {}, {}, {}} {}

    Result<PreparedText> run() {
        out_.text.reserve(s_.size() + 256);
        out_.map.add(0, 0);
        if (s_.substr(0, 3) == "\xEF\xBB\xBF") jumpTo(3);
        while (at_ < s_.size() && !error_)
            step();
        if (!error_ && !open_.empty()) stillOpen();
        if (!error_) checkAliases();
        if (error_) return *std::move(error_);
        return std::move(out_);
    }

private:
    struct Bracket {
        std::size_t at = 0;
        std::string closing = {};  ///< goes behind its end
        int signs = 0;
        std::string second = {};  ///< stands for `do {` behind its end, and opens the bracket with that closing text
    };

    void step() {
        const char c = s_[at_];
        if (c == '"') return copy(scan::skipString(s_, at_) - at_);
        if (s_.substr(at_, 2) == "//") return copy(std::min(s_.find('\n', at_), s_.size()) - at_);
        if (open_.empty() && s_.substr(at_, 3) == "{-#") return resources();
        if (c == '#' || c == '!' || c == '%' || c == '@' || c == '^') return sigil();
        if (scan::isWordPart(c)) return word();
        if (scan::opensBracket(s_, at_)) return open({});
        if (scan::closesBracket(s_, at_)) return close();
        countSigns(c);
        copy(1);
    }

    void copy(std::size_t count) {
        out_.text += s_.substr(at_, count);
        at_ += count;
    }

    /// Goes on at `source` of the original.
    void jumpTo(std::size_t source) {
        at_ = source;
        out_.map.add(out_.text.size(), source);
    }

    void replace(std::string_view by, std::size_t end) {
        out_.map.add(out_.text.size(), at_);
        out_.text += by;
        jumpTo(end);
    }

    void open(std::string closing) {
        open_.push_back({at_, std::move(closing), 0, {}});
        if (open_.size() > nesting_)
            return fail("MLIR-005", at_, "brackets are nested deeper than " + std::to_string(nesting_),
                        "raise limits.nesting if the file is meant to be so");
        copy(1);
    }

    void close() {
        if (open_.empty()) return fail("MLIR-005", at_, std::string("this ") + s_[at_] + " closes no bracket", {});
        const Bracket last = std::move(open_.back());
        open_.pop_back();
        if (!fits(s_[last.at], s_[at_]))
            return fail("MLIR-005", at_,
                        std::string("this ") + s_[at_] + " does not close the " + s_[last.at] + " of " +
                            out_.map.place(last.at),
                        {});
        copy(1);
        if (!last.second.empty()) return secondBody(last);
        if (!last.closing.empty()) replace(last.closing, at_);
    }

    /// `do {` between the two bodies of a loop.
    void secondBody(const Bracket& first) {
        const std::size_t begin = scan::skipBlanks(s_, at_);
        const std::size_t brace = scan::skipBlanks(s_, begin + 2);
        if (s_.substr(begin, 2) != "do" || s_.substr(brace, 1) != "{")
            return fail("MLIR-002", begin, "expected 'do {' behind the condition of a loop", {});
        const auto breaks = std::ranges::count(s_.substr(at_, brace - at_), '\n');
        replace(std::string(static_cast<std::size_t>(breaks), '\n') + first.second, brace + 1);
        open_.push_back({brace, first.closing, 0, {}});
    }

    static bool fits(char opened, char closed) {
        switch (opened) {
        case '(':
            return closed == ')';
        case '[':
            return closed == ']';
        case '{':
            return closed == '}';
        default:
            return closed == '>';
        }
    }

    void countSigns(char c) {
        if (open_.empty()) return;
        if (c == ',') open_.back().signs = 0;
        const bool isSign = c == '+' || c == '*' || (c == '-' && at_ + 1 < s_.size() && s_[at_ + 1] != '>');
        if (isSign && ++open_.back().signs > kMostSigns)
            fail("MLIR-005", at_, "an expression of more than " + std::to_string(kMostSigns) + " signs", {});
    }

    void sigil() {
        if (open_.empty() && (s_[at_] == '#' || s_[at_] == '!')) alias();
        const std::size_t end = scan::skipWord(s_, at_ + 1);
        if (s_[at_] == '#' || s_[at_] == '!') uses_.push_back({at_, end - at_});
        copy(end - at_);
    }

    void checkAliases() {
        AliasSizes sizes(out_);
        std::size_t sum = 0;
        for (const auto& [at, length] : uses_) {
            sum += sizes.bytesOf(s_.substr(at, length));
            if (sum > AliasSizes::kMost)
                return fail("MLIR-005", at,
                            "the aliases up to here stand for more than 256 MiB of text, or for themselves", {});
        }
    }

    /// `#name = attribute` and `!name = type` stand outside all brackets.
    void alias() {
        const std::size_t end = scan::skipWord(s_, at_ + 1);
        const std::string name(s_.substr(at_ + 1, end - at_ - 1));
        const std::size_t equals = scan::skipBlanks(s_, end);
        if (name.empty() || name.find('.') != std::string::npos || s_.substr(equals, 1) != "=") return;
        const std::size_t begin = scan::skipBlanks(s_, equals + 1);
        const std::size_t stop = scan::findOutside(s_, '\n', begin, s_.size());
        auto& table = s_[at_] == '#' ? out_.attributeAliases : out_.typeAliases;
        std::string_view body = s_.substr(begin, stop - begin);
        if (const std::size_t comment = body.find("//"); comment != kNone && body.find('"') == kNone)
            body = body.substr(0, comment);
        table.insert_or_assign(name, std::string(scan::trimmed(body)));
    }

    void resources() {
        const std::size_t end = s_.find("#-}", at_);
        if (end == kNone) return fail("MLIR-005", at_, "the resource section is not closed by #-}", {});
        out_.resources = s_.substr(at_, end + 3 - at_);
        copy(end + 3 - at_);
    }

    void word() {
        const std::size_t end = scan::skipWord(s_, at_);
        const std::string_view w = s_.substr(at_, end - at_);
        const std::size_t next = scan::skipBlanks(s_, end);
        const char follows = next < s_.size() ? s_[next] : '\0';
        if (w == "floordiv" || w == "ceildiv" || w == "mod") countSigns('*');
        if (isModuleWrapper(w) && moduleWrapper(w, end)) return;
        if ((w == "ttcore.device" || w == "tt.device") && follows == '@' && device(w, next)) return;
        if ((w == "ttcore.load_cached" || w == "tt.load_cached") && follows == '(' && loadCached(w, next)) return;
        if ((w == "ttir.empty" || w == "tensor.empty") && follows == '(' && empty(w, next)) return;
        if (w == "ttir.to_layout" && follows == '%' && toLayout(next)) return;
        if (isStableHloWord(w) && follows != '=' && follows != ',' && follows != '}' && stableHlo()) return;
        copy(end - at_);
    }

    /// Under the name that the dialect has, or had before May 2025.
    static bool isModuleWrapper(std::string_view w) {
        return w == "ttcore.device_module" || w == "ttcore.cpu_module" || w == "tt.device_module" ||
               w == "tt.cpu_module";
    }

    /// `ttcore.device_module [attributes {...}] { ... }`
    bool moduleWrapper(std::string_view w, std::size_t end) {
        std::size_t brace = scan::skipBlanks(s_, end);
        std::string dictionary;
        if (s_.substr(brace, 10) == "attributes") {
            const std::size_t begin = scan::skipBlanks(s_, brace + 10);
            const std::size_t stop = s_.substr(begin, 1) == "{" ? scan::skipBalanced(s_, begin) : kNone;
            if (stop == kNone) return false;
            dictionary = " " + std::string(s_.substr(begin, stop - begin));
            brace = scan::skipBlanks(s_, stop);
        }
        if (s_.substr(brace, 1) != "{") return false;
        const auto breaks = std::ranges::count(s_.substr(at_, brace - at_), '\n');
        replace("\"" + std::string(w) + "\"() (" + std::string(static_cast<std::size_t>(breaks), '\n'), brace);
        open(")" + dictionary + " : () -> ()");
        return true;
    }

    /// `ttcore.device @name = <...>`
    bool device(std::string_view w, std::size_t at) {
        const std::size_t nameEnd =
            s_.substr(at + 1, 1) == "\"" ? scan::skipString(s_, at + 1) : scan::skipWord(s_, at + 1);
        std::string name(s_.substr(at + 1, nameEnd - at - 1));
        if (!name.starts_with('"')) name = "\"" + name + "\"";
        const std::size_t equals = scan::skipBlanks(s_, nameEnd);
        const std::size_t body = equals < s_.size() && s_[equals] == '=' ? scan::skipBlanks(s_, equals + 1) : kNone;
        if (body == kNone || s_.substr(body, 1) != "<") return false;
        const std::size_t end = scan::skipBalanced(s_, body);
        if (end == kNone) return false;
        const std::string own(w);
        replace("\"" + own + "\"() <{device_attr = #" + own + std::string(s_.substr(body, end - body)) +
                    ", sym_name = " + name + "}> : () -> ()",
                end);
        return true;
    }

    /// `ttcore.load_cached(@function, [%a, %b]) [{...}] : type`
    bool loadCached(std::string_view w, std::size_t paren) {
        const std::size_t close = scan::skipBalanced(s_, paren);
        if (close == kNone) return false;
        const auto parts = scan::splitList(s_.substr(paren + 1, close - paren - 2));
        if (parts.size() != 2 || !parts[0].starts_with('@') || !parts[1].starts_with('[')) return false;
        const std::string operands(parts[1].substr(1, parts[1].size() - 2));
        const auto breaks =
            std::ranges::count(s_.substr(paren, close - paren), '\n') - std::ranges::count(operands, '\n');
        replace("\"" + std::string(w) + "\"(" + operands + ") <{callee = " + std::string(parts[0]) + "}>" +
                    std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(breaks, 0)), '\n'),
                close);
        return true;
    }

    /// `ttir.empty() : type`
    bool empty(std::string_view w, std::size_t paren) {
        const std::size_t close = scan::skipBlanks(s_, paren + 1);
        const std::size_t colon = scan::skipBlanks(s_, close + 1);
        if (s_.substr(close, 1) != ")" || s_.substr(colon, 1) != ":") return false;
        replace("\"" + std::string(w) + "\"() : () ->", colon + 1);
        return true;
    }

    /// `ttir.to_layout %a, %buffer : T into U -> U`
    bool toLayout(std::size_t at) {
        const std::size_t colon = scan::findOutside(s_, ':', at, s_.size());
        const std::size_t into = s_.find(" into ", colon);
        const std::size_t arrow = into == kNone ? kNone : s_.find(" -> ", into);
        const std::size_t line = s_.find('\n', at);
        if (arrow == kNone || arrow > line) return false;
        const std::string operands(scan::trimmed(s_.substr(at, colon - at)));
        const std::string from(scan::trimmed(s_.substr(colon + 1, into - colon - 1)));
        std::string_view to = s_.substr(into + 6, arrow - into - 6);
        to = scan::trimmed(to.substr(0, to.find(" hostInfo = ")));
        replace("\"ttir.to_layout\"(" + operands + ") : (" + from + ", " + std::string(to) + ")", arrow);
        return true;
    }

    bool stableHlo() {
        const auto made = genericStableHlo(s_, at_, serial_);
        if (!made) return false;
        replace(made->text, made->end);
        if (!made->closing.empty()) {
            // The brace of the body was part of what is replaced.
            open_.push_back({made->end - 1, made->closing, 0, made->second});
        }
        return true;
    }

    void stillOpen() {
        const std::size_t at = open_.back().at;
        fail("MLIR-005", s_.size(),
             "the text ends here, but the " + std::string(1, s_[at]) + " of " + out_.map.place(at) + " is still open",
             "the file may be cut off");
    }

    void fail(std::string code, std::size_t at, std::string message, std::string hint) {
        if (!error_) error_ = makeError(std::move(code), out_.map.place(at), std::move(message), std::move(hint));
    }

    std::string_view s_;
    std::size_t nesting_;
    std::size_t at_ = 0;
    int serial_ = 0;
    std::vector<Bracket> open_;
    std::vector<std::pair<std::size_t, std::size_t>> uses_;  ///< of aliases: place and length
    PreparedText out_;
    std::optional<Error> error_;
};

}  // namespace

std::size_t TextMap::source(std::size_t result) const {
    const auto after = std::ranges::upper_bound(pieces_, result, {}, &std::pair<std::size_t, std::size_t>::first);
    if (after == pieces_.begin()) return result;
    const auto& piece = *std::prev(after);
    std::size_t at = piece.second + (result - piece.first);
    // Inside a rewritten operation: what is longer than the original stands for its end.
    if (after != pieces_.end()) at = std::min(at, std::max(piece.second, after->second));
    return std::min(at, original_.size());
}

std::string TextMap::place(std::size_t source) const {
    source = std::min(source, original_.size());
    const std::string_view before = original_.substr(0, source);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = source - (start == kNone ? 0 : start + 1) + 1;
    return std::to_string(line) + ":" + std::to_string(column);
}

Result<PreparedText> prepareText(std::string_view bytes, std::int64_t nesting) {
    return Prepass(bytes, nesting).run();
}

}  // namespace memplan::ttnn
