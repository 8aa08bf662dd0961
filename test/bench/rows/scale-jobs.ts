import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../command.ts';
import { withBareKoa } from '../ground.ts';
import type { Measure } from '../measure.ts';
import { lineOf } from '../print.ts';
import { probe } from '../probe.ts';
import type { Client } from '../request.ts';
import { emailOf, HEAVY_USER, PASSWORD, type UnopenedStore } from '../scale.ts';
import { atMostMore, type Row } from '../verdict.ts';
import type { ScaleGround } from './scale-requests.ts';

/** `/me` may wait this much longer than without the job. */
const GOAL_MS = 20;
/** The measurement without the job, before each job. */
const QUIET_MS = 5_000;
/** Jobs are interrupted after this time, which is enough to show their effect on others. */
const LIMIT_MS = { full: 1_800_000, short: 60_000 };
const POLL_MS = 250;
/** About the size of the answer of `/me`. */
const PROFILE_BYTES = 600;
const BARE: Client = { method: 'GET', path: '/' };

export type JobGround = ScaleGround & UnopenedStore;

/** Does the work, and describes the result in a few words. */
type Job = () => Promise<string>;

const LISTS = [
  '/api/admin/directory',
  '/api/admin/directory?prefix=person-1&tier=pro',
  '/api/admin/directory?prefix=person-1&flag=disabled',
  '/api/admin/directory?flag=unverified',
  '/api/admin/audit',
  '/api/admin/audit?action=user.banned',
  '/api/admin/mails',
  '/api/admin/deliveries',
  '/api/admin/health',
  '/api/admin/keys',
];

