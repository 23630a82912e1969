// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/known_ops.h"

#include "engine/ttnn/model/interned.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

using TypedValue = std::pair<ValueId, Type>;

/// Attributes as they are compared: texts that the model does not read count as empty.
Attributes readable(const Attributes& attributes) {
    Attributes kept;
    for (const Attribute& attribute : attributes)
        kept.push_back({attribute.name, attribute.text.size() > kLongestAttribute ? std::string() : attribute.text});
    return kept;
}

bool isSame(const Attributes& kept, const Attributes& now) {
    return std::equal(kept.begin(), kept.end(), now.begin(), now.end(), [](const Attribute& a, const Attribute& b) {
        if (a.name != b.name) return false;
        return b.text.size() > kLongestAttribute ? a.text.empty() : a.text == b.text;
    });
}

/// As far as facts depend on it.
Type readable(const Type& type) {
    Type kept;
    kept.isTensor = type.isTensor;
    kept.shape = type.shape;
    kept.dtype = type.dtype;
    kept.layout = type.layout;
    return kept;
}

/// The layout matters of results only.
bool isSame(const std::vector<TypedValue>& kept, const std::vector<ValueId>& now, const Function& function,
            bool withLayout) {
    if (kept.size() != now.size()) return false;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i].first != now[i]) return false;
        const Type& a = kept[i].second;
        const Type& b = function.typeOf(now[i]);
        if (a.isTensor != b.isTensor || a.dtype != b.dtype || a.shape != b.shape) return false;
        if (withLayout && a.layout != b.layout) return false;
    }
    return true;
}

std::vector<TypedValue> typed(const Function& function, const std::vector<ValueId>& values) {
    std::vector<TypedValue> all;
    for (const ValueId value : values)
        all.emplace_back(value, readable(function.typeOf(value)));
    return all;
}

class Signature {
public:
    template <class... T> void add(T... values) { (one(static_cast<std::int64_t>(values)), ...); }
    template <class List> void list(const List& values) {
        one(static_cast<std::int64_t>(values.size()));
        for (const auto value : values)
            one(static_cast<std::int64_t>(value));
    }
    template <class T> void maybe(const std::optional<T>& value) {
        one(value ? static_cast<std::int64_t>(*value) : -1);
    }
    void word(const std::string& word) { text_.append(word).push_back('|'); }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    void one(std::int64_t value) { text_.append(std::to_string(value)).push_back(','); }
    std::string text_;
};

void add(Signature& s, const std::vector<TensorFacts>& tensors) {
    s.add(tensors.size());
    for (const TensorFacts& tensor : tensors) {
        s.list(tensor.shape);
        s.add(tensor.dtype, tensor.isEmpty);
    }
}

void add(Signature& s, const ConvFacts& conv) {
    s.list(conv.kernel);
    s.list(conv.stride);
    s.list(conv.dilation);
    s.list(conv.padding);
    s.add(conv.batch, conv.height, conv.width, conv.isProduct);
}

void add(Signature& s, const Conv2dConfig& config) {
    s.maybe(config.weightsDtype);
    s.maybe(config.deallocateActivation);
    s.maybe(config.actBlockHOverride);
    s.maybe(config.actBlockWDiv);
    s.maybe(config.shardLayout);
    s.maybe(config.outputLayout);
    s.maybe(config.enableActDoubleBuffer);
    s.maybe(config.enableWeightsDoubleBuffer);
}

void add(Signature& s, const MatmulProgram& p) {
    s.add(p.kind, p.gridX, p.gridY, p.in0BlockW, p.perCoreM, p.perCoreN, p.mcastIn0);
}

/// Everything that the facts were computed from, so that equal texts mean equal facts.
std::string signatureOf(const OpFacts& facts) {
    Signature s;
    s.word(facts.word);
    s.word(facts.problem);
    add(s, facts.operands);
    add(s, facts.results);
    s.list(facts.firstUse);
    s.add(facts.kind != nullptr, facts.status, facts.dim, facts.swapsRows, facts.product.transposesA,
          facts.product.rows, facts.product.columns, facts.product.inner, facts.product.batch);
    add(s, facts.conv);
    add(s, facts.convConfig);
    if (facts.matmulProgram) add(s, *facts.matmulProgram);
    s.maybe(facts.compute.fp32DestAccEn);
    s.word(facts.compute.mathFidelity.value_or(""));
    return s.take();
}

}  // namespace

bool KnownOps::isSame(const Source& source, const Function& function, const Operation& operation) {
    return source.name == operation.name && model::isSame(source.properties, operation.properties) &&
           model::isSame(source.attributes, operation.attributes) &&
           model::isSame(source.operands, operation.operands, function, false) &&
           model::isSame(source.results, operation.results, function, source.known.facts->keepsOwnLayout());
}

KnownOps::Known KnownOps::add(OpFacts facts) {
    std::string signature = signatureOf(facts);
    // A layout of its own counts for few operations, and these are seldom alike: each is one by itself.
    if (facts.keepsOwnLayout() && facts.ownLayout) signature += "own " + std::to_string(facts_.size());
    const auto [it, isNew] = numbers_.try_emplace(std::move(signature), static_cast<std::int32_t>(facts_.size()));
    if (isNew) facts_.push_back(std::move(facts));
    return {it->second, &facts_[static_cast<std::size_t>(it->second)]};
}

KnownOps::Known KnownOps::of(const Function& function, const Operation& operation) {
    Source& source = sources_[&operation];
    if (source.known.facts && isSame(source, function, operation)) return source.known;
    source.name = operation.name;
    source.properties = readable(operation.properties);
    source.attributes = readable(operation.attributes);
    source.operands = typed(function, operation.operands);
    source.results = typed(function, operation.results);
    source.known = add(factsOf(function, operation));
    return source.known;
}

}  // namespace memplan::ttnn::model
