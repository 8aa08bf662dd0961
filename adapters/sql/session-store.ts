import { completeAccount, type StoredAccount } from '../../core/accounts/account.ts';
import type { SessionStore } from '../../core/accounts/ports.ts';
import {
  completeSession,
  endedFields,
  expiryOf,
  type Session,
  type StoredSession,
} from '../../core/accounts/session.ts';
import {
  changesOf,
  type Database,
  integer,
  integerOrNull,
  type Scalar,
  text,
  textOrNull,
  type Unit,
} from './database.ts';
import type { Dialect } from './dialect.ts';
import { callsOn, documentTable } from './table.ts';

const DAY = 86_400_000;
/** The expiry, rounded up to whole days, so that most refreshes leave it as it is: a change of an indexed column costs more. */
const sweepableFrom = (session: Session): number =>
  Math.min(Math.ceil(integer(expiryOf(session)) / DAY) * DAY, Number.MAX_SAFE_INTEGER);

export const sessionsTable = documentTable(
  'sessions',
  (session: Session) => session,
  {
    user_id: ({ userId }) => text(userId),
    id: ({ id }) => text(id),
    epoch: ({ epoch }) => integer(epoch),
    // The column takes no null. The empty text stands for it, since no digest is empty.
    refresh_digest: ({ refreshDigest }) => text(refreshDigest ?? ''),
    created_at: ({ createdAt }) => integer(createdAt),
    ends_at: ({ endsAt }) => integer(endsAt),
    expires_at: sweepableFrom,
    ended_at: ({ endedAt }) => integerOrNull(endedAt),
  },
  completeSession,
);

// Adds no session for a deleted account, which has no email, or for an account whose session version (`sessionEpoch`) has
// changed since the session was made: such a change ends all sessions of the former version.
const ADD = sessionsTable.insertIf(
  (param) => `NOT EXISTS (
    SELECT 1 FROM accounts
    WHERE id = ${param('user_id')} AND (email IS NULL OR CAST(doc ->> 'sessionEpoch' AS BIGINT) <> ${param('epoch')}))`,
);
// ?1 to ?3 come from `endedParams`, ?4 is the user's id.
const endSql = ({ withMembers }: Dialect) => `
  UPDATE sessions SET ended_at = ?1, doc = ${withMembers('doc', {
    endedAt: 'CAST(?1 AS BIGINT)',
    address: 'CAST(?2 AS TEXT)',
    userAgent: 'CAST(?3 AS TEXT)',
  })}
  WHERE ended_at IS NULL AND user_id = ?4`;
// In the order of the primary key, so that the beginning of a page is found without a scan.
const LIST_USES = `
  SELECT user_id, id, CAST(doc ->> 'lastUsedAt' AS BIGINT) AS last_used_at FROM sessions
  WHERE (user_id, id) > (?, ?) AND ended_at IS NULL ORDER BY user_id, id LIMIT ?`;
const FIND = 'SELECT doc FROM sessions WHERE user_id = ? AND id = ?';
// ?1 to ?4 are the new values; ?5 to ?12 identify the session and the state that was read. Usually the document is exactly
// as it was read, which spares the costlier comparison of its members. A session of version 0.1.0 lacks `authenticatedAt` and
// `methods`.
const CHANGE = `
  UPDATE sessions SET epoch = ?1, refresh_digest = ?2, expires_at = ?3, doc = ?4
  WHERE user_id = ?5 AND id = ?6 AND refresh_digest = ?7 AND ended_at IS NULL
    AND (CAST(doc AS TEXT) = ?12 OR (
      doc -> 'cookie' ->> 'digest' IS NOT DISTINCT FROM ?8 AND CAST(doc ->> 'lastUsedAt' AS BIGINT) = ?9
      AND coalesce(CAST(doc ->> 'authenticatedAt' AS BIGINT), ?10) = ?10
      AND coalesce(doc ->> 'methods', ?11) = ?11))`;
// Runs as the `again` of `CHANGE` (see `Statement`). Matches the session only if `CHANGE` has stored its document already.
const IS_CHANGED = `
  UPDATE sessions SET doc = doc WHERE user_id = ?1 AND id = ?2 AND CAST(doc AS TEXT) = ?3 AND ended_at IS NULL`;
const FIND_WITH_ACCOUNT = `
  SELECT sessions.doc AS session, accounts.doc AS account FROM sessions
  JOIN accounts ON accounts.id = sessions.user_id
  WHERE sessions.user_id = ? AND sessions.id = ?`;
