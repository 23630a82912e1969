// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/array.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace memplan::verify::transformer {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kValueSize = 4;
constexpr std::size_t kFixedPart = 10;  ///< magic, version, length of the header

std::string shapeText(const std::vector<std::int64_t>& extents, std::int64_t most) {
    std::vector<std::string> parts;
    for (const std::int64_t extent : extents)
        parts.push_back(extent > 0 ? std::to_string(extent) : "1.." + std::to_string(most));
    return text::join(parts, " x ");
}

/// The value of a key in the header's dictionary, up to the comma or the bracket that ends it.
std::optional<std::string_view> headerValue(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = header.substr(at + key.size());
    const std::size_t end = rest.starts_with(" (") ? rest.find(')') : rest.find(',');
    if (end == std::string_view::npos) return std::nullopt;
    return rest.substr(1, end - 1);
}

std::optional<std::vector<std::int64_t>> extentsOf(std::string_view header) {
    auto list = headerValue(header, "'shape':");
    if (!list || !list->starts_with('(')) return std::nullopt;
    std::vector<std::int64_t> extents;
    for (std::string part : text::split(list->substr(1), ',')) {
        std::erase(part, ' ');
        if (part.empty()) continue;
        const auto extent = text::parseInt(part);
        if (!extent || *extent < 0) return std::nullopt;
        extents.push_back(*extent);
    }
    return extents;
}

/// Takes the bytes of an .npy file as they come.
class ArrayReader {
public:
    ArrayReader(std::string where, const Shape& wanted) : where_(std::move(where)), wanted_(wanted) {}

    bool take(std::string_view piece) {
        if (hasHeader_) {
            takeValues(piece);
            return wrong_.empty();
        }
        rest_.append(piece);
        if (!takeHeader()) return wrong_.empty();
        const std::string values = std::exchange(rest_, {});
        takeValues(values);
        return wrong_.empty();
    }

    Result<Array> finish() && {
        if (wrong_.empty() && !hasHeader_) wrong_ = "the array has no header";
        const std::int64_t wanted = array_.rows * array_.columns;
        if (wrong_.empty() && (next_ != wanted || !rest_.empty()))
            wrong_ = "the array has another number of values than its shape";
        if (!wrong_.empty()) return makeError("TW-033", where_, wrong_, "export the transformer again");
        return std::move(array_);
    }

private:
    /// False while more bytes are needed, or when the header is wrong.
    bool takeHeader() {
        if (rest_.size() < kFixedPart) return false;
        if (!rest_.starts_with(kMagic) || rest_[6] != 1) return refuse("the array is no .npy file of version 1");
        const std::size_t size = static_cast<unsigned char>(rest_[8]) + 256U * static_cast<unsigned char>(rest_[9]);
        if (rest_.size() < kFixedPart + size) return false;
        const bool isGood = readHeader(std::string_view(rest_).substr(kFixedPart, size));
        rest_.erase(0, kFixedPart + size);
        hasHeader_ = isGood;
        return isGood;
    }

    bool readHeader(std::string_view header) {
        if (headerValue(header, "'descr':") != "'<f4'")
            return refuse("the values of the array are not float32 little-endian ('<f4')");
        if (headerValue(header, "'fortran_order':") != "False") return refuse("the array is not stored row by row");
        const auto extents = extentsOf(header);
        if (!extents) return refuse("the shape of the array cannot be read");
        if (!fits(*extents))
            return refuse("the array is " + shapeText(*extents, 0) + ", wanted " +
                          shapeText(wanted_.extents, wanted_.most));
        array_.rows = extents->size() == 2 ? extents->front() : 1;
        array_.columns = extents->back();
        return true;
    }

    [[nodiscard]] bool fits(const std::vector<std::int64_t>& extents) const {
        if (extents.size() != wanted_.extents.size()) return false;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const std::int64_t wanted = wanted_.extents[i];
            const bool isGood = wanted > 0 ? extents[i] == wanted : extents[i] >= 1 && extents[i] <= wanted_.most;
            if (!isGood) return false;
        }
        return true;
    }

    void takeValues(std::string_view bytes) {
        while (!rest_.empty() && !bytes.empty() && rest_.size() < kValueSize) {
            rest_ += bytes.front();
            bytes.remove_prefix(1);
        }
        if (rest_.size() == kValueSize) {
            takeBytes(rest_);
            rest_.clear();
        }
        for (; bytes.size() >= kValueSize; bytes.remove_prefix(kValueSize)) {
            skipZeros(bytes);
            if (bytes.size() < kValueSize) break;
            takeBytes(bytes);
        }
        rest_ += bytes;
        if (next_ > array_.rows * array_.columns) refuse("the array has more values than its shape");
    }

    /// Weights are nearly all zeros.
    void skipZeros(std::string_view& bytes) {
        static constexpr std::array<char, 64> kZeros{};
        while (bytes.size() >= kZeros.size() && std::memcmp(bytes.data(), kZeros.data(), kZeros.size()) == 0) {
            bytes.remove_prefix(kZeros.size());
            next_ += static_cast<std::int64_t>(kZeros.size() / kValueSize);
        }
    }

    void takeBytes(std::string_view bytes) {
        std::uint32_t bits = 0;
        for (std::size_t b = kValueSize; b-- > 0;)
            bits = (bits << 8) | static_cast<unsigned char>(bytes[b]);
        if (bits != 0) takeValue(next_, std::bit_cast<float>(bits));
        ++next_;
    }

    void takeValue(std::int64_t index, float value) {
        if (!std::isfinite(value)) refuse("value " + std::to_string(index) + " of the array is not finite");
        array_.entries.push_back({index / array_.columns, index % array_.columns, value});
    }

    /// False, for the caller to give on. The first reason stays.
    bool refuse(std::string why) {
        if (wrong_.empty()) wrong_ = std::move(why);
        return false;
    }

    std::string where_;
    const Shape& wanted_;
    Array array_;
    std::string rest_, wrong_;
    std::int64_t next_ = 0;
    bool hasHeader_ = false;
};

}  // namespace

Result<ArrayFile> ArrayFile::open(std::string name, std::string_view bytes) {
    auto members = readZip(bytes, name);
    if (!members) return members.error();
    ArrayFile file;
    file.name_ = std::move(name);
    file.members_ = std::move(members).value();
    return file;
}

Result<Array> ArrayFile::read(std::string_view array, const Shape& wanted) const {
    const std::string where = name_ + ", array " + std::string(array);
    const auto member = std::ranges::find(members_, std::string(array) + ".npy", &ZipMember::name);
    if (member == members_.end())
        return makeError("TW-033", where, "the array is missing", "export the transformer again");
    ArrayReader reader(where, wanted);
    const auto unpacked = unpack(*member, where, [&reader](std::string_view piece) { return reader.take(piece); });
    if (!unpacked) return unpacked.error();
    return std::move(reader).finish();
}

}  // namespace memplan::verify::transformer
