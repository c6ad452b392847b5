// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node session.mjs PLAN
//
// A session with a reference server, direct or behind `rekindle mcp`. PLAN is described in client.mjs
// and also has:
//   call        {name, arguments}: the repeated tool call
import { call, close, connect, eventsOf, plan, report, toolNames, transport, until } from './client.mjs';

const lastPid = () => eventsOf('agent.started').at(-1)?.data.pid;
const restartedSince = (pid) => until('the server restarts', () => lastPid() !== pid && lastPid());

let initialized = 0;
let listChanged = 0;
const send = transport.send.bind(transport);
transport.send = (message, ...rest) => {
    initialized += message.method === 'initialize' ? 1 : 0;
    return send(message, ...rest);
};
await connect();
const receive = transport.onmessage;
transport.onmessage = (message, ...rest) => {
    listChanged += message.method === 'notifications/tools/list_changed' ? 1 : 0;
    return receive(message, ...rest);
};
const again = () => call(plan.call);

report('listed', { tools: await toolNames() });
report('called', { text: await again() });
let server = 0;
if (plan.events) {
    server = await until('the server starts', lastPid);
    process.kill(server, 'SIGKILL');
    report('calledAfterKill', { text: await again() });
    server = await restartedSince(server);

    const before = new Date().toISOString();
    report('restartRequested', { text: await call({ name: 'restart_server', arguments: { reason: 'test' } }) });
    server = await restartedSince(server);
    report('calledAfterRestart', { text: await again(), tools: await toolNames() });
    report('verified', { text: await call({ name: 'verify_server_restarted', arguments: { since_timestamp: before } }) });
}
await close(server ? [server] : []);
report('closed', { initialized, listChanged });
