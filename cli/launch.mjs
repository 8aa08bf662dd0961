/**
 * Runs a program of dist/ in this process, and builds dist/ first if necessary. Arguments behind the program are passed to
 * it, as in `node cli/launch.mjs test/run --fast`.
 */
import './node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, stopOn } from './build/build.mjs';
import { dist } from './build/sources.mjs';

const PROGRAMS = [
  'servers/all',
  'servers/accounts',
  'servers/metadata',
  'test/run',
  'test/bench/run',
  'test/mutation/run',
  'test/map/write',
  'test/settings/write',
];

const [node, , program, ...rest] = process.argv;
if (program === undefined || !PROGRAMS.includes(program)) {
  console.error(`Usage: node cli/launch.mjs ${PROGRAMS.join('|')} [arguments]`);
  process.exit(2);
}
await ensureBuilt().catch(stopOn);
const entry = join(dist, `${program}.js`);
process.argv = [node, entry, ...rest];
await import(pathToFileURL(entry).href);
