// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/core_io.h"

#include "engine/base/text.h"

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

int ownerOf(const Tensor& tensor, const std::vector<std::size_t>& labels, const std::vector<int64_t>& wanted,
            std::size_t receiver) {
    const auto owns = [&](std::size_t c) {
        for (std::size_t k = 0; k < labels.size(); ++k) {
            if (tensor.ownSlices[c][labels[k]] != wanted[k]) return false;
        }
        return true;
    };
    if (receiver < tensor.ownSlices.size() && owns(receiver)) return static_cast<int>(receiver);
    for (std::size_t c = 0; c < tensor.ownSlices.size(); ++c) {
        if (owns(c)) return static_cast<int>(c);
    }
    return -1;
}

}  // namespace

CoreIo::CoreIo(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event,
               InstanceCounts& counts)
    : op_(op), d_(*op.file), at_(at), event_(event), counts_(counts) {
    for (std::size_t l = 0; l < d_.labels.size(); ++l) {
        if (static_cast<int>(l) != out().stick) order_.push_back(l);
    }
    if (out().stick >= 0) order_.push_back(static_cast<std::size_t>(out().stick));
}

void CoreIo::fail(string code, std::size_t tensor, std::size_t core, int64_t address, string message) {
    if (fault_) return;
    Fault f;
    f.code = std::move(code);
    f.op = op_.name;
    f.core = static_cast<int>(core);
    const Placed& p = at_[tensor][core];
    f.memory = p.isLx ? "LX" : p.store == nullptr ? "" : "HBM";
    f.buffer = d_.tensors[tensor].name + (p.store == nullptr || p.isLx ? "" : " (" + p.store->name() + ")");
    f.address = address;
    f.message = std::move(message);
    fault_ = std::move(f);
}

/// Byte behind the last element that must be there.
int64_t CoreIo::reach(std::size_t t, std::size_t core) const {
    const Access& a = op_.access[t];
    int64_t byte = a.width;
    for (std::size_t l = 0; l < d_.labels.size(); ++l) {
        if (!a.moves(l)) continue;
        const auto n = static_cast<int64_t>(a.offset[l].size());
        const int64_t first = d_.tensors[t].ownSlices.empty() ? d_.slice[core][l] * perCore(l) : 0;
        const int64_t sure = std::clamp<int64_t>(std::min(a.sure[l], a.limit[l]) - first, 1, n);
        byte += a.offset[l][static_cast<std::size_t>(sure - 1)];
    }
    return byte;
}

void CoreIo::checkPlaces(std::size_t t) {
    for (std::size_t c = 0; c < at_[t].size(); ++c) {
        const Placed& p = at_[t][c];
        if (p.start % kStickBytes != 0) return fail("VER-001", t, c, p.start, "an address is no multiple of 128 bytes");
        const int64_t end = reach(t, c);
        if (p.start < 0 || p.start > p.store->bytes() - end) {
            return fail("VER-002", t, c, p.start,
                        "bytes " + text::grouped(p.start) + " to " + text::grouped(p.start + end) + " leave the " +
                            text::grouped(p.store->bytes()) + " bytes of " + p.store->name());
        }
        if (p.isLx) counts_.lxPeak = std::max(counts_.lxPeak, p.start + end);
    }
}

Dense CoreIo::shape(std::size_t t, int64_t& size) const {
    Dense dense;
    dense.stride.assign(d_.labels.size(), 0);
    size = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
        const std::size_t l = order_[i];
        if (!op_.access[t].moves(l)) continue;
        dense.stride[l] = size;
        size *= perCore(l);
    }
    return dense;
}

/// Reads an element of a stick; false ends the instance.
bool CoreIo::take(std::size_t t, std::size_t core, const Cell* cells, int64_t other, int64_t address, Cell& into) {
    const int64_t width = op_.access[t].width;
    const Cell* cell = cells == nullptr ? nullptr : cells + address % kStickBytes / width;
    if (cell != nullptr && cell->writer != 0 && eventOf(*cell) != event_) {
        into = *cell;
        return true;
    }
    if (cell != nullptr && cell->writer != 0) {
        fail("VER-016", t, core, address, "a core reads what another core writes in the same run of the operation");
    } else if (other != 0) {
        fail("VER-015", t, core, address,
             "it reads elements of " + std::to_string(width) + " bytes where elements of " + std::to_string(other) +
                 " bytes stand");
    } else {
        fail("VER-011", t, core, address, "it reads what nobody wrote");
    }
    return false;
}

