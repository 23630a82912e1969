// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/mlir_reader.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/import/mlir_tokens.h"

#include <algorithm>
#include <map>
#include <optional>

namespace memplan::io {

namespace {

using Kind = MlirTokens::Kind;
constexpr int kDeepest = 64;
constexpr std::size_t kMostDims = 64;

/// (d0, d1)[s0] -> (constant + sum of factor x operand); operands: dims, then symbols.
struct AffineMap {
    std::size_t dims = 0, symbols = 0;
    std::int64_t constant = 0;
    std::vector<std::int64_t> factors;
};

class Reader {
public:
    explicit Reader(std::string_view text) : t_(text) {}

    Result<BundleProgram> run() {
        while (!t_.failed() && !t_.is(Kind::End))
            topLevel();
        if (t_.failed()) return t_.error();
        if (!hasFunction_) {
            t_.fail("the text holds no function");
            return t_.error();
        }
        return std::move(out_);
    }

private:
    // ---- module and function -----------------------------------------------------------------------------

    void topLevel() {
        if (t_.is(Kind::Map)) return alias();
        if (t_.takeWord("module")) return moduleHeader();
        if (t_.takeWord("func.func")) return function();
        if (t_.takeSign("}")) return;
        t_.fail("a map, module or function is expected");
    }

    void alias() {
        const std::string name(t_.token().text);
        t_.next();
        expectSign("=");
        maps_[name] = affineMap();
    }

    void moduleHeader() {
        if (t_.is(Kind::Symbol)) t_.next();
        if (t_.takeWord("attributes") && t_.isSign("{")) t_.skipBalanced();
        expectSign("{");
    }

    void function() {
        if (t_.is(Kind::Word)) t_.next();  // a visibility
        if (!t_.is(Kind::Symbol)) return t_.fail("the name of the function is expected");
        if (hasFunction_) return t_.fail("a bundle has one function");
        hasFunction_ = true;
        out_.function = std::string(t_.token().text);
        t_.next();
        parameters();
        while (!t_.failed() && !t_.isSign("{") && !t_.is(Kind::End)) {
            if (t_.isSign("("))
                t_.skipBalanced();
            else if (t_.takeWord("attributes"))
                t_.skipBalanced();
            else
                t_.next();  // result types
        }
        expectSign("{");
        block(0);
    }

    void parameters() {
        if (!t_.isSign("(")) return t_.fail("\"(\" is expected");
        t_.next();
        std::int64_t position = 0;
        while (!t_.failed() && !t_.takeSign(")")) {
            if (!t_.is(Kind::Value)) return t_.fail("a parameter is expected");
            AddressExpr e;
            const std::string_view name = t_.token().text;
            e.origin =
                name.find("pool") == std::string_view::npos ? AddressExpr::Origin::Argument : AddressExpr::Origin::Pool;
            e.argument = numberIn(name).value_or(position);
            position += e.origin == AddressExpr::Origin::Argument ? 1 : 0;
            values_[std::string(name)] = e;
            t_.next();
            while (!t_.failed() && !t_.isSign(",") && !t_.isSign(")") && !t_.is(Kind::End)) {
                if (t_.isSign("<") || t_.isSign("{"))
                    t_.skipBalanced();
                else
                    t_.next();
            }
            if (!t_.takeSign(",") && !t_.isSign(")")) t_.fail("\")\" is expected");
        }
    }

    /// The number in arg_3_base_addr.
    static std::optional<std::int64_t> numberIn(std::string_view name) {
        const std::size_t begin = name.find_first_of("0123456789");
        if (begin == std::string_view::npos) return std::nullopt;
        const std::size_t end = name.find_first_not_of("0123456789", begin);
        return text::parseInt(name.substr(begin, end == std::string_view::npos ? end : end - begin));
    }

    // ---- operations --------------------------------------------------------------------------------------

    void block(int depth) {
        if (depth > kDeepest) return t_.fail("nesting over 64 loops");
        while (!t_.failed() && !t_.takeSign("}")) {
            if (t_.is(Kind::End)) return t_.fail("\"}\" is expected");
            operation(depth);
        }
    }

