// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/bundle/python/py_reader.h"
#include "engine/spyre/bundle/python/spec_from_py.h"
#include "engine/spyre/bundle/python/wrapper.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace memplan::bundle {

namespace {

constexpr std::string_view kCall = "async_compile.sdsc";
constexpr std::string_view kFallback = "# fallback kernel ";
constexpr std::string_view kFills = "; fills ";
constexpr std::string_view kWith = " with ";

bool isWordChar(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())) != 0)
        s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back())) != 0)
        s.remove_suffix(1);
    return s;
}

bool isWord(std::string_view s) {
    return !s.empty() && std::isdigit(static_cast<unsigned char>(s.front())) == 0 &&
           std::all_of(s.begin(), s.end(), isWordChar);
}

/// Names of "a, b, c" or "(a, b,)"; anything else that stands between the commas is left out.
std::vector<std::string> namesIn(std::string_view list) {
    list = trimmed(list);
    if (!list.empty() && list.front() == '(') list.remove_prefix(1);
    if (!list.empty() && list.back() == ')') list.remove_suffix(1);
    std::vector<std::string> names;
    for (const std::string& piece : text::split(list, ',')) {
        const std::string_view name = trimmed(piece);
        if (isWord(name)) names.emplace_back(name);
    }
    return names;
}

constexpr std::size_t kMostDimensions = 8;
constexpr std::int64_t kLargestFigure = std::int64_t{1} << 48;

/// Extents or strides of a tensor that can exist.
std::optional<std::vector<std::int64_t>> figuresOf(const PyValue& list) {
    std::vector<std::int64_t> out;
    if (list.items.size() > kMostDimensions) return std::nullopt;
    for (const PyValue& v : list.items) {
        if (v.kind != PyKind::Int || v.integer < 0 || v.integer > kLargestFigure) return std::nullopt;
        out.push_back(v.integer);
    }
    return out;
}

/// A name, or reinterpret_tensor(NAME, SHAPE, STRIDES, OFFSET) with or without a module in front of it; nullopt for
/// what is no tensor. A view whose figures are not plain numbers is taken as its tensor.
std::optional<Returned> returnedOf(const PyValue& v) {
    if (v.kind == PyKind::Name) return isWord(v.text) ? std::optional<Returned>(v.text) : std::nullopt;
    if (v.kind != PyKind::Call || v.items.empty() || v.items.front().kind != PyKind::Name) return std::nullopt;
    if (!v.text.ends_with("reinterpret_tensor") || !isWord(v.items.front().text)) return std::nullopt;
    Returned out(v.items.front().text);
    if (v.items.size() != 4 || v.items[3].kind != PyKind::Int) return out;
    const auto shape = figuresOf(v.items[1]);
    const auto strides = figuresOf(v.items[2]);
    const std::int64_t offset = v.items[3].integer;
    const bool isPlausible =
        shape && strides && shape->size() == strides->size() && offset >= 0 && offset <= kLargestFigure;
    if (isPlausible) out.view = HostView{*shape, *strides, offset};
    return out;
}

/// "VIEW with NUMBER"; nullopt for anything else.
std::optional<HostFill> fillOf(std::string_view text) {
    const std::size_t with = text.rfind(kWith);
    if (with == std::string_view::npos) return std::nullopt;
    const auto view = PyReader(text, 0).value();
    const auto tensor = view ? returnedOf(view.value()) : std::nullopt;
    const auto number = text::parseDouble(trimmed(text.substr(with + kWith.size())));
    if (!tensor || !tensor->view || !number) return std::nullopt;
    return HostFill{tensor->name, *tensor->view, *number};
}

class FileReader {
public:
    FileReader(std::string_view text, Diagnostics& notes) : s_(text), notes_(notes) {}

    Result<WrapperFile> run() {
        file_.hasCall = false;
        for (std::size_t at = s_.find(kCall); at != std::string_view::npos; at = s_.find(kCall, at)) {
            auto next = kernel(at);
            if (!next) return std::move(next).error();
            at = next.value();
        }
        lines();
        takeArguments();
        return std::move(file_);
    }

private:
    /// Reads the kernel whose "async_compile.sdsc" stands at `at`; returns where to look for the next.
    Result<std::size_t> kernel(std::size_t at) {
        const std::size_t behind = at + kCall.size();
        const std::size_t lineStart = s_.rfind('\n', at) == std::string_view::npos ? 0 : s_.rfind('\n', at) + 1;
        std::string_view before = trimmed(s_.substr(lineStart, at - lineStart));
        if (before.empty() || before.back() != '=') return behind;
        before = trimmed(before.substr(0, before.size() - 1));
        PyReader reader(s_, behind);
        if (!isWord(before) || !reader.take('(')) return behind;

        auto name = reader.value();
        if (!name) return std::move(name).error();
        if (name.value().kind != PyKind::Str) return reader.expected("the name of the kernel");
        if (!reader.take(',')) return reader.expected("\",\"");
        auto list = reader.value();
        if (!list) return std::move(list).error();
        Kernel k;
        k.name = std::string(before);
        if (auto rest = options(reader, k); !rest) return rest.error();
        auto specs = specsFromPy(list.value(), k.name, notes_);
        if (!specs) return std::move(specs).error();
        k.specs = std::move(specs).value();
        if (!names_.insert(k.name).second) {
            if (notes_.kept().size() >= Diagnostics::kKept) return reader.offset();
            notes_.warning("BND-105", placeIn(s_, lineStart),
                           "kernel " + text::quoted(k.name) + " is assigned twice; the first one counts");
        } else {
            file_.kernels.push_back(std::move(k));
        }
        return reader.offset();
    }

