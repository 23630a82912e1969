// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/files/wrapper_code.h"

#include "engine/base/numeric.h"
#include "engine/verify/spyre/artefact/files/python_value.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

class WrapperReader {
public:
    explicit WrapperReader(std::string_view text) : t_(text, "#") {}

    WrapperCode read() {
        constexpr std::string_view kMark = "async_compile.sdsc";
        const std::string_view text = t_.text();
        const std::size_t body = std::min(text.find("\ndef call("), text.size());
        for (std::size_t at = text.find(kMark); at < body; at = text.find(kMark, at + 1)) {
            t_.seek(at + kMark.size());
            kernel(at);
        }
        if (body < text.size()) lines(text.substr(body));
        return std::move(out_);
    }

private:
    TextCursor t_;
    WrapperCode out_;

    /// The name that stands in front of the mark: NAME = async_compile.sdsc(..
    [[nodiscard]] string assignedName(std::size_t mark) const {
        const std::string_view text = t_.text();
        const std::size_t line = mark == 0 ? 0 : text.rfind('\n', mark) + 1;
        TextCursor c(text.substr(line, mark - line), "#");
        const string name = c.word();
        return c.take("=") && c.atEnd() ? name : "";
    }

    void kernel(std::size_t mark) {
        const PythonValue call = pythonCall(t_, "sdsc");
        if (call.items.size() < 2 || call.items[0].kind != PythonValue::Kind::Text ||
            call.items[1].kind != PythonValue::Kind::List)
            t_.fail("a kernel without name and list");
        KernelCode k;
        k.name = call.items[0].text;
        if (const PythonValue* pool = call.keyword("pool_size")) k.poolBytes = pool->integer;
        if (k.poolBytes < 0) t_.fail("a pool of less than 0 bytes");
        entries(call.items[1], k);
        k.entries = opEntries(call.items[1], t_.text());
        const string name = k.name;
        if (assignedName(mark) != name)
            t_.fail("the kernel " + text::quoted(name) + " has another name in front of it");
        if (!out_.kernels.emplace(name, std::move(k)).second) t_.fail("a kernel is given twice");
    }

    void entries(const PythonValue& list, KernelCode& k) const {
        for (const PythonValue& entry : list.items) {
            if (entry.text == "LoopSpec") {
                if (const PythonValue* body = entry.keyword("body")) entries(*body, k);
            } else if (entry.text == "OpSpec") {
                const PythonValue* args = entry.keyword("args");
                for (std::size_t i = 0; args != nullptr && i < args->items.size(); ++i)
                    tensor(args->items[i], k);
            } else if (entry.text == "UnimplementedOp") {
                const PythonValue* op = entry.keyword("op");
                k.unimplemented.push_back(op == nullptr ? "?" : op->text);
            }
        }
    }

