// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/trade_off.h"

#include "engine/ttnn/advice/situation.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/model/machine_kind.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/options/from_settings.h"
#include "engine/ttnn/search/search_space.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn {
namespace {

/// The planned function of the module that the plan holds.
const Function* functionOf(const TtnnData& data) {
    if (!data.module) return nullptr;
    const auto it = std::ranges::find(data.module->functions, data.function, &Function::name);
    return it == data.module->functions.end() ? nullptr : &*it;
}

/// A reader of the operation's value, through the conversions that were inserted between them.
struct Reader {
    OperationId op;
    std::size_t slot = 0;  ///< among its tensor operands
    Layout now;            ///< as it reads it
};

class Table {
public:
    Table(const Plan& plan, const Function& function, OpId op, Options options)
        : plan_(plan), data_(ttnnData(plan)), f_(function), op_(op), id_(function.order[op.at()]),
          options_(std::move(options)), layouts_(data_.device),
          model_(data_.device, {plan.memory.capacity, options_.strictL1Accounting, options_.conservativeMatmulCb,
                                figuresOf(plan.machine)}),
          uses_(usesOf(function)), position_(function.operations.size(), -1) {
        for (std::size_t i = 0; i < f_.order.size(); ++i)
            position_[f_.order[i].at()] = static_cast<int>(i);
        findReaders(f_.resultOf(id_));
    }

    std::vector<TradeOffRow> run() {
        const OpConfig current = currentConfig();
        const TradeOffRow plan = rowOf(MemoryKind::Dram, current);
        const double planConversions = plannedConversionNs();
        std::vector<TradeOffRow> rows;
        for (const MemoryKind kind : {MemoryKind::Sharded, MemoryKind::L1Interleaved, MemoryKind::Dram}) {
            const std::optional<OpConfig> config = configOf(kind);
            TradeOffRow row;
            row.kind = kind;
            row.message = "no such layout is legal for it";
            row.readers = static_cast<int>(readers_.size());
            if (config) row = rowOf(kind, *config);
            row.isCurrent = config && config->output == current.output;
            if (row.isCurrent) {
                // What stands in the plan is what it costs, whatever the readers would take otherwise.
                row.conversions = plannedConversions();
                row.conversionNs = planConversions;
                row.totalNs = row.ns + planConversions;
            }
            row.differenceNs = row.isPossible ? row.totalNs - (plan.ns + planConversions) : 0;
            rows.push_back(std::move(row));
        }
        return rows;
    }

private:
    // ---- the plan as it is -----------------------------------------------------------------------------------

    [[nodiscard]] bool isInserted(OperationId id) const {
        return data_.ops[static_cast<std::size_t>(position_[id.at()])].conversion != TtnnConversion::None;
    }

    void findReaders(ValueId value) {
        for (const Use& use : uses_[value.at()]) {
            if (!use.user.isValid()) {
                isReturned_ = true;
                continue;
            }
            if (use.operand < 0 || position_[use.user.at()] < 0) continue;
            if (isInserted(use.user)) {
                conversions_.push_back(use.user);
                findReaders(f_.resultOf(use.user));
                continue;
            }
            if (f_.operation(use.user).is("deallocate") || !f_.typeOf(value).layout) continue;
            addReader(use, value);
        }
    }

    void addReader(const Use& use, ValueId value) {
        std::size_t slot = 0;
        const auto& operands = f_.operation(use.user).operands;
        for (int k = 0; k < use.operand; ++k)
            slot += f_.typeOf(operands[static_cast<std::size_t>(k)]).isTensor ? std::size_t{1} : std::size_t{0};
        readers_.push_back({use.user, slot, *f_.typeOf(value).layout});
    }

    [[nodiscard]] double plannedConversionNs() const {
        double ns = 0;
        for (const OperationId id : conversions_)
            ns += data_.ops[static_cast<std::size_t>(position_[id.at()])].ns;
        return ns;
    }
    [[nodiscard]] int plannedConversions() const { return static_cast<int>(conversions_.size()); }

    [[nodiscard]] OpConfig configAt(OperationId id) const {
        return {f_.typeOf(f_.resultOf(id)).layout, data_.ops[static_cast<std::size_t>(position_[id.at()])].config};
    }
    [[nodiscard]] OpConfig currentConfig() const { return configAt(id_); }

