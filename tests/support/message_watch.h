// SPDX-License-Identifier: GPL-3.0-or-later
// Remembers what Qt and the program print while it lives, and prints it as before.
#pragma once

#include <QStringList>
#include <QtGlobal>

#include <mutex>

namespace memplan {

class MessageWatch {
public:
    MessageWatch() {
        current() = this;
        before() = qInstallMessageHandler(&MessageWatch::take);
    }
    ~MessageWatch() {
        qInstallMessageHandler(before());
        current() = nullptr;
    }
    MessageWatch(const MessageWatch&) = delete;
    MessageWatch& operator=(const MessageWatch&) = delete;

    [[nodiscard]] QStringList all() const {
        const std::lock_guard guard(mutex_);
        return messages_;
    }
    [[nodiscard]] QStringList with(const char* word) const { return all().filter(QString::fromLatin1(word)); }

private:
    static MessageWatch*& current() {
        static MessageWatch* watch = nullptr;
        return watch;
    }
    static QtMessageHandler& before() {
        static QtMessageHandler handler = nullptr;
        return handler;
    }
    static void take(QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (MessageWatch* watch = current()) {
            const std::lock_guard guard(watch->mutex_);
            watch->messages_ << text;
        }
        if (before() != nullptr) before()(type, context, text);
    }

    mutable std::mutex mutex_;
    QStringList messages_;
};

}  // namespace memplan
