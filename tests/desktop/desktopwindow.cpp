// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// The window that desktoptest.py operates: all widgets, and three programs as agents. Each time
// something visible changes, it prints a line of JSON with texts and positions. Closing its
// standard input ends it.

#include "fulllicense.h"
#include "scriptedagent.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/models/localagents.h>
#include <rekindle/process/processagent.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/agenttableview.h>
#include <rekindle/widgets/decisionview.h>
#include <rekindle/widgets/eventview.h>
#include <rekindle/widgets/outputview.h>
#include <rekindle/widgets/policyplanview.h>
#include <rekindle/widgets/stopdialog.h>
#include <rekindle/widgets/timelineview.h>

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QShortcut>
#include <QSocketNotifier>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>
#include <QWindow>

#include <cstdio>
#include <unistd.h>

using namespace Rekindle;

namespace {

void setDarkPalette()
{
    QPalette dark;
    const QColor background(0x2b, 0x2b, 0x2b);
    const QColor text(0xee, 0xee, 0xee);
    for (const auto role : {QPalette::Window, QPalette::Button})
        dark.setColor(role, background.lighter(120));
    dark.setColor(QPalette::Base, background);
    dark.setColor(QPalette::AlternateBase, background.lighter(112));
    dark.setColor(QPalette::ToolTipBase, background);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        dark.setColor(role, text);
    dark.setColor(QPalette::PlaceholderText, text.darker(140));
    dark.setColor(QPalette::Highlight, QColor(0x30, 0x70, 0xc0));
    dark.setColor(QPalette::HighlightedText, Qt::white);
    dark.setColor(QPalette::Link, QColor(0x77, 0xbb, 0xff));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        dark.setColor(QPalette::Disabled, role, QColor(0x99, 0x99, 0x99));
    QApplication::setPalette(dark);
}

class DesktopWindow : public QMainWindow
{
public:
    DesktopWindow();

private:
    void addAgents();
    void add(const QString &name, std::unique_ptr<Agent> agent, const RestartPolicy &policy = {});
    void addProgram(const char *name, const QStringList &arguments, const StopSequence &stop,
                    const RestartPolicy &policy = {});
    void arrange();
    void connectViews();
    void addMany();
    void report();

    // In device pixels of the screen; null: not visible yet, or its window is not active.
    [[nodiscard]] static QJsonValue place(const QWidget &widget, const QPoint &point);
    [[nodiscard]] static QJsonValue center(const QWidget &widget)
    {
        return place(widget, widget.rect().center());
    }
    [[nodiscard]] QJsonObject rows() const;
    [[nodiscard]] QJsonObject headers() const;
    [[nodiscard]] static QJsonObject menu();
    [[nodiscard]] static QJsonObject buttons();
    [[nodiscard]] QJsonObject timelineState() const;

