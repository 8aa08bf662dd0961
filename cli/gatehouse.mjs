#!/usr/bin/env node
/** The `gatehouse` command: hands over to dist/cli/main.js. */
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { howToGetIt } from './missing.mjs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error(howToGetIt);
  process.exit(78);
}
try {
  await import(main.href);
} catch (error) {
  if (!String(error?.code).endsWith('MODULE_NOT_FOUND')) throw error;
  const [what] = error.message.split('\n');
  console.error(`${what}. ${howToGetIt}`);
  process.exit(78);
}
