// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/files/program.h"

#include "engine/base/numeric.h"
#include "engine/verify/spyre/artefact/files/text_cursor.h"

#include <map>
#include <optional>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

constexpr std::size_t kDeepest = 64;

/// affine_map<(d0, d1)[s0] -> (s0 + 4*d0)>: one result, a sum.
struct AffineMap {
    std::size_t dims = 0, symbols = 0;
    std::vector<int64_t> coefficients;  ///< dimensions, then symbols
    int64_t constant = 0;
};

class ProgramReader {
public:
    explicit ProgramReader(std::string_view text) : t_(text, "//") {}

    Program read() {
        while (t_.peek() == '#')
            namedMap();
        t_.expect("module");
        t_.expect("{");
        t_.expect("func.func");
        t_.expect("@");
        t_.name(".$");
        parameters();
        if (t_.take("attributes")) balanced('{', '}');
        t_.expect("{");
        program_.steps = block(0);
        t_.expect("}");
        if (!t_.atEnd()) t_.fail("text behind the module");
        return std::move(program_);
    }

private:
    TextCursor t_;
    Program program_;
    std::map<string, AffineMap> maps_;
    std::map<string, Address> values_;

    void balanced(char open, char close) {
        t_.expect(string(1, open));
        for (int depth = 1; depth > 0; t_.advance()) {
            const char c = t_.peek();
            if (c == '\0') t_.fail("a bracket has no end");
            depth += c == open ? 1 : c == close ? -1 : 0;
        }
    }

    int64_t sum(int64_t a, int64_t b) const {
        const auto s = checkedAdd(a, b);
        if (!s) t_.fail("a sum leaves 64 bits");
        return *s;
    }
    int64_t product(int64_t a, int64_t b) const {
        const auto p = checkedMul(a, b);
        if (!p) t_.fail("a product leaves 64 bits");
        return *p;
    }

    // ---- affine maps -------------------------------------------------------------------------------

    void namedMap() {
        t_.expect("#");
        const string name = t_.name(".$");
        t_.expect("=");
        if (!maps_.emplace(name, affineMap()).second) t_.fail("the map " + text::quoted(name) + " is given twice");
    }

    AffineMap affineMap() {
        t_.expect("affine_map");
        t_.expect("<");
        std::map<string, std::size_t> at;
        AffineMap map;
        map.dims = nameList('(', ')', at);
        if (t_.peek() == '[') map.symbols = nameList('[', ']', at);
        map.coefficients.assign(map.dims + map.symbols, 0);
        t_.expect("->");
        t_.expect("(");
        affineSum(map, at);
        t_.expect(")");
        t_.expect(">");
        return map;
    }

    std::size_t nameList(char open, char close, std::map<string, std::size_t>& at) {
        t_.expect(string(1, open));
        std::size_t n = 0;
        while (t_.peek() != close) {
            if (n > 0) t_.expect(",");
            if (!at.emplace(t_.name(), at.size()).second) t_.fail("a name is given twice");
            ++n;
        }
        t_.advance();
        return n;
    }

    void affineSum(AffineMap& map, const std::map<string, std::size_t>& at) {
        for (int64_t sign = t_.take("-") ? -1 : 1;;) {
            affineTerm(map, at, sign);
            if (t_.take("+")) {
                sign = 1;
            } else if (t_.startsWith("->") || !t_.take("-")) {
                return;
            } else {
                sign = -1;
            }
        }
    }

    void affineTerm(AffineMap& map, const std::map<string, std::size_t>& at, int64_t sign) {
        int64_t factor = sign;
        std::optional<std::size_t> which;
        do {
            const char c = t_.peek();
            if (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0) {
                factor = product(factor, t_.integer());
                continue;
            }
            const auto it = at.find(t_.name());
            if (it == at.end() || which) t_.fail("a term of a map is no number times one name");
            which = it->second;
        } while (t_.take("*"));
        int64_t& into = which ? map.coefficients[*which] : map.constant;
        into = sum(into, factor);
    }

    // ---- function ----------------------------------------------------------------------------------

