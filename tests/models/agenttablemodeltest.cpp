// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/agenttablemodel.h>
#include <rekindle/models/localagents.h>

using namespace Rekindle;
using Model = AgentTableModel;

namespace {

const QString crashing = QStringLiteral("started ready +1s fail:7");

QString row(const Model &model, int number)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells.append(model.data(model.index(number, column), Qt::DisplayRole).toString());
    return cells.join(u'|');
}

// The process of a scripted agent may exist by accident.
QString usage(const Model &model, int number)
{
    return QLatin1Char('|') + model.data(model.index(number, Model::Cpu)).toString() + u'|'
        + model.data(model.index(number, Model::Memory)).toString();
}

QVariant sorted(const Model &model, Model::Column column)
{
    return model.data(model.index(0, column), Model::SortRole);
}

} // namespace

class AgentTableModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void values();
    void sortValues();
    void headers();
    void followsSupervisor();
    void combinesChangesOfOnePass();
    void emitsNoRowsOfADestroyedSupervisor();
    void emitsOnlyRowsThatChanged();
    void slotOfAChangeMayRemoveAgents();
    void removalKeepsPendingChanges();
    void ignoresAgentRemovedByEarlierSlot();
    void refresh();
    void everyColumnHasARole();
    void showsPolicyAndTierInForce();
    void rolesOfAnAgent();
    void unknownStateHasNoNumber();
    void toolTipEscapesTextOfAgents();
    void insertsAgentsOfOnePassTogether();
    void isEmptyWithoutSource();
    void modelOutlivesSupervisor();
};

void AgentTableModelTest::values()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {crashing}, QStringLiteral("'maxRetries':5"));
    LocalAgents source(stage.supervisor);
    Model model(source);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(row(model, 0),
             QStringLiteral("web|Stopped|0|0/5||Closed|||Unknown||exponential|Enterprise||||"));
    stage.play(QStringLiteral("start +500ms"));
    QCOMPARE(row(model, 0),
             QStringLiteral("web|Running|1|0/5||Closed|0.5s||Unknown|1001|exponential|Enterprise||")
                 + usage(model, 0));
    stage.play(QStringLiteral("+600ms"));
    QCOMPARE(row(model, 0),
             QStringLiteral("web|Waiting|1|0/5|0.9s|Closed||ProcessCrash: exit code 7|Unknown||"
                            "exponential|Enterprise||next start in 900ms; ProcessCrash: exit code "
                            "7||"));
    stage.play(QStringLiteral("policy:'maxRetries':'unlimited' +1h"));
    QCOMPARE(model.data(model.index(0, Model::Breaker)).toString(), QStringLiteral("Open"));
    QVERIFY(!model.data(model.index(0, Model::Attempt), Qt::DisplayRole).toString().contains(u'/'));
}

void AgentTableModelTest::sortValues()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {crashing});
    LocalAgents source(stage.supervisor);
    const Model model(source);
    QCOMPARE(model.data(model.index(0, 0), Model::InstanceIdRole).toUuid(), id);
    QVERIFY(!sorted(model, Model::Uptime).isValid());
    stage.play(QStringLiteral("start +250ms"));
    QCOMPARE(sorted(model, Model::Uptime).toDouble(), 250.0);
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(sorted(model, Model::NextStart).toDouble(), 750.0);
    QCOMPARE(sorted(model, Model::Generation).toULongLong(), 1ULL);
    QCOMPARE(sorted(model, Model::Name).toString(), QStringLiteral("web"));
    stage.play(QStringLiteral("+800ms"));
    QCOMPARE(sorted(model, Model::Attempt).toInt(), 1);
}

void AgentTableModelTest::headers()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const Model model(source);
    QStringList names;
    for (int column = 0; column < Model::ColumnCount; ++column)
        names.append(model.headerData(column, Qt::Horizontal).toString());
    QCOMPARE(names.join(u'|'),
             QStringLiteral("Agent|State|Generation|Attempt|Next start|Breaker|"
                            "Uptime|Last failure|Health|Process|Policy|License tier|"
                            "Group|Detail|CPU time|Memory"));
    QCOMPARE(model.headerData(Model::Memory, Qt::Horizontal, Qt::TextAlignmentRole).toInt(),
             int{Qt::AlignRight} | int{Qt::AlignVCenter});
}

