// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node session.mjs PLAN
//
// A session of the official client with a real server, behind `rekindle mcp` or not. PLAN is JSON:
//   modules     the node_modules folder of the client
//   client      "sdk" (legacy era only) or "client" (both)
//   mode        of "client": "legacy" or "auto"
//   command     the command line of what is connected to
//   events      the event file of the proxy; absent for a direct session
//   call        {name, arguments}: the tool call that is made again and again
// Prints one JSON object a step: {step, ...}. Exits with 0 where every step could be made; what the
// steps say is for the test to judge.
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const plan = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(`${plan.modules}/@modelcontextprotocol/${path}`).href);
const isSdk = plan.client === 'sdk';
const { Client } = await load(isSdk ? 'sdk/dist/esm/client/index.js' : 'client/dist/index.mjs');
const { StdioClientTransport } = await load(isSdk ? 'sdk/dist/esm/client/stdio.js' : 'client/dist/stdio.mjs');

const say = (step, facts) => process.stdout.write(`${JSON.stringify({ step, ...facts })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (what, look) => {
    for (const end = Date.now() + 30000; Date.now() < end; await sleep(10)) {
        const found = look();
        if (found) return found;
    }
    throw new Error(`${what} did not come`);
};
const isAlive = (pid) => {
    try {
        return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
};
const eventsOf = (type) =>
    existsSync(plan.events)
        ? readFileSync(plan.events, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line))
            .filter((event) => event.type === `rekindle.${type}.v1`)
        : [];
const lastPid = () => eventsOf('agent.started').at(-1)?.data.pid;
const restartedSince = (pid) => until('another server', () => lastPid() !== pid && lastPid());

const client = new Client(
    { name: 'rekindle-test', version: '1' },
    isSdk ? {} : { versionNegotiation: { mode: plan.mode } });
let initialized = 0;
let listChanged = 0;
const transport = new StdioClientTransport({ command: plan.command[0], args: plan.command.slice(1), stderr: 'inherit' });
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
