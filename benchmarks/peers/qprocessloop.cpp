// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <QCoreApplication>
#include <QProcess>

// The simplest supervisor of a Qt program without Rekindle: restarts N copies of a child with
// QProcess, immediately and without a policy. All streams are /dev/null.
//
//   qprocessloop N CHILD [ARGUMENT...]

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 3)
        return 64;
    for (int left = arguments[1].toInt(); left > 0; --left) {
        auto *process = new QProcess(&app);
        process->setProgram(arguments[2]);
        process->setArguments(arguments.mid(3));
        process->setStandardInputFile(QProcess::nullDevice());
        process->setStandardOutputFile(QProcess::nullDevice());
        process->setStandardErrorFile(QProcess::nullDevice());
        QObject::connect(process, &QProcess::finished, process, [process] { process->start(); });
        process->start();
    }
    return QCoreApplication::exec();
}