void AgentTableModelTest::followsSupervisor()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {});
    LocalAgents source(stage.supervisor);
    Model model(source);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    stage.add(QStringLiteral("b"), {});
    stage.add(QStringLiteral("c"), {});
    QCoreApplication::sendPostedEvents();
    QCOMPARE(model.rowCount(), 3);
    stage.play(QStringLiteral("startAll remove:b"));
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(row(model, 1).startsWith(QLatin1String("c|Running")));
    stage.play(QStringLiteral("stop:c remove:a remove:c"));
    QCOMPARE(model.rowCount(), 0);
}

void AgentTableModelTest::combinesChangesOfOnePass()
{
    Stage stage;
    for (int i = 0; i < 4; ++i)
        stage.add(QString::number(i), {crashing});
    LocalAgents source(stage.supervisor);
    const Model model(source);
    QSignalSpy changed(&model, &Model::dataChanged);
    stage.supervisor.start(stage.supervisor.idOf(QStringLiteral("1")));
    stage.supervisor.start(stage.supervisor.idOf(QStringLiteral("2")));
    stage.advance(std::chrono::seconds(30));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex(), model.index(1, 0));
    QCOMPARE(changed[0][1].toModelIndex(), model.index(2, Model::ColumnCount - 1));
}

void AgentTableModelTest::emitsNoRowsOfADestroyedSupervisor()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    auto supervisor = std::make_unique<AgentSupervisor>(scheduler);
    grantAll(*supervisor);
    const auto added = supervisor->add(
        QStringLiteral("web"), std::make_unique<ScriptedAgent>(scheduler, AgentScript{crashing}));
    LocalAgents source(*supervisor);
    const Model model(source);
    QSignalSpy changed(&model, &Model::dataChanged);
    supervisor->start(added.id);
    scheduler.advance(Duration::zero());
    supervisor.reset();
    QCoreApplication::sendPostedEvents();
    QCOMPARE(changed.count(), 0);
}

void AgentTableModelTest::emitsOnlyRowsThatChanged()
{
    Stage stage;
    for (int i = 0; i < 6; ++i)
        stage.add(QString::number(i), {crashing});
    LocalAgents source(stage.supervisor);
    const Model model(source);
    connect(&model, &Model::dataChanged, &stage.log, [&] { row(model, 3); });
    QSignalSpy changed(&model, &Model::dataChanged);
    for (const char *name : {"5", "0", "1"})
        stage.supervisor.start(stage.supervisor.idOf(QLatin1String(name)));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(changed.count(), 2);
    QCOMPARE(changed[0][0].toModelIndex().row(), 0);
    QCOMPARE(changed[0][1].toModelIndex().row(), 1);
    QCOMPARE(changed[1][0].toModelIndex().row(), 5);
    QCOMPARE(changed[1][1].toModelIndex().row(), 5);
}

void AgentTableModelTest::slotOfAChangeMayRemoveAgents()
{
    Stage stage;
    for (int i = 0; i < 6; ++i)
        stage.add(QString::number(i), {crashing});
    LocalAgents source(stage.supervisor);
    Model model(source);
    const QAbstractItemModelTester tester(&model);
    QSignalSpy changed(&model, &Model::dataChanged);
    connect(&model, &Model::dataChanged, &stage.log, [&] {
        if (model.rowCount() == 6)
            stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("0")));
    });
    for (const char *name : {"0", "5"})
        stage.supervisor.start(stage.supervisor.idOf(QLatin1String(name)));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(changed.last()[1].toModelIndex(), model.index(4, Model::ColumnCount - 1));
}

void AgentTableModelTest::removalKeepsPendingChanges()
{
    Stage stage;
    for (int i = 0; i < 4; ++i)
        stage.add(QString::number(i), {crashing});
    LocalAgents source(stage.supervisor);
    const Model model(source);
    QSignalSpy changed(&model, &Model::dataChanged);
    stage.supervisor.start(stage.supervisor.idOf(QStringLiteral("2")));
    stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("0")));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(changed.count(), 1); // of agent "2", which has moved up
    QVERIFY(changed[0][0].toModelIndex().row() <= 1);
    QVERIFY(changed[0][1].toModelIndex().row() >= 1);
}

