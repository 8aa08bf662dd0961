import { completeAccount, type StoredAccount } from '../../core/accounts/account.ts';
import type { SessionCache, SessionStore } from '../../core/accounts/ports.ts';
import {
  type CookieUse,
  endedFields,
  expiryOf,
  type Rotation,
  rotatedFields,
  type Session,
  usedFields,
} from '../../core/accounts/session.ts';
import {
  changesOf,
  type Database,
  integer,
  integerOrNull,
  rowOf,
  type Scalar,
  text,
  textOrNull,
} from './database.ts';
import { document, documents, documentTable } from './table.ts';

export const sessionsTable = documentTable('sessions', (session: Session) => session, {
  user_id: ({ userId }) => text(userId),
  id: ({ id }) => text(id),
  epoch: ({ epoch }) => integer(epoch),
  // The column takes no null. No digest is empty.
  refresh_digest: ({ refreshDigest }) => text(refreshDigest ?? ''),
  created_at: ({ createdAt }) => integer(createdAt),
  ends_at: ({ endsAt }) => integer(endsAt),
  expires_at: (session) => integer(expiryOf(session)),
  ended_at: ({ endedAt }) => integerOrNull(endedAt),
});

const ADD = sessionsTable.insertIf(
  (param) => `NOT EXISTS (
    SELECT 1 FROM accounts
    WHERE id = ${param('user_id')} AND (email IS NULL OR doc ->> '$.sessionEpoch' <> ${param('epoch')}))`,
);
// ?1 to ?3 come from `endedParams`, ?4 is the user's id.
const END = `
  UPDATE sessions SET ended_at = ?1, doc = json_set(doc, '$.endedAt', ?1, '$.address', ?2, '$.userAgent', ?3)
  WHERE ended_at IS NULL`;
// The order of insertion finds the oldest sessions: the clock may have been set back in between.
const END_OLDEST = `${END} AND user_id = ?4 AND id NOT IN (
  SELECT id FROM sessions WHERE user_id = ?4 AND ended_at IS NULL ORDER BY rowid DESC LIMIT ?5)`;
const END_BY_ID = `${END} AND user_id = ?4 AND id = ?5`;
const END_ALL = `${END} AND user_id = ?4 AND id IS NOT ?5 AND (?6 IS NULL OR epoch < ?6)`;
// In the order of the primary key, so that SQLite finds the beginning of a page without a scan.
const LIST_USES = `
  SELECT user_id, id, doc ->> '$.lastUsedAt' AS last_used_at FROM sessions
  WHERE (user_id, id) > (?, ?) AND ended_at IS NULL ORDER BY user_id, id LIMIT ?`;
const FIND = 'SELECT doc FROM sessions WHERE user_id = ? AND id = ?';
const ROTATE = `
  UPDATE sessions SET
    refresh_digest = ?4,
    expires_at = ?11,
    epoch = ?12,
    doc = json_set(doc, '$.refreshDigest', ?4, '$.usedTokens', json(?9), '$.tokensFrom', ?10, '$.refreshExpiresAt', ?6,
      '$.lastUsedAt', ?5, '$.address', ?7, '$.userAgent', ?8, '$.epoch', ?12)
  WHERE user_id = ?1 AND id = ?2 AND refresh_digest = ?3 AND refresh_digest <> '' AND ended_at IS NULL
    AND expires_at > ?5`;
// ?9 to ?13 are null for fields that stay, ?8 is null for an unknown caller.
const USE = `
  UPDATE sessions SET
    expires_at = min(ends_at, ?6),
    epoch = coalesce(?12, epoch),
    doc = json_set(doc, '$.refreshExpiresAt', ?6, '$.lastUsedAt', ?5,
      '$.address', coalesce(?7, doc ->> '$.address'), '$.userAgent', json(coalesce(?8, doc -> '$.userAgent')),
      '$.cookie', json(coalesce(?9, doc -> '$.cookie')), '$.authenticatedAt', coalesce(?10, doc ->> '$.authenticatedAt'),
      '$.methods', json(coalesce(?11, doc -> '$.methods')), '$.epoch', coalesce(?12, epoch),
      '$.tokensFrom', coalesce(?13, doc ->> '$.tokensFrom'))
  WHERE user_id = ?1 AND id = ?2 AND doc ->> '$.cookie.digest' = ?3 AND doc ->> '$.lastUsedAt' = ?4
    AND ended_at IS NULL AND expires_at > ?5
  RETURNING doc`;
const PROVE = `
  UPDATE sessions SET doc = json_set(doc, '$.authenticatedAt', ?3, '$.methods', json(?4))
  WHERE user_id = ?1 AND id = ?2 AND ended_at IS NULL`;