std::vector<std::size_t> CoreIo::movingLabels(std::size_t t) const {
    std::vector<std::size_t> moving;
    for (const std::size_t l : order_) {
        if (op_.access[t].moves(l)) moving.push_back(l);
    }
    return moving;
}

/// Whether no core writes where this tensor is read: what one core reads of it, another one reads unchanged.
bool CoreIo::isReadOnly(std::size_t t) const {
    return std::none_of(at_[d_.output].begin(), at_[d_.output].end(), [&](const Placed& out) {
        return std::any_of(at_[t].begin(), at_[t].end(), [&](const Placed& in) { return in.store == out.store; });
    });
}

bool CoreIo::load(std::size_t t, std::size_t core, Dense& dense) {
    if (!d_.tensors[t].ownSlices.empty() || !isReadOnly(t)) return read(t, core, dense);
    Part part{t, at_[t][core].store, at_[t][core].start, {}};
    for (const std::size_t l : movingLabels(t))
        part.slice.push_back(d_.slice[core][l]);
    const auto known = std::find_if(shared_.begin(), shared_.end(), [&](const auto& s) { return s.first == part; });
    if (known != shared_.end()) {
        dense = known->second;
        counts_.bytesMoved += static_cast<int64_t>(dense.value.size()) * op_.access[t].width;
        return true;
    }
    if (!read(t, core, dense)) return false;
    sharedElements_ += dense.value.size();
    if (shared_.size() >= kMostShared || sharedElements_ > kMostSharedElements) {
        shared_.clear();
        sharedElements_ = dense.value.size();
    }
    if (sharedElements_ <= kMostSharedElements) shared_.emplace_back(std::move(part), dense);
    return true;
}

bool CoreIo::read(std::size_t t, std::size_t core, Dense& dense) {
    int64_t size = 1;
    dense = shape(t, size);
    dense.value.assign(static_cast<std::size_t>(size), 0);
    counts_.bytesMoved += size * op_.access[t].width;
    if (!d_.tensors[t].ownSlices.empty()) return loadMoved(t, core, dense);
    const Placed& p = at_[t][core];
    const int64_t width = op_.access[t].width;
    return rows(t, core, movingLabels(t), [&](const Row& row) {
        const Cell* cells = nullptr;
        int64_t stick = -1;
        int64_t other = 0;
        const auto n = static_cast<int64_t>(row.offset.size());
        for (int64_t j = 0; j < row.inside; ++j) {
            const int64_t address = p.start + row.byte + row.offset[static_cast<std::size_t>(j)];
            if (address / kStickBytes != stick) {
                stick = address / kStickBytes;
                cells = p.store->stick(stick, width, other);
            }
            const Cell* there = cells == nullptr ? nullptr : cells + address % kStickBytes / width;
            const bool isNothing = there == nullptr || there->writer == 0;
            if (!isNothing && !isPadding(*there) && eventOf(*there) != event_) {
                dense.value[static_cast<std::size_t>(row.first + j)] = there->value;
                if (isFilled(*there)) dense.markFilled(row.first + j);
                continue;
            }
            if (isNothing && j >= row.sure) {
                put(dense, row.first + j, 0, true);
                continue;
            }
            Cell cell;
            if (!take(t, core, cells, other, address, cell)) return false;
            put(dense, row.first + j, cell.value, isPadding(cell));
        }
        for (int64_t j = row.inside; j < n; ++j)
            put(dense, row.first + j, 0, true);
        return true;
    });
}