    [[nodiscard]] std::vector<Layout> inputsOf(OperationId id) const {
        std::vector<Layout> inputs;
        for (const ValueId operand : tensorOperands(f_, f_.operation(id)))
            inputs.push_back(f_.typeOf(operand).layout.value_or(Layout{}));
        return inputs;
    }

    // ---- the candidates --------------------------------------------------------------------------------------

    std::optional<OpConfig> configOf(MemoryKind kind) {
        const OpConfig current = currentConfig();
        const auto isOfKind = [&](const Layout& layout) {
            if (kind == MemoryKind::Sharded) return layout.isL1Sharded();
            const bool isThere = kind == MemoryKind::Dram ? layout.isInDram() : layout.isInL1();
            return isThere && layout.isInterleaved();
        };
        if (current.output && isOfKind(*current.output)) return current;
        const std::vector<OpConfig>& configs = legalConfigs();
        if (kind == MemoryKind::Sharded) {
            if (const Layout* best = bestOfSolver())
                for (const OpConfig& config : configs)
                    if (config.output == *best) return config;
        }
        const auto it = std::ranges::find_if(configs, [&](const OpConfig& c) {
            return c.output && isOfKind(*c.output) && c.output->page == current.output->page;
        });
        if (it != configs.end()) return *it;
        return std::nullopt;
    }

    /// The valid layout with the highest core usage; null where the solver knows none.
    [[nodiscard]] const Layout* bestOfSolver() const {
        if (op_.at() >= data_.record.ops.size()) return nullptr;
        const OpRecord& record = data_.record.ops[op_.at()];
        const Layout* best = nullptr;
        double most = -1;
        for (std::size_t i = 0; i < record.sharded.size() && i < record.acc.size(); ++i) {
            const bool isAlive = i < record.clearedEdge.size() && record.clearedEdge[i] == -1;
            if (!isAlive || record.acc[i] <= most) continue;
            most = record.acc[i];
            best = &record.sharded[i];
        }
        return best;
    }

    /// Of the operation alone, without what was forced by hand.
    const std::vector<OpConfig>& legalConfigs() {
        if (!configs_.empty()) return configs_;
        Function alone;
        Operation op = f_.operation(id_);
        for (ValueId& operand : op.operands)
            operand = alone.addValue(f_.typeOf(operand));
        for (ValueId& result : op.results)
            result = alone.addValue(f_.typeOf(result));
        op.regions.clear();
        alone.order.push_back(alone.addOperation(std::move(op)));
        Options free = options_;
        free.outputLayouts.clear();
        auto space = searchSpace(alone, free, layouts_, model_);
        if (space) configs_ = std::move(space.value().ops.front().configs);
        return configs_;
    }

    // ---- a row -----------------------------------------------------------------------------------------------

    TradeOffRow rowOf(MemoryKind kind, const OpConfig& config) {
        TradeOffRow row;
        row.kind = kind;
        row.layout = config.output;
        row.readers = static_cast<int>(readers_.size());
        const std::vector<Layout> inputs = inputsOf(id_);
        const OpQuery query{f_, f_.operation(id_), inputs, config, data_.ops[op_.at()].reserved, 0};
        Validation answer = model_.validate(query);
        const bool isOwn =
            answer.ok() && !answer.constraints.outputs.empty() && answer.constraints.outputs.front() == *config.output;
        row.isPossible = isOwn || (answer.status == ValidationStatus::NotImplemented && config.output->isInDram());
        if (!row.isPossible)
            row.message = answer.message.empty() ? std::string("the model gives another layout") : answer.message;
        const Runtime runtime = model_.runtime(query);
        row.ns = runtime.ns;
        row.boundBy = runtime.boundBy;
        row.cores = runtime.cores;
        row.shardBytes = config.output->shardBytes();
        row.need = answer.need;
        row.room = plan_.memory.capacity - answer.need;
        row.dramBytes = runtime.dramRead + runtime.dramWritten;
        row.totalNs = row.ns;
        askReaders(*config.output, row);
        if (row.isPossible) row.hint = hintOf(*config.output);
        return row;
    }

