// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// What the sessions of the official client share. The plan, JSON in the first argument, has here:
//   modules     the node_modules folder of the client
//   client      "sdk" (legacy era only) or "client" (both)
//   mode        of "client": "legacy" or "auto"
//   command     the command line of what is connected to
//   events      the event file of `rekindle mcp`; absent for a direct session
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const plan = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(`${plan.modules}/@modelcontextprotocol/${path}`).href);
const isSdk = plan.client === 'sdk';
const { Client } = await load(isSdk ? 'sdk/dist/esm/client/index.js' : 'client/dist/index.mjs');
const { StdioClientTransport } = await load(isSdk ? 'sdk/dist/esm/client/stdio.js' : 'client/dist/stdio.mjs');

export const say = (step, facts) => process.stdout.write(`${JSON.stringify({ step, ...facts })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const until = async (what, look) => {
    for (const end = Date.now() + 60000; Date.now() < end; await sleep(50)) {
        const found = await look();
        if (found) return found;
    }
    throw new Error(`${what} did not come`);
};
export const isAlive = (pid) => {
    try {
        return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
};
export const eventsOf = (type) =>
    existsSync(plan.events)
        ? readFileSync(plan.events, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line))
            .filter((event) => event.type === `rekindle.${type}.v1`)
        : [];

export const client = new Client(
    { name: 'rekindle-test', version: '1' },
    isSdk ? {} : { versionNegotiation: { mode: plan.mode } });
export const transport = new StdioClientTransport(
    { command: plan.command[0], args: plan.command.slice(1), stderr: 'inherit' });
