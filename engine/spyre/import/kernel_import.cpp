// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/kernel_import.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/io/files/files.h"
#include "engine/io/files/inside.h"
#include "engine/spyre/import/bundle_strides.h"
#include "engine/spyre/import/mlir_reader.h"
#include "engine/spyre/import/sdsc_reader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace memplan::io {

namespace {

namespace fs = std::filesystem;
using bundle::Allocation;
using bundle::SpecNode;
using bundle::SpecTree;

/// Numbers in names count as numbers: sdsc_2.json before sdsc_10.json.
bool naturalLess(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::size_t slotOf(std::int64_t address) {
    const auto& offsets = bundle::kSegmentOffsets;
    const auto it = std::upper_bound(offsets.begin(), offsets.end(), address);
    return it == offsets.begin() ? 0 : static_cast<std::size_t>(it - offsets.begin()) - 1;
}

/// Reads one kernel folder.
class KernelImport {
public:
    KernelImport(fs::path root, fs::path folder, const Limits& limits, const RunControl& control, Diagnostics& notes)
        : root_(std::move(root)), folder_(std::move(folder)), limits_(limits), control_(control), notes_(notes) {}

    bundle::Kernel run() {
        kernel_.name = folder_.filename().string();
        if (kernel_.name.empty()) kernel_.name = folder_.parent_path().filename().string();
        std::error_code ignored;
        if (!fs::exists(folder_ / "bundle.mlir", ignored)) {
            warn("BND-104",
                 "bundle.mlir is missing: the operations are shown as a flat list in the order of their numbers",
                 "loops and their address steps are lost");
            flatList();
        } else if (auto program = readProgram(); program) {
            build(program.value());
        } else {
            addProblem(notes_, program.error(), "bundle.mlir");
            flatList();
        }
        arguments();
        model_ = recoverTiling(kernel_.specs, steps_, notes_);
        return std::move(kernel_);
    }

    /// A kernel of one file, already read.
    bundle::Kernel one(const std::string& name, SdscRecord record) {
        kernel_.name = name;
        SpecTree tree;
        add(tree, std::move(record), {}, {});
        kernel_.specs = std::move(tree);
        arguments();
        return std::move(kernel_);
    }

    [[nodiscard]] std::optional<bundle::StrideModel> model() const { return model_; }

private:
    void warn(const char* code, const std::string& what, const std::string& fix = {}) {
        notes_.warning(code, kernel_.name, what, fix);
    }

    Result<std::string> read(const fs::path& path, std::int64_t limit) const {
        auto file = InputFile::open(path.string());
        if (!file) return std::move(file).error();
        if (file.value().size() > limit) {
            return makeError("BND-107", path.filename().string(),
                             "the file has " + text::grouped(file.value().size()) + " bytes, the limit is " +
                                 text::grouped(limit),
                             "raise limits.text_bytes or limits.json_bytes");
        }
        return file.value().read(file.value().size());
    }

    Result<BundleProgram> readProgram() const {
        const auto bytes = read(folder_ / "bundle.mlir", limits_.textBytes);
        if (!bytes) return bytes.error();
        return readBundleMlir(bytes.value());
    }

    /// Only files inside the folder are read.
    static bool isInside(const std::string& name) {
        const fs::path path(name);
        if (name.empty() || path.is_absolute() || name.find('\\') != std::string::npos) return false;
        return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
    }

    [[nodiscard]] std::string placeOf(const std::string& file) const {
        return kernel_.name + "/" + text::escaped(file);
    }

    /// The entry of an operation whose descriptor could not be read.
    [[nodiscard]] SpecNode broken(const std::string& file) const {
        SpecNode node;
        node.kind = bundle::SpecKind::Unimplemented;
        node.name = file;
        node.lost = lost_.at(file);
        return node;
    }

    const SdscRecord* record(const std::string& file) {
        const auto known = records_.find(file);
        if (known != records_.end()) return known->second ? &*known->second : nullptr;
        std::optional<SdscRecord>& slot = records_[file];
        const std::string where = placeOf(file);
        if (!isInside(file) || !checkInside(root_, folder_ / file)) {
            notes_.warning("BND-003", where, "the file " + text::quoted(file) + " is outside of the bundle",
                           "it is not read");
            lost_[file] = "foreign descriptor";
            return nullptr;
        }
        const auto bytes = read(folder_ / file, limits_.jsonBytes);
        if (!bytes) {
            notes_.warning("BND-104", where,
                           "the file is missing or cannot be read (" + bytes.error().primary().message +
                               "): what the operation computes, on which cores and with which tensors is lost",
                           "put the file back or write the bundle anew; the operation is shown as missing");
            lost_[file] = "missing descriptor";
            return nullptr;
        }
        auto read = readSdsc(bytes.value(), limits_, control_);
        if (!read) {
            addProblem(notes_, read.error(), where);
            lost_[file] = "unreadable descriptor";
            return nullptr;
        }
        slot = std::move(read).value();
        return &*slot;
    }

    void flatList() {
        std::vector<std::string> files;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder_, error)) {
            const std::string name = entry.path().filename().string();
            const bool isSdsc = name.starts_with("sdsc") && name.ends_with(".json");
            if (isSdsc) files.push_back(name);
        }
        std::sort(files.begin(), files.end(), naturalLess);
        for (const std::string& file : files) {
            if (const SdscRecord* r = record(file))
                add(kernel_.specs, *r, {}, {});
            else
                kernel_.specs.push_back(broken(file));
        }
    }

