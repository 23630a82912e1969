// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector dock's content (user-experience 10; design-system 5.4): title, sentence, sections
// that remember whether they are open. Ids are links, numbers have a copy button on hover.
#pragma once

#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/views/inspector/inspector_facts.h"
#include "widgets/views/inspector/inspector_rows.h"

#include <QHash>
#include <QScrollArea>

#include <functional>

class QLabel;
class QVBoxLayout;

namespace memplan::ui {

class Badge;
class Section;

class InspectorView final : public QScrollArea {
    Q_OBJECT
public:
    explicit InspectorView(SelectionHub* hub, QWidget* parent = nullptr);
    void setUnits(const Units& units);
    /// Shows the section "Measured and ideal" below the others; nullopt removes it.
    void setMeasured(std::optional<MeasuredComparison> measured);
    /// What the original compiler recorded of the items; null = nothing is attached.
    void setSide(std::shared_ptr<const SideInformation> side);
    /// Asked for the Markdown of the note at an item when it is shown; unset = there are no notes.
    void setNoteText(std::function<QString(ItemId)> noteText) { noteText_ = std::move(noteText); }
    void showNote();  ///< the note at the selected item may have changed
    /// Fixes of the selected refusal, shown below the reason; `how` says how far the search is.
    void setFixes(std::vector<FixOffer> fixes, const QString& how = {});
    /// Numbers behind the reason of the selected refusal, in place of those that its sentence was made from.
    void setEvidence(std::vector<InspectorRow> rows);
    [[nodiscard]] const InspectorContent& content() const { return content_; }
    [[nodiscard]] QString scope() const { return content_.kind; }
    /// Which sections are open, for saving: keys in any order.
    [[nodiscard]] QHash<QString, bool> openSections() const { return open_; }
    void setOpenSections(const QHash<QString, bool>& open);

signals:
    void fixApplied(int index);
    void fixPreviewed(int index);
    void scopeChanged(const QString& scope);  ///< for the dock title
    void sectionsChanged();                   ///< the user opened or closed one: openSections()

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    [[nodiscard]] RowForm formNow() const;
    [[nodiscard]] QString noteNow() const;
    void buildHead();
    void buildSections();
    void addSection(const InspectorSection& section);
    void addFixes();
    void addMeasured();
    [[nodiscard]] QWidget* sectionBody(const InspectorSection& section);
    void follow(const QString& link);
    [[nodiscard]] Section* newSection(const QString& key, const QString& name, bool openByDefault);

    SelectionHub* hub_;
    Units units_;
    InspectorContent content_;
    std::optional<MeasuredComparison> measured_;
    std::shared_ptr<const SideInformation> side_;
    std::vector<FixOffer> fixes_;
    QString fixesHow_;
    std::vector<InspectorRow> evidence_;
    std::function<QString(ItemId)> noteText_;
    QString note_;  ///< as shown
    std::optional<ItemId> shownItem_;
    QHash<QString, bool> open_;
    QWidget* body_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    bool allDecisions_ = false;
    RowForm form_ = RowForm::Wide;
};

}  // namespace memplan::ui
