// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionrecord.h"

#include <rekindle/widgets/decisionview.h>

#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMetaMethod>
#include <QPointer>
#include <QProgressBar>
#include <QTextBrowser>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace Rekindle {

namespace {

QString toHtml(const QString &text)
{
    QString html;
    for (const QString &line : text.split(u'\n', Qt::SkipEmptyParts)) {
        // The format of AgentExplanation::toText(): "  rule     Restart: ..."
        const QLatin1String space("  ");
        const qsizetype labelEnd = line.indexOf(space, space.size());
        html += line.startsWith(space) && labelEnd > 0
            ? QStringLiteral("<tr><td style='white-space:nowrap' "
                             "width='1%'><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                  .arg(line.first(labelEnd).trimmed().toHtmlEscaped(),
                       line.mid(labelEnd).trimmed().toHtmlEscaped())
            : QStringLiteral("<tr><td colspan='2'>%1</td></tr>").arg(line.toHtmlEscaped());
    }
    return QStringLiteral("<table>%1</table>").arg(html);
}

} // namespace

class DecisionView::Private
{
public:
    explicit Private(DecisionView *view)
        : q(view)
    {
    }

    void refresh();
    void receive(const ControlResult<AgentExplanation> &result);
    void select() const;
    void showBudget(const QJsonObject &decision) const;

    DecisionView *const q;
    QPointer<AgentSource> source;
    QUuid agent;
    QDateTime time; ///< invalid: the newest decision

    QList<QJsonObject> decisions; ///< of toJson(), oldest first
    QStringList texts;            ///< of toText(): one for each decision, and what happens next

    QComboBox *times = nullptr;
    QTextBrowser *text = nullptr;
    QProgressBar *budget = nullptr;
    QTimer refreshing;
    quint64 request = 0; ///< the newest one
};

void DecisionView::Private::refresh()
{
    if (!q->isVisible())
        return; // showEvent() follows
    ++request;
    if (!source || agent.isNull()) {
        receive({});
        return;
    }
    const QPointer<DecisionView> alive(q);
    source->explain(agent).then(
        [this, alive, sent = request](const ControlResult<AgentExplanation> &result) {
            if (alive && sent == request)
                receive(result);
        });
}

void DecisionView::Private::receive(const ControlResult<AgentExplanation> &result)
{
    decisions.clear();
    texts.clear();
    if (result.error) {
        texts.append(result.error->message);
    } else if (source) {
        for (const QByteArray &line : result.value.toJson().split('\n')) {
            if (!line.isEmpty())
                decisions.append(QJsonDocument::fromJson(line).object());
        }
        texts = result.value.toText(source->utcNow(), toLocalText).split(QLatin1String("\n\n"));
    }
    const QSignalBlocker blocker(times);
    times->clear();
    for (const QJsonObject &each : decisions) {
        const UtcTime at = utcTimeFromRfc3339(each[u"time"].toString()).value_or(UtcTime());
        times->addItem(DecisionView::tr("%1: %2", "time and rule of a decision")
                           .arg(toLocalText(at), each[u"decision"][u"rule"].toString()),
                       toQml(at));
    }
    select();
}

void DecisionView::Private::select() const
{
    int selected = times->count() - 1;
    const auto distance = [&](int index) {
        return std::abs(times->itemData(index).toDateTime().msecsTo(time));
    };
    for (int index = selected - 1; time.isValid() && index >= 0; --index) {
        if (distance(index) <= distance(selected))
            selected = index;
    }
    const QSignalBlocker blocker(times);
    times->setCurrentIndex(selected);
    times->setVisible(times->count() > 0);
    // The first one, because the Tab key skips those before the proxy.
    q->setFocusProxy(times->count() > 0 ? static_cast<QWidget *>(times) : text);
    QStringList parts = texts.mid(std::max<qsizetype>(decisions.size(), 0));
    if (selected >= 0)
        parts.prepend(texts.value(selected));
    QString html;
    for (const QString &part : std::as_const(parts))
        html += toHtml(part);
    if (!agent.isNull() && source != nullptr
        && q->isSignalConnected(QMetaMethod::fromSignal(&DecisionView::policyRequested)))
        html += QStringLiteral("<p><a href='policy:'>%1</a></p>")
                    .arg(DecisionView::tr("Show the policy"));
    text->setHtml(html);
    showBudget(decisions.value(selected)[u"decision"].toObject());
}