void AgentTableModelTest::ignoresAgentRemovedByEarlierSlot()
{
    Stage stage;
    connect(&stage.supervisor, &AgentSupervisor::agentAdded, &stage.log,
            [&](const QUuid &id) { stage.supervisor.remove(id); });
    LocalAgents source(stage.supervisor);
    Model model(source);
    stage.add(QStringLiteral("a"), {});
    QCoreApplication::sendPostedEvents();
    QCOMPARE(stage.supervisor.ids().size(), 0);
    QCOMPARE(model.rowCount(), 0);
}

void AgentTableModelTest::refresh()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    Model model(source);
    QSignalSpy changed(&model, &Model::dataChanged);
    model.refresh();
    QCOMPARE(changed.count(), 0);
    stage.add(QStringLiteral("a"), {});
    stage.add(QStringLiteral("b"), {});
    QCoreApplication::sendPostedEvents();
    model.refresh();
    QCOMPARE(changed.count(), 3);
    QCOMPARE(changed[0][0].toModelIndex(), model.index(0, Model::NextStart));
    QCOMPARE(changed[1][1].toModelIndex(), model.index(1, Model::Uptime));
    QCOMPARE(changed[2][0].toModelIndex(), model.index(0, Model::Detail));
    QCOMPARE(changed[2][1].toModelIndex(), model.index(1, Model::Memory));
}

void AgentTableModelTest::everyColumnHasARole()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {}, QStringLiteral("'maxRetries':5"));
    stage.play(QStringLiteral("start"));
    LocalAgents source(stage.supervisor);
    const Model model(source);
    const QHash<int, QByteArray> names = model.roleNames();
    const auto text = [&](const char *role) {
        return model.data(model.index(0, 0), names.key(role)).toString();
    };
    QCOMPARE(text("display"), QStringLiteral("web"));
    QCOMPARE(text("name"), QStringLiteral("web"));
    QVERIFY(!names.values().contains("state")); // Item.state would hide it
    QCOMPARE(text("stateText"), QStringLiteral("Running"));
    QCOMPARE(text("attempt"), QStringLiteral("0/5"));
    QCOMPARE(text("processId"), QStringLiteral("1001"));
    QCOMPARE(text("health"), QStringLiteral("Unknown"));
    QCOMPARE(text("policy"), QStringLiteral("exponential"));
    QCOMPARE(text("tier"), QStringLiteral("Enterprise"));
    QCOMPARE(text("instanceId"), stage.first().toString());
}

void AgentTableModelTest::showsPolicyAndTierInForce()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {});
    LocalAgents source(stage.supervisor);
    const Model model(source);
    QSignalSpy changed(&model, &Model::dataChanged);
    FixedLicenseProvider license(LicenseTier::WriterPro);
    stage.supervisor.featureGate().setProvider(&license);
    QCoreApplication::sendPostedEvents();
    QVERIFY(changed.count() > 0);
    QVERIFY(row(model, 0).contains(QLatin1String("|linear|WriterPro|")));
    changed.clear();
    stage.supervisor.setPolicy(stage.first(), {.type = RestartPolicyType::Immediate});
    QCoreApplication::sendPostedEvents();
    QCOMPARE(changed.count(), 1);
    QVERIFY(row(model, 0).contains(QLatin1String("|immediate|WriterPro|")));
}