const HASH = `$scrypt$ln=8,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const importFile = (folder: string, users: number): string => {
  const file = join(folder, 'import.jsonl');
  const lines = Array.from({ length: users }, (_, index) =>
    JSON.stringify({ email: `imported-${index}@example.com`, displayName: 'User', passwordHash: HASH }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};

/** The bulk jobs that run beside the servers of a store. */
const jobsOf = (ground: JobGround, embedded: boolean, limitMs: number): Readonly<Record<string, Job>> => {
  const { server, users, folder } = ground;
  const command =
    (...args: readonly string[]): Job =>
    async () => {
      const { code, printed } = await runCommand(ground, args, limitMs);
      if (code === 0) return 'done';
      if (code === null) return `broken off after ${limitMs / 1_000} s`;
      throw new Error(`gatehouse ${args.join(' ')} exited with ${code}: ${printed.slice(-300)}`);
    };
  const openOperatorBrowser = (method: Client['method'], path: string, body?: string) =>
    ground.ask('console', { method, path, cookie: server.cookie, ...(body !== undefined && { body }) });

  return {
    'console lists': async () => {
      const end = performance.now() + QUIET_MS;
      let pages = 0;
      for (; performance.now() < end; pages += 1)
        await openOperatorBrowser('GET', LISTS[pages % LISTS.length] ?? '');
      return `${pages} pages`;
    },
    'audit verify, command': command('audit', 'verify'),
    'audit verify, console': async () => {
      const end = performance.now() + limitMs;
      await openOperatorBrowser('POST', '/api/admin/audit/verify', '{}');
      while (performance.now() < end) {
        await pause(POLL_MS);
        const { body } = await openOperatorBrowser('GET', '/api/admin/audit/verify');
        if (!/"(?:running|state":"(?:running|waiting|requested))/.test(body)) return body.slice(0, 120);
      }
      return `looked at for ${limitMs / 1_000} s`;
    },
    ...(embedded && { 'store backup': command('store', 'backup', join(folder, 'backup.tar')) }),
    'users import': command('users', 'import', importFile(folder, Math.min(50_000, users / 10))),
    'billing reconcile': command('billing', 'reconcile'),
    'sync of the user with most files': async () => {
      const body = JSON.stringify({ user: HEAVY_USER, type: 'allTwo' });
      const path = '/api/v1/e/meta/sync';
      return (await ground.ask('metadata', { method: 'POST', path, body })).body.slice(0, 120);
    },
    recount: async () => `${(await server.work('recount')).done} recounted`,
    'keys rotate --kind master': command('keys', 'rotate', '--kind', 'master'),
    'keys retire': async () => {
      const { printed } = await runCommand(ground, ['keys', 'status', '--json']);
      const old = printed
        .split('\n')
        .filter((line) => line.includes('"master"'))
        .map((line) => JSON.parse(line) as { id: string; status?: string; state?: string })
        .find((key) => (key.status ?? key.state) === 'old');
      if (old === undefined) throw new Error(`There is no old master key: ${printed.slice(0, 300)}`);
      const { code, printed: text } = await runCommand(ground, ['keys', 'retire', old.id, '--yes'], limitMs);
      return code === 0 ? 'done' : text.slice(0, 120);
    },
    purge: async () => `${(await server.work('purge')).done} removed`,
  };
};

/** A request for the user's own profile, with a new token. */
const meOf = async ({ ask }: ScaleGround): Promise<Client> => {
  const body = JSON.stringify({ email: emailOf(0), password: PASSWORD });
  const reply = await ask('accounts', { method: 'POST', path: '/api/auth/login', body });
  return { method: 'GET', path: '/api/auth/me', token: (JSON.parse(reply.body) as { token: string }).token };
};

/**
 * The waits of `/me` during the job, and of a bare Koa route at the same time: if the bare route waits as well, the machine was
 * busy. `quiet` is the measurement without the job.
 */
const rowOf = (row: string, port: number, client: Client, job: Job): Promise<Row> =>
  withBareKoa(PROFILE_BYTES, async (koaPort) => {
    const quiet = await probe(port, client, () => pause(QUIET_MS));
    const startedAt = performance.now();
    const { result: me, ...koa } = await probe(koaPort, BARE, () => probe(port, client, job));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const p99s = `p99 ${quiet.p99.toFixed(1)} to ${me.p99.toFixed(1)} ms`;
    return atMostMore(GOAL_MS, {
      row: `longest wait of /me, ${row}`,
      unit: 'ms',
      product: me.longest,
      reference: Math.max(quiet.longest, koa.longest),
      against: 'quiet or bare Koa beside it',
      note: `${p99s}, quiet ${quiet.longest.toFixed(1)} ms, bare Koa ${koa.longest.toFixed(1)} ms, ${seconds} s, ${me.result}`,
    });
  });

const measureRow = async (
  say: Measure['say'],
  name: string,
  measure: () => Promise<Row>,
): Promise<readonly Row[]> => {
  say(`scale: /me beside ${name}`);
  try {
    const row = await measure();
    say(lineOf(row));
    return [row];
  } catch (error) {
    say(`${name} could not be measured: ${error instanceof Error ? error.message : error}`);
    return [];
  }
};

/** The longest wait of `/me` while each of the bulk jobs runs on the same store. */
export const jobRowsOf = async (
  ground: JobGround,
  embedded: boolean,
  { say, full }: Measure,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  const { accounts } = ground.server;
  for (const [name, job] of Object.entries(jobsOf(ground, embedded, full ? LIMIT_MS.full : LIMIT_MS.short))) {
    rows.push(
      ...(await measureRow(say, name, async () => {
        // The purge advances the clock, so that older tokens expire.
        const me = await meOf(ground);
        const { token } = name === 'purge' ? await ground.server.work('sign in') : { token: me.token ?? '' };
        return rowOf(name, accounts, { ...me, token }, job);
      })),
    );
  }
  return rows;
};

/** The same for export and import, which need a store without servers: `/me` is served from another store. */
export const transferRowsOf = async (
  beside: ScaleGround,
  from: UnopenedStore,
  to: UnopenedStore,
  { say, full }: Measure,
): Promise<readonly Row[]> => {
  const limitMs = full ? LIMIT_MS.full : LIMIT_MS.short;
  const file = join(from.folder, 'export.jsonl');
  cpSync(join(from.folder, 'keys'), join(to.folder, 'keys'), { recursive: true });
  const job =
    (store: UnopenedStore, verb: string): Job =>
    async () => {
      const { code, printed } = await runCommand(store, ['store', verb, file], limitMs);
      if (code === 0) return 'done';
      if (code === null) return `broken off after ${limitMs / 1_000} s`;
      throw new Error(`store ${verb} exited with ${code}: ${printed.slice(-300)}`);
    };
  const { accounts } = beside.server;
  const exported = await measureRow(say, 'store export', async () =>
    rowOf('store export beside it', accounts, await meOf(beside), job(from, 'export')),
  );
  if (!exported[0]?.note?.endsWith('done')) return exported;
  const imported = await measureRow(say, 'store import', async () =>
    rowOf('store import beside it', accounts, await meOf(beside), job(to, 'import')),
  );
  return [...exported, ...imported];
};