/// A transfer between cores: every element comes from a core that owns it (A4.4).
bool CoreIo::loadMoved(std::size_t t, std::size_t core, Dense& dense) {
    const Tensor& tensor = d_.tensors[t];
    const Access& a = op_.access[t];
    const std::vector<std::size_t> moving = movingLabels(t);
    std::vector<int64_t> own;
    for (const std::size_t l : moving)
        own.push_back(static_cast<int64_t>(a.offset[l].size()));
    return walk(moving, [&](const std::vector<int64_t>& point, int64_t i) {
        int64_t byte = 0;
        std::vector<int64_t> wanted(moving.size());
        for (std::size_t k = 0; k < moving.size(); ++k) {
            const int64_t global = d_.slice[core][moving[k]] * perCore(moving[k]) + point[k];
            wanted[k] = global / own[k];
            byte += a.offset[moving[k]][static_cast<std::size_t>(global % own[k])];
        }
        const int owner = ownerOf(tensor, moving, wanted, core);
        if (owner < 0) {
            fail("VER-018", t, core, -1, "no core holds a slice that this core receives");
            return false;
        }
        const Placed& p = at_[t][static_cast<std::size_t>(owner)];
        int64_t other = 0;
        const Cell* cells = p.store->stick((p.start + byte) / kStickBytes, a.width, other);
        Cell cell;
        if (!take(t, static_cast<std::size_t>(owner), cells, other, p.start + byte, cell)) return false;
        put(dense, i, cell.value, isPadding(cell));
        if (isFilled(cell)) dense.markFilled(i);
        return true;
    });
}

/// Writes element `i` of the dense result.
bool CoreIo::write(std::size_t core, Cell& cell, int64_t address, const Dense& dense, int64_t i) {
    const Value value = dense.value[static_cast<std::size_t>(i)];
    const bool padding = dense.isPadding(i);
    const bool makesRoom = dense.isFilled(i) || (op_.isFill && value == 0);
    const std::uint32_t mark = padding ? kPadding : makesRoom ? kFilled : 0U;
    if (eventOf(cell) != event_ || (isPadding(cell) && !padding)) {
        cell = {padding ? Value{0} : value, event_ | mark};
        return true;
    }
    if (padding || cell.value == value) {
        counts_.redundantWrites += address % kStickBytes == 0 ? 1 : 0;
        return true;
    }
    fail("VER-016", d_.output, core, address, "two different values are written to one place");
    return false;
}

/// Lanes behind the data of a stick that nobody wrote hold no data.
void CoreIo::padTail(std::size_t core, int64_t byte, int64_t lanes) {
    const Placed& p = at_[d_.output][core];
    const int64_t address = p.start + byte;
    const auto all = static_cast<std::size_t>(kStickBytes / out().width);
    Cell* cells = p.store->stickForWriting(address / kStickBytes, out().width);
    const auto first = static_cast<std::size_t>(address % kStickBytes / out().width);
    for (std::size_t i = 0; i < all; ++i) {
        const bool isData = i >= first && i < first + static_cast<std::size_t>(lanes);
        if (!isData && cells[i].writer == 0) cells[i] = {0, event_ | kPadding};
    }
}

/// Writes the dense result of a core.
bool CoreIo::save(std::size_t core, const Dense& dense) {
    const Access& a = out();
    const Placed& p = at_[d_.output][core];
    counts_.bytesMoved += static_cast<int64_t>(dense.value.size()) * a.width;
    return rows(d_.output, core, movingLabels(d_.output), [&](const Row& row) {
        Cell* cells = nullptr;
        int64_t stick = -1;
        for (int64_t j = 0; j < row.inside; ++j) {
            const int64_t byte = row.byte + row.offset[static_cast<std::size_t>(j)];
            const int64_t address = p.start + byte;
            if (address / kStickBytes != stick) {
                stick = address / kStickBytes;
                cells = p.store->stickForWriting(stick, a.width);
            }
            const int64_t i = row.first + j;
            Cell& cell = cells[address % kStickBytes / a.width];
            if (!write(core, cell, address, dense, i)) return false;
            // Without a stick label every element has a stick of its own.
            if (a.stick < 0) padTail(core, byte, 1);
        }
        const int64_t lanes = row.inside % a.stickSize;
        if (a.stick >= 0 && lanes > 0)
            padTail(core, row.byte + row.offset[static_cast<std::size_t>(row.inside - lanes)], lanes);
        return true;
    });
}

}  // namespace memplan::sim::artefact
