/**
 * `npm test [-- WORD …]`: runs the first tier, the test files that need only Node.js and share processes; with words only those
 * whose path contains one of them. They start no other program than a shell and the tools of every system.
 *
 * `--all` (`npm run test:all`) also runs the second tier: `*.system.*`, which start, kill, pack or install the product, and the
 * suites that use other programs, if these are installed; with `REQUIRE_SERVERS=1` a missing program is a failure. `--rest`
 * runs only the second tier.
 * `--fast` leaves out the second tier, `*.slow.*`, `*.alone.*`, the suites about other servers and most HTTP suites; `--long`
 * runs races, kills and random histories with the full number of rounds.
 * `--servers` runs the HTTP suites of both services on MongoDB and Redis, with one server of each for all suites; files named
 * `*.embedded.*` are about the embedded store and are left out. `--postgresql` does the same on PostgreSQL and Redis.
 * Files named `*.alone.*` measure time and run after the others, one at a time.
 *
 * Seconds, seconds of processor time and names of the files go to `dist/test/times.tsv`, the slowest in processor time first.
 *
 * `-g PATTERN` runs the tests whose titles match; `--inspect` runs one file, which waits for a debugger.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { settingNames } from '../adapters/config.ts';
import { figuresIn } from './support/runner/figures.ts';
import type { Counts } from './support/runner/mocha-child.ts';
import { leftOutLine, missingPrograms, usesOutsideProgram } from './support/runner/outside-programs.ts';
import {
  endAllWithThisProcess,
  type FileResult,
  inspectFile,
  runFile,
  sumOf,
} from './support/runner/run-file.ts';
import { makeRunFolder } from './support/runner/run-folder.ts';
import { startSharedServers } from './support/servers/shared-servers.ts';
import { root } from './support/tree/root.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    grep: { type: 'string', short: 'g' },
    inspect: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    postgresql: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
  },
});

/** The store on other servers for a run of the HTTP suites. */
const store = options.postgresql ? 'postgresql' : options.servers ? 'mongodb' : undefined;
/** Whether the suites may use other programs of the machine than Node.js. */
const usesPrograms = options.all || options.rest || store !== undefined;
// The files of the tests need not outlive the run.
const folder = makeRunFolder({ inMemory: process.env.TMPDIR === undefined });
endAllWithThisProcess(folder.remove);

/** The caller's environment without settings of the product, except the servers that the second tier may use. */
const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: folder.temporary };
for (const name of settingNames) {
  if (usesPrograms && ['MONGODB_URL', 'POSTGRES_URL', 'REDIS_URL'].includes(name)) continue;
  delete env[name];
  delete env[`${name}_FILE`];
}
if (!usesPrograms) env.PATH = folder.makePlainPath();
env.SCRYPT = 'ln=8,r=8,p=1';
env.ROUNDS ??= options.long ? '40' : '2';
if (options.long) env.LONG = '1';

/** Time limits that end hanging tests, far above the time of a test on a slow disk or a busy machine. */
const limits = {
  leftovers: 30_000,
  ...(options.grep === undefined ? {} : { pattern: options.grep }),
  ...(options.long ? { test: 600_000, file: 3_600_000 } : { test: 300_000, file: 1_800_000 }),
};

/** The suites that kill writing processes, and those about disk failures. */
const ON_DISK = /\/sqlite\/engine\/|kill/;

/** The HTTP suites that cover the most code of the services. */
const CORE_OF_HTTP =
  /\/(register|login|refresh|sessions|two-factor-login|webhook|records|data-keys|cache)\.test/;

const isOnDisk = (file: string): boolean => usesPrograms && ON_DISK.test(name(file));

const isSystem = (file: string): boolean => file.includes('.system.');

/** Whether the file belongs to the second tier. */
const isSecondTier = (file: string): boolean => isSystem(file) || usesOutsideProgram(file);

const isLeftOutOfFast = (file: string): boolean =>
  file.includes('.slow.') ||
  file.includes('.alone.') ||
  (isForServers(name(file)) && !CORE_OF_HTTP.test(file)) ||
  isSecondTier(file);