    static std::vector<int64_t> integers(const PythonValue* list) {
        std::vector<int64_t> out;
        for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i)
            out.push_back(list->items[i].integer);
        return out;
    }

    void tensor(const PythonValue& arg, KernelCode& k) const {
        const PythonValue* index = arg.keyword("arg_index");
        if (index == nullptr || index->integer < 0) return;
        DeviceLayout layout{integers(arg.keyword("device_size")), integers(arg.keyword("stride_map"))};
        const bool sound = std::all_of(layout.size.begin(), layout.size.end(), [](int64_t s) { return s > 0; });
        if (!sound) t_.fail("a device size below 1");
        if (layout.strideMap.size() != layout.size.size()) layout.strideMap.clear();
        DeviceLayout& known = k.arguments[index->integer];
        const bool better =
            layout.elements() > known.elements() || (layout.elements() == known.elements() && known.strideMap.empty());
        if (better) known = std::move(layout);
    }

    // ---- body of call(args) ------------------------------------------------------------------------

    /// What stands behind the return never runs.
    void lines(std::string_view body) {
        TextCursor title(body, "#");
        title.expect("def call(");
        const string given = "= " + title.word();
        for (const string& line : text::split(body, '\n')) {
            TextCursor c(line, "#");
            if (TextCursor host(line, "\n"); host.take("# fallback kernel")) {
                hostCall(host);
            } else if (c.take("return")) {
                return returned(c);
            } else if (const std::size_t run = line.find(".run("); run != string::npos) {
                KernelCall call;
                call.kernel = c.name();
                c.expect(".run");
                call.arguments = names(c);
                call.hasPool = !call.arguments.empty() && call.arguments.front() == "_pool";
                if (call.hasPool) call.arguments.erase(call.arguments.begin());
                out_.calls.push_back(std::move(call));
            } else if (line.ends_with(given)) {
                out_.inputs = names(c);
            }
        }
    }

    void hostCall(TextCursor& c) {
        HostCall call;
        call.op = c.quoted();
        c.expect(":");
        if (!c.startsWith("->")) call.read = names(c);
        c.expect("->");
        call.written = names(c);
        if (c.take(";")) call.fill = fill(c, call.written);
        call.position = out_.calls.size();
        out_.hostCalls.push_back(std::move(call));
    }

    /// fills VIEW with NUMBER, in a tensor that the call writes.
    static HostFill fill(TextCursor& c, const std::vector<string>& written) {
        HostFill out;
        c.expect("fills");
        c.expect("reinterpret_tensor");
        out.at = view(c, out.tensor);
        if (std::find(written.begin(), written.end(), out.tensor) == written.end())
            c.fail("it fills a tensor that it does not write");
        c.expect("with");
        const auto number = text::parseDouble(c.word("+-."));
        if (!number || !c.atEnd()) c.fail("expected a number and the end of the line");
        out.number = *number;
        return out;
    }

    void returned(TextCursor& c) {
        c.take("(");
        out_.outputs.clear();
        out_.outputViews.clear();
        for (string w = c.word("."); !w.empty(); w = c.word(".")) {
            if (w.ends_with("reinterpret_tensor") && c.peek() == '(') {
                out_.outputViews.emplace_back(view(c, out_.outputs.emplace_back()));
            } else {
                out_.outputs.push_back(std::move(w));
                out_.outputViews.emplace_back();
            }
            if (!c.take(",")) break;
        }
    }

    /// (NAME, (EXTENT, ..), (STRIDE, ..), OFFSET)
    static ReturnedView view(TextCursor& c, string& tensor) {
        ReturnedView v;
        c.expect("(");
        tensor = c.name();
        c.expect(",");
        v.shape = figures(c);
        c.expect(",");
        v.strides = figures(c);
        c.expect(",");
        v.offset = c.integer();
        c.expect(")");
        if (v.shape.size() != v.strides.size()) c.fail("a view has other numbers of extents and strides");
        return v;
    }

    static std::vector<int64_t> figures(TextCursor& c) {
        std::vector<int64_t> out;
        c.expect("(");
        while (c.peek() != ')') {
            out.push_back(c.integer());
            if (!c.take(",")) break;
        }
        c.expect(")");
        return out;
    }

    static std::vector<string> names(TextCursor& c) {
        c.take("(");
        std::vector<string> out;
        for (string w = c.word(); !w.empty(); w = c.word()) {
            out.push_back(std::move(w));
            if (!c.take(",")) break;
        }
        return out;
    }
};

}  // namespace

std::int64_t DeviceLayout::elements() const {
    int64_t n = size.empty() ? 0 : 1;
    for (const int64_t s : size)
        n = saturatedMul(n, s);
    return n;
}

std::int64_t DeviceLayout::wordLength() const {
    constexpr int64_t kStick = 128;
    return size.empty() || size.back() < 1 || kStick % size.back() != 0 ? 0 : kStick / size.back();
}

Result<WrapperCode> readWrapper(std::string_view text, const string& where) {
    try {
        return WrapperReader(text).read();
    } catch (const Broken& e) {
        return makeError("VER-020", where + ":" + e.where, e.what, "export the bundle anew");
    }
}

}  // namespace memplan::sim::artefact
