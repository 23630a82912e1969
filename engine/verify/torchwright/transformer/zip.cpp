// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/zip.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace memplan::verify::transformer {
namespace {

constexpr const char* kCode = "TW-032";
constexpr std::size_t kEndSize = 22, kListedSize = 46, kLocalSize = 30, kLongestComment = 65535;
constexpr std::uint32_t kEndMark = 0x06054B50, kListedMark = 0x02014B50, kLocalMark = 0x04034B50;
constexpr std::uint32_t kStored = 0, kDeflated = 8;

/// Little-endian numbers of a text of which the size was checked.
std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = count; i-- > 0;)
        value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

constexpr std::array<std::array<std::uint32_t, 256>, 8> crcTables() {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        tables[0][i] = crc;
    }
    for (std::size_t t = 1; t < 8; ++t)
        for (std::size_t i = 0; i < 256; ++i)
            tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xFFU];
    return tables;
}

constexpr auto kCrcTables = crcTables();

std::uint32_t word(const char* at) {
    const auto byte = [at](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(at[i])} << (8 * i); };
    return byte(0) | byte(1) | byte(2) | byte(3);
}

std::uint32_t crcStep(std::uint32_t crc, std::string_view bytes) {
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        const std::uint32_t low = crc ^ word(bytes.data() + at), high = word(bytes.data() + at + 4);
        crc = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            crc ^= kCrcTables[7 - i][(low >> (8 * i)) & 0xFFU];
            crc ^= kCrcTables[3 - i][(high >> (8 * i)) & 0xFFU];
        }
    }
    for (; at < bytes.size(); ++at)
        crc = (crc >> 8) ^ kCrcTables[0][(crc ^ static_cast<unsigned char>(bytes[at])) & 0xFFU];
    return crc;
}

std::optional<std::size_t> endRecord(std::string_view archive) {
    if (archive.size() < kEndSize) return std::nullopt;
    const std::size_t last = archive.size() - kEndSize;
    const std::size_t first = last > kLongestComment ? last - kLongestComment : 0;
    for (std::size_t at = last + 1; at-- > first;)
        if (number(archive, at, 4) == kEndMark && at + kEndSize + number(archive, at + 20, 2) == archive.size())
            return at;
    return std::nullopt;
}

class ZipReader {
public:
    ZipReader(std::string_view archive, const std::string& where) : archive_(archive), where_(where) {}

    Result<std::vector<ZipMember>> read() {
        const auto end = endRecord(archive_);
        if (!end) return damage("the file is no zip archive or is cut off");
        const std::size_t count = number(archive_, *end + 10, 2);
        std::size_t at = number(archive_, *end + 16, 4);
        std::vector<ZipMember> members;
        for (std::size_t i = 0; i < count; ++i) {
            auto member = listed(at, *end);
            if (!member) return member.error();
            members.push_back(std::move(member).value());
        }
        return members;
    }

private:
    [[nodiscard]] Error damage(std::string message) const {
        return makeError(kCode, where_, std::move(message), "export the transformer again");
    }

    /// The member of the list at `at`, which moves to the next one.
    Result<ZipMember> listed(std::size_t& at, std::size_t end) {
        if (at > end || end - at < kListedSize || number(archive_, at, 4) != kListedMark)
            return damage("the list of the archive is damaged");
        const std::size_t nameSize = number(archive_, at + 28, 2);
        const std::size_t size = kListedSize + nameSize + number(archive_, at + 30, 2) + number(archive_, at + 32, 2);
        if (end - at < size) return damage("the list of the archive is damaged");
        ZipMember member;
        member.name = archive_.substr(at + kListedSize, nameSize);
        member.crc = number(archive_, at + 16, 4);
        member.size = number(archive_, at + 24, 4);
        const std::uint32_t method = number(archive_, at + 10, 2), flags = number(archive_, at + 8, 2);
        if ((flags & 1U) != 0 || (method != kStored && method != kDeflated))
            return damage("a member of the archive is encrypted or packed in a way that is not read");
        member.isDeflated = method == kDeflated;
        const std::size_t packed = number(archive_, at + 20, 4), local = number(archive_, at + 42, 4);
        if (!place(member, local, packed)) return damage("a member of the archive lies outside of it");
        at += size;
        return member;
    }

    bool place(ZipMember& member, std::size_t local, std::size_t packed) const {
        if (local > archive_.size() || archive_.size() - local < kLocalSize) return false;
        if (number(archive_, local, 4) != kLocalMark) return false;
        const std::size_t begin =
            local + kLocalSize + number(archive_, local + 26, 2) + number(archive_, local + 28, 2);
        if (begin > archive_.size() || archive_.size() - begin < packed) return false;
        member.packed = archive_.substr(begin, packed);
        return true;
    }

    std::string_view archive_;
    const std::string& where_;
};

}  // namespace

Result<std::vector<ZipMember>> readZip(std::string_view archive, const std::string& where) {
    return ZipReader(archive, where).read();
}

Result<void> unpack(const ZipMember& member, const std::string& where, const PieceSink& sink) {
    const auto damage = [&](std::string_view message) {
        return makeError(kCode, where, std::string(message), "export the transformer again");
    };
    std::uint32_t crc = 0xFFFFFFFFU;
    std::uint64_t size = 0;
    bool isStopped = false;
    const auto checked = [&](std::string_view piece) {
        crc = crcStep(crc, piece);
        size += piece.size();
        isStopped = size > member.size || !sink(piece);
        return !isStopped;
    };
    if (!member.isDeflated) {
        checked(member.packed);
    } else if (const std::string_view wrong = inflateStream(member.packed, checked); !wrong.empty()) {
        return damage(wrong);
    }
    if (isStopped && size <= member.size) return {};  // the sink has its own reason
    if (size != member.size) return damage("the data have another size than the archive says");
    if (~crc != member.crc) return damage("the data are damaged: the checksum differs");
    return {};
}

}  // namespace memplan::verify::transformer
