// SPDX-License-Identifier: GPL-3.0-or-later
// The short search for the K of a concurrency hint (torchwright.md 12), compiled on a worker: the plan is on screen
// before it has ended.
#pragma once

#include "widgets/views/residual/data/residual_scope.h"

#include <QFutureWatcher>
#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>

namespace memplan::ui {

class KJob final : public QObject {
    Q_OBJECT
public:
    explicit KJob(QObject* parent);
    ~KJob() override;
    /// What is under way for another plan is stopped: its result never arrives.
    void start(ResidualDataPtr data, int cluster);
    void drop();
    [[nodiscard]] bool isRunning() const { return isRunning_; }
    void finish();  ///< waits for it; done() is emitted before it returns

signals:
    void done(const memplan::torchwright::KSearch& search);

private:
    void take();

    std::stop_source stop_;
    bool isRunning_ = false;
    QFutureWatcher<torchwright::KSearch> watcher_;
};

/// Pure, any thread.
[[nodiscard]] torchwright::KSearch searchK(const ResidualData& data, int cluster, std::stop_token stop = {});

}  // namespace memplan::ui