    AgentSupervisor m_supervisor;
    LocalAgents m_source{m_supervisor};
    QToolBar *m_tools = addToolBar(QStringLiteral("Actions"));
    QLineEdit *m_filter = new QLineEdit;
    AgentTableView *m_table = new AgentTableView;
    TimelineView *m_timeline = new TimelineView;
    EventView *m_events = new EventView;
    OutputView *m_output = new OutputView;
    DecisionView *m_decision = new DecisionView;
    PolicyPlanView *m_plan = new PolicyPlanView;
    QTimer m_reports;
    QByteArray m_last;
};

DesktopWindow::DesktopWindow()
{
    grantAll(m_supervisor);
    addAgents();
    arrange();
    connectViews();
    StopDialog::install(this, m_supervisor, std::chrono::minutes(10));
    m_supervisor.startAll();
    connect(&m_reports, &QTimer::timeout, this, [this] { report(); });
    m_reports.start(20);
}

void DesktopWindow::add(const QString &name, std::unique_ptr<Agent> agent,
                        const RestartPolicy &policy)
{
    if (m_supervisor.add(name, std::move(agent), policy).id.isNull())
        qFatal("The agent '%s' was rejected", qPrintable(name));
}

void DesktopWindow::addProgram(const char *name, const QStringList &arguments,
                               const StopSequence &stop, const RestartPolicy &policy)
{
    const ProcessDefinition definition{.program = QStringLiteral("sh"),
                                       .arguments = arguments,
                                       .readiness = {.kind = Readiness::Kind::Now},
                                       .stop = stop};
    add(QString::fromLatin1(name),
        std::make_unique<ProcessAgent>(definition, m_supervisor.scheduler()), policy);
}

void DesktopWindow::addAgents()
{
    using std::chrono::minutes;
    const QString option = QStringLiteral("-c");
    addProgram("worker", {option, QStringLiteral("echo working; exec sleep 600")}, {});
    addProgram("crasher", {option, QStringLiteral("echo 'cannot open the store' >&2; exit 3")}, {},
               {.maxRetries = 2, .initialDelay = std::chrono::milliseconds(50)});
    addProgram("indexer", {option, QStringLiteral("trap '' TERM; while :; do sleep 600; done")},
               {.terminate = minutes(10)});
}

void DesktopWindow::arrange()
{
    setWindowTitle(QStringLiteral("Agents"));
    m_filter->setPlaceholderText(QStringLiteral("Filter"));
    m_filter->setAccessibleName(QStringLiteral("Filter"));
    auto *const agents = new QWidget;
    auto *const column = new QVBoxLayout(agents);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_filter);
    column->addWidget(m_table);
    auto *const details = new QTabWidget;
    details->addTab(m_decision, QStringLiteral("Decision"));
    details->addTab(m_plan, QStringLiteral("Policy"));
    auto *const upper = new QSplitter(Qt::Horizontal);
    upper->addWidget(agents);
    upper->addWidget(details);
    upper->setSizes({620, 480});
    auto *const lower = new QSplitter(Qt::Horizontal);
    lower->addWidget(m_events);
    lower->addWidget(m_output);
    lower->setSizes({700, 400});
    auto *const all = new QSplitter(Qt::Vertical);
    all->addWidget(upper);
    all->addWidget(m_timeline);
    all->addWidget(lower);
    setCentralWidget(all);
    resize(1100, 750);
}

void DesktopWindow::connectViews()
{
    m_table->setSource(&m_source);
    m_table->agentActions().addTo(*m_tools);
    m_timeline->setSource(&m_source);
    m_decision->setSource(&m_source);
    m_events->setSource(&m_source);
    m_output->setSource(&m_source);
    connect(m_filter, &QLineEdit::textChanged, m_table, &AgentTableView::setFilterText);
    connect(m_table, &AgentTableView::currentAgentChanged, this, [this](const QUuid &id) {
        m_timeline->setCurrentAgent(id);
        m_output->setAgent(id);
        m_plan->setPolicy(m_source.policy(id).value_or(RestartPolicy()));
    });
    connect(&m_table->agentActions(), &AgentActions::whyRequested, m_decision,
            &DecisionView::setAgent);
    connect(new QShortcut(Qt::Key_F9, this), &QShortcut::activated, this, [this] { addMany(); });
}

void DesktopWindow::addMany()
{
    for (int index = 0; index < 5000; ++index)
        add(QStringLiteral("extra-%1").arg(index, 4, 10, QLatin1Char('0')),
            std::make_unique<ScriptedAgent>(m_supervisor.scheduler(), AgentScript{}));
}

QJsonValue DesktopWindow::place(const QWidget &widget, const QPoint &point)
{
    const QWidget &window = *widget.window();
    const bool isPopup = window.windowType() == Qt::Popup;
    if (!widget.isVisible() || !window.windowHandle()->isExposed()
        || !(isPopup || window.isActiveWindow()))
        return {};
    const QPointF at = QPointF(widget.mapToGlobal(point)) * widget.devicePixelRatioF();
    return QJsonArray{qRound(at.x()), qRound(at.y())};
}

