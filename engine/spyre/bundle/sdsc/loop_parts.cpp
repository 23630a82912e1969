// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/loop_parts.h"

#include "engine/base/numeric.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace memplan::bundle {
namespace {

using std::int64_t;
using std::string;

bool isWordChar(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// The text with `symbol` replaced where it stands as a word.
string replaced(const string& text, const string& symbol, const string& by) {
    string out;
    for (std::size_t at = 0; at < text.size();) {
        if (!isWordChar(text[at])) {
            out += text[at++];
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && isWordChar(text[end]))
            ++end;
        const string word = text.substr(at, end - at);
        out += word == symbol ? by : word;
        at = end;
    }
    return out;
}

/// Elements by which floor(symbol / divisor) moves in an arg: [symbol][divisor].
using Moves = std::map<string, std::map<int64_t, int64_t>>;

std::optional<Moves> movesOf(const OpSpec& op, const TensorArg& arg) {
    const auto extent = [&](std::string_view symbol) {
        const IterationEntry* e = op.find(symbol);
        return e == nullptr ? int64_t{1} : e->extent.integer().value_or(1);
    };
    Moves moves;
    int64_t unit = 1;
    for (std::size_t d = arg.coordinates.size(); d-- > 0;) {
        const auto terms = arg.coordinates[d].floorTerms(extent);
        if (!terms) return std::nullopt;
        for (const FloorTerm& t : *terms) {
            if (t.symbol.empty()) continue;
            int64_t& sum = moves[string(t.symbol)][t.divisor];
            sum = saturatedAdd(sum, saturatedMul(t.factor, unit));
        }
        unit = saturatedMul(unit, std::max<int64_t>(arg.deviceSize[d], 1));
    }
    return moves;
}

/// A loop written as several, the outermost first.
struct Part {
    int64_t step = 1;  ///< iterations of the loop that one iteration of the part stands for
    int64_t count = 1;
    int64_t slices = 1;
};

/// Hands the slices of a loop, which are equal and follow each other, to its parts: the outer ones are divided first.
/// The innermost part keeps whole sticks. False where a slice would end inside of a piece or a stick.
bool divide(std::vector<Part>& parts, int64_t slices, int64_t stick) {
    for (Part& part : parts) {
        const bool isEnough = part.count % slices == 0;
        if (!isEnough && slices % part.count != 0) return false;
        part.slices = isEnough ? slices : part.count;
        slices /= part.slices;
    }
    const Part& inner = parts.back();
    return slices == 1 && (inner.slices == 1 || inner.count / inner.slices % stick == 0);
}

/// The pieces into which the args cut a loop; empty where nothing is to be done or can be.
std::vector<Part> partsOf(const OpSpec& op, const IterationEntry& loop) {
    std::set<int64_t> cuts;
    int64_t stick = 1;
    for (const TensorArg& arg : op.args) {
        const auto moves = movesOf(op, arg);
        if (!moves) return {};
        const bool isStick = arg.coordinates.back().mentions(loop.symbol);
        const int64_t eps = arg.deviceSize.back();
        if (isStick) stick = std::max(stick, eps);
        const auto found = moves->find(loop.symbol);
        if (found == moves->end()) continue;
        for (const auto& [divisor, elements] : found->second) {
            if (elements != 0 && divisor != 1 && !(isStick && divisor == eps)) cuts.insert(divisor);
        }
    }
    if (cuts.empty() || loop.split < 1) return {};
    std::vector<Part> parts;
    int64_t whole = loop.extent.integer().value_or(0);
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
        if (whole % *cut != 0) return {};
        parts.push_back({*cut, whole / *cut, 1});
        whole = *cut;
    }
    if (whole % stick != 0) return {};
    parts.push_back({1, whole, 1});
    return divide(parts, loop.split, stick) ? parts : std::vector<Part>();
}

/// A coordinate as a sum of loops where it is one: a loop that its text names and that does not move it is left out.
void simplify(const OpSpec& op, Expr& coordinate) {
    const auto terms = coordinate.floorTerms([&](std::string_view symbol) {
        const IterationEntry* e = op.find(symbol);
        return e == nullptr ? int64_t{1} : e->extent.integer().value_or(1);
    });
    const auto isWhole = [](const FloorTerm& t) { return t.divisor == 1 && t.factor > 0; };
    if (!terms || terms->empty() || !std::all_of(terms->begin(), terms->end(), isWhole)) return;
    string sum;
    for (const FloorTerm& t : *terms) {
        const string factor = t.factor == 1 && !t.symbol.empty() ? "" : std::to_string(t.factor);
        sum += (sum.empty() ? "" : " + ") + factor + (factor.empty() || t.symbol.empty() ? "" : "*") + string(t.symbol);
    }
    if (auto parsed = Expr::parse(sum)) coordinate = std::move(parsed).value();
}

/// Writes loop `v` as loops over its parts.
bool cut(OpSpec& op, std::size_t v, const std::vector<Part>& parts) {
    const IterationEntry loop = op.iterationSpace[v];
    std::vector<IterationEntry> entries;
    string sum;
    for (const Part& part : parts) {
        const string symbol = loop.symbol + "_" + std::to_string(parts.size() - 1 - entries.size());
        entries.push_back({symbol, Expr(part.count), part.slices});
        sum += (sum.empty() ? "(" : " + ") + std::to_string(part.step) + "*" + symbol;
    }
    sum += ")";
    // The first dimension is the fastest over the cores (13.3): slice after slice must stay with core after core.
    const auto isDivided = [](const Part& part) { return part.slices > 1; };
    if (std::count_if(parts.begin(), parts.end(), isDivided) > 1) std::reverse(entries.begin(), entries.end());
    const auto at = op.iterationSpace.begin() + static_cast<std::ptrdiff_t>(v);
    op.iterationSpace.insert(op.iterationSpace.erase(at), entries.begin(), entries.end());
    // Pieces are whole sticks: only the part inside of them moves over lanes.
    const string lane = loop.symbol + "_0";
    for (TensorArg& arg : op.args) {
        for (Expr& e : arg.coordinates) {
            if (!e.mentions(loop.symbol)) continue;
            const bool isLane = &e == &arg.coordinates.back();
            auto parsed = Expr::parse(replaced(e.text(), loop.symbol, isLane ? lane : sum));
            if (!parsed) return false;
            e = std::move(parsed).value();
            if (!isLane) simplify(op, e);
        }
    }
    return true;
}

bool canBeCut(const OpSpec& op) {
    const auto isSound = [](const TensorArg& a) {
        return !a.deviceSize.empty() && a.deviceSize.size() == a.coordinates.size() && !workDivisionOf(a);
    };
    return !isMatmulOp(op.op) && !op.args.empty() && std::all_of(op.args.begin(), op.args.end(), isSound);
}

}  // namespace

OpSpec withLoopParts(const OpSpec& op) {
    if (!canBeCut(op)) return op;
    OpSpec out = op;
    for (std::size_t v = 0; v < out.iterationSpace.size(); ++v) {
        const std::vector<Part> parts = partsOf(out, out.iterationSpace[v]);
        if (parts.empty()) continue;
        if (!cut(out, v, parts)) return op;
        v += parts.size() - 1;
    }
    return out;
}

}  // namespace memplan::bundle