const LIST = `
  SELECT doc FROM sessions WHERE user_id = ? AND ended_at IS NULL ORDER BY created_at DESC, id DESC`;
const LIST_ENDED = 'SELECT doc FROM sessions WHERE ended_at IS NOT NULL ORDER BY ended_at, id LIMIT ?';
const SWEEP = `
  DELETE FROM sessions WHERE rowid IN (
    SELECT rowid FROM sessions WHERE ended_at IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?)`;

/** Sessions. */
export const makeSqlSessionStore = ({ read, write }: Database): SessionStore => {
  const change = async (sql: string, params: readonly Scalar[]) => changesOf(await write([{ sql, params }]));

  return {
    find: async (userId, id) => {
      const row = await read.get(FIND, [text(userId), text(id)]);
      return row && document<Session>(row);
    },
    list: async (userId) => documents(await read.all(LIST, [text(userId)])),
    add: async (session, most) => {
      const outcome = await write([
        { sql: ADD, params: sessionsTable.row(session), need: true },
        { sql: END_OLDEST, params: [...endedParams(session.createdAt), session.userId, integer(most)] },
      ]);
      if (!outcome.done && outcome.because === 'unique')
        throw new Error('A session with this id exists already.');
      return outcome.done;
    },
    rotate: async (rotation) => {
      const row = await read.get(FIND, [text(rotation.userId), text(rotation.sessionId)]);
      if (row === undefined) return undefined;
      // A separate read is safe: used tokens change only together with the digest, and the update requires that digest.
      const session = document<Session>(row);
      const next = rotatedFields(session, rotation);
      return (await change(ROTATE, paramsOf(rotation, next, expiryOf({ ...session, ...next })))) > 0
        ? { ...session, ...next }
        : undefined;
    },
    use: async (use) => {
      const row = rowOf(await write([{ sql: USE, params: useParams(use) }]));
      return row && document<Session>(row);
    },
    prove: async (userId, id, { authenticatedAt, methods }) => {
      const params = [text(userId), text(id), integer(authenticatedAt), JSON.stringify(methods)];
      return (await change(PROVE, params)) > 0;
    },
    end: async (userId, id, now) =>
      (await change(END_BY_ID, [...endedParams(now), text(userId), text(id)])) > 0,
    endAll: async (userId, { keep, beforeVersion }, now) =>
      change(END_ALL, [...endedParams(now), text(userId), textOrNull(keep), integerOrNull(beforeVersion)]),
    listEnded: async (limit) => documents(await read.all(LIST_ENDED, [integer(limit)])),
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

const useParams = (use: CookieUse): readonly Scalar[] => {
  const { address, userAgent, ...next }: Partial<ReturnType<typeof usedFields>> = usedFields(use);
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  return [
    text(use.userId),
    text(use.sessionId),
    text(use.read.digest),
    integer(use.read.lastUsedAt),
    integer(use.now),
    integer(use.refreshExpiresAt),
    address === undefined ? null : text(address),
    json(userAgent),
    json(next.cookie),
    integerOrNull(next.authenticatedAt ?? null),
    json(next.methods),
    integerOrNull(next.epoch ?? null),
    integerOrNull(next.tokensFrom ?? null),
  ];
};

const paramsOf = (
  rotation: Rotation,
  next: ReturnType<typeof rotatedFields>,
  expiresAt: number,
): readonly Scalar[] => [
  text(rotation.userId),
  text(rotation.sessionId),
  text(rotation.presented),
  text(rotation.next),
  integer(rotation.now),
  integer(next.refreshExpiresAt),
  text(next.address),
  textOrNull(next.userAgent),
  JSON.stringify(next.usedTokens),
  integerOrNull(next.tokensFrom),
  integer(expiresAt),
  integer(next.epoch),
];

const FIND_WITH_ACCOUNT = `
  SELECT sessions.doc AS session, accounts.doc AS account FROM sessions
  JOIN accounts ON accounts.id = sessions.user_id
  WHERE sessions.user_id = ? AND sessions.id = ?`;

/** Sessions with their accounts, read in one query. */
export const makeSqlSessionsWithAccounts = ({ read }: Database): SessionCache => ({
  find: async (userId, sessionId) => {
    const row = await read.get(FIND_WITH_ACCOUNT, [text(userId), text(sessionId)]);
    return (
      row && {
        session: JSON.parse(String(row.session)) as Session,
        account: completeAccount(JSON.parse(String(row.account)) as StoredAccount),
      }
    );
  },
});
