#!/usr/bin/env node
/** The `gatehouse` command: imports `main-joined.js`, a bundle, or in a package, which has none, `main.js`. */
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
  // A missing module: the build or the package is incomplete.
  if (!String(error?.code).endsWith('MODULE_NOT_FOUND')) throw error;
  const [problem] = error.message.split('\n');
  console.error(`${problem}. ${howToGetIt}`);
  process.exit(EX_CONFIG);
}
