// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window, one of them in front: start, error, fault, and the document with its views (UX 4.1, 19.3,
// 19.7).
#pragma once

#include "engine/io/samples.h"

#include <QStackedWidget>

#include <vector>

namespace memplan::app {

class ErrorPage;
class FaultPage;
class StartPage;

class WindowPages final : public QStackedWidget {
    Q_OBJECT
public:
    WindowPages(const std::vector<io::SampleInfo>& samples, QWidget* parent);

    [[nodiscard]] StartPage& start() const { return *start_; }
    [[nodiscard]] ErrorPage& error() const { return *error_; }
    [[nodiscard]] FaultPage& fault() const { return *fault_; }
    [[nodiscard]] QWidget* document() const { return document_; }
    [[nodiscard]] bool showsDocument() const { return currentWidget() == document_; }
    [[nodiscard]] bool showsError() const;
    void showStart();
    void showError();
    void showFault();
    void showDocument();

signals:
    void shown(bool isDocument);

private:
    void show(QWidget* page);

    StartPage* start_;
    ErrorPage* error_;
    FaultPage* fault_;
    QWidget* document_;
};

}  // namespace memplan::app