void DecisionView::Private::showBudget(const QJsonObject &decision) const
{
    // A permanent failure, for example, does not depend on the budget.
    budget->setVisible(decision[u"shouldRestart"].toBool()
                       || decision[u"rule"] == toText(DecisionRule::AttemptsExhausted));
    const QJsonValue most = decision[u"inputs"][u"maxRetries"];
    const int limit = most.toInt();
    const int left = decision[u"budgetLeft"].toInt();
    budget->setRange(0, std::max(limit, 1));
    if (most.isString()) {
        budget->setValue(1);
        budget->setFormat(DecisionView::tr("Unlimited restarts"));
    } else {
        budget->setValue(left);
        budget->setFormat(DecisionView::tr("%1 of %2 restarts left").arg(left).arg(limit));
    }
}

DecisionView::DecisionView(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    d->times = new QComboBox;
    d->times->setAccessibleName(tr("Decision"));
    d->text = new QTextBrowser;
    d->text->setOpenLinks(false);
    d->text->setAccessibleName(tr("Explanation of the decision"));
    d->budget = new QProgressBar;
    d->budget->setAccessibleName(tr("Restarts left"));
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget *const each : {static_cast<QWidget *>(d->times), static_cast<QWidget *>(d->text),
                                static_cast<QWidget *>(d->budget)})
        layout->addWidget(each);
    d->refreshing.setSingleShot(true);
    connect(&d->refreshing, &QTimer::timeout, this, [this] { d->refresh(); });
    connect(d->times, &QComboBox::activated, this, [this](int index) {
        // The newest decision is selected also when another one follows.
        const bool isNewest = index == d->times->count() - 1;
        setDecision(isNewest ? QDateTime() : d->times->itemData(index).toDateTime());
    });
    connect(d->text, &QTextBrowser::anchorClicked, this,
            [this] { Q_EMIT policyRequested(d->agent); });
    d->select();
}

DecisionView::~DecisionView() = default;

void DecisionView::setSource(AgentSource *source)
{
    if (d->source == source)
        return;
    if (d->source)
        d->source->disconnect(this);
    d->source = source;
    d->refreshing.start();
    if (source != nullptr) {
        const auto refreshLater = [this] { d->refreshing.start(); };
        connect(source, &AgentSource::agentChanged, this, [this](const QUuid &id) {
            if (id == d->agent)
                d->refreshing.start();
        });
        connect(source, &AgentSource::agentRemoved, this, refreshLater);
        connect(source, &AgentSource::reset, this, refreshLater);
        connect(source, &QObject::destroyed, this, refreshLater);
    }
    Q_EMIT agentChanged();
}

AgentSource *DecisionView::source() const { return d->source; }

void DecisionView::setAgent(const QUuid &instanceId)
{
    if (std::exchange(d->agent, instanceId) == instanceId)
        return;
    d->refreshing.start();
    Q_EMIT agentChanged();
    setDecision({});
}

QUuid DecisionView::agent() const { return d->agent; }

void DecisionView::setDecision(const QDateTime &time)
{
    if (std::exchange(d->time, time) == time)
        return;
    d->select();
    Q_EMIT decisionChanged();
}

QDateTime DecisionView::decision() const { return d->time; }

void DecisionView::showDecision(const QUuid &instanceId, UtcTime time)
{
    setAgent(instanceId);
    setDecision(toQml(time));
}

void DecisionView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    d->refreshing.start();
}

} // namespace Rekindle
