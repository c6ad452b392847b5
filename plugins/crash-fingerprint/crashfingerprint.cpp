// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/evaluator/restartevaluator.h>

#include <QObject>
#include <QRegularExpression>

#include <utility>
#include <vector>

namespace {

using namespace Rekindle;

/// Replaces the parts of a line that differ from run to run.
QString normalized(QString line)
{
    using Pattern = QRegularExpression;
    // The order matters: times and paths contain numbers. Never destroyed, because the thread of
    // the plug-in may outlive static objects.
    static const auto &steps = *new std::vector<std::pair<Pattern, QString>>{
        {Pattern(QStringLiteral(R"(\x1b\[[0-9;]*[A-Za-z])")), {}},
        {Pattern(QStringLiteral(
             R"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)")),
         QStringLiteral("<time>")},
        {Pattern(QStringLiteral(R"(\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b)")), QStringLiteral("<time>")},
        {Pattern(QStringLiteral(R"(\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b)")),
         QStringLiteral("<id>")},
        {Pattern(QStringLiteral(R"(\b0[xX][0-9a-fA-F]+\b)")), QStringLiteral("<address>")},
        {Pattern(QStringLiteral(R"((?<![\w<])~?(?:/[\w.@+-]+)+/?)")), QStringLiteral("<path>")},
        {Pattern(
             QStringLiteral(R"(\b(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{8,}\b)")),
         QStringLiteral("<address>")},
        {Pattern(QStringLiteral(R"(\d+(?:[.,]\d+)*)")), QStringLiteral("<n>")},
    };
    for (const auto &[pattern, replacement] : steps)
        line.replace(pattern, replacement);
    return line.simplified();
}

/// Opens the breaker if the same failure occurs several times in a row before ready, because
/// another start would not help.
class CrashFingerprint final : public RestartEvaluator
{
public:
    explicit CrashFingerprint(const QJsonObject &parameters)
        : m_repeats(parameters[QLatin1String("repeats")].toInt())
        , m_lines(parameters[QLatin1String("lines")].toInt())
    {
    }

    QFuture<EvaluatorAnswer> evaluate(const EvaluatorQuestion &question) override
    {
        return readyAnswer(judge(question));
    }

private:
    EvaluatorAnswer judge(const EvaluatorQuestion &question)
    {
        if (!question.beforeReady) {
            m_times = 0; // the start succeeded, so the failures before it do not count
            return EvaluatorAnswer::accept();
        }
        const QStringList fingerprint = fingerprintOf(question);
        m_times = fingerprint == m_last ? m_times + 1 : 1;
        m_last = fingerprint;
        if (m_times < m_repeats)
            return EvaluatorAnswer::accept();
        return EvaluatorAnswer::openBreaker(QStringLiteral("the same failure %1 times in a row: %2")
                                                .arg(m_times)
                                                .arg(fingerprint.join(QLatin1String(" | "))));
    }

    [[nodiscard]] QStringList fingerprintOf(const EvaluatorQuestion &question) const
    {
        QStringList result{question.reason};
        if (question.signal)
            result.append(QStringLiteral("signal %1").arg(*question.signal));
        else if (question.exitCode)
            result.append(QStringLiteral("exit code %1").arg(*question.exitCode));
        const QStringList &tail = question.stderrTail;
        for (qsizetype i = std::max<qsizetype>(0, tail.size() - m_lines); i < tail.size(); ++i) {
            const QString line = normalized(tail[i]);
            if (!line.isEmpty())
                result.append(line);
        }
        return result;
    }

    const int m_repeats;
    const int m_lines;
    QStringList m_last;
    int m_times = 0;
};

} // namespace

class CrashFingerprintPlugin final : public QObject, public RestartEvaluatorPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID RekindleRestartEvaluator_iid FILE "crash-fingerprint.json")
    Q_INTERFACES(Rekindle::RestartEvaluatorPlugin)

public:
    std::unique_ptr<RestartEvaluator> create(const QJsonObject &parameters) override
    {
        return std::make_unique<CrashFingerprint>(parameters);
    }
};

#include "crashfingerprint.moc"