    void parameters() {
        t_.expect("(");
        while (t_.peek() != ')') {
            if (!program_.parameters.empty()) t_.expect(",");
            t_.expect("%");
            Parameter p;
            p.name = t_.name(".$");
            p.isPool = p.name.starts_with("pool");
            t_.expect(":");
            type();
            Address a;
            a.parameter = static_cast<int>(program_.parameters.size());
            define(p.name, a);
            program_.parameters.push_back(std::move(p));
        }
        t_.advance();
        int next = 0;
        for (Parameter& p : program_.parameters) {
            if (!p.isPool) p.argument = argumentNamed(p.name).value_or(next++);
        }
    }

    /// %arg_<k>_base_addr
    static std::optional<int> argumentNamed(const string& name) {
        constexpr std::string_view kPrefix = "arg_";
        if (!name.starts_with(kPrefix)) return std::nullopt;
        const std::size_t end = name.find('_', kPrefix.size());
        const auto k = text::parseInt(std::string_view(name).substr(kPrefix.size(), end - kPrefix.size()));
        if (!k || *k < 0 || *k > 1'000'000) return std::nullopt;
        return static_cast<int>(*k);
    }

    void type() {
        t_.take("!");
        t_.name(".$");
        if (t_.peek() == '<') balanced('<', '>');
    }

    void define(const string& name, Address value) {
        if (!values_.emplace(name, std::move(value)).second)
            t_.fail("the value " + text::quoted(name) + " is given twice");
    }

    const Address& value() {
        t_.expect("%");
        const string name = t_.name(".$");
        const auto it = values_.find(name);
        if (it == values_.end()) t_.fail("the value " + text::quoted(name) + " is not known here");
        return it->second;
    }

    int64_t constantValue() {
        const Address& a = value();
        if (a.parameter >= 0 || !a.loops.empty()) t_.fail("the bound of a loop is no constant");
        return a.constant;
    }

    std::vector<Step> block(std::size_t depth) {
        if (depth > kDeepest) t_.fail("loops are nested too deep");
        std::vector<Step> steps;
        for (bool returned = false; t_.peek() != '}';) {
            if (t_.atEnd()) t_.fail("a block has no end");
            if (returned) t_.fail("an operation behind the return");
            if (t_.peek() == '%') {
                definition();
            } else if (t_.take("scf.for")) {
                steps.push_back(loop(depth));
            } else if (t_.take("sdscbundle.sdsc_execute")) {
                steps.push_back(execute());
            } else if (t_.take("return")) {
                returned = true;
            } else {
                t_.fail("an operation that bundles do not have");
            }
        }
        t_.advance();
        return steps;
    }

    void definition() {
        t_.expect("%");
        const string name = t_.name(".$");
        t_.expect("=");
        if (t_.take("arith.constant")) {
            Address a;
            a.constant = t_.integer();
            t_.expect(":");
            type();
            return define(name, a);
        }
        if (t_.take("arith.addi")) {
            Address a = value();
            t_.expect(",");
            a = added(std::move(a), value(), 1);
            t_.expect(":");
            type();
            return define(name, std::move(a));
        }
        if (t_.take("affine.apply")) return define(name, applied());
        if (t_.take("sdscbundle.input_arg_extract")) {
            t_.name();
            t_.expect("from");
            Address a = value();
            t_.expect(":");
            type();
            t_.expect("->");
            type();
            return define(name, std::move(a));
        }
        if (t_.take("sdscbundle.device_mem_allocate")) {
            // The bundle makes room for its pool by itself.
            t_.integer();
            t_.take("bytes");
            t_.expect(":");
            type();
            Address a;
            a.parameter = static_cast<int>(program_.parameters.size());
            program_.parameters.push_back({name, true, -1});
            return define(name, a);
        }
        t_.fail("an operation that bundles do not have");
    }

    Address added(Address a, const Address& b, int64_t factor) const {
        if (b.parameter >= 0) {
            if (a.parameter >= 0 || factor != 1) t_.fail("an address is made of two base addresses");
            a.parameter = b.parameter;
        }
        a.constant = sum(a.constant, product(b.constant, factor));
        for (const auto& [loop, bytes] : b.loops)
            a.loops.emplace_back(loop, product(bytes, factor));
        return a;
    }

