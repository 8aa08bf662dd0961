/**
 * A program: all services over a store, in one process, which counts their calls of the store. Answers with their ports, and
 * then each query with the usage so far, or with the result of background work.
 */
import pg from 'pg';
import { aroundMethods } from '../../../adapters/calls/around-methods.ts';
import { findStore } from '../../../adapters/choose-store.ts';
import { type Config, readConfig } from '../../../adapters/config.ts';
import { systemClock } from '../../../adapters/crypto/clock.ts';
import { makeFileObjects } from '../../../adapters/files/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { StorePorts } from '../../../adapters/store.ts';
import { openSignedInOperator } from '../../servers/console/console-client.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { easySettings, openTestService, type TestService } from '../../support/service.ts';
import { unawaited } from '../../support/unawaited.ts';
import {
  emailOf,
  INTERNAL_SECRET,
  PASSWORD,
  type ServeAnswer,
  type ServeJob,
  type ServeQuestion,
  type ServerJob,
  type SignedIn,
  type Usage,
  type WorkResult,
} from '../scale.ts';

/** Ports of the store, and a count of the steps or rows that it has examined. */
interface Examined {
  readonly ports: StorePorts;
  examined(): Promise<number | null>;
}

// SQLite counts the steps of each statement while the statement stays prepared.
const STEPS = 'SELECT sum(nstep) AS steps FROM sqlite_stmt';
const ROWS = 'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS rows FROM pg_stat_user_tables';

const openExamined = async (config: Config, folder: string): Promise<Examined> => {
  const log = makeRecordingLog();
  if (config.mongodbUrl !== null || config.postgresUrl !== null) {
    const { ports } = await (await findStore(config, { clock: systemClock, log, isServer: true })).open();
    const url = config.postgresUrl;
    const pool = url === null ? undefined : new pg.Pool({ connectionString: url, max: 1 });
    return {
      ports,
      examined: async () => (pool === undefined ? null : Number((await pool.query(ROWS)).rows[0]?.rows)),
    };
  }
  const database = openDatabase({ folder });
  const objects = makeFileObjects({ folder: `${folder}/objects`, log });
  return {
    ports: sqlPorts(database, { clock: systemClock, objects }),
    examined: async () => {
      const written = await database.write([{ sql: STEPS, params: [] }]);
      const read = await database.read.get(STEPS, []);
      return Number(read?.steps) + Number(written.done ? written.results[0]?.rows[0]?.steps : 0);
    },
  };
};

const microseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const portOf = (url: string): number => Number(new URL(url).port);

const logIn = async (service: TestService, number: number): Promise<SignedIn> => {
  const { status, body } = await service.post('/api/auth/login', {
    email: emailOf(number),
    password: PASSWORD,
  });
  if (status !== 200) throw new Error(`The login of ${number} was answered with ${status}.`);
  return { number, token: String(body.token), refreshToken: String(body.refreshToken) };
};

/** Each job runs to its end, in the steps of the background work. */
const workOf = (service: TestService): Readonly<Record<ServerJob, () => Promise<WorkResult>>> => {
  const { background } = service.composition.accounts;
  const done = (count: number, token = ''): WorkResult => ({ done: count, token });
  const untilNone = async (step: () => Promise<number>): Promise<WorkResult> => {
    let all = 0;
    for (let count = await step(); count > 0; count = await step()) all += count;
    return done(all);
  };
  return {
    purge: () => untilNone(() => background.purgeUnverified()),
    recount: async () => {
      await background.recountUsers();
      return untilNone(() => background.recountAccess());
    },
    // The clock moves to a time when unverified accounts are purged.
    'sign in': async () => {
      service.clock.advance(7 * 3_600_000);
      return done(1, (await logIn(service, 0)).token);
    },
  };
};

process.once(
  'message',
  unawaited(async ({ folder, settings, users, signedIn }: ServeJob) => {
    // On a busy machine a measurement takes longer than the default lifetimes of tokens, proofs and idle connections.
    const patience = { ACCESS_TOKEN_SECONDS: '3600', REAUTH_SECONDS: '3600', TRUSTED_PROXIES: '127.0.0.1' };
    const allSettings = { ...settings, ...patience, INTERNAL_SECRET };
    const config = readConfig({ ...easySettings, ...allSettings, DATA_DIR: folder }, folder);
    const { ports, examined } = await openExamined(config, folder);
    let calls = 0;
    const countingPorts = Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [
        name,
        aroundMethods(port as object, (_method, _args, call) => {
          calls += 1;
          return call();
        }),
      ]),
    ) as unknown as StorePorts;
    const service = await openTestService(allSettings, folder, { store: countingPorts });
    const { cookie } = await openSignedInOperator(service);
    const sessions: SignedIn[] = [];
    for (let index = 0; index < signedIn; index += 1) {
      // Spreads the sessions over all users, among the first 30 of each hundred.
      const number = Math.floor((index * users) / signedIn / 100) * 100 + (index % 30);
      sessions.push(await logIn(service, number));
    }
    const work = workOf(service);

    const usage = async (): Promise<Usage> => {
      const cpuAsked = microseconds();
      const callsSoFar = calls;
      const rows = await examined();
      return { cpuAsked, calls: callsSoFar, examined: rows, cpuAnswered: microseconds() };
    };
    process.on(
      'message',
      unawaited(async (question: ServeQuestion) => {
        if (question.ask === 'usage') process.send?.(await usage());
        else if (question.ask === 'work') process.send?.(await work[question.job]());
        else {
          await service.close();
          process.send?.({});
        }
      }),
    );
    const { url, metadataUrl, consoleUrl } = service;
    process.send?.({
      accounts: portOf(url),
      metadata: portOf(metadataUrl),
      console: portOf(consoleUrl),
      cookie: `gatehouse-console=${cookie}`,
      signedIn: sessions,
    } satisfies ServeAnswer);
  }),
);
