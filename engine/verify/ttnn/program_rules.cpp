// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/program_rules.h"

#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <variant>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::Conv2dAttrs;
using memplan::ttnn::Conv2dConfig;
using memplan::ttnn::MatmulAttrs;
using memplan::ttnn::MatmulProgram;
using memplan::ttnn::MemLayout;

std::int64_t up(std::int64_t n, std::int64_t by) {
    return (n + by - 1) / by;
}

bool isProduct(const OpFacts& op) {
    return op.kind() == "matmul" || op.kind() == "linear";
}

/// The program of a product whose result is sharded (3.4); none where a batch of B is left.
class Wanted {
public:
    explicit Wanted(const OpFacts& op) : op_(op) {}

    [[nodiscard]] std::optional<MatmulProgram> program() const {
        if (op_.in.size() < 2 || op_.in[0].shape.empty() || op_.in[1].shape.empty()) return std::nullopt;
        const Layout& out = op_.out[0].layout;
        if (!out.isL1Sharded() || !out.cores || op_.out[0].shape.empty()) return std::nullopt;
        for (std::size_t i = 2; i < op_.in[1].shape.size(); ++i)
            if (op_.in[1].extent(i) != 1) return std::nullopt;
        MatmulProgram p;
        for (std::size_t i = 0; i < out.cores->size(); ++i) {
            p.gridX = std::max(p.gridX, (*out.cores)[i].last.x + 1);
            p.gridY = std::max(p.gridY, (*out.cores)[i].last.y + 1);
        }
        cut(p, out);
        p.outBlockH = p.perCoreM;
        p.outBlockW = p.perCoreN;
        p.outSubblockH = 1;
        for (std::int64_t d = 1; d <= std::min(p.perCoreN, registerTiles()); ++d)
            p.outSubblockW = p.perCoreN % d == 0 ? d : p.outSubblockW;
        return p;
    }

private:
    const OpFacts& op_;

    [[nodiscard]] std::int64_t rows() const {
        std::int64_t m = op_.out[0].extent(1);
        for (std::size_t i = 2; i < op_.out[0].shape.size(); ++i)
            m = up(m, 32) * 32 * op_.out[0].extent(i);
        return up(m, 32);
    }

    void cut(MatmulProgram& p, const Layout& out) const {
        const bool isTransposed = op_.flag("transpose_a") && op_.in[0].shape.size() > 1;
        const std::int64_t m = rows(), n = up(op_.out[0].extent(0), 32),
                           k = up(op_.in[0].extent(isTransposed ? 1 : 0), 32);
        const std::int64_t cores = std::int64_t{p.gridX} * p.gridY, even = k % 2 == 0 ? 2 : 1;
        const bool isBlock = out.mem == MemLayout::BlockSharded;
        if (isBlock && p.gridX > 1 && p.gridY > 1) {
            p.kind = MatmulProgram::Kind::Multicast2d;
            p.perCoreM = up(m, p.gridY), p.perCoreN = up(n, p.gridX), p.in0BlockW = even;
            return;
        }
        p.kind = MatmulProgram::Kind::Multicast1d;
        p.mcastIn0 = out.mem == MemLayout::WidthSharded || (isBlock && p.gridY == 1);
        if (!p.mcastIn0) {
            p.perCoreM = up(m, cores), p.perCoreN = n, p.in0BlockW = k;
            return;
        }
        p.perCoreM = m, p.perCoreN = up(n, cores), p.in0BlockW = even;
        for (std::int64_t d = 1; n <= 128 && d <= 8; d *= 2)
            p.in0BlockW = k % d == 0 ? d : p.in0BlockW;
    }

    /// Tiles that the registers hold.
    [[nodiscard]] std::int64_t registerTiles() const {
        const std::string* text = op_.attribute("compute_config");
        const auto* attrs = std::get_if<MatmulAttrs>(&op_.op.config);
        const auto isOn = [&](std::string_view key, std::optional<bool> stated) {
            return stated.value_or(text != nullptr && text->find(std::string(key) + " = true") != std::string::npos);
        };
        const bool hasOwn = attrs != nullptr && attrs->compute.has_value();
        const auto sync = hasOwn ? attrs->compute->dstFullSyncEn : std::nullopt;
        const auto wide = hasOwn ? attrs->compute->fp32DestAccEn : std::nullopt;
        std::int64_t tiles = 8;
        if (isOn("dst_full_sync_en", sync)) tiles *= 2;
        if (isOn("fp32_dest_acc_en", wide)) tiles /= 2;
        return tiles;
    }
};

