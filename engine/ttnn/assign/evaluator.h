// SPDX-License-Identifier: Apache-2.0
// Answers of the model by number (ttnn-optimizer 9): the searches of chapter 12 ask the same questions millions of
// times, so layouts and attributes are numbers to them and an answer is a few words.
#pragma once

#include "engine/ttnn/chains/flow.h"
#include "engine/ttnn/solution/solution.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace memplan::ttnn {

using LayoutId = std::int32_t;  ///< -1: none, the model decides
using AttrsId = std::int32_t;   ///< 0: none

/// An operation, or a conversion, with given layouts and nothing else in L1. Bytes of one core.
struct Answer {
    bool isLegal = false;
    bool isUnmodelled = false;
    bool isView = false;  ///< its result is operand 0
    LayoutId output = -1;
    Bytes need = 0;
    double ns = 0;
    Bytes dramRead = 0;
    std::int32_t cores = 0;
};

/// One way to run an operation with given inputs: its configuration and what it costs.
struct Option {
    AttrsId attrs = 0;
    Answer answer;
};

class Evaluator {
public:
    explicit Evaluator(const PolicyInput& input);

    [[nodiscard]] const PolicyInput& input() const { return input_; }
    [[nodiscard]] const Function& function() const { return input_.function; }
    [[nodiscard]] const Flow& flow() const { return flow_; }
    [[nodiscard]] Bytes limit() const { return input_.model.options().limit; }

    [[nodiscard]] LayoutId idOf(const Layout& layout);
    [[nodiscard]] const Layout& layout(LayoutId id) const { return layouts_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] bool isInL1(LayoutId id) const { return kinds_[static_cast<std::size_t>(id)] != Kind::Elsewhere; }
    [[nodiscard]] bool isSharded(LayoutId id) const { return kinds_[static_cast<std::size_t>(id)] == Kind::Sharded; }
    [[nodiscard]] bool isInterleavedL1(LayoutId id) const {
        return kinds_[static_cast<std::size_t>(id)] == Kind::InterleavedL1;
    }
    /// 0 outside L1.
    [[nodiscard]] Bytes l1Bytes(LayoutId id) const { return bytes_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] AttrsId idOf(const OpAttrs& attrs);
    [[nodiscard]] const OpAttrs& attrs(AttrsId id) const { return attrs_[static_cast<std::size_t>(id)]; }

    /// Layout that a value has in the module; -1 without one.
    [[nodiscard]] LayoutId given(ValueId value) const { return given_[value.at()]; }
    /// The value in interleaved DRAM, or L1, in that page layout.
    [[nodiscard]] LayoutId dramOf(ValueId value, LayoutId like);
    [[nodiscard]] LayoutId interleavedL1Of(ValueId value, LayoutId like);

    /// With that output, or the model's own.
    [[nodiscard]] Answer ask(OperationId op, std::span<const LayoutId> inputs, LayoutId output, AttrsId attrs);
    /// A conversion of a value.
    [[nodiscard]] Answer convert(ValueId value, LayoutId from, LayoutId to);

    /// Ways to run it with these inputs, each output once and with its fastest attributes, the fastest first: those
    /// that follow from the inputs, and the best few of each kind of sharding where none does or the operation's
    /// attributes differ with its output.
    [[nodiscard]] const std::vector<Option>& options(OperationId op, std::span<const LayoutId> inputs);
    /// Whether it runs, however, with this operand sharded and the others in DRAM.
    [[nodiscard]] bool takesSharded(OperationId op, std::size_t operand);
    /// The configuration without a policy.
    [[nodiscard]] Option defaultOption(OperationId op, std::span<const LayoutId> inputs);
    /// Layouts that a conversion of this value can aim at: the largest few of each kind of sharding.
    [[nodiscard]] const std::vector<LayoutId>& targets(ValueId value, LayoutId like);
    /// A conversion before that operand is worth a thought: of a result, or of what the operation works on; weights
    /// stay where they are.
    [[nodiscard]] bool mayConvert(OperationId op, std::size_t operand) const {
        return operand == 0 || flow_.operands(op)[operand].producer.isValid();
    }
    /// Nothing about it is anybody's choice.
    [[nodiscard]] bool isUndecided(OperationId op) const { return configs_[op.at()].empty(); }
    /// It runs neither with its operands where the module has them nor with all of them in DRAM, whatever its
    /// configuration.
    [[nodiscard]] bool isHopeless(OperationId op);
    /// Its output layout is given by hand, at least in part (8.2).
    [[nodiscard]] bool isOverridden(OperationId op) const { return isOverridden_[op.at()]; }

    /// Attributes among the configurations of an operation.
    [[nodiscard]] const std::vector<AttrsId>& attrsOf(OperationId op);

private:
    enum class Kind : std::uint8_t { Elsewhere, InterleavedL1, Sharded };
    using Key = std::u32string;
    struct KeyHash {
        using is_transparent = void;
        std::size_t operator()(std::u32string_view key) const { return std::hash<std::u32string_view>{}(key); }
    };
    template <class T> using ByKey = std::unordered_map<Key, T, KeyHash, std::equal_to<>>;

    /// The operands as the module has them, but in DRAM where it has them in L1.
    [[nodiscard]] std::vector<LayoutId> inDram(OperationId op);
    [[nodiscard]] Answer compute(OperationId op, std::span<const LayoutId> inputs, LayoutId output, AttrsId attrs);
    [[nodiscard]] std::vector<Option> findOptions(OperationId op, std::span<const LayoutId> inputs);
    void addOption(std::vector<Option>& options, OperationId op, std::span<const LayoutId> inputs, LayoutId output,
                   AttrsId attrs);
    void addDerived(std::vector<Option>& options, OperationId op, std::span<const LayoutId> inputs);
    [[nodiscard]] bool isProgramOf(LayoutId output, AttrsId attrs) const;
    void addConfigured(std::vector<Option>& options, OperationId op, std::span<const LayoutId> inputs,
                       bool withSharded);
    /// With `max-legal-layouts` of 0 nothing is sharded.
    [[nodiscard]] bool mayShard() const { return input_.options.maxLegalLayouts > 0; }
    /// Operations that are one to the model have one number: that of the first.
    void findClasses();
    /// The operation of a function of its own that converts such a tensor.
    [[nodiscard]] OperationId converter(ValueId value);

    const PolicyInput& input_;
    Flow flow_;
    std::vector<Layout> layouts_;
    std::vector<Kind> kinds_;
    std::vector<Bytes> bytes_;
    std::unordered_multimap<std::size_t, LayoutId> layoutIds_;
    std::vector<OpAttrs> attrs_;
    std::vector<LayoutId> given_;
    Key scratch_;
    ByKey<Answer> answers_, conversions_;
    ByKey<std::vector<Option>> options_;
    std::map<std::pair<std::int32_t, LayoutId>, std::vector<LayoutId>> targets_;
    std::vector<OperationId> classOf_;  ///< by operation
    std::vector<std::vector<AttrsId>> attrsOf_;
    std::vector<std::vector<std::pair<LayoutId, AttrsId>>> configs_;  ///< of each operation, by number
    std::vector<bool> isOverridden_;
    std::vector<std::int8_t> hopeless_;                   ///< -1 not known
    std::vector<std::vector<std::int8_t>> takesSharded_;  ///< by operation and operand, -1 not known
    Function converters_;
    std::map<std::pair<Shape, DataType>, OperationId> converterOf_;
    std::vector<OperationId> converterByValue_;
    std::vector<Layout> inputLayouts_;
};

}  // namespace memplan::ttnn
