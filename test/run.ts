/**
 * `npm test [-- WORD …]`: runs the test files, those whose path has one of the words in it when some are given.
 *
 * `--fast` leaves out `*.slow.*`, `*.alone.*`, the suites about other servers and most HTTP suites; `--long` repeats
 * races, kills and random histories the full number of rounds.
 * `--servers` runs the HTTP suites of both services on MongoDB and Redis, one server of each for all of them; files named
 * `*.embedded.*` are about the embedded store and are left out of that.
 * Files named `*.alone.*` measure time and run after the others, with nothing beside them.
 * What failed is tried once more after all of them, with nothing beside it, and both outcomes are told at the end; three
 * files that pass so make the run red. Not so with `--long`, which looks for what fails once in many times.
 *
 * `-g PATTERN` runs the tests whose titles match it; `--inspect` one file, which waits for a debugger.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { settingNames } from '../adapters/config.ts';
import { figuresIn } from './support/runner/figures.ts';
import type { Counts } from './support/runner/mocha-child.ts';
import {
  endAllWithThisProcess,
  type FileResult,
  inspectFile,
  runFile,
  sumOf,
} from './support/runner/run-file.ts';
import { type SecondTry, secondTries } from './support/runner/second-tries.ts';
import { isThere, leftOutLine, realServers } from './support/servers/real-servers.ts';
import { startSharedServers } from './support/servers/shared-servers.ts';
import { root } from './support/tree/root.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    fast: { type: 'boolean', default: false },
    grep: { type: 'string', short: 'g' },
    inspect: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
  },
});

/** The caller's environment without settings of ours, but for the servers that the tests may use. */
const env: NodeJS.ProcessEnv = { ...process.env };
for (const name of settingNames) {
  if (name === 'MONGODB_URL' || name === 'REDIS_URL') continue;
  delete env[name];
  delete env[`${name}_FILE`];
}
env.SCRYPT = 'ln=8,r=8,p=1';
env.ROUNDS ??= options.long ? '40' : '2';
if (options.long) env.LONG = '1';

const limits = {
  leftovers: 10_000,
  ...(options.grep === undefined ? {} : { pattern: options.grep }),
  ...(options.long
    ? { test: 600_000, file: 3_600_000 }
    : // The server that all suites share answers one after the other.
      { test: options.servers ? 60_000 : 20_000, file: options.servers ? 300_000 : 180_000 }),
};

/** Of the HTTP suites, those that go through most of what a service is made of. */
const CORE_OF_HTTP =
  /\/(register|login|refresh|sessions|two-factor-login|webhook|records|data-keys|cache)\.test/;

const isLeftOutOfFast = (file: string): boolean =>
  file.includes('.slow.') ||
  file.includes('.alone.') ||
  (!options.servers && isForServers(name(file)) && !CORE_OF_HTTP.test(file)) ||
  realServers.some(({ suites }) => file.includes(suites));

/** The suites that speak to a service over HTTP, whatever its store is. */
const isForServers = (file: string): boolean =>
  /^test\/servers\/(accounts|metadata|console)\//.test(file) && !/\.(embedded|alone)\./.test(file);