/** The suites that test a service over HTTP on any store. */
const isForServers = (file: string): boolean =>
  /^test\/servers\/(accounts|metadata|console)\//.test(file) && !/\.(embedded|alone)\./.test(file);

const name = (file: string) => relative(join(root, 'dist'), file).replace(/\.js$/, '.ts');
const files = readdirSync(join(root, 'dist/test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .map((file) => join(root, 'dist/test', file))
  .filter((file) => words.length === 0 || words.some((word) => name(file).includes(word)))
  .filter((file) => store === undefined || isForServers(name(file)))
  .filter((file) => !(options.fast && isLeftOutOfFast(file)))
  .filter((file) => !options.rest || isSecondTier(file))
  .sort(
    (one, other) =>
      Number(isSystem(other)) - Number(isSystem(one)) ||
      Number(other.includes('.slow.')) - Number(one.includes('.slow.')) ||
      (one < other ? -1 : 1),
  );

const secondTier = usesPrograms ? [] : files.filter(isSecondTier);
const missing = usesPrograms ? missingPrograms(files, env) : [];
const isLeftOut = (file: string) =>
  secondTier.includes(file) || missing.some(({ suites }) => suites.some((part) => file.includes(part)));
const toRun = files.filter((file) => !isLeftOut(file));

const total = { passed: 0, failed: 0, skipped: 0 };
let done = 0;
/** The failures, printed again at the end of the output. */
const failures: string[] = [];

const add = (result: Counts, files: readonly string[]) => {
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  done += files.length;
  return `[${done}/${toRun.length}]`;
};
const reportFigures = ({ output }: FileResult) => {
  for (const line of figuresIn(output)) console.log(`    ${line}`);
};
const reportGroup = (group: readonly string[], counts: Counts, result: FileResult) => {
  const names = group.map((file) => `\n    ${name(file)}`).join('');
  const place = add(counts, group);
  console.log(`✔ ${place} ${counts.passed} passed (${result.seconds.toFixed(1)} s)${names}`);
  reportFigures(result);
};
const report = (file: string, result: FileResult) => {
  const place = add(result, [file]);
  const mark = result.failed === 0 ? '✔' : '✘';
  const counts = `${result.passed} passed${result.failed === 0 ? '' : `, ${result.failed} failed`}`;
  const line = `${mark} ${place} ${name(file)}: ${counts} (${result.seconds.toFixed(1)} s)`;
  console.log(line);
  reportFigures(result);
  if (result.failed === 0) return;
  console.log(result.output);
  failures.push(line, result.output);
};

/** The number of files that share a process, because loading modules takes longer than most files. */
const TOGETHER = { slow: 12, quick: 40, browser: 8, system: 5 };

/** The longest files: each has a process of its own and starts early, so that none ends last. */
const LONGEST = [
  /\/mongodb\/(?:accounts|files|operators|records)\.|\/redis\/(?:cluster|cluster-contracts|sentinel)\./,
  /\/postgresql\/(?:plans\/every-plan|failures\/lost-answers)\.|\/hash-pool\.|\/unread-answers\.system\./,
  /\/outside\/(?:bundlers|frameworks|types)|\/embedding\/(?:embedding|packaging)\.|\/schemathesis\//,
  /\/cli\/shown\.|\/deploying\/guide\.|\/run\/workers\./,
];
const isLong = (file: string): boolean => LONGEST.some((pattern) => pattern.test(file));

/** Spreads neighbours, which have similar topics and run times, over groups of this size. */
const spread = (queue: readonly string[], size: number): readonly (readonly string[])[] => {
  const count = Math.ceil(queue.length / size);
  return Array.from({ length: count }, (_, place) => queue.filter((_, at) => at % count === place));
};

/** The longest files and those that measure time have a process each; the others share one with similar files. */
const groupsOf = (queue: readonly string[]): readonly (readonly string[])[] => {
  let others = queue;
  const take = (isTaken: (file: string) => boolean): readonly string[] => {
    const taken = others.filter(isTaken);
    others = others.filter((file) => !isTaken(file));
    return taken;
  };
  const longest = take(isLong);
  const single = take((file) => file.includes('.alone.'));
  const onDisk = take(isOnDisk);
  const system = take(isSystem);
  const browser = take((file) => file.includes('/browser/'));
  const slow = take((file) => file.includes('.slow.') || isSecondTier(file));
  const groups = [
    ...spread(browser, TOGETHER.browser),
    ...single.map((file) => [file]),
    ...spread(onDisk, TOGETHER.system),
    ...spread(system, TOGETHER.system),
    ...spread(slow, TOGETHER.slow),
    ...spread(others, TOGETHER.quick),
  ];
  // Alternates the longest files with groups: side by side the longest would slow each other down until tests time out.
  return [
    ...longest.flatMap((file, place) => [[file], ...groups.slice(place, place + 1)]),
    ...groups.slice(longest.length),
  ];
};

/** Seconds, seconds of processor time and file of each row. */
const times: (readonly [number, number, string])[] = [];
const runTimed = async (files: readonly string[], limit = limits.file): Promise<FileResult> => {
  const where = files.every(isOnDisk) ? { ...env, TMPDIR: folder.onDisk } : env;
  const result = await runFile(files, where, { ...limits, file: limit });
  for (const [file, { clock, processor }] of Object.entries(result.times))
    times.push([clock, processor, file === '' ? `(load ${files.length} files)` : name(file)]);
  return result;
};

const runAlone = async (file: string) => report(file, await runTimed([file]));

const runGroup = async (group: readonly string[]) => {
  const result = await runTimed(group, limits.file * group.length);
  const { byFile } = result;
  // The process crashed, hung or left something running: it is unknown which of its files failed.
  if (byFile === undefined) return report(group.join(', '), result);
  const passed = group.filter((file) => byFile[file]?.failed === 0);
  if (passed.length > 0) reportGroup(passed, sumOf(passed.flatMap((file) => byFile[file] ?? [])), result);
  let { output } = result;
  for (const file of group) {
    const counts = byFile[file];
    if (counts === undefined || counts.failed === 0) continue;
    report(file, { ...result, ...counts, output });
    // The output is shown once for all files of the group.
    output = '';
  }
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

const inspected = options.inspect ? toRun : [];
if (options.inspect && inspected.length !== 1) {
  console.error(`--inspect takes one file, and the words name ${inspected.length}:`);
  for (const file of inspected) console.error(`    ${name(file)}`);
  process.exit(2);
}
const shared = store === undefined ? undefined : await startSharedServers(store, env, folder.temporary);
for (const file of inspected) {
  await inspectFile(file, env, options.grep);
  await shared?.end();
  process.exit(0);
}

const isAlone = (file: string) => file.includes('.alone.');
await runAll(
  [...groupsOf(toRun.filter((file) => !isAlone(file)))],
  // More processes than cores: a slow file uses the processor two fifths of its time.
  Math.min(6, availableParallelism() * 3),
);
await runAll([...groupsOf(toRun.filter(isAlone))], 1);

await shared?.end();

const rows = times
  .toSorted(([, one], [, other]) => other - one)
  .map(([seconds, processor, files]) => `${seconds.toFixed(1)}\t${processor.toFixed(1)}\t${files}\n`);
writeFileSync(join(root, 'dist/test/times.tsv'), rows.join(''));

if (failures.length > 0) console.log(['== What failed', ...failures].join('\n'));
if (secondTier.length > 0) {
  const command = ['npm run test:all', ...(words.length === 0 ? [] : ['--', ...words])].join(' ');
  console.log(
    `Left out: ${secondTier.length} files that start processes or use other programs. To run them, type "${command}".`,
  );
}
for (const program of missing) console.log(leftOutLine(program));
if (env.REQUIRE_SERVERS === '1') total.failed += missing.filter(({ optional }) => !optional).length;
if (total.passed + total.failed === 0) {
  console.log('No test ran.');
  total.failed = 1;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed === 0 ? 0 : 1;