    void operation(int depth) {
        const std::size_t at = t_.token().offset;
        if (t_.is(Kind::Value)) return assignment();
        if (t_.takeWord("scf.for")) return loop(depth);
        if (t_.takeWord("sdscbundle.sdsc_execute")) return execute(at);
        if (t_.takeWord("return") || t_.takeWord("func.return") || t_.takeWord("scf.yield")) {
            // Values behind it would be results of the function or carried by a loop.
            if (t_.is(Kind::Value)) t_.fail("a bundle carries no values out of loops and functions");
            return;
        }
        if (t_.is(Kind::Word)) {
            return t_.fail("the operation " + text::quoted(t_.token().text) + " is not legal in a bundle");
        }
        t_.fail("an operation is expected");
    }

    void assignment() {
        const std::string name(t_.token().text);
        t_.next();
        expectSign("=");
        AddressExpr value;
        if (t_.takeWord("arith.constant")) {
            value.base = integer();
        } else if (t_.takeWord("arith.addi")) {
            value = operand();
            expectSign(",");
            value = sum(value, operand(), 1);
        } else if (t_.takeWord("affine.apply")) {
            value = apply();
        } else if (t_.takeWord("sdscbundle.input_arg_extract")) {
            const std::string what(t_.token().text);
            t_.next();
            if (!t_.takeWord("from")) t_.fail("\"from\" is expected");
            value = operand();
            if (what != "value") value = AddressExpr{};  // granularity, max_value: bounds of a dynamic size
        } else if (t_.takeWord("sdscbundle.device_mem_allocate")) {
            if (t_.is(Kind::Value))
                t_.next();
            else
                (void)integer();
            if (!t_.takeWord("bytes")) t_.fail("\"bytes\" is expected");
            value.origin = AddressExpr::Origin::Pool;
        } else {
            t_.fail("the operation " + text::quoted(t_.token().text) + " is not legal in a bundle");
        }
        typeSuffix();
        if (values_.contains(name)) t_.fail("the value %" + text::escaped(name) + " is defined twice");
        values_[name] = std::move(value);
    }

    /// ": index", ": !dialect.type<index> -> index"
    void typeSuffix() {
        if (!t_.takeSign(":")) return;
        type();
        if (t_.takeSign("->")) type();
    }

    void type() {
        if (t_.isSign("(")) return t_.skipBalanced();
        if (!t_.is(Kind::Word) && !t_.is(Kind::Type)) return t_.fail("a type is expected");
        t_.next();
        if (t_.isSign("<")) t_.skipBalanced();
    }

    void loop(int depth) {
        if (!t_.is(Kind::Value)) return t_.fail("a loop variable is expected");
        const std::string variable(t_.token().text);
        t_.next();
        expectSign("=");
        const auto lower = constantOperand();
        if (!t_.takeWord("to")) t_.fail("\"to\" is expected");
        const auto upper = constantOperand();
        if (!t_.takeWord("step")) t_.fail("\"step\" is expected");
        const auto step = constantOperand();
        if (t_.is(Kind::Word, "iter_args")) t_.fail("loop-carried values are not legal in a bundle");
        typeSuffix();
        if (!t_.failed() && step <= 0) t_.fail("the step of a loop has to be above 0");
        expectSign("{");
        if (t_.failed()) return;
        BundleLoop l;
        const auto span = checkedAdd(upper, -lower);
        if (!span) return t_.fail("the bounds of a loop leave 64 bits");
        l.trips = *span <= 0 ? 0 : (*span - 1) / step + 1;
        l.parent = open_.empty() ? -1 : open_.back();
        const int number = static_cast<int>(out_.loops.size());
        out_.loops.push_back(l);
        open_.push_back(number);
        out_.order += 'l';
        AddressExpr induction;
        induction.base = lower;
        induction.strides = {{number, step}};
        const auto [it, isNew] = values_.emplace(variable, induction);
        if (!isNew) return t_.fail("the value %" + text::escaped(variable) + " is defined twice");
        block(depth + 1);
        values_.erase(variable);
        out_.order += '}';
        open_.pop_back();
    }

