/**
 * `npm run bench [-- WORD …]`: measures the product against what the machine can do, both in the same run, and prints
 * which goals are met. WORD picks groups of rows by name: login, one-login, login-time, exchange, attacked, me,
 * me-cookie, me-servers, beside, refresh,
 * deliveries, limiter, read, read-redis, records, keys, sync, many, directory, start, memory, workers, calls,
 * import, stores, audit, webhooks, connections; scale runs only if it is named. `--users N` gives its large store N
 * users, `--store NAME` measures one of embedded, PostgreSQL and MongoDB, `--folder DIR` creates the large embedded store there,
 * or uses the store of a run that was interrupted before it measured.
 *
 * `--full` measures longer (`--seconds N` that long) and syncs 450 MB, `--json` prints one JSON document. Results go to standard
 * output, progress to standard error. The exit code is 0 even if goals are missed or cannot be measured.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Measure } from './measure.ts';
import { tableOf } from './print.ts';
import { endPrograms } from './program.ts';
import { attacked } from './rows/attacked.ts';
import { audit } from './rows/audit.ts';
import { calls } from './rows/calls.ts';
import { connections } from './rows/connections.ts';
import { dataKeys } from './rows/data-keys.ts';
import { deliveries } from './rows/deliveries.ts';
import { directory } from './rows/directory.ts';
import { exchanging } from './rows/exchange.ts';
import { importing } from './rows/importing.ts';
import { limiting } from './rows/limiter.ts';
import { login } from './rows/login.ts';
import { loginTime } from './rows/login-time.ts';
import { manyRecords } from './rows/many-records.ts';
import { readMe, readMeOnServers } from './rows/me.ts';
import { meBesideLogins } from './rows/me-beside-logins.ts';
import { readMeByCookie } from './rows/me-by-cookie.ts';
import { memory } from './rows/memory.ts';
import { oneLogin } from './rows/one-login.ts';
import { readingEmbedded, readingRedis } from './rows/read-record.ts';
import { records } from './rows/records.ts';
import { refreshing } from './rows/refresh.ts';
import { scale } from './rows/scale.ts';
import { starting } from './rows/start.ts';
import { stores } from './rows/stores.ts';
import { sync } from './rows/sync.ts';
import { webhooks } from './rows/webhooks.ts';
import { workers } from './rows/workers.ts';
import type { Row } from './verdict.ts';
import { hasWrk } from './wrk.ts';

const GROUPS: Readonly<Record<string, (measure: Measure) => Promise<readonly Row[]>>> = {
  login,
  'one-login': oneLogin,
  'login-time': loginTime,
  exchange: exchanging,
  attacked,
  beside: meBesideLogins,
  me: readMe,
  'me-cookie': readMeByCookie,
  'me-servers': readMeOnServers,
  refresh: refreshing,
  deliveries,
  limiter: limiting,
  read: readingEmbedded,
  'read-redis': readingRedis,
  records,
  keys: dataKeys,
  sync,
  many: manyRecords,
  directory,
  start: starting,
  memory,
  workers,
  calls,
  import: importing,
  stores,
  audit,
  webhooks,
  connections,
  scale,
};

/** Groups that take very long, measured only if they are named. */
const ONLY_NAMED: ReadonlySet<string> = new Set(['scale']);

const say = (text: string) => process.stderr.write(`${text}\n`);
const endWithUsage = (): never => {
  say(
    'Usage: npm run bench -- [--full | --seconds N] [--json] [--rounds N] [--users N] [--store NAME] [--folder DIR] ' +
      `[${Object.keys(GROUPS).join(' | ')}]`,
  );
  process.exit(2);
};
const readOptions = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        users: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        store: { type: 'string' },
        folder: { type: 'string' },
      },
    });
  } catch {
    return endWithUsage();
  }
};

const { values: options, positionals: words } = readOptions();
const seconds = Number(options.seconds ?? (options.full ? 10 : 4));
const rounds = Number(options.rounds);
const users = Number(options.users ?? 0);
const isKnown = words.every((word) => word in GROUPS);
if (!isKnown || !(seconds > 0) || !(rounds > 0) || Number.isNaN(users)) endWithUsage();

process.once('exit', endPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (!hasWrk) say('wrk is not on the PATH; a slower client of ours stands in. Debian: apt-get install wrk');

const machine = {
  node: process.version,
  cores: availableParallelism(),
  loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
};
const rows: Row[] = [];
for (const [name, measure] of Object.entries(GROUPS)) {
  if (words.length > 0 ? !words.includes(name) : ONLY_NAMED.has(name)) continue;
  try {
    const { store, folder } = options;
    const overrides = { ...(users > 0 && { users }), ...(store && { store }), ...(folder && { folder }) };
    rows.push(...(await measure({ seconds, rounds, full: options.full, ...overrides, say })));
  } catch (error) {
    say(`${name} could not be measured: ${error instanceof Error ? error.message : error}`);
  }
}
if (options.json) console.log(JSON.stringify({ machine, seconds, rows }, null, 2));
else {
  console.log(tableOf(rows));
  console.log(`\nNode ${machine.node}, ${machine.cores} cores, load before ${machine.loadBefore}`);
}
