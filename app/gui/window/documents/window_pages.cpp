// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/documents/window_pages.h"

#include "app/gui/pages/error_page.h"
#include "app/gui/pages/fault_page.h"
#include "app/gui/pages/start_page.h"

namespace memplan::app {

WindowPages::WindowPages(const std::vector<io::SampleInfo>& samples, QWidget* parent)
    : QStackedWidget(parent), start_(new StartPage(samples, this)), error_(new ErrorPage(this)),
      fault_(new FaultPage(this)), document_(new QWidget(this)) {
    for (QWidget* page : std::initializer_list<QWidget*>{start_, error_, document_, fault_})
        addWidget(page);
}

bool WindowPages::showsError() const {
    return currentWidget() == error_;
}

void WindowPages::showStart() {
    show(start_);
}

void WindowPages::showError() {
    show(error_);
}

void WindowPages::showFault() {
    show(fault_);
}

void WindowPages::showDocument() {
    show(document_);
}

void WindowPages::show(QWidget* page) {
    // What another page needs must not keep the window large.
    for (int i = 0; i < count(); ++i) {
        const auto policy = widget(i) == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        widget(i)->setSizePolicy(policy, policy);
    }
    setCurrentWidget(page);
    if (page != document_) start_->refreshRecent();
    emit shown(page == document_);
}

}  // namespace memplan::app