    void build(const BundleProgram& program) {
        struct Open {
            SpecTree tree;
            int loop = -1;
        };
        std::vector<Open> open(1);
        std::size_t nextLoop = 0;
        std::size_t nextExecute = 0;
        for (const char c : program.order) {
            if (c == 'l') {
                open.push_back({{}, static_cast<int>(nextLoop++)});
            } else if (c == 'e') {
                execute(open.back().tree, program.executes[nextExecute++]);
            } else {
                Open done = std::move(open.back());
                open.pop_back();
                const std::int64_t trips = program.loops[static_cast<std::size_t>(done.loop)].trips;
                open.back().tree.push_back(SpecNode::loop(bundle::Expr(trips), std::move(done.tree)));
            }
        }
        kernel_.specs = std::move(open.front().tree);
    }

    void execute(SpecTree& tree, const BundleExecute& e) {
        const SdscRecord* found = record(e.file);
        if (found == nullptr) {
            tree.push_back(broken(e.file));
            return;
        }
        std::map<std::int64_t, AddressExpr> byId(e.symbols.begin(), e.symbols.end());
        compareIds(e, *found, byId);
        add(tree, *found, byId, e.loops);
    }

    void compareIds(const BundleExecute& e, const SdscRecord& record, const std::map<std::int64_t, AddressExpr>& byId) {
        std::set<std::int64_t> used;
        for (const SdscRecord::Tensor& t : record.tensors) {
            if (t.symbolic) used.insert(t.starts.begin(), t.starts.end());
        }
        std::set<std::int64_t> listed;
        for (const auto& [id, address] : byId)
            listed.insert(id);
        if (used == listed) return;
        const auto text = [](const std::set<std::int64_t>& ids) {
            std::vector<std::string> words;
            for (const std::int64_t id : ids) {
                if (words.size() == 20) {
                    words.emplace_back("...");
                    break;
                }
                words.push_back(std::to_string(id));
            }
            return "[" + text::join(words, ", ") + "]";
        };
        notes_.warning("CT-024", "bundle.mlir:" + e.where,
                       "the symbol ids differ: bundle.mlir lists " + text(listed) + ", " + text::escaped(e.file) +
                           " uses " + text(used),
                       "addresses without a symbol are unknown");
    }

    void add(SpecTree& tree, SdscRecord record, const std::map<std::int64_t, AddressExpr>& byId,
             const std::vector<int>& loops) {
        OpSteps steps;
        steps.depth = loops.size();
        steps.args.resize(record.op.args.size());
        for (std::size_t a = 0; a < record.tensors.size(); ++a) {
            const SdscRecord::Tensor& t = record.tensors[a];
            if (!t.symbolic) continue;
            const auto it = byId.find(t.starts.front());
            if (it == byId.end()) continue;
            resolve(record.op.args[a], it->second);
            for (const auto& [loop, bytes] : it->second.strides) {
                const auto at = std::find(loops.begin(), loops.end(), loop);
                if (at != loops.end()) steps.args[a][static_cast<int>(at - loops.begin())] = bytes;
            }
        }
        steps_.push_back(std::move(steps));
        tree.push_back(SpecNode::ofOp(std::move(record.op)));
    }

