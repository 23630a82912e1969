// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/protocol.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace memplan::graphlayout {
namespace {

constexpr std::string_view kMagic = "memplan-layout";
constexpr long long kVersion = 1;
constexpr double kLargestCoordinate = 1e8;

/// Fixed point with two decimals, free of the locale and of rounding modes.
std::string decimal(double value) {
    const long long hundredths = std::llround(value * 100);
    const long long whole = std::llabs(hundredths) / 100, rest = std::llabs(hundredths) % 100;
    std::string text = hundredths < 0 ? "-" : "";
    text += std::to_string(whole);
    if (rest != 0) text += {'.', static_cast<char>('0' + rest / 10), static_cast<char>('0' + rest % 10)};
    return text;
}

/// Reads line by line and field by field; the first fault is kept and stops everything.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool failed() const { return !error_.empty(); }
    [[nodiscard]] const std::string& error() const { return error_; }

    void fail(const std::string& what) {
        if (error_.empty()) error_ = "line " + std::to_string(line_) + ": " + what;
    }

    void nextLine(std::string_view tag) {
        if (failed()) return;
        ++line_;
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) return fail("text ends early");
        fields_ = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        if (field() != tag) fail("expected a record '" + std::string(tag) + "'");
    }

    std::string_view field() {
        const std::size_t cut = std::min(fields_.find(' '), fields_.size());
        const std::string_view value = fields_.substr(0, cut);
        fields_.remove_prefix(std::min(cut + 1, fields_.size()));
        return value;
    }

    long long integer() {
        const std::string_view text = field();
        long long value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code != std::errc() || end != text.data() + text.size()) fail("expected an integer");
        return value;
    }

    int index() {
        const long long value = integer();
        if (value < -1 || value > ProtocolLimits::kEdges) fail("index out of range");
        return failed() ? -1 : static_cast<int>(value);
    }

    double number() {
        const std::string_view text = field();
        double value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool isWhole = code == std::errc() && end == text.data() + text.size();
        if (!isWhole || !std::isfinite(value) || std::fabs(value) > kLargestCoordinate) fail("expected a number");
        return failed() ? 0 : value;
    }

    void endOfLine() {
        if (!fields_.empty()) fail("too many fields");
    }

    void endOfText() {
        nextLine(".");
        if (!failed() && !rest_.empty()) fail("text goes on after its end");
    }

private:
    std::string_view rest_, fields_;
    std::string error_;
    int line_ = 0;
};

long long count(Reader& reader, long long limit, bool& isOverLimit) {
    const long long value = reader.integer();
    if (value < 0) reader.fail("negative count");
    if (value > limit) {
        isOverLimit = true;
        reader.fail(std::to_string(value) + " is over the limit of " + std::to_string(limit));
    }
    return reader.failed() ? 0 : value;
}

void readHead(Reader& reader) {
    reader.nextLine(kMagic);
    if (reader.integer() != kVersion) reader.fail("unknown version");
}

Rect readRect(Reader& reader, std::string_view tag) {
    reader.nextLine(tag);
    Rect r;
    r.x = reader.number();
    r.y = reader.number();
    r.width = reader.number();
    r.height = reader.number();
    reader.endOfLine();
    return r;
}

EdgePath readPath(Reader& reader) {
    reader.nextLine("e");
    EdgePath path;
    path.isSpline = reader.integer() != 0;
    bool isOverLimit = false;
    const long long points = count(reader, ProtocolLimits::kPointsPerEdge, isOverLimit);
    for (long long i = 0; i < points && !reader.failed(); ++i) {
        const double x = reader.number();
        path.points.push_back({x, reader.number()});
    }
    if (path.isSpline && !path.points.empty() && path.points.size() % 3 != 1) reader.fail("a spline has 1 + 3n points");
    reader.endOfLine();
    return path;
}

std::string rectText(const Rect& r) {
    return decimal(r.x) + ' ' + decimal(r.y) + ' ' + decimal(r.width) + ' ' + decimal(r.height) + '\n';
}

}  // namespace

