// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <Rekindle/EvaluatorHost>

#include <QCoreApplication>

#include <cstdio>

using namespace Rekindle;

// Returns 0 if the plug-in answers an exhausted resource with a delay of 7 minutes.
int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    EvaluatorHost host;
    host.setFolders({QStringLiteral(FOLDER)});
    for (const EvaluatorInfo &info : host.plugins())
        std::printf("%s: %s\n", qPrintable(info.id), qPrintable(info.reason));
    const EvaluatorReference evaluator{
        QStringLiteral("memory-pause"), {{QStringLiteral("minutes"), 7}}, {}, false};
    if (!host.check(evaluator).isEmpty())
        return 2;
    EvaluatorRequest request;
    request.token = 1;
    request.context.instanceId = QUuid::createUuid();
    request.context.reason = FailureReason::ResourceExhaustion;
    QObject::connect(&host, &CustomEvaluators::faulted, &host, [](const EvaluatorFault &fault) {
        std::printf("%s\n", qPrintable(fault.what));
        QCoreApplication::exit(3);
    });
    QObject::connect(&host, &CustomEvaluators::answered, &host,
                     [](quint64, const EvaluatorVerdict &verdict, const QString &reason) {
                         std::printf("%s\n", qPrintable(reason));
                         const bool right = verdict.kind == EvaluatorVerdict::Kind::Delay
                             && verdict.delay == std::chrono::minutes(7);
                         QCoreApplication::exit(right ? 0 : 4);
                     });
    host.attach(request.context.instanceId, evaluator);
    host.request(request);
    return QCoreApplication::exec();
}