    void execute(std::size_t at) {
        BundleExecute e;
        e.where = t_.place(at);
        e.loops = open_;
        std::vector<AddressExpr> operands;
        if (t_.takeSign("(")) {
            while (!t_.failed() && !t_.takeSign(")")) {
                operands.push_back(operand());
                if (!t_.takeSign(",") && !t_.isSign(")")) t_.fail("\")\" is expected");
            }
        }
        std::vector<std::int64_t> ids;
        attributes(e, ids);
        typeSuffix();
        if (t_.failed()) return;
        if (e.file.empty()) return t_.fail("the execution names no sdsc_filename");
        if (ids.size() != operands.size()) {
            return t_.fail("the execution has " + std::to_string(operands.size()) + " operands and " +
                           std::to_string(ids.size()) + " symbol ids");
        }
        for (std::size_t i = 0; i < ids.size(); ++i)
            e.symbols.emplace_back(ids[i], std::move(operands[i]));
        out_.executes.push_back(std::move(e));
        out_.order += 'e';
    }

    void attributes(BundleExecute& e, std::vector<std::int64_t>& ids) {
        if (!t_.takeSign("{")) return;
        while (!t_.failed() && !t_.takeSign("}")) {
            const std::string name(t_.token().text);
            if (!t_.is(Kind::Word) && !t_.is(Kind::String)) return t_.fail("an attribute is expected");
            t_.next();
            expectSign("=");
            if (name == "sdsc_filename") {
                if (!t_.is(Kind::String)) return t_.fail("a file name is expected");
                e.file = std::string(t_.token().text);
                t_.next();
            } else if (name == "symbol_ids") {
                expectSign("[");
                while (!t_.failed() && !t_.takeSign("]")) {
                    ids.push_back(integer());
                    if (!t_.takeSign(",") && !t_.isSign("]")) t_.fail("\"]\" is expected");
                }
            } else if (t_.isSign("[") || t_.isSign("{")) {
                t_.skipBalanced();
            } else {
                t_.next();
            }
            typeSuffix();
            if (!t_.takeSign(",") && !t_.isSign("}")) t_.fail("\"}\" is expected");
        }
    }

    // ---- values ------------------------------------------------------------------------------------------

    void expectSign(std::string_view s) {
        if (!t_.takeSign(s)) t_.fail("\"" + std::string(s) + "\" is expected");
    }

    std::int64_t integer() {
        if (!t_.is(Kind::Integer)) {
            t_.fail("an integer is expected");
            return 0;
        }
        const std::int64_t v = t_.token().integer;
        t_.next();
        return v;
    }

    AddressExpr operand() {
        if (!t_.is(Kind::Value)) {
            t_.fail("a value is expected");
            return {};
        }
        const auto it = values_.find(t_.token().text);
        if (it == values_.end()) {
            t_.fail("the value %" + text::escaped(t_.token().text) + " is not defined");
            return {};
        }
        t_.next();
        return it->second;
    }

    std::int64_t constantOperand() {
        if (t_.is(Kind::Integer)) return integer();
        const AddressExpr e = operand();
        if (!t_.failed() && (!e.strides.empty() || e.origin != AddressExpr::Origin::None)) {
            t_.fail("the bound of a loop is no constant");
        }
        return e.base;
    }

    AddressExpr sum(const AddressExpr& a, const AddressExpr& b, std::int64_t factor) {
        AddressExpr out = a;
        if (b.origin != AddressExpr::Origin::None) {
            if (a.origin != AddressExpr::Origin::None || factor != 1) {
                t_.fail("an address has one base at most");
                return out;
            }
            out.origin = b.origin;
            out.argument = b.argument;
        }
        add(out.base, b.base, factor);
        for (const auto& [loop, stride] : b.strides) {
            const auto at = std::find_if(out.strides.begin(), out.strides.end(),
                                         [loop = loop](const auto& s) { return s.first >= loop; });
            if (at != out.strides.end() && at->first == loop) {
                add(at->second, stride, factor);
            } else {
                std::int64_t scaled = 0;
                add(scaled, stride, factor);
                out.strides.insert(at, {loop, scaled});
            }
        }
        std::erase_if(out.strides, [](const auto& s) { return s.second == 0; });
        return out;
    }

    void add(std::int64_t& total, std::int64_t value, std::int64_t factor) {
        const auto product = checkedMul(value, factor);
        const auto result = product ? checkedAdd(total, *product) : std::nullopt;
        if (!result) return t_.fail("an address leaves 64 bits");
        total = *result;
    }

    // ---- affine maps -------------------------------------------------------------------------------------