std::string encodeRequest(const LayoutGraph& graph) {
    std::string text(kMagic);
    text += graph.direction == Direction::TopToBottom ? " 1 tb " : " 1 lr ";
    text += std::to_string(graph.nodes.size()) + ' ' + std::to_string(graph.edges.size()) + ' ' +
            std::to_string(graph.clusters.size()) + '\n';
    for (const LayoutCluster& c : graph.clusters)
        text += "c " + std::to_string(c.parent) + '\n';
    for (const LayoutNode& n : graph.nodes)
        text += "n " + decimal(n.width) + ' ' + decimal(n.height) + ' ' + std::to_string(n.cluster) + ' ' +
                std::to_string(n.minRank) + '\n';
    for (const LayoutEdge& e : graph.edges)
        text += "e " + std::to_string(e.from) + ' ' + std::to_string(e.to) + '\n';
    return text + ".\n";
}

Parsed<LayoutGraph> parseRequest(std::string_view text) {
    if (text.size() > ProtocolLimits::kBytes) return {{}, "request is larger than 16 MiB", true};
    Reader reader(text);
    LayoutGraph graph;
    bool isOverLimit = false;
    readHead(reader);
    const std::string_view direction = reader.field();
    if (direction != "tb" && direction != "lr") reader.fail("direction is neither tb nor lr");
    graph.direction = direction == "lr" ? Direction::LeftToRight : Direction::TopToBottom;
    const long long nodes = count(reader, ProtocolLimits::kNodes, isOverLimit);
    const long long edges = count(reader, ProtocolLimits::kEdges, isOverLimit);
    const long long clusters = count(reader, ProtocolLimits::kClusters, isOverLimit);
    reader.endOfLine();
    for (long long i = 0; i < clusters && !reader.failed(); ++i) {
        reader.nextLine("c");
        graph.clusters.push_back({reader.index()});
        reader.endOfLine();
    }
    for (long long i = 0; i < nodes && !reader.failed(); ++i) {
        reader.nextLine("n");
        LayoutNode n;
        n.width = reader.number();
        n.height = reader.number();
        n.cluster = reader.index();
        n.minRank = reader.index();
        reader.endOfLine();
        graph.nodes.push_back(n);
    }
    for (long long i = 0; i < edges && !reader.failed(); ++i) {
        reader.nextLine("e");
        const int from = reader.index();
        graph.edges.push_back({from, reader.index()});
        reader.endOfLine();
    }
    reader.endOfText();
    if (reader.failed()) return {{}, reader.error(), isOverLimit};
    if (std::string fault = faultOf(graph); !fault.empty()) return {{}, std::move(fault), false};
    return {std::move(graph), {}, false};
}

std::string encodeAnswer(const LayoutResult& result) {
    std::string text = std::string(kMagic) + " 1 " + decimal(result.width) + ' ' + decimal(result.height) + '\n';
    for (const Rect& r : result.nodes)
        text += "n " + rectText(r);
    for (const EdgePath& e : result.edges) {
        text += std::string("e ") + (e.isSpline ? "1 " : "0 ") + std::to_string(e.points.size());
        for (const Point& p : e.points)
            text += ' ' + decimal(p.x) + ' ' + decimal(p.y);
        text += '\n';
    }
    for (const Rect& r : result.clusters)
        text += "c " + rectText(r);
    return text + ".\n";
}

Parsed<LayoutResult> parseAnswer(std::string_view text, const LayoutGraph& graph) {
    Reader reader(text);
    LayoutResult result;
    readHead(reader);
    result.width = reader.number();
    result.height = reader.number();
    reader.endOfLine();
    for (std::size_t i = 0; i < graph.nodes.size() && !reader.failed(); ++i)
        result.nodes.push_back(readRect(reader, "n"));
    for (std::size_t i = 0; i < graph.edges.size() && !reader.failed(); ++i)
        result.edges.push_back(readPath(reader));
    for (std::size_t i = 0; i < graph.clusters.size() && !reader.failed(); ++i)
        result.clusters.push_back(readRect(reader, "c"));
    reader.endOfText();
    if (reader.failed()) return {{}, reader.error(), false};
    return {std::move(result), {}, false};
}

}  // namespace memplan::graphlayout
