// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/files/python_value.h"

namespace memplan::sim::artefact {
namespace {

using std::string;
using Kind = PythonValue::Kind;

constexpr std::size_t kDeepest = 200;

class ValueReader {
public:
    explicit ValueReader(TextCursor& cursor) : t_(cursor) {}

    PythonValue value(std::size_t depth) {
        if (depth > kDeepest) t_.fail("values are nested too deep");
        const char c = t_.peek();
        PythonValue v;
        v.position = t_.position();
        if (c == '[' || c == '(') return sequence(std::move(v), c == '[' ? ']' : ')', depth);
        if (c == '{') return dictionary(std::move(v), depth);
        if (c == '\'' || c == '"') {
            v.kind = Kind::Text;
            v.text = t_.quoted();
            return v;
        }
        v.text = t_.word("+-.");
        if (v.text.empty()) t_.fail("expected a value");
        if (t_.peek() == '(') return arguments(std::move(v), depth);
        if (const auto i = text::parseInt(v.text)) {
            v.kind = Kind::Integer;
            v.integer = *i;
        }
        return v;
    }

    PythonValue arguments(PythonValue v, std::size_t depth) {
        v.kind = Kind::Call;
        t_.expect("(");
        while (t_.peek() != ')') {
            const std::size_t before = t_.position();
            string key = t_.word();
            if (key.empty() || !t_.take("=")) {
                key.clear();
                t_.seek(before);
            }
            if (!key.empty() && v.keyword(key) != nullptr) t_.fail(text::quoted(key) + " is given twice");
            v.items.push_back(value(depth + 1));
            v.keys.push_back(std::move(key));
            if (!t_.take(",") && t_.peek() != ')') t_.fail("expected a comma");
        }
        t_.advance();
        return v;
    }

private:
    TextCursor& t_;

    PythonValue sequence(PythonValue v, char close, std::size_t depth) {
        v.kind = Kind::List;
        t_.advance();
        while (t_.peek() != close) {
            v.items.push_back(value(depth + 1));
            if (!t_.take(",") && t_.peek() != close) t_.fail("expected a comma");
        }
        t_.advance();
        return v;
    }

    PythonValue dictionary(PythonValue v, std::size_t depth) {
        v.kind = Kind::Dictionary;
        t_.advance();
        while (t_.peek() != '}') {
            v.items.push_back(value(depth + 1));
            t_.expect(":");
            v.items.push_back(value(depth + 1));
            if (!t_.take(",") && t_.peek() != '}') t_.fail("expected a comma");
        }
        t_.advance();
        return v;
    }
};

}  // namespace

const PythonValue* PythonValue::keyword(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == key) return &items[i];
    }
    return nullptr;
}

PythonValue pythonCall(TextCursor& cursor, const string& name) {
    PythonValue v;
    v.position = cursor.position();
    v.text = name;
    return ValueReader(cursor).arguments(std::move(v), 0);
}

}  // namespace memplan::sim::artefact