/// Key and value of a program or configuration, as its attribute writes them.
using Fields = std::vector<std::pair<std::string, std::string>>;

std::string word(bool value) {
    return value ? "true" : "false";
}

Fields fieldsOf(const MatmulProgram& p) {
    const auto number = [](std::int64_t n) { return std::to_string(n); };
    const bool is1d = p.kind == MatmulProgram::Kind::Multicast1d;
    return {{"compute_with_storage_grid_size", "#ttnn.core_coord<" + number(p.gridX) + ", " + number(p.gridY) + ">"},
            {"in0_block_w", number(p.in0BlockW)},
            {"out_subblock_h", number(p.outSubblockH)},
            {"out_subblock_w", number(p.outSubblockW)},
            {"out_block_h", number(p.outBlockH)},
            {"out_block_w", number(p.outBlockW)},
            {"per_core_m", number(p.perCoreM)},
            {"per_core_n", number(p.perCoreN)},
            {"fuse_batch", word(p.fuseBatch)},
            {is1d ? "mcast_in0" : "transpose_mcast", word(is1d ? p.mcastIn0 : p.transposeMcast)}};
}

Fields fieldsOf(const Conv2dConfig& c) {
    Fields fields;
    const auto flag = [&](const char* key, std::optional<bool> v) {
        if (v) fields.emplace_back(key, word(*v));
    };
    const auto number = [&](const char* key, std::optional<std::int64_t> v) {
        if (v) fields.emplace_back(key, std::to_string(*v));
    };
    const auto name = [&](const char* key, const auto& v) {
        if (v) fields.emplace_back(key, std::string(wordOf(*v)));
    };
    name("weights_dtype", c.weightsDtype);
    flag("deallocate_activation", c.deallocateActivation);
    flag("reallocate_halo_output", c.reallocateHaloOutput);
    number("act_block_h_override", c.actBlockHOverride);
    number("act_block_w_div", c.actBlockWDiv);
    flag("reshard_if_not_optimal", c.reshardIfNotOptimal);
    flag("override_sharding_config", c.overrideShardingConfig);
    name("shard_layout", c.shardLayout);
    flag("transpose_shards", c.transposeShards);
    name("output_layout", c.outputLayout);
    flag("enable_act_double_buffer", c.enableActDoubleBuffer);
    flag("enable_weights_double_buffer", c.enableWeightsDoubleBuffer);
    return fields;
}

/// What the text has for the key, up to the comma or the end that closes it; none where it lacks the key.
std::optional<std::string> valueIn(const std::string& text, const std::string& key) {
    std::size_t at = text.find(key + " = ");
    const auto isWord = [&](std::size_t i) {
        return i < text.size() && (std::isalnum(text[i]) != 0 || text[i] == '_');
    };
    while (at != std::string::npos && at > 0 && isWord(at - 1))
        at = text.find(key + " = ", at + 1);
    if (at == std::string::npos) return std::nullopt;
    at += key.size() + 3;
    std::size_t end = at;
    for (int depth = 0; end < text.size(); ++end) {
        if (depth == 0 && (text[end] == ',' || text[end] == '>')) break;
        depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
    }
    return text.substr(at, end - at);
}

class Programs {
public:
    Programs(const Plan& plan, Report& report) : plan_(plan), data_(ttnnData(plan)), report_(report) {
        isOptimised_ = plan.settings.boolean("ttnn.enable_optimizer");
    }

