// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/bundle.h"

#include "engine/verify/torchwright/transformer/manifest.h"

#include <array>
#include <utility>

namespace memplan::verify::transformer {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 24;  ///< of an embedding

/// One file of arrays, of which several are read.
class Arrays {
public:
    explicit Arrays(std::string name) : name_(std::move(name)) {}

    Result<void> open(const FileSource& files) {
        auto bytes = files(name_);
        if (!bytes)
            return makeError("TW-030", name_, "the file is missing, but the manifest names it",
                             "export the transformer again");
        bytes_ = std::move(*bytes);
        auto file = ArrayFile::open(name_, bytes_);
        if (!file) return file.error();
        file_ = std::move(file).value();
        return {};
    }

    Result<void> read(std::string_view array, const Shape& wanted, Array& into) const {
        auto got = file_.read(array, wanted);
        if (!got) return got.error();
        into = std::move(got).value();
        return {};
    }

private:
    std::string name_, bytes_;
    ArrayFile file_;
};

Result<void> readLayer(Arrays& arrays, const Manifest& manifest, BundleLayer& layer) {
    const std::int64_t d = manifest.bundle.d, lanes = layer.heads * manifest.bundle.dHead;
    if (auto got = arrays.read("W1", {{d, 0}, manifest.bundle.slotsMost}, layer.first); !got) return got;
    const std::int64_t slots = layer.first.columns;
    struct Wanted {
        const char* name;
        Shape shape;
        Array* into;
    };
    const std::array<Wanted, 7> all{{{"WQ", {{d, lanes}, 0}, &layer.query},
                                     {"WK", {{d, lanes}, 0}, &layer.key},
                                     {"WV", {{d, lanes}, 0}, &layer.value},
                                     {"WO", {{lanes, d}, 0}, &layer.output},
                                     {"b1", {{slots}, 0}, &layer.firstBias},
                                     {"W2", {{slots, d}, 0}, &layer.second},
                                     {"b2", {{d}, 0}, &layer.secondBias}}};
    for (const Wanted& wanted : all)
        if (auto got = arrays.read(wanted.name, wanted.shape, *wanted.into); !got) return got;
    return {};
}

Result<void> readStart(const FileSource& files, Manifest& manifest) {
    Arrays arrays("start.npz");
    if (auto opened = arrays.open(files); !opened) return opened;
    Bundle& bundle = manifest.bundle;
    if (auto got = arrays.read("constant_values", {{bundle.d}, 0}, bundle.constants); !got) return got;
    for (Start& start : bundle.start) {
        if (start.type != "Embedding") continue;
        const auto width = static_cast<std::int64_t>(start.columns.size());
        if (auto got = arrays.read(manifest.tables[start.node], {{0, width}, kMostRows}, start.table); !got) return got;
    }
    return {};
}

}  // namespace

Result<Bundle> readBundle(const FileSource& files) {
    const auto text = files("manifest.json");
    if (!text)
        return makeError("TW-030", "manifest.json", "the file is missing, so this is no exported transformer",
                         "name the folder of an export");
    auto read = readManifest(*text);
    if (!read) return read.error();
    Manifest manifest = std::move(read).value();
    if (!manifest.bundle.hasWeights()) return std::move(manifest.bundle);
    if (auto start = readStart(files, manifest); !start) return start.error();
    for (std::size_t i = 0; i < manifest.bundle.layers.size(); ++i) {
        Arrays arrays(manifest.layerFiles[i]);
        if (auto opened = arrays.open(files); !opened) return opened.error();
        if (auto got = readLayer(arrays, manifest, manifest.bundle.layers[i]); !got) return got.error();
    }
    return std::move(manifest.bundle);
}

}  // namespace memplan::verify::transformer