    void resolve(bundle::TensorArg& arg, const AddressExpr& address) {
        switch (address.origin) {
        case AddressExpr::Origin::None:
            arg.allocation = Allocation{bundle::Space::Hbm, address.base};
            return;
        case AddressExpr::Origin::Pool:
            arg.allocation = Allocation{bundle::Space::Pool, address.base};
            hasPool_ = true;
            return;
        case AddressExpr::Origin::Argument:
            break;
        }
        // The offset of a slice stays in the address; the slot is that of the parameter's number.
        parametric_ = true;
        const auto slot = static_cast<std::size_t>(std::clamp<std::int64_t>(address.argument, 0, 6));
        arg.allocation = Allocation{bundle::Space::Hbm, bundle::kSegmentOffsets[slot] + address.base};
    }

    /// Segments become arguments; with a pool the first segment holds intermediates (17.1 step 5).
    void arguments() {
        const auto ops = bundle::opsOf(kernel_.specs);
        const bool pool = !parametric_ && writtenThenReadInSegment0();
        std::map<std::size_t, std::size_t> slots;
        for (bundle::OpSpec* op : ops) {
            for (bundle::TensorArg& arg : op->args) {
                if (!arg.allocation || arg.allocation->space != bundle::Space::Hbm) continue;
                const std::size_t slot = slotOf(arg.allocation->address);
                if (pool && slot == 0) {
                    arg.allocation->space = bundle::Space::Pool;
                    continue;
                }
                arg.argIndex = static_cast<std::int64_t>(slot) - (pool ? 1 : 0);
                slots[slot] = static_cast<std::size_t>(arg.argIndex);
            }
        }
        const std::size_t count = slots.empty() ? 0 : slots.rbegin()->second + 1;
        for (std::size_t k = 0; k < count; ++k)
            kernel_.arguments.push_back("arg" + std::to_string(k));
        if (pool || hasPool_) kernel_.poolSize = poolBytes();
    }

    bool writtenThenReadInSegment0() {
        bool written = false;
        for (const bundle::OpSpec* op : bundle::opsOf(std::as_const(kernel_.specs))) {
            for (const bundle::TensorArg& arg : op->args) {
                const bool here = arg.allocation && arg.allocation->space == bundle::Space::Hbm &&
                                  slotOf(arg.allocation->address) == 0;
                if (here && arg.isInput && written) return true;
            }
            for (const bundle::TensorArg& arg : op->args) {
                const bool here = arg.allocation && arg.allocation->space == bundle::Space::Hbm &&
                                  slotOf(arg.allocation->address) == 0;
                written = written || (here && !arg.isInput);
            }
        }
        return false;
    }

    /// The end of the highest pool tensor; a bundle does not record the size.
    std::int64_t poolBytes() {
        std::int64_t end = 128;
        for (const bundle::OpSpec* op : bundle::opsOf(std::as_const(kernel_.specs))) {
            for (const bundle::TensorArg& arg : op->args) {
                if (!arg.allocation || arg.allocation->space != bundle::Space::Pool) continue;
                std::int64_t bytes = 128;
                for (std::size_t d = 0; d + 1 < arg.deviceSize.size(); ++d)
                    bytes = saturatedMul(bytes, arg.deviceSize[d]);
                end = std::max(end, checkedAdd(arg.allocation->address, bytes).value_or(end));
            }
        }
        return end;
    }

    fs::path root_;  ///< of the bundle: nothing outside of it is read
    fs::path folder_;
    const Limits& limits_;
    const RunControl& control_;
    Diagnostics& notes_;
    bundle::Kernel kernel_;
    std::map<std::string, std::optional<SdscRecord>> records_;
    std::map<std::string, std::string> lost_;  ///< file -> what is wrong with it
    std::vector<OpSteps> steps_;
    bool hasPool_ = false, parametric_ = false;
    std::optional<bundle::StrideModel> model_;
};

}  // namespace

/// A finding as a problem: a damaged bundle opens all the same.
void addProblem(Diagnostics& notes, const Error& error, const std::string& where) {
    Diagnostic d = error.primary();
    d.severity = Severity::Warning;
    d.where = d.where.empty() ? where : where + ":" + d.where;
    notes.add(std::move(d));
}

ImportedKernel importKernelFolder(const std::string& root, const std::string& folder, const Limits& limits,
                                  const RunControl& control, Diagnostics& notes) {
    KernelImport import(root, folder, limits, control, notes);
    ImportedKernel out;
    out.kernel = import.run();
    out.strideModel = import.model();
    return out;
}

bundle::Kernel kernelOfSdsc(const std::string& name, SdscRecord record, const Limits& limits, const RunControl& control,
                            Diagnostics& notes) {
    return KernelImport("", "", limits, control, notes).one(name, std::move(record));
}

}  // namespace memplan::io
