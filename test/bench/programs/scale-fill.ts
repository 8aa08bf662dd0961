/**
 * A program: signs a user of each kind up through the product, and copies these within the store until it has the requested
 * number. Answers with the product's own counts.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { findStore } from '../../../adapters/choose-store.ts';
import { compose } from '../../../adapters/compose.ts';
import { type Config, readConfig } from '../../../adapters/config.ts';
import { systemClock } from '../../../adapters/crypto/clock.ts';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeSealer } from '../../../adapters/crypto/sealer.ts';
import { secretValues } from '../../../adapters/installation/create-keys-and-secrets.ts';
import { openPostgres } from '../../../adapters/postgresql/engine/database.ts';
import { accountsTable } from '../../../adapters/sql/account-store.ts';
import type { Database } from '../../../adapters/sql/database.ts';
import { exportedFileColumns } from '../../../adapters/sql/file-store.ts';
import { sessionsTable } from '../../../adapters/sql/session-store.ts';
import { fieldsTable, type Table, textIn } from '../../../adapters/sql/table.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { makeAppendAudit } from '../../../core/accounts/outbox/audit-chain.ts';
import { makeEntries } from '../../../core/accounts/outbox-entries.ts';
import type { Session } from '../../../core/accounts/session.ts';
import type { StoredFile } from '../../../core/files/ports.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { easySettings, openTestService, type TestService, type User } from '../../support/service.ts';
import { unawaited } from '../../support/unawaited.ts';
import { until } from '../../support/until.ts';
import {
  createdAt,
  emailOf,
  type FillAnswer,
  type FillJob,
  fileId,
  HEAVY_USER,
  heavyFileId,
  INTERNAL_SECRET,
  sessionId,
  userId,
} from '../scale.ts';

const BATCH = 2_000;
const CLI = { actor: 'operator:cli' };
/** Unverified accounts are this old: a few hours later they are purged. */
const ALMOST_PURGED = 7 * 86_400_000 - 6 * 3_600_000;

type Kind = 'plain' | 'pro' | 'banned' | 'billed' | 'unverified';

/** Most users are plain; the other kinds have fixed shares. */
const kindOf = (number: number): Kind => {
  if (number % 100 === 99) return 'unverified';
  if (number % 1_000 === 98) return 'banned';
  if (number % 20 === 7) return 'billed';
  return number % 10 === 3 ? 'pro' : 'plain';
};

/** Signs up a user of each kind through the product. */
const signUpKinds = async (service: TestService): Promise<Readonly<Record<Kind, string>>> => {
  const { operate } = service.composition.accounts;
  const signUp = (kind: Kind): Promise<User> => service.signUp({ email: `model-${kind}@example.com` });
  const plain = await signUp('plain');
  const pro = await signUp('pro');
  await operate.setTier(pro.id, { tier: 'pro' }, CLI);
  const banned = await signUp('banned');
  await operate.ban(banned.id, { reason: 'a model', until: null }, CLI);
  const billed = await signUp('billed');
  const options = { token: billed.token };
  const { headers } = await service.request(
    'GET',
    '/api/billing/checkout?plan=pro&billingCycle=monthly',
    options,
  );
  await service.post(`/sandbox/billing/checkout/${headers.get('location')?.split('/').at(-1)}/pay`, {});
  await until(async () => (await service.request('GET', '/api/subscription', options)).status === 200);
  const email = 'model-unverified@example.com';
  await service.post('/api/auth/register', { email, password: plain.password });
  const unverified = await operate.findUser(email);
  return { plain: plain.id, pro: pro.id, banned: banned.id, billed: billed.id, unverified: unverified.id };
};

/** Creates a file of the user through the product and returns its id. */
const createFile = async (service: TestService, user: string): Promise<string> => {
  const { dekEnc } = await service.composition.files.wrapKey({
    dek: Buffer.alloc(32, 'k').toString('base64'),
  });
  const { id } = await service.composition.files.create({
    filenameEnc: 'n'.repeat(200),
    size: 1_048_576,
    user,
    mimeType: 'application/octet-stream',
    dekEnc,
    thumb: true,
  });
  return id;
};

const filesTable = fieldsTable<StoredFile>('files', { ...exportedFileColumns, item: textIn('item') });

interface Writers {
  readonly accounts: (records: readonly Account[]) => Promise<void>;
  readonly sessions: (records: readonly Session[]) => Promise<void>;
  readonly files: (records: readonly StoredFile[]) => Promise<void>;
}

/** Writes by the statements with which the store itself adds many rows, including triggers. */
const sqlWriters = ({ write, dialect }: Database): Writers => {
  const intoTable =
    <T>(table: Table<T>) =>
    async (records: readonly T[]) => {
      const outcome = await write([{ sql: table.insertAll(dialect), params: [table.json(records)] }]);
      if (!outcome.done) throw new Error(`Rows of ${table.name} were not added.`);
    };
  return {
    accounts: intoTable(accountsTable),
    sessions: intoTable(sessionsTable),
    files: intoTable(filesTable),
  };
};

const openSql = ({ postgresUrl }: Config, folder: string) => {
  if (postgresUrl === null) return openDatabase({ folder });
  const opened = openPostgres({ url: postgresUrl });
  return { ...opened.bulk, close: opened.close };
};

/** Opens a connection of its own, because a unit of work of the store cannot run ANALYZE. */
const analyze = async (url: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('ANALYZE');
  await client.end();
};

const SQLITE_SIZES = `
  SELECT coalesce(owner.tbl_name, dbstat.name) AS name, sum(pgsize) AS bytes,
    sum(CASE WHEN owner.type = 'index' THEN pgsize ELSE 0 END) AS indexes
  FROM dbstat LEFT JOIN sqlite_schema AS owner ON owner.name = dbstat.name WHERE dbstat.aggregate = 1 GROUP BY 1`;
