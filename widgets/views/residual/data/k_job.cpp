// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/data/k_job.h"

#include "widgets/kit/controls/notices/fault.h"

#include <utility>

namespace memplan::ui {

torchwright::KSearch searchK(const ResidualData& data, int cluster, std::stop_token stop) {
    const torchwright::Cluster chains = clusterOf(data, cluster);
    RunControl control;
    control.stop = std::move(stop);
    return torchwright::shortSearch({data.graph(), chains, data.schedule().options}, data.schedule(), control);
}

KJob::KJob(QObject* parent) : QObject(parent) {
    connect(&watcher_, &QFutureWatcher<torchwright::KSearch>::finished, this, &KJob::take);
}

KJob::~KJob() {
    drop();
}

void KJob::start(ResidualDataPtr data, int cluster) {
    drop();
    stop_ = std::stop_source();
    isRunning_ = true;
    watcher_.setFuture(inPool([data = std::move(data), cluster, stop = stop_.get_token()] {
        return stop.stop_requested() ? torchwright::KSearch() : searchK(*data, cluster, stop);
    }));
}

/// The worker keeps the plan; nobody waits for it.
void KJob::drop() {
    if (!isRunning_) return;
    stop_.request_stop();
    isRunning_ = false;
    watcher_.setFuture({});
}

void KJob::finish() {
    if (!isRunning_) return;
    watcher_.waitForFinished();
    take();
}

void KJob::take() {
    if (!std::exchange(isRunning_, false)) return;
    // Without a result the work failed, and that has been reported.
    if (watcher_.future().resultCount() > 0) emit done(watcher_.result());
}

}  // namespace memplan::ui