QJsonObject DesktopWindow::rows() const
{
    QJsonObject all;
    const QAbstractItemModel &model = *m_table->model();
    for (int row = 0; row < std::min(model.rowCount(), 10); ++row) {
        const QModelIndex index = model.index(row, AgentTableModel::Name);
        const QUuid id = index.data(AgentTableModel::InstanceIdRole).toUuid();
        const auto column = [&](AgentTableModel::Column each) {
            return index.siblingAtColumn(each).data().toString();
        };
        all.insert(index.data().toString(),
                   QJsonObject{{QStringLiteral("place"),
                                place(*m_table->viewport(), m_table->visualRect(index).center())},
                               {QStringLiteral("row"), row},
                               {QStringLiteral("state"), column(AgentTableModel::State)},
                               {QStringLiteral("pid"), column(AgentTableModel::ProcessId)},
                               {QStringLiteral("selected"), id == m_table->currentAgent()}});
    }
    return all;
}

QJsonObject DesktopWindow::headers() const
{
    QJsonObject all;
    const QHeaderView &header = *m_table->header();
    for (int section = 0; section < header.count(); ++section) {
        const QPoint middle(header.sectionViewportPosition(section)
                                + header.sectionSize(section) / 2,
                            header.height() / 2);
        if (!header.isSectionHidden(section))
            all.insert(m_table->model()->headerData(section, Qt::Horizontal).toString(),
                       place(*header.viewport(), middle));
    }
    return all;
}

QJsonObject DesktopWindow::menu()
{
    QJsonObject all;
    const auto *const popup = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    const QList<QAction *> actions = popup != nullptr ? popup->actions() : QList<QAction *>();
    for (QAction *const each : actions) {
        if (each->isEnabled() && !each->isSeparator())
            all.insert(each->text(), place(*popup, popup->actionGeometry(each).center()));
    }
    return all;
}

QJsonObject DesktopWindow::buttons()
{
    QJsonObject all;
    const QWidgetList widgets = QApplication::allWidgets();
    for (const QWidget *const each : widgets) {
        const auto *const button = qobject_cast<const QAbstractButton *>(each);
        if (button != nullptr && button->isEnabled() && !center(*button).isNull())
            all.insert(button->text().remove(u'&'), center(*button));
    }
    return all;
}

QJsonObject DesktopWindow::timelineState() const
{

    const QWidget &viewport = *m_timeline->viewport();
    return {{QStringLiteral("place"),
             place(viewport, {viewport.width() * 3 / 4, viewport.height() / 2})},
            {QStringLiteral("span"), qint64{m_timeline->span().count()}},
            {QStringLiteral("follow"), m_timeline->follow()},
            {QStringLiteral("rows"), m_timeline->model().rowCount()}};
}

void DesktopWindow::report()
{
    const QWidget *const focus = QApplication::focusWidget();
    const QJsonObject state{
        {QStringLiteral("agents"), m_supervisor.ids().size()},
        {QStringLiteral("rows"), rows()},
        {QStringLiteral("headers"), headers()},
        {QStringLiteral("menu"), menu()},
        {QStringLiteral("buttons"), buttons()},
        {QStringLiteral("filter"), center(*m_filter)},
        {QStringLiteral("filterText"), m_table->filterText()},
        {QStringLiteral("focus"), focus != nullptr ? focus->accessibleName() : QString()},
        {QStringLiteral("timeline"), timelineState()},
        {QStringLiteral("explanation"), m_decision->findChild<QTextBrowser *>()->toPlainText()},
        {QStringLiteral("output"), m_output->toPlainText()},
    };
    const QByteArray line = QJsonDocument(state).toJson(QJsonDocument::Compact);
    if (line == m_last)
        return;
    m_last = line;
    std::puts(line.constData());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QApplication::setStyle(QStringLiteral("fusion"));
    if (QApplication::arguments().contains(QLatin1String("--dark")))
        setDarkPalette();
    DesktopWindow window;
    window.show();
    // Not quit(), which would wait for StopDialog.
    QSocketNotifier parent(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&parent, &QSocketNotifier::activated, &parent,
                     [] { QCoreApplication::exit(1); });
    return QApplication::exec();
}
