// SPDX-License-Identifier: Apache-2.0
#include "spyre/layout/hint_values.h"

#include "base/text.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

/// The little JSON that hint values are made of: whole numbers, strings, flat arrays and objects.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool take(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool done() {
        skip();
        return at_ == text_.size();
    }

    std::optional<std::string> string() {
        if (!take('"')) return std::nullopt;
        std::string out;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] != '\\') {
                out.push_back(text_[at_++]);
            } else if (!escape(out)) {
                return std::nullopt;
            }
        }
        if (at_ >= text_.size()) return std::nullopt;
        ++at_;
        return out;
    }

    std::optional<std::int64_t> number() {
        skip();
        const std::size_t start = at_;
        while (at_ < text_.size() && (text_[at_] == '-' || (text_[at_] >= '0' && text_[at_] <= '9')))
            ++at_;
        return text::parseInt(text_.substr(start, at_ - start));
    }

private:
    void skip() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }

    bool escape(std::string& out) {
        if (at_ + 1 >= text_.size()) return false;
        const char c = text_[at_ + 1];
        at_ += 2;
        if (c == 'u') return unicode(out);
        static constexpr std::string_view kFrom = "nrtbf";
        static constexpr std::string_view kTo = "\n\r\t\b\f";
        const std::size_t i = kFrom.find(c);
        out.push_back(i == std::string_view::npos ? c : kTo[i]);
        return true;
    }

    /// Code points of the basic plane; names of dimensions need no more.
    bool unicode(std::string& out) {
        if (at_ + 4 > text_.size()) return false;
        unsigned code = 0;
        for (const char c : text_.substr(at_, 4)) {
            const bool digit = c >= '0' && c <= '9';
            const char lower = static_cast<char>(c | 0x20);
            if (!digit && !(lower >= 'a' && lower <= 'f')) return false;
            code = code * 16 + static_cast<unsigned>(digit ? c - '0' : lower - 'a' + 10);
        }
        at_ += 4;
        if (code < 0x80) {
            out.push_back(static_cast<char>(code));
        } else if (code < 0x800) {
            out.push_back(static_cast<char>(0xC0 | code >> 6));
            out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
        } else {
            out.push_back(static_cast<char>(0xE0 | code >> 12));
            out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
            out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Graph ops and tensors that the scopes of one hint name.
struct Subjects {
    std::set<OpId> ops;
    std::set<BufferId> tensors;
    bool wholeGraph = false;
};

bool isInGroup(const Graph& graph, GroupId group, GroupId wanted) {
    for (std::size_t depth = 0; group.isValid() && depth <= graph.groups.size(); ++depth) {
        if (group == wanted) return true;
        group = graph.groups[group.at()].parent;
    }
    return false;
}

void addGroup(const Graph& graph, std::size_t g, Subjects& out) {
    for (const OpId op : graph.groups[g].ops)
        out.ops.insert(op);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (isInGroup(graph, graph.ops[i].group, GroupId::of(g))) out.ops.insert(OpId::of(i));
    }
}

Subjects subjectsOf(const Hint& hint, const Graph& graph) {
    Subjects out;
    for (const std::string& scope : hint.scopes) {
        const std::size_t colon = scope.find(':');
        const std::string kind = scope.substr(0, colon);
        const std::string id = colon == std::string::npos ? "" : scope.substr(colon + 1);
        if (kind == "graph") out.wholeGraph = true;
        if (kind == "op") {
            for (std::size_t i = 0; i < graph.ops.size(); ++i) {
                if (graph.ops[i].id == id) out.ops.insert(OpId::of(i));
            }
        } else if (kind == "tensor") {
            for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
                if (graph.tensors[i].id == id) out.tensors.insert(BufferId::of(i));
            }
        } else if (kind == "group") {
            for (std::size_t g = 0; g < graph.groups.size(); ++g) {
                if (graph.groups[g].id == id) addGroup(graph, g, out);
            }
        }
    }
    return out;
}

/// An op belongs to a subject by its own source ops, or by those of the op it was added for.
bool concerns(const Program& program, const Op& op, const Subjects& subjects) {
    const Op* at = &op;
    for (int depth = 0; depth < 8; ++depth) {
        if (std::any_of(at->sourceOps.begin(), at->sourceOps.end(),
                        [&](OpId s) { return subjects.ops.count(s) != 0; })) {
            return true;
        }
        if (!at->cloneOfOp.isValid()) return false;
        at = &program.ops[at->cloneOfOp.at()];
    }
    return false;
}

bool isScopeHint(const Hint& h) {
    return h.key == "slices" || h.key == "named_dims";
}

}  // namespace

std::optional<NamedCounts> parseCounts(std::string_view json) {
    Reader r(json);
    NamedCounts out;
    if (!r.take('{')) return std::nullopt;
    if (r.take('}')) return r.done() ? std::optional(out) : std::nullopt;
    do {
        auto name = r.string();
        if (!name || !r.take(':')) return std::nullopt;
        const auto count = r.number();
        if (!count) return std::nullopt;
        out.emplace_back(std::move(*name), *count);
    } while (r.take(','));
    if (!r.take('}') || !r.done()) return std::nullopt;
    return out;
}

std::optional<std::vector<std::string>> parseNames(std::string_view json) {
    Reader r(json);
    std::vector<std::string> out;
    if (!r.take('[')) return std::nullopt;
    if (r.take(']')) return r.done() ? std::optional(out) : std::nullopt;
    do {
        auto name = r.string();
        if (!name) return std::nullopt;
        out.push_back(std::move(*name));
    } while (r.take(','));
    if (!r.take(']') || !r.done()) return std::nullopt;
    return out;
}

std::optional<std::int64_t> parseCount(std::string_view json) {
    Reader r(json);
    const auto value = r.number();
    return r.done() ? value : std::nullopt;
}

ProgramHints::ProgramHints(std::span<const Hint> hints, const Graph* graph, const Program& program) {
    int id = 0;
    for (const Hint& hint : hints) {
        if (!hint.enabled || (hint.target != "spyre" && hint.target != "any")) continue;
        Entry entry;
        entry.hint = &hint;
        if (isScopeHint(hint)) entry.id = ++id;
        if (graph != nullptr) {
            const Subjects subjects = subjectsOf(hint, *graph);
            for (std::size_t i = 0; i < program.ops.size() && (subjects.wholeGraph || !subjects.ops.empty()); ++i) {
                if (subjects.wholeGraph || concerns(program, program.ops[i], subjects))
                    entry.ops.push_back(OpId::of(i));
            }
            for (std::size_t b = 0; b < program.buffers.size() && !subjects.tensors.empty(); ++b) {
                const BufferId tensor = program.buffers[b].graphTensor;
                if (tensor.isValid() && subjects.tensors.count(tensor) != 0) entry.buffers.push_back(BufferId::of(b));
            }
        }
        entries_.push_back(std::move(entry));
    }
}

bool ProgramHints::has(std::string_view key) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.hint->key == key; });
}

}  // namespace memplan::spyre