    Address applied() {
        AffineMap inlineMap;
        const AffineMap* map = &inlineMap;
        if (t_.take("#")) {
            const auto it = maps_.find(t_.name(".$"));
            if (it == maps_.end()) t_.fail("a map that is not given");
            map = &it->second;
        } else {
            inlineMap = affineMap();
        }
        Address out;
        out.constant = map->constant;
        std::size_t n = 0;
        const auto operands = [&](char open, char close, std::size_t wanted) {
            t_.expect(string(1, open));
            for (std::size_t i = 0; t_.peek() != close; ++i, ++n) {
                if (i > 0) t_.expect(",");
                if (i >= wanted) t_.fail("a map gets too many operands");
                const Address& operand = value();
                if (map->coefficients[n] != 0) out = added(std::move(out), operand, map->coefficients[n]);
            }
            t_.advance();
        };
        operands('(', ')', map->dims);
        if (n != map->dims) t_.fail("a map gets too few operands");
        if (map->symbols > 0 || t_.peek() == '[') operands('[', ']', map->symbols);
        if (n != map->coefficients.size()) t_.fail("a map gets too few operands");
        return out;
    }

    Step loop(std::size_t depth) {
        Step s;
        s.loop = program_.loops++;
        t_.expect("%");
        const string variable = t_.name(".$");
        t_.expect("=");
        s.first = constantValue();
        t_.expect("to");
        s.end = constantValue();
        t_.expect("step");
        s.step = constantValue();
        if (s.step < 1) t_.fail("a loop has no step from 1");
        Address a;
        a.loops.emplace_back(s.loop, 1);
        t_.expect("{");
        const auto outer = values_;
        define(variable, a);
        s.body = block(depth + 1);
        values_ = outer;
        return s;
    }

    Step execute() {
        Step s;
        t_.expect("(");
        while (t_.peek() != ')') {
            if (!s.operands.empty()) t_.expect(",");
            s.operands.push_back(value());
        }
        t_.advance();
        t_.expect("{");
        for (bool first = true; t_.peek() != '}'; first = false) {
            if (!first) t_.expect(",");
            const string key = t_.peek() == '"' ? t_.quoted() : t_.name();
            t_.expect("=");
            if (key == "sdsc_filename") {
                s.file = t_.quoted();
            } else if (key == "symbol_ids") {
                idList(s.ids);
            } else {
                t_.fail("an attribute that execute lines do not have");
            }
        }
        t_.advance();
        if (s.file.empty()) t_.fail("an execute line names no file");
        if (s.ids.size() != s.operands.size()) {
            t_.fail("an execute line passes " + std::to_string(s.operands.size()) + " addresses for " +
                    std::to_string(s.ids.size()) + " symbols");
        }
        return s;
    }

    void idList(std::vector<int64_t>& ids) {
        t_.expect("[");
        while (t_.peek() != ']') {
            if (!ids.empty()) t_.expect(",");
            ids.push_back(t_.integer());
            if (t_.take(":")) type();
        }
        t_.advance();
    }
};

void collect(const std::vector<Step>& steps, std::vector<const Step*>& out) {
    for (const Step& s : steps) {
        if (s.isLoop()) {
            collect(s.body, out);
        } else {
            out.push_back(&s);
        }
    }
}

}  // namespace

std::int64_t Step::trips() const {
    if (end <= first) return 0;
    const auto span = checkedAdd(end, -first);
    return span ? (*span - 1) / step + 1 : std::numeric_limits<int64_t>::max();
}

std::vector<const Step*> Program::executes() const {
    std::vector<const Step*> out;
    collect(steps, out);
    return out;
}

Result<Program> readProgram(std::string_view text, const string& where) {
    try {
        return ProgramReader(text).read();
    } catch (const Broken& e) {
        return makeError("VER-020", where + ":" + e.where, e.what, "export the bundle anew");
    }
}

}  // namespace memplan::sim::artefact