    void askReaders(const Layout& layout, TradeOffRow& row) {
        std::vector<Layout> copies;
        const Type& type = f_.typeOf(f_.resultOf(id_));
        const auto convert = [&](const Layout& to) {
            // One copy in DRAM serves all readers.
            if (to == layout || std::ranges::find(copies, to) != copies.end()) return;
            if (to.isInDram()) copies.push_back(to);
            ++row.conversions;
            row.conversionNs += model_.conversion(type, layout, to).ns;
        };
        if (isReturned_ && !layout.isInDram()) convert(dramInterleaved(type.shape, layout, data_.device));
        for (const Reader& reader : readers_) {
            const bool accepts = acceptsAs(reader, layout);
            row.accepting += accepts ? 1 : 0;
            if (!accepts) convert(reader.now);
            const Runtime now = readerRuntime(reader, reader.now);
            const Runtime then = accepts ? readerRuntime(reader, layout) : now;
            row.dramBytes += then.dramRead + then.dramWritten;
            row.totalNs += then.dramNs - now.dramNs;
        }
        row.totalNs += row.conversionNs;
    }

    [[nodiscard]] std::vector<Layout> readerInputs(const Reader& reader, const Layout& layout) const {
        std::vector<Layout> inputs = inputsOf(reader.op);
        inputs[reader.slot] = layout;
        return inputs;
    }

    bool acceptsAs(const Reader& reader, const Layout& layout) {
        if (!f_.resultOf(reader.op).isValid()) return layout == reader.now;
        const OpConfig config = configAt(reader.op);
        if (!config.output) return layout == reader.now;
        const std::vector<Layout> inputs = readerInputs(reader, layout);
        const auto& own = data_.ops[static_cast<std::size_t>(position_[reader.op.at()])];
        const Validation answer = model_.validate({f_, f_.operation(reader.op), inputs, config, own.reserved, 0});
        if (answer.status == ValidationStatus::NotImplemented) return layout.isInDram();
        return answer.ok() && !answer.constraints.outputs.empty() &&
               answer.constraints.outputs.front() == *config.output;
    }

    Runtime readerRuntime(const Reader& reader, const Layout& layout) {
        if (!f_.resultOf(reader.op).isValid()) return {};
        const OpConfig config = configAt(reader.op);
        if (!config.output) return {};
        const std::vector<Layout> inputs = readerInputs(reader, layout);
        return model_.runtime({f_, f_.operation(reader.op), inputs, config, 0, 0});
    }

    [[nodiscard]] std::optional<Hint> hintOf(const Layout& layout) const {
        const PlanOp& op = plan_.ops[op_.at()];
        if (!plan_.graph || op.sourceOps.empty()) return std::nullopt;
        return layoutHintFor(plan_.graph->ops[op.sourceOps.front().at()].id, layout);
    }

    const Plan& plan_;
    const TtnnData& data_;
    const Function& f_;
    OpId op_;
    OperationId id_;
    Options options_;
    LayoutTable layouts_;
    OpModel model_;
    Uses uses_;
    std::vector<int> position_;
    std::vector<Reader> readers_;
    std::vector<OperationId> conversions_;  ///< inserted behind it
    std::vector<OpConfig> configs_;
    bool isReturned_ = false;
};

}  // namespace

std::string_view titleOf(MemoryKind kind) {
    static constexpr std::array<std::string_view, 3> kTitles{"sharded L1", "L1 interleaved", "DRAM interleaved"};
    return kTitles[static_cast<std::size_t>(kind)];
}

std::string_view wordsOf(MemoryKind kind) {
    static constexpr std::array<std::string_view, 3> kWords{
        "fastest and parallel; limited room, and layouts must suit each other",
        "no sharding rules; fewer cores in step, limited room",
        "room without limit on this scale; slowest, bound by bandwidth"};
    return kWords[static_cast<std::size_t>(kind)];
}

Result<std::vector<TradeOffRow>> tradeOffs(const Plan& plan, OpId op) {
    const TtnnData& data = ttnnData(plan);
    const Function* function = functionOf(data);
    if (function == nullptr)
        return makeError("EXP-006", "", "the plan holds no module to ask the model about: it was read from a file",
                         "compile the source again");
    const bool isOwn = op.isValid() && op.at() < data.ops.size() && op.at() < function->order.size() &&
                       data.ops[op.at()].conversion == TtnnConversion::None && !data.ops[op.at()].results.empty() &&
                       function->typeOf(function->resultOf(function->order[op.at()])).layout.has_value();
    if (!isOwn)
        return makeError("CLI-001", op.isValid() && op.at() < plan.ops.size() ? plan.ops[op.at()].name : "",
                         "only operations of the module with a tensor result have a choice of memory",
                         "choose another operation");
    auto options = optionsFrom(plan.settings, data.l1UsageCap);
    if (!options) return std::move(options).error();
    return Table(plan, *function, op, std::move(options).value()).run();
}

}  // namespace memplan::ttnn