const name = (file: string) => relative(join(root, 'dist'), file).replace(/\.js$/, '.ts');
const files = readdirSync(join(root, 'dist/test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .map((file) => join(root, 'dist/test', file))
  .filter((file) => words.length === 0 || words.some((word) => name(file).includes(word)))
  .filter((file) => !options.servers || isForServers(name(file)))
  .filter((file) => !(options.fast && isLeftOutOfFast(file)))
  .sort(
    (one, other) =>
      Number(other.includes('.slow.')) - Number(one.includes('.slow.')) || (one < other ? -1 : 1),
  );

const missing = realServers.filter(
  (server) => files.some((file) => file.includes(server.suites)) && !isThere(server, env),
);
const toRun = files.filter((file) => !missing.some((server) => file.includes(server.suites)));

const total = { passed: 0, failed: 0, skipped: 0 };
let done = 0;
/** Told again at the end, where whoever reads only that finds them. */
const failures: string[] = [];
/** What failed beside others, with what it printed. */
const toTryAgain = new Map<string, string>();
const passedAgain: SecondTry[] = [];

const add = (result: Counts, files: readonly string[]) => {
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  done += files.length;
  return `[${done}/${toRun.length}]`;
};
const reportGroup = (group: readonly string[], counts: Counts, seconds: number) => {
  const names = group.map((file) => `\n    ${name(file)}`).join('');
  const place = add(counts, group);
  console.log(`✔ ${place} ${counts.passed} passed (${seconds.toFixed(1)} s)${names}`);
};
const report = (file: string, result: FileResult, note = '') => {
  const place = add(result, [file]);
  const mark = result.failed === 0 ? '✔' : '✘';
  const counts = `${result.passed} passed${result.failed === 0 ? '' : `, ${result.failed} failed`}`;
  const line = `${mark} ${place} ${name(file)}: ${counts} (${result.seconds.toFixed(1)} s)${note}`;
  console.log(line);
  for (const found of figuresIn(result.output)) console.log(`    ${found}`);
  if (result.failed === 0) return;
  console.log(result.output);
  failures.push(line, result.output);
};

/** Files that take turns in one process, since to load what they use takes longer than most of them. */
const TOGETHER = 12;

/** Those that are slow have a process each; the others go together. */
const groupsOf = (queue: readonly string[]): readonly (readonly string[])[] => {
  const slow = queue.filter((file) => /\.(slow|alone)\./.test(file));
  const quick = queue.filter((file) => !slow.includes(file));
  const count = Math.ceil(quick.length / TOGETHER);
  // Neighbours, which are about the same and take as long, are spread over the groups.
  const together = Array.from({ length: count }, (_, place) => quick.filter((_, at) => at % count === place));
  return [...slow.map((file) => [file]), ...together];
};

const willTryAgain = (file: string, failed: number, output: string) => {
  console.log(`↻ ${name(file)}: ${failed} failed, and will be tried again`);
  toTryAgain.set(file, output);
};

const runAlone = async (file: string) => {
  const result = await runFile(file, env, limits);
  if (result.failed === 0 || options.long) report(file, result);
  else willTryAgain(file, result.failed, result.output);
  return result.failed === 0;
};

const tryAgain = async (file: string, before: string) => {
  const result = await runFile(file, env, limits);
  report(file, result, ' at the second try');
  if (result.failed === 0) passedAgain.push({ name: name(file), output: before });
};

const runGroup = async (group: readonly string[]) => {
  const result = await runFile(group, env, { ...limits, file: limits.file * group.length });
  const { byFile, output, seconds } = result;
  if (byFile !== undefined && (result.failed === 0 || !options.long)) {
    const failedIn = (file: string) => byFile[file]?.failed ?? 0;
    const good = group.filter((file) => failedIn(file) === 0);
    if (good.length > 0) reportGroup(good, sumOf(good.flatMap((file) => byFile[file] ?? [])), seconds);
    for (const file of group) if (failedIn(file) > 0) willTryAgain(file, failedIn(file), output);
    return;
  }
  // Each by itself says which it was, if it was any.
  let well = true;
  for (const file of group) well = (await runAlone(file)) && well;
  if (well) passedAgain.push({ name: group.map(name).join(' or '), output });
};

const runAll = async (groups: (readonly string[])[], jobs: number) => {
  const work = async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      const [first] = group;
      if (group.length === 1 && first !== undefined) await runAlone(first);
      else await runGroup(group);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
};

endAllWithThisProcess();
const inspected = options.inspect ? toRun : [];
if (options.inspect && inspected.length !== 1) {
  console.error(`--inspect takes one file, and the words name ${inspected.length}:`);
  for (const file of inspected) console.error(`    ${name(file)}`);
  process.exit(2);
}
const shared = options.servers ? await startSharedServers(env) : undefined;
for (const file of inspected) {
  await inspectFile(file, env, options.grep);
  await shared?.end();
  process.exit(0);
}

const isAlone = (file: string) => file.includes('.alone.');
await runAll(
  [...groupsOf(toRun.filter((file) => !isAlone(file)))],
  // More than the cores at hand: of a slow file's time the processor works in two fifths, the others wait.
  Math.min(6, availableParallelism() * 3),
);
await runAll([...groupsOf(toRun.filter(isAlone))], 1);
for (const [file, output] of toTryAgain) await tryAgain(file, output);

await shared?.end();

const again = secondTries(passedAgain);
if (again.details.length > 0) console.log(again.details.join('\n'));
if (failures.length > 0) console.log(['== What failed', ...failures].join('\n'));
for (const server of missing) console.log(leftOutLine(server));
if (env.REQUIRE_SERVERS === '1') total.failed += missing.filter(({ optional }) => !optional).length;
if (total.passed + total.failed === 0) {
  console.log('No test ran.');
  total.failed = 1;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
for (const line of again.names) console.log(line);
console.log(`${total.passed} passed, ${total.failed} failed${skipped}${again.summary}`);
process.exitCode = total.failed === 0 && !again.isRed ? 0 : 1;
