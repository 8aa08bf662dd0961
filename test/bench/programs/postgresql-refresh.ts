/**
 * A program: changes sessions through the store, and rows of the same size by one statement each over a bare pool, in turns;
 * then changes sessions very often. Answers with the rates, and with the sizes before and after.
 */
import pg from 'pg';
import { openPostgres } from '../../../adapters/postgresql/engine/database.ts';
import { upgradeSchema } from '../../../adapters/postgresql/schema-version.ts';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import type { Session } from '../../../core/accounts/session.ts';
import { sampleSession } from '../../contracts/samples.ts';
import { unawaited } from '../../support/unawaited.ts';
import { type RefreshAnswer, type RefreshJob, rateOf, type SessionsSize } from '../stores.ts';

const SESSIONS = 1_000;
const IN_FLIGHT = 64;
/** The number of the store's connections for writes. */
const CONNECTIONS = 8;
const REFRESH_INTERVAL_MS = 900_000;

const CREATE =
  'CREATE TABLE rows (id text COLLATE "C" PRIMARY KEY, expires_at bigint NOT NULL, doc json NOT NULL)';
const INSERT = `
  INSERT INTO rows VALUES ($1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, doc = excluded.doc`;
const SIZE = `
  SELECT pg_table_size('gatehouse.sessions') AS of_table, pg_indexes_size('gatehouse.sessions') AS of_indexes`;
const IN_PLACE = `
  SELECT n_tup_hot_upd::float / greatest(n_tup_upd, 1) AS share FROM pg_stat_user_tables WHERE relname = 'sessions'`;

process.once(
  'message',
  unawaited(async ({ url, seconds, rounds, refreshes }: RefreshJob) => {
    const database = openPostgres({ url });
    await upgradeSchema(database);
    const store = makeSqlSessionStore(database);
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    await pool.query(CREATE);

    const sessions = Array.from({ length: SESSIONS }, (_, caller) =>
      sampleSession(`session-${caller}`, { userId: `user-${caller}`, endsAt: Number.MAX_SAFE_INTEGER }),
    );
    for (const session of sessions) await store.add(session, 20);
    const following = (session: Session): Session => ({
      ...session,
      refreshDigest: `digest ${session.lastUsedAt}`.padEnd(43, '-'),
      lastUsedAt: session.lastUsedAt + REFRESH_INTERVAL_MS,
      refreshExpiresAt: session.refreshExpiresAt + REFRESH_INTERVAL_MS,
    });

    /** Each concurrent caller has sessions of its own. */
    const turns = Array.from({ length: IN_FLIGHT }, (_, caller) => caller);
    const sessionOfTurn = (caller: number): number => {
      const at = turns[caller] ?? caller;
      turns[caller] = at + IN_FLIGHT < SESSIONS ? at + IN_FLIGHT : caller;
      return at;
    };
    const refresh = async (caller: number) => {
      const at = sessionOfTurn(caller);
      const session = sessions[at] as Session;
      const next = following(session);
      if (!(await store.change(session, next))) throw new Error('Another caller changed the session.');
      sessions[at] = next;
    };
    const insert = async (caller: number) => {
      const at = sessionOfTurn(caller);
      const next = following(sessions[at] as Session);
      await pool.query({
        name: 'insert',
        text: INSERT,
        values: [next.id, next.refreshExpiresAt, JSON.stringify(next)],
      });
    };

    const stored: number[] = [];
    const inserted: number[] = [];
    await rateOf(1, IN_FLIGHT, refresh);
    await rateOf(1, IN_FLIGHT, insert);
    for (let round = 0; round < rounds; round += 1) {
      stored.push(await rateOf(seconds, IN_FLIGHT, refresh));
      inserted.push(await rateOf(seconds, IN_FLIGHT, insert));
    }

    const size = async (): Promise<SessionsSize> => {
      const { rows } = await pool.query<{ of_table: string; of_indexes: string }>(SIZE);
      const megabytes = (bytes: string | undefined) => Number(bytes) / 2 ** 20;
      return { table: megabytes(rows[0]?.of_table), indexes: megabytes(rows[0]?.of_indexes) };
    };
    await pool.query('VACUUM FULL gatehouse.sessions');
    const before = await size();
    let left = refreshes;
    await Promise.all(
      turns.map(async (_, caller) => {
        while (left > 0) {
          left -= 1;
          await refresh(caller);
        }
      }),
    );
    const after = await size();
    const { rows } = await pool.query<{ share: number }>(IN_PLACE);
    await pool.end();
    await database.close();
    const inPlace = rows[0]?.share ?? 0;
    process.send?.({ stored, inserted, before, after, inPlace } satisfies RefreshAnswer);
  }),
);