void AgentTableModelTest::rolesOfAnAgent()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {crashing});
    LocalAgents source(stage.supervisor);
    const Model model(source);
    const auto value = [&](int role, int column = Model::Name) {
        return model.data(model.index(0, column), role);
    };
    QCOMPARE(value(Model::AgentStateRole).toInt(), static_cast<int>(InstanceState::Stopped));
    QVERIFY(!value(Model::SinceRole).isValid());
    stage.play(QStringLiteral("start +500ms"));
    QCOMPARE(value(Model::AgentStateRole).toInt(), static_cast<int>(InstanceState::Running));
    const qint64 now = stage.clock.utcNow().time_since_epoch().count();
    QCOMPARE(value(Model::SinceRole).toDateTime().toMSecsSinceEpoch(), now - 500);
    QCOMPARE(value(Qt::AccessibleTextRole).toString(), QStringLiteral("web, running, for 500ms"));
    QVERIFY(value(Qt::ToolTipRole).toString().startsWith(QLatin1String("<qt>web: Running<br>")));
    QVERIFY((value(Qt::TextAlignmentRole, Model::Memory).toInt() & Qt::AlignRight) != 0);
    QVERIFY((value(Qt::TextAlignmentRole, Model::Uptime).toInt() & Qt::AlignLeft) != 0);
    stage.supervisor.setTags(stage.first(), {QStringLiteral("shop")});
    stage.play(QStringLiteral("stop hold start"));
    QCOMPARE(value(Model::HoldsRole).toStringList().size(), 1);
    QCOMPARE(value(Model::TagsRole).toStringList(), QStringList{QStringLiteral("shop")});
    QVERIFY(!value(Qt::DecorationRole).isValid());
    QVERIFY(!value(Model::ColumnRole + int{Model::ColumnCount}).isValid());
}

namespace {

class FixedAgents : public AgentSource
{
public:
    explicit FixedAgents(AgentStatus status)
        : AgentSource(nullptr)
        , m_status(std::move(status))
    {
    }

    [[nodiscard]] QString name() const override { return {}; }
    [[nodiscard]] QString fault() const override { return {}; }
    [[nodiscard]] QList<QUuid> ids() const override { return {m_status.instanceId}; }
    [[nodiscard]] std::optional<AgentStatus> agent(const QUuid & /*id*/) const override
    {
        return m_status;
    }
    [[nodiscard]] Instant now() const override { return {}; }
    [[nodiscard]] UtcTime utcNow() const override { return UtcTime(); }
    QFuture<ControlResult<OperationResult>> operate(ControlOperation /*operation*/,
                                                    const QUuid & /*id*/,
                                                    const QString & /*reason*/) override
    {
        return {};
    }
    QFuture<ControlResult<AgentExplanation>> explain(const QUuid & /*id*/) override { return {}; }

private:
    AgentStatus m_status;
};

} // namespace

void AgentTableModelTest::unknownStateHasNoNumber()
{
    FixedAgents source({.agent = QStringLiteral("web"),
                        .instanceId = QUuid::createUuid(),
                        .state = QStringLiteral("Hibernating")});
    const Model model(source);
    QCOMPARE(model.data(model.index(0, Model::State)).toString(), QStringLiteral("Hibernating"));
    QVERIFY(!model.data(model.index(0, 0), Model::AgentStateRole).isValid());
    QVERIFY(model.data(model.index(0, Model::Policy)).toString().isEmpty());
}

void AgentTableModelTest::toolTipEscapesTextOfAgents()
{
    FixedAgents source({.agent = QStringLiteral("web"),
                        .instanceId = QUuid::createUuid(),
                        .state = toText(InstanceState::Running),
                        .statusText = QStringLiteral("<b>bold</b>")});
    const Model model(source);
    QVERIFY(!model.data(model.index(0, 0), Qt::ToolTipRole).toString().contains(u"<b>"));
}

void AgentTableModelTest::insertsAgentsOfOnePassTogether()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    Model model(source);
    const QAbstractItemModelTester tester(&model);
    QSignalSpy inserted(&model, &Model::rowsInserted);
    constexpr int agents = 5000;
    for (int i = 0; i < agents; ++i)
        stage.add(QString::number(i), {});
    stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("7")));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(model.rowCount(), agents - 1);
    QCOMPARE(model.data(model.index(7, Model::Name)).toString(), QStringLiteral("8"));
}

void AgentTableModelTest::isEmptyWithoutSource()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {});
    auto source = std::make_unique<LocalAgents>(stage.supervisor);
    Model model(*source);
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.source(), source.get());
    source.reset();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.source() == nullptr);
    model.refresh();
}

void AgentTableModelTest::modelOutlivesSupervisor()
{
    auto stage = std::make_unique<Stage>();
    stage->add(QStringLiteral("a"), {});
    LocalAgents source(stage->supervisor);
    Model model(source);
    const QModelIndex cell = model.index(0, 0);
    stage.reset();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.data(cell).isValid());
    model.refresh();
}

REKINDLE_TEST(AgentTableModelTest)
#include "agenttablemodeltest.moc"