const POSTGRESQL_SIZES = `
  SELECT relname AS name, pg_total_relation_size(relid) AS bytes, pg_indexes_size(relid) AS indexes
  FROM pg_stat_user_tables`;

const sizesOf = async ({ read }: Database, isPostgresql: boolean): Promise<FillAnswer['sizes']> =>
  (await read.all(isPostgresql ? POSTGRESQL_SIZES : SQLITE_SIZES, [])).map(({ name, bytes, indexes }) => ({
    name: String(name),
    bytes: Number(bytes),
    indexes: Number(indexes),
  }));

const asJson = (text: string, changes: object): string => JSON.stringify({ ...JSON.parse(text), ...changes });

process.once(
  'message',
  unawaited(async ({ folder, settings, users, heavy }: FillJob) => {
    const startedAt = performance.now();
    const allSettings = { ...settings, INTERNAL_SECRET };
    const config = readConfig({ ...easySettings, ...allSettings, DATA_DIR: folder }, folder);
    // The audit log must begin before the first user.
    const first = await compose(config, { clock: { now: () => createdAt(0) - 60_000 } });
    await first.accounts.open();
    await first.close();
    const service = await openTestService(allSettings, folder);
    const kinds = await signUpKinds(service);
    const file = await createFile(service, kinds.plain);
    await service.close();

    const log = makeRecordingLog();
    const location = await findStore(config, { clock: systemClock, log, isServer: true });
    const store = await location.open();
    const { ports } = store;
    const sections = store.transfer().sections;
    const sql = config.mongodbUrl === null ? openSql(config, folder) : undefined;
    const counts = { removed: false, accesses: 0, accessedAt: 0 };
    const writers: Writers =
      sql === undefined
        ? {
            accounts: (records) => sections.accounts.write(records, 0),
            sessions: (records) => sections.sessions.write(records, 0),
            files: (records) =>
              sections.files.write(
                records.map((record) => ({ ...record, ...counts })),
                0,
              ),
          }
        : sqlWriters(sql);

    const models = new Map<string, Account>();
    for (const [kind, id] of Object.entries(kinds)) {
      const account = await ports.accounts.find(id);
      if (account !== undefined) models.set(kind, { ...account, pending: [] });
    }
    const [model] = (await ports.sessions.list(kinds.plain)) ?? [];
    const stored = (await sections.files.read(null, 10)).find(({ record }) => record.id === file)?.record;
    const [listed] = await ports.files.list(kinds.plain, null, 1);
    if (model === undefined || stored === undefined || listed === undefined)
      throw new Error('The store has no records to copy.');

    const now = Date.now();
    const accountOf = (number: number): Account => {
      const kind = kindOf(number);
      const account = models.get(kind) as Account;
      const at = createdAt(number);
      const times = kind === 'unverified' ? { registeredAt: now - ALMOST_PURGED + number } : {};
      return { ...account, ...times, id: userId(number), email: emailOf(number), createdAt: at };
    };
    const sessionOf = (number: number): Session => ({
      ...model,
      id: sessionId(number),
      userId: userId(number),
      refreshDigest: `digest ${number}`.padEnd(43, '-'),
      epoch: models.get(kindOf(number))?.sessionEpoch ?? 0,
    });
    const fileOf = (id: string, user: string, uploadedAt: number): StoredFile => {
      const changes = { id, uploadedDate: new Date(uploadedAt).toISOString() };
      const { size, bytes, keyId, entry } = stored;
      const item = asJson(listed.item, changes);
      return { id, user, uploadedAt, size, bytes, keyId, entry: asJson(entry, changes), item };
    };
    const filesOf = (number: number) =>
      ([0, 1] as const).map((index) => fileOf(fileId(number, index), userId(number), createdAt(number)));

    const random = makeRandom();
    const keys = (await secretValues('HASH_KEY', config.hashKeys, random)).map((key) => Buffer.from(key));
    const entries = makeEntries({ clock: systemClock, newId: randomUUID, sealer: makeSealer(keys) });
    const append = makeAppendAudit({ audit: ports.audit, digest: makeDigest(keys), random, entries });
    const rowOf = (number: number) => ({
      ...entries.audit({
        action: 'user.verified',
        actor: userId(number),
        target: userId(number),
        caller: null,
      }),
      at: createdAt(number),
    });

    for (let from = 0; from < users; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, users - from) }, (_, place) => from + place);
      await writers.accounts(numbers.map(accountOf));
      await Promise.all([
        writers.sessions(numbers.map(sessionOf)),
        writers.files(numbers.flatMap(filesOf)),
        ...numbers.map((number) => append(rowOf(number))),
      ]);
    }
    for (let from = 0; from < heavy; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, heavy - from) }, (_, place) => from + place);
      await writers.files(
        numbers.map((number) => fileOf(heavyFileId(number), HEAVY_USER, createdAt(number))),
      );
    }
    // Autovacuum would do this within a minute: the planner needs the number of rows.
    if (config.postgresUrl !== null) await analyze(config.postgresUrl);
    const seconds = (performance.now() - startedAt) / 1_000;
    const sizes = sql === undefined ? [] : await sizesOf(sql, config.postgresUrl !== null);
    await sql?.close();
    await location.close();

    const composition = await compose(config);
    await composition.accounts.background.recountUsers();
    const { total } = await composition.accounts.operate.stats();
    const { files } = await composition.files.operate.totals();
    await composition.close();
    process.send?.({ seconds, users: total, files, sizes } satisfies FillAnswer);
  }),
);
