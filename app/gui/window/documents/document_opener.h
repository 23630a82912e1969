// SPDX-License-Identifier: GPL-3.0-or-later
// What is opened and how: files that the user chooses, drops or begins from a template, samples, copies to recover, and
// inputs over a limit, which are asked about before they are loaded (UX 3.10, 3.12, 19.8).
#pragma once

#include "app/gui/document/document_controller.h"

#include <QObject>
#include <QStringList>

#include <functional>

class QDropEvent;

namespace memplan::app {

class CompareController;
class DocumentHost;
class ErrorPage;
class RecordsController;
class StartPage;
class WindowServices;
struct PassedLimit;

class DocumentOpener final : public QObject {
    Q_OBJECT
public:
    /// `window` is the parent of its dialogs.
    DocumentOpener(DocumentController& controller, WindowServices& services, QWidget* window);

    /// Files that stand beside an open plan go to these.
    void setBeside(RecordsController* records, CompareController* compare);
    /// The window of several documents, which then finds the place for each.
    void setHost(DocumentHost* host) { host_ = host; }
    /// Opens what the pages offer.
    void follow(const StartPage& start, const ErrorPage& error);

    void open(const OpenRequest& request);
    void openFile(const QString& path);
    void openSample(const io::SampleInfo& sample);
    void ask();
    void askBundle();
    void newFromTemplate();
    /// Other sizes than those that the program chose for the model, from these on ("batch=1, sequence=128").
    void askSizes(const QString& shown);
    void planAgain();  ///< the graph of a plan file with the settings and hints of the plan
    void drop(QDropEvent& event);

signals:
    void wanted(const memplan::app::OpenRequest& request);  ///< in this window
    /// `refusal`: why it cannot be opened at all, when a hard limit is the reason.
    void failed(const QString& path, const memplan::Error& error, const QString& refusal);
    void turnedAway();  ///< the user does not want an input over its limit

private:
    void openFailed(const QString& path, const Error& error);
    void askToRaise(const QString& path, const PassedLimit& limit, const OpenRequest& last);

    DocumentController& controller_;
    WindowServices& services_;
    QWidget* window_;
    DocumentHost* host_ = nullptr;
    RecordsController* records_ = nullptr;
    CompareController* compare_ = nullptr;
};

}  // namespace memplan::app