    AddressExpr apply() {
        AffineMap map;
        if (t_.is(Kind::Map)) {
            const auto it = maps_.find(t_.token().text);
            if (it == maps_.end()) {
                t_.fail("the map #" + text::escaped(t_.token().text) + " is not defined");
                return {};
            }
            map = it->second;
            t_.next();
        } else {
            map = affineMap();
        }
        std::vector<AddressExpr> operands = operandList("(", ")");
        if (operands.size() != map.dims) t_.fail("the map has " + std::to_string(map.dims) + " dimensions");
        std::vector<AddressExpr> symbols = operandList("[", "]");
        if (symbols.size() != map.symbols) t_.fail("the map has " + std::to_string(map.symbols) + " symbols");
        operands.insert(operands.end(), symbols.begin(), symbols.end());
        AddressExpr out;
        out.base = map.constant;
        for (std::size_t i = 0; i < operands.size() && !t_.failed(); ++i) {
            if (map.factors[i] != 0) out = sum(out, operands[i], map.factors[i]);
        }
        return out;
    }

    std::vector<AddressExpr> operandList(std::string_view open, std::string_view close) {
        std::vector<AddressExpr> list;
        if (!t_.takeSign(open)) return list;
        while (!t_.failed() && !t_.takeSign(close)) {
            list.push_back(operand());
            if (!t_.takeSign(",") && !t_.isSign(close)) t_.fail("\"" + std::string(close) + "\" is expected");
        }
        return list;
    }

    AffineMap affineMap() {
        AffineMap map;
        if (!t_.takeWord("affine_map")) t_.fail("an affine_map is expected");
        expectSign("<");
        std::map<std::string, std::size_t, std::less<>> names;
        expectSign("(");
        map.dims = nameList(")", names);
        if (t_.takeSign("[")) map.symbols = nameList("]", names);
        expectSign("->");
        expectSign("(");
        map.factors.resize(names.size(), 0);
        terms(map, names);
        expectSign(")");
        expectSign(">");
        return map;
    }

    std::size_t nameList(std::string_view close, std::map<std::string, std::size_t, std::less<>>& names) {
        std::size_t count = 0;
        while (!t_.failed() && !t_.takeSign(close)) {
            if (!t_.is(Kind::Word)) t_.fail("a name is expected");
            if (!names.emplace(std::string(t_.token().text), names.size()).second) t_.fail("a name is given twice");
            if (++count > kMostDims) t_.fail("a map has more than 64 dimensions");
            t_.next();
            if (!t_.takeSign(",") && !t_.isSign(close)) t_.fail("\"" + std::string(close) + "\" is expected");
        }
        return count;
    }

    void terms(AffineMap& map, const std::map<std::string, std::size_t, std::less<>>& names) {
        std::int64_t sign = 1;
        do {
            term(map, names, sign);
            sign = 1;
            if (t_.takeSign("+")) continue;
            if (t_.takeSign("-")) {
                sign = -1;
                continue;
            }
            // "a -3" reads as a negative number behind a.
            if (!t_.is(Kind::Integer) || t_.token().integer >= 0) return;
        } while (!t_.failed());
    }

    /// c, d, c * d, d * c, with a sign in front.
    void term(AffineMap& map, const std::map<std::string, std::size_t, std::less<>>& names, std::int64_t factor) {
        std::optional<std::size_t> operandAt;
        while (t_.takeSign("-"))
            factor = -factor;
        do {
            if (t_.is(Kind::Integer)) {
                const auto product = checkedMul(factor, t_.token().integer);
                if (!product) return t_.fail("a factor leaves 64 bits");
                factor = *product;
                t_.next();
                continue;
            }
            const auto it = t_.is(Kind::Word) ? names.find(t_.token().text) : names.end();
            if (it == names.end()) return t_.fail("a dimension, symbol or number is expected");
            if (operandAt) return t_.fail("a product of two dimensions is not affine");
            operandAt = it->second;
            t_.next();
        } while (!t_.failed() && t_.takeSign("*"));
        std::int64_t& into = operandAt ? map.factors[*operandAt] : map.constant;
        add(into, factor, 1);
    }

    MlirTokens t_;
    BundleProgram out_;
    bool hasFunction_ = false;
    std::map<std::string, AffineMap, std::less<>> maps_;
    std::map<std::string, AddressExpr, std::less<>> values_;
    std::vector<int> open_;
};

}  // namespace

Result<BundleProgram> readBundleMlir(std::string_view text) {
    return Reader(text).run();
}

}  // namespace memplan::io
