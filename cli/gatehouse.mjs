#!/usr/bin/env node
/** The `gatehouse` command: hands over to dist/cli/main.js. */
import './node-version.mjs';
import { existsSync } from 'node:fs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error('Gatehouse is not built here: run "npm ci" and "npm run build" first.');
  process.exit(78);
}
await import(main.href);