const LIST = `
  SELECT doc FROM sessions WHERE user_id = ? AND ended_at IS NULL ORDER BY created_at DESC, id DESC`;
const LIST_ENDED = 'SELECT doc FROM sessions WHERE ended_at IS NOT NULL ORDER BY ended_at, id LIMIT ?';
// The outer conditions spare a session that was refreshed or ended after the inner query had chosen it.
const SWEEP = `
  DELETE FROM sessions WHERE ended_at IS NULL AND expires_at <= ?1 AND rowid IN (
    SELECT rowid FROM sessions WHERE ended_at IS NULL AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2)`;

export const makeSqlSessionStore = (database: Database): SessionStore => {
  const { read, write, dialect } = database;
  const { find, list, change, changeOne } = callsOn(database, sessionsTable);
  const END = endSql(dialect);
  // The order of insertion finds the oldest sessions: the clock may have been set back in between.
  const END_OLDEST = `${END} AND id NOT IN (
    SELECT id FROM sessions WHERE user_id = ?4 AND ended_at IS NULL ORDER BY rowid DESC LIMIT ?5)`;
  const END_BY_ID = `${END} AND id = ?5`;
  const END_ALL = `${END} AND id IS DISTINCT FROM ?5 AND (CAST(?6 AS BIGINT) IS NULL OR epoch < ?6)`;
  /** Prevents that a session of the user begins while others begin or end. */
  const lock = (userId: string): Unit =>
    dialect.lock === null ? [] : [{ sql: dialect.lock, params: [text(userId)] }];

  return {
    find: async (userId, id) => find(FIND, [text(userId), text(id)]),
    findWithAccount: async (userId, id) => {
      const row = await read.get(FIND_WITH_ACCOUNT, [text(userId), text(id)]);
      return (
        row && {
          session: completeSession(JSON.parse(String(row.session)) as StoredSession),
          account: completeAccount(JSON.parse(String(row.account)) as StoredAccount),
        }
      );
    },
    list: async (userId) => list(LIST, [text(userId)]),
    add: async (session, most) => {
      const outcome = await write([
        ...lock(session.userId),
        { sql: ADD, params: sessionsTable.row(session), need: true },
        { sql: END_OLDEST, params: [...endedParams(session.createdAt), session.userId, integer(most)] },
      ]);
      if (!outcome.done && outcome.because === 'unique')
        throw new Error('A session with this id exists already.');
      return outcome.done;
    },
    change: async (session, next) => {
      const key = [text(session.userId), text(session.id)];
      const doc = JSON.stringify(next);
      const params = [
        integer(next.epoch),
        text(next.refreshDigest ?? ''),
        sweepableFrom(next),
        doc,
        ...key,
        text(session.refreshDigest ?? ''),
        textOrNull(session.cookie?.digest ?? null),
        integer(session.lastUsedAt),
        integer(session.authenticatedAt),
        JSON.stringify(session.methods),
        JSON.stringify(session),
      ];
      const again = { sql: IS_CHANGED, params: [...key, doc] };
      return changesOf(await write([{ sql: CHANGE, params, again }])) > 0;
    },
    end: async (userId, id, now) => changeOne(END_BY_ID, [...endedParams(now), text(userId), text(id)]),
    endAll: async (userId, { keep, beforeVersion }, now) => {
      const params = [...endedParams(now), text(userId), textOrNull(keep), integerOrNull(beforeVersion)];
      const unit = [...lock(userId), { sql: END_ALL, params }];
      // The changes of the last statement: the lock, where there is one, comes before it.
      return changesOf(await write(unit), unit.length - 1);
    },
    listEnded: async (limit) => list(LIST_ENDED, [integer(limit)]),
    remove: async (userId, id) => {
      await change('DELETE FROM sessions WHERE user_id = ? AND id = ?', [text(userId), text(id)]);
    },
    listUses: async (after, limit) => {
      const position = after === null ? ['', ''] : [text(after.userId), text(after.id)];
      return (await read.all(LIST_USES, [...position, integer(limit)])).map(
        ({ user_id, id, last_used_at }) => ({
          userId: String(user_id),
          id: String(id),
          lastUsedAt: Number(last_used_at),
        }),
      );
    },
    // Ended sessions stay until their event is sent.
    sweep: async (now, limit) => change(SWEEP, [integer(now), integer(limit)]),
  };
};

const endedParams = (now: number): readonly Scalar[] => {
  const { endedAt, address, userAgent } = endedFields(integer(now));
  return [endedAt, address, userAgent];
};