    /// [, pool_size=INT] [, other=VALUE] [,] )
    static Result<void> options(PyReader& reader, Kernel& k) {
        while (reader.take(',')) {
            if (reader.take(')')) return {};
            auto word = reader.value();
            if (!word) return std::move(word).error();
            if (word.value().kind != PyKind::Name || !reader.take('=')) return reader.expected("NAME=VALUE");
            auto value = reader.value();
            if (!value) return std::move(value).error();
            if (word.value().text != "pool_size") continue;
            const bool good = value.value().kind == PyKind::Int && value.value().integer >= 0;
            if (!good) return reader.expected("a pool size in bytes");
            k.poolSize = value.value().integer;
        }
        if (!reader.take(')')) return reader.expected("\")\"");
        return {};
    }

    /// What the host part says: the unpacking of args, `<kernel>.run(...)`, and what is returned.
    void lines() {
        bool inCall = false;
        for (std::size_t begin = 0; begin < s_.size();) {
            std::size_t end = s_.find('\n', begin);
            if (end == std::string_view::npos) end = s_.size();
            const std::string_view line = trimmed(s_.substr(begin, end - begin));
            if (line.substr(0, 9) == "def call(")
                inCall = file_.hasCall = true;
            else if (line.substr(0, 4) == "def ")
                inCall = false;
            hostLine(line, inCall, begin);
            begin = end + 1;
        }
    }

    void hostLine(std::string_view line, bool inCall, std::size_t offset) {
        constexpr std::string_view kArgs = "= args";
        if (inCall && line.starts_with(kFallback)) return hostCall(offset);
        const bool unpacks = inCall && line.size() > kArgs.size() && line.substr(line.size() - kArgs.size()) == kArgs;
        if (unpacks && file_.inputs.empty()) file_.inputs = namesIn(line.substr(0, line.size() - kArgs.size()));
        if (inCall && line.substr(0, 7) == "return ") returns(s_.find("return ", offset) + 7);
        const std::size_t run = line.find(".run(");
        if (run == std::string_view::npos || !isWord(line.substr(0, run))) return;
        // The arguments may go on over several lines.
        const std::size_t open = s_.find(".run(", offset) + 5;
        const std::size_t close = s_.find(')', open);
        if (close == std::string_view::npos) return;
        WrapperFile::Call call;
        call.kernel = std::string(line.substr(0, run));
        call.arguments = namesIn(s_.substr(open, close - open));
        if (!call.arguments.empty() && call.arguments.front() == "_pool") {
            call.hasPool = true;
            call.arguments.erase(call.arguments.begin());
        }
        file_.calls.push_back(std::move(call));
    }

    /// # fallback kernel 'NAME': READ, .. -> WRITTEN, ..[; fills VIEW with NUMBER]; what is not of this form is a
    /// comment.
    void hostCall(std::size_t offset) {
        const std::size_t end = std::min(s_.find('\n', offset), s_.size());
        const std::string_view line = s_.substr(0, end);
        PyReader reader(line, line.find(kFallback, offset) + kFallback.size());
        const auto name = reader.value();
        if (!name || name.value().kind != PyKind::Str || !reader.take(':')) return;
        const std::string_view rest = line.substr(reader.offset());
        const std::size_t arrow = rest.find("->");
        if (arrow == std::string_view::npos) return;
        const std::size_t fills = rest.find(kFills, arrow);
        HostCall call{name.value().text, namesIn(rest.substr(0, arrow)),
                      namesIn(rest.substr(arrow + 2, fills - std::min(arrow + 2, fills))), file_.calls.size()};
        if (fills != std::string_view::npos) call.fill = fillOf(rest.substr(fills + kFills.size()));
        file_.hostCalls.push_back(std::move(call));
    }

    /// The tensors behind a `return`, which may go on over several lines. What cannot be read as Python values gives
    /// the names alone.
    void returns(std::size_t at) {
        PyReader reader(s_, at);
        const auto list = reader.value();
        file_.outputs.clear();
        if (!list) {
            const std::string_view line = s_.substr(at, s_.substr(at).find('\n'));
            for (std::string& name : namesIn(line))
                file_.outputs.emplace_back(std::move(name));
            return;
        }
        const bool isMany = list.value().kind == PyKind::Tuple || list.value().kind == PyKind::List;
        std::vector<PyValue> items = isMany ? list.value().items : std::vector<PyValue>{list.value()};
        while (!isMany && reader.take(',')) {
            auto next = reader.value();
            if (!next) break;
            items.push_back(std::move(next).value());
        }
        for (const PyValue& item : items) {
            if (auto tensor = returnedOf(item)) file_.outputs.push_back(std::move(*tensor));
        }
    }

    void takeArguments() {
        std::map<std::string, const WrapperFile::Call*> first;
        for (const WrapperFile::Call& c : file_.calls)
            first.emplace(c.kernel, &c);
        for (Kernel& k : file_.kernels) {
            if (const auto it = first.find(k.name); it != first.end()) k.arguments = it->second->arguments;
        }
    }

    std::string_view s_;
    Diagnostics& notes_;
    WrapperFile file_;
    std::set<std::string> names_;
};

}  // namespace

Result<WrapperFile> readWrapper(std::string_view text, Diagnostics& notes) {
    auto file = FileReader(text, notes).run();
    if (file && file.value().kernels.empty() && !file.value().hasCall) {
        return makeError("BND-102", "1:1",
                         "the file holds no kernel assignment NAME = async_compile.sdsc('NAME', [...])",
                         "choose the output_code.py of a Spyre compile");
    }
    return file;
}

Result<SpecTree> readSpecList(std::string_view text, Diagnostics& notes) {
    PyReader reader(text, 0);
    auto list = reader.value();
    if (!list) return std::move(list).error();
    return specsFromPy(list.value(), "", notes);
}

}  // namespace memplan::bundle
