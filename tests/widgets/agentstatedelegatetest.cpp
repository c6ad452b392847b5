// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/models/agenttablemodel.h>
#include <rekindle/widgets/agentstatedelegate.h>

#include <QStandardItemModel>

using namespace Rekindle;

namespace {

class OpenDelegate : public AgentStateDelegate
{
public:
    using AgentStateDelegate::initStyleOption;
};

} // namespace

class AgentStateDelegateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsShapeAndText();
    void usesTheColorScheme();
};

void AgentStateDelegateTest::showsShapeAndText()
{
    QStandardItemModel model(2, 1);
    model.setData(model.index(0, 0), QStringLiteral("Running"));
    model.setData(model.index(0, 0), static_cast<int>(InstanceState::Running),
                  AgentTableModel::AgentStateRole);
    model.setData(model.index(1, 0), QStringLiteral("Dreaming")); // of a newer host
    const OpenDelegate delegate;
    for (int row = 0; row < 2; ++row) {
        QStyleOptionViewItem option;
        delegate.initStyleOption(&option, model.index(row, 0));
        QCOMPARE(option.text, model.index(row, 0).data().toString());
        QVERIFY(option.features.testFlag(QStyleOptionViewItem::HasDecoration));
        QVERIFY(!option.icon.isNull());
        QCOMPARE(option.decorationSize.height(), option.fontMetrics.ascent());
    }
}

void AgentStateDelegateTest::usesTheColorScheme()
{
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), static_cast<int>(InstanceState::Stopping),
                  AgentTableModel::AgentStateRole);
    OpenDelegate delegate;
    for (const auto scheme : {StateColors::Scheme::Light, StateColors::Scheme::Dark}) {
        delegate.setColorScheme(scheme);
        QStyleOptionViewItem option;
        delegate.initStyleOption(&option, model.index(0, 0));
        QCOMPARE(option.icon.pixmap(QSize(16, 16)).toImage().pixelColor(8, 8),
                 StateColors(scheme, {}).color(InstanceState::Stopping));
        QCOMPARE(option.icon.pixmap(QSize(16, 16), QIcon::Selected).toImage().pixelColor(8, 8),
                 option.palette.color(QPalette::HighlightedText));
    }
}

REKINDLE_TEST(AgentStateDelegateTest)
#include "agentstatedelegatetest.moc"
