#!/usr/bin/env node
/** The `gatehouse` command: hands over to dist/cli/main.js, or to what the build joins of it, which a package leaves out. */
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { howToGetIt } from './missing.mjs';

const main = ['main-joined.js', 'main.js']
  .map((name) => new URL(`../dist/cli/${name}`, import.meta.url))
  .find((file) => existsSync(file));
if (main === undefined) {
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
