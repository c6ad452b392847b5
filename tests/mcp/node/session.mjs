// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node session.mjs PLAN
//
// A session of the official client with a real server, behind `rekindle mcp` or not. PLAN is JSON, as
// client.mjs has it, and
//   call        {name, arguments}: the tool call that is made again and again
// Prints one JSON object a step: {step, ...}. Exits with 0 where every step could be made; what the
// steps say is for the test to judge.
import { client, eventsOf, isAlive, plan, say, transport, until } from './client.mjs';

const lastPid = () => eventsOf('agent.started').at(-1)?.data.pid;
const restartedSince = (pid) => until('another server', () => lastPid() !== pid && lastPid());

let initialized = 0;
let listChanged = 0;
const send = transport.send.bind(transport);
transport.send = (message, ...rest) => {
    initialized += message.method === 'initialize' ? 1 : 0;
    return send(message, ...rest);
};
await client.connect(transport);
const heard = transport.onmessage;
transport.onmessage = (message, ...rest) => {
    listChanged += message.method === 'notifications/tools/list_changed' ? 1 : 0;
    return heard(message, ...rest);
};
say('connected', { server: client.getServerVersion(), capabilities: client.getServerCapabilities() });

const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
const call = async (name, args) => (await client.callTool({ name, arguments: args })).content?.[0]?.text;
const again = () => call(plan.call.name, plan.call.arguments);

say('listed', { tools: await names() });
say('called', { text: await again() });
let server = 0;
if (plan.events) {
    server = await until('the first server', lastPid);
    process.kill(server, 'SIGKILL');
    say('calledAfterKill', { text: await again() });
    server = await restartedSince(server);

    const before = new Date().toISOString();
    say('restartAsked', { text: await call('restart_server', { reason: 'a test asks' }) });
    server = await restartedSince(server);
    say('calledAfterRestart', { text: await again(), tools: await names() });
    say('verified', { text: await call('verify_server_restarted', { since_timestamp: before }) });
}
const proxy = transport.pid;
await client.close();
await until('the end of the server', () => !isAlive(proxy) && !(server && isAlive(server)));
say('closed', { initialized, listChanged });
