// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lazyevaluator_p.h"

#include <QPluginLoader>

#include <stdexcept>
#include <utility>

namespace Rekindle {

LazyEvaluator::LazyEvaluator(QString file, QJsonObject parameters)
    : m_file(std::move(file))
    , m_parameters(std::move(parameters))
{
}

RestartEvaluator &LazyEvaluator::get()
{
    if (m_evaluator)
        return *m_evaluator;
    QPluginLoader loader(m_file); // its destructor does not unload the code
    QObject *const object = loader.instance();
    if (!object)
        throw std::runtime_error("loading failed: " + loader.errorString().toStdString());
    auto *const root = qobject_cast<RestartEvaluatorPlugin *>(object);
    if (!root)
        throw std::runtime_error("the root object is not a RestartEvaluatorPlugin");
    m_isLoaded = true;
    m_evaluator = root->create(m_parameters);
    if (!m_evaluator)
        throw std::runtime_error("create() returned null");
    return *m_evaluator;
}

} // namespace Rekindle