    void run() {
        for (std::size_t i = 0; i < data_.ops.size(); ++i)
            check(OpId::of(i));
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    Report& report_;
    bool isOptimised_ = true;

    void check(OpId id) {
        const OpFacts op(plan_, data_.ops[id.at()], data_.device);
        if (op.out.empty()) return;
        for (const char* flag : {"transpose_a", "transpose_b"}) {
            const std::string* text = op.attribute(flag);
            if (text != nullptr && *text != "true" && *text != "false")
                report_.op("VER-008", id, std::string(flag) + " is " + *text + ", neither true nor false");
        }
        if (isProduct(op)) checkProduct(id, op);
        const auto* conv = std::get_if<Conv2dAttrs>(&op.op.config);
        if (conv != nullptr && conv->config) checkText(id, op, "conv2d_config", fieldsOf(*conv->config));
        if (op.op.conversion != TtnnConversion::None) checkConversion(id, op);
    }

    void checkProduct(OpId id, const OpFacts& op) {
        const auto* attrs = std::get_if<MatmulAttrs>(&op.op.config);
        const MatmulProgram* stated = attrs != nullptr && attrs->program ? &*attrs->program : nullptr;
        const std::string* text = op.attribute("matmul_program_config");
        if (stated == nullptr) {
            if (attrs != nullptr && text != nullptr)
                report_.op("VER-008", id, "is written with a program, its configuration has none");
            return;
        }
        checkText(id, op, "matmul_program_config", fieldsOf(*stated));
        if (text != nullptr) checkKind(id, *text, *stated);
        checkBlocks(id, *stated);
        if (!isOptimised_ || op.op.status != "Success") return;
        const std::optional<MatmulProgram> wanted = Wanted(op).program();
        if (!wanted) return report_.op("VER-008", id, "has a program although its result is not sharded");
        const Fields real = fieldsOf(*wanted), own = fieldsOf(*stated);
        for (std::size_t i = 0; i < real.size(); ++i) {
            if (real[i] == own[i]) continue;
            report_.op("VER-008", id,
                       "its program has " + own[i].first + " " + own[i].second + ", its layouts give " + real[i].first +
                           " " + real[i].second);
        }
    }

    void checkKind(OpId id, const std::string& text, const MatmulProgram& p) {
        const bool is1d = text.find("_1d_") != std::string::npos;
        if (is1d != (p.kind == MatmulProgram::Kind::Multicast1d))
            report_.op("VER-008", id, "its program is written as one of the other kind");
        if (!text.starts_with("#ttnn.matmul_multi_core_reuse_multi_cast") || !text.ends_with('>'))
            report_.op("VER-008", id, "its program is written as something else");
    }

    /// Sub-blocks fill blocks, blocks are those of a core.
    void checkBlocks(OpId id, const MatmulProgram& p) {
        const auto divides = [](std::int64_t part, std::int64_t whole) { return part > 0 && whole % part == 0; };
        if (!divides(p.outSubblockH, p.outBlockH) || !divides(p.outSubblockW, p.outBlockW))
            report_.op("VER-008", id, "the sub-blocks of its program do not fill a block");
    }

    void checkText(OpId id, const OpFacts& op, const char* attribute, const Fields& fields) {
        const std::string* text = op.attribute(attribute);
        if (text == nullptr) return report_.op("VER-008", id, std::string(attribute) + " is not written");
        for (const auto& [key, value] : fields) {
            const auto written = valueIn(*text, key);
            // A key that the text of a source leaves out has its default.
            if (!written && !isOptimised_) continue;
            if (!written || *written != value)
                report_.op("VER-008", id,
                           std::string(attribute) + " is written with " + key + " " + written.value_or("left out") +
                               ", its configuration says " + value);
        }
    }

    /// What an inserted conversion says it writes is what it writes.
    void checkConversion(OpId id, const OpFacts& op) {
        const Layout& out = op.out[0].layout;
        const std::string* page = op.attribute("layout");
        const std::string pageText = "#ttnn.layout<" + std::string(wordOf(out.page)) + ">";
        if (page != nullptr && *page != pageText)
            report_.op("VER-008", id, "says it writes " + *page + ", not " + pageText);
        const std::string* config = op.attribute("memory_config");
        if (config == nullptr) return report_.op("VER-008", id, "has no memory_config");
        if (const std::string real = memoryConfig(out); *config != real)
            report_.op("VER-008", id, "says it writes " + *config + ", its layout is " + real);
    }

    static std::string memoryConfig(const Layout& out) {
        std::string text = "#ttnn.memory_config<#ttnn.buffer_type<" + std::string(wordOf(out.buffer)) + ">";
        if (out.mem) text += ", <" + std::string(wordOf(*out.mem)) + ">";
        if (!out.isSharded() || !out.cores) return text + ">";
        const std::int64_t unit = out.isTiled() ? 32 : 1;
        text += ", #ttnn.shard_spec<<[";
        for (std::size_t i = 0; i < out.cores->size(); ++i) {
            const auto& r = (*out.cores)[i];
            const auto pair = [](const auto& c) {
                return "(" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")";
            };
            text += (i > 0 ? ", " : "") + std::string("#ttnn.core_range<") + pair(r.first) + ", " + pair(r.last) + ">";
        }
        return text + "]>, <" + std::to_string(out.shard[0] * unit) + "x" + std::to_string(out.shard[1] * unit) +
               ">, <row_major>>>";
    }
};

}  // namespace

void checkPrograms(const Plan& plan, Report& report) {
    Programs(plan, report).run();
}

}  // namespace memplan::verify::ttnn
