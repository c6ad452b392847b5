// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node modernserver.mjs MODULES [reject]
//
// A server for legacy and modern protocol revisions with one read-only tool, `echo`. With `reject`,
// it supports only the modern one. It uses the official package in the node_modules folder MODULES.
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(`${process.argv[2]}/@modelcontextprotocol/server/dist/${file}`).href);
const { Server } = await load('index.mjs');
const { serveStdio } = await load('stdio.mjs');

await serveStdio(() => {
    const server = new Server({ name: 'modern', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler('tools/list', async () => ({
        tools: [{
            name: 'echo',
            inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
            annotations: { readOnlyHint: true },
        }],
        ttlMs: 0,
        cacheScope: 'public',
    }));
    server.setRequestHandler('tools/call', async (request) => ({
        content: [{ type: 'text', text: `Echo: ${request.params.arguments.message}` }],
    }));
    return server;
}, { legacy: process.argv[3] ?? 'serve' });
