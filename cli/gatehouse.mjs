#!/usr/bin/env node
/** The `gatehouse` command: imports the bundle of dist/cli/main.js, or the module itself in a package, which has no bundle. */
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { howToGetIt } from './not-built.mjs';

const EX_CONFIG = 78;

const main = ['main-joined.js', 'main.js']
  .map((name) => new URL(`../dist/cli/${name}`, import.meta.url))
  .find((file) => existsSync(file));
if (main === undefined) {
  console.error(howToGetIt);
  process.exit(EX_CONFIG);
}
try {
  await import(main.href);
} catch (error) {
  if (!String(error?.code).endsWith('MODULE_NOT_FOUND')) throw error;
  const [problem] = error.message.split('\n');
  console.error(`${problem}. ${howToGetIt}`);
  process.exit(EX_CONFIG);
}
