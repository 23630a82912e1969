// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/geometry/residual_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace memplan::ui {

namespace {

constexpr double kLineFrom = 6, kMarkFrom = 3;  ///< device px of a layer, of a half row

/// The owners of a few columns, by class.
class Counter {
public:
    void add(int kind, int holding, int columns) {
        for (int i = 0; i < size_; ++i) {
            Part& part = parts_[static_cast<std::size_t>(i)];
            if (part.kind != kind) continue;
            part.columns += columns;
            if (columns <= part.widest) return;
            part.widest = columns;
            part.holding = holding;
            return;
        }
        if (static_cast<std::size_t>(size_) == parts_.size()) parts_.resize(2 * parts_.size());
        parts_[static_cast<std::size_t>(size_++)] = {kind, holding, columns, columns};
    }

    PixelOwner take() {
        const Part* winner = parts_.data();
        for (int i = 1; i < size_; ++i) {
            const Part& part = parts_[static_cast<std::size_t>(i)];
            const bool isMore = part.columns > winner->columns;
            if (isMore || (part.columns == winner->columns && part.kind < winner->kind)) winner = &part;
        }
        const PixelOwner owner{winner->holding, size_ > 1};
        size_ = 0;
        return owner;
    }

private:
    struct Part {
        int kind, holding, columns, widest;
    };
    std::vector<Part> parts_ = std::vector<Part>(16);
    int size_ = 0;
};

/// Adds the owners of [first, end) from run `at` on, which is the first that may touch it.
void count(std::span<const ResidualRun> runs, std::size_t at, int first, int end, const ResidualInk& ink,
           Counter& counter) {
    int free = end - first;
    for (std::size_t i = at; i < runs.size() && runs[i].first < end; ++i) {
        const int columns = std::min(end, runs[i].end) - std::max(first, runs[i].first);
        if (columns <= 0) continue;
        counter.add(ink.classes[static_cast<std::size_t>(runs[i].holding)], runs[i].holding, columns);
        free -= columns;
    }
    if (free > 0) counter.add(ink.classCount, -1, free);
}

class Raster {
public:
    Raster(const ResidualData& data, const RasterQuestion& question, const ResidualInk& ink)
        : data_(data), q_(question), ink_(ink),
          width_(std::max(1, static_cast<int>(std::ceil(question.size.width() * question.ratio)))),
          height_(std::max(1, static_cast<int>(std::ceil(question.size.height() * question.ratio)))),
          image_(width_, height_, QImage::Format_RGB32), line_(static_cast<std::size_t>(width_)),
          marked_(static_cast<std::size_t>(width_)) {
        if (q_.x.scale * q_.ratio < 1) cutColumns();
    }

    QImage run() {
        int last = -2;
        const double halfPixels = q_.y.scale * q_.ratio / 2;
        for (int py = 0; py < height_; ++py) {
            const int half = halfRowAt(py);
            if (half != last) fillLine(half);
            last = half;
            const bool isMarkRow = halfPixels < kMarkFrom || halfRowAt(py + 1) != half;
            const bool isLayerEnd = half >= 0 && half % 2 == 1 && halfRowAt(py + 1) != half;
            auto* to = reinterpret_cast<QRgb*>(image_.scanLine(py));
            if (isLayerEnd && 2 * halfPixels >= kLineFrom) {
                std::fill(to, to + width_, ink_.line);
                continue;
            }
            const std::vector<QRgb>& from = isMarkRow && isMixed_ ? marked_ : line_;
            std::memcpy(to, from.data(), from.size() * sizeof(QRgb));
        }
        return std::move(image_);
    }

private:
    /// The half row under a row of pixels, the last one where it covers several; -1 outside of the layers.
    [[nodiscard]] int halfRowAt(int py) const {
        const double value = 2 * q_.y.toValue((py + 0.5) / q_.ratio);
        const int half = static_cast<int>(std::floor(value));
        return half < 0 || half >= 2 * data_.layers() ? -1 : half;
    }

    [[nodiscard]] double columnAt(int px) const { return q_.x.toValue(px / q_.ratio); }

    void fillLine(int half) {
        std::ranges::fill(line_, ink_.free);
        isMixed_ = false;
        if (half < 0) return;
        const auto runs = data_.runs(half);
        if (q_.x.scale * q_.ratio >= 1)
            fillWide(runs);
        else
            fillNarrow(runs);
    }

    /// A column is at least a pixel wide.
    void fillWide(std::span<const ResidualRun> runs) {
        const double scale = q_.x.scale * q_.ratio;
        const auto pixelOf = [&](int column) {
            return std::clamp(static_cast<int>(std::ceil((column - q_.x.origin) * scale - 0.5)), 0, width_);
        };
        for (const ResidualRun& run : runs) {
            const int a = pixelOf(run.first), b = pixelOf(run.end);
            std::fill(line_.begin() + a, line_.begin() + b, ink_.colours[static_cast<std::size_t>(run.holding)]);
        }
    }

    /// Pixel x covers columns [cuts_[x], cuts_[x + 1]).
    void cutColumns() {
        for (int px = 0; px <= width_; ++px)
            cuts_.push_back(std::clamp(static_cast<int>(std::floor(columnAt(px) + 1e-9)), 0, data_.d()));
    }

    void fillNarrow(std::span<const ResidualRun> runs) {
        std::size_t at = 0;
        for (std::size_t px = 0; px < line_.size(); ++px) {
            const int first = cuts_[px], end = cuts_[px + 1];
            while (at < runs.size() && runs[at].end <= first)
                ++at;
            const bool isFree = first >= end || at == runs.size() || runs[at].first >= end;
            if (!isFree) paintPixel(px, runs, at);
            if (isFree) marked_[px] = line_[px];
        }
    }

    void paintPixel(std::size_t px, std::span<const ResidualRun> runs, std::size_t at) {
        const int first = cuts_[px], end = cuts_[px + 1];
        PixelOwner owner{runs[at].holding, false};
        if (runs[at].first > first || runs[at].end < end) {
            count(runs, at, first, end, ink_, counter_);
            owner = counter_.take();
        }
        if (owner.holding >= 0) line_[px] = ink_.colours[static_cast<std::size_t>(owner.holding)];
        marked_[px] = owner.isMixed ? ink_.mark : line_[px];
        isMixed_ = isMixed_ || owner.isMixed;
    }

    const ResidualData& data_;
    const RasterQuestion& q_;
    const ResidualInk& ink_;
    Counter counter_;
    int width_, height_;
    QImage image_;
    std::vector<QRgb> line_, marked_;
    std::vector<int> cuts_;
    bool isMixed_ = false;  ///< some pixel of the line
};

}  // namespace

PixelOwner ownerOf(std::span<const ResidualRun> runs, int first, int end, const ResidualInk& ink) {
    if (first >= end) return {};
    Counter counter;
    count(runs, 0, first, end, ink, counter);
    return counter.take();
}

QImage residualRaster(const ResidualData& data, const RasterQuestion& question, const ResidualInk& ink) {
    return Raster(data, question, ink).run();
}

}  // namespace memplan::ui
