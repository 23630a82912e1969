// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/geometry/residual_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace memplan::ui {

namespace {

constexpr double kLineFrom = 6, kMarkFrom = 3;  ///< device px of a layer, of a half row

/// Counts classes without clearing a table for every pixel.
class Counter {
public:
    explicit Counter(int classes)
        : count_(static_cast<std::size_t>(classes) + 1, 0), best_(count_.size(), -1), widest_(count_.size(), 0) {}

    void add(int kind, int holding, int columns) {
        const auto at = static_cast<std::size_t>(kind);
        if (count_[at] == 0) used_.push_back(kind);
        count_[at] += columns;
        if (columns <= widest_[at]) return;
        widest_[at] = columns;
        best_[at] = holding;
    }

    PixelOwner take() {
        int winner = used_.front();
        for (const int kind : used_) {
            const int a = count_[static_cast<std::size_t>(kind)], b = count_[static_cast<std::size_t>(winner)];
            if (a > b || (a == b && kind < winner)) winner = kind;
        }
        const PixelOwner owner{best_[static_cast<std::size_t>(winner)], used_.size() > 1};
        for (const int kind : used_)
            count_[static_cast<std::size_t>(kind)] = widest_[static_cast<std::size_t>(kind)] = 0;
        used_.clear();
        return owner;
    }

private:
    std::vector<int> count_, best_, widest_, used_;
};

/// Adds the owners of [first, end); `at` is the first run that may touch it, and is moved on.
void count(std::span<const ResidualRun> runs, std::size_t& at, int first, int end, const ResidualInk& ink,
           Counter& counter) {
    while (at < runs.size() && runs[at].end <= first)
        ++at;
    int free = end - first;
    for (std::size_t i = at; i < runs.size() && runs[i].first < end; ++i) {
        const int columns = std::min(end, runs[i].end) - std::max(first, runs[i].first);
        counter.add(ink.classes[static_cast<std::size_t>(runs[i].holding)], runs[i].holding, columns);
        free -= columns;
    }
    if (free > 0) counter.add(ink.classCount, -1, free);
}

class Raster {
public:
    Raster(const ResidualData& data, const RasterQuestion& question, const ResidualInk& ink)
        : data_(data), q_(question), ink_(ink), counter_(ink.classCount),
          width_(std::max(1, static_cast<int>(std::ceil(question.size.width() * question.ratio)))),
          height_(std::max(1, static_cast<int>(std::ceil(question.size.height() * question.ratio)))),
          image_(width_, height_, QImage::Format_RGB32), line_(static_cast<std::size_t>(width_)),
          marked_(static_cast<std::size_t>(width_)) {}

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

    /// A pixel covers several columns.
    void fillNarrow(std::span<const ResidualRun> runs) {
        std::size_t at = 0;
        for (int px = 0; px < width_; ++px) {
            const int first = std::max(0, static_cast<int>(std::floor(columnAt(px) + 1e-9)));
            const int end = std::min(data_.d(), static_cast<int>(std::floor(columnAt(px + 1) + 1e-9)));
            const auto pixel = static_cast<std::size_t>(px);
            if (first >= end) {
                marked_[pixel] = line_[pixel];
                continue;
            }
            count(runs, at, first, end, ink_, counter_);
            const PixelOwner owner = counter_.take();
            if (owner.holding >= 0) line_[pixel] = ink_.colours[static_cast<std::size_t>(owner.holding)];
            marked_[pixel] = owner.isMixed ? ink_.mark : line_[pixel];
            isMixed_ = isMixed_ || owner.isMixed;
        }
    }

    const ResidualData& data_;
    const RasterQuestion& q_;
    const ResidualInk& ink_;
    Counter counter_;
    int width_, height_;
    QImage image_;
    std::vector<QRgb> line_, marked_;
    bool isMixed_ = false;  ///< some pixel of the line
};

}  // namespace

PixelOwner ownerOf(std::span<const ResidualRun> runs, int first, int end, const ResidualInk& ink) {
    Counter counter(ink.classCount);
    std::size_t at = 0;
    if (first >= end) return {};
    count(runs, at, first, end, ink, counter);
    return counter.take();
}

QImage residualRaster(const ResidualData& data, const RasterQuestion& question, const ResidualInk& ink) {
    return Raster(data, question, ink).run();
}

}  // namespace memplan::ui
