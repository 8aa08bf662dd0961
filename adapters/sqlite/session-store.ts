import type { Rotation, SessionStore } from '../../core/accounts/ports.ts';
import { rotatedFields, type Session } from '../../core/accounts/session.ts';
import type { Database } from './database.ts';
import { document, documents } from './documents.ts';
import { text, textOrNull, whole, wholeOrNull } from './scalars.ts';
import { changesOf, type Scalar } from './unit.ts';

/** In the order of `sessionColumns`. */
export const SESSION_COLUMNS = `user_id, id, epoch, refresh_digest, created_at, ends_at, expires_at, ended_at, doc`;
const ADD = `
  INSERT INTO sessions (${SESSION_COLUMNS})
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (
    SELECT 1 FROM accounts WHERE id = ?1 AND (email IS NULL OR doc ->> '$.sessionEpoch' <> ?3))`;
// ?1 is the time, ?2 the user.
const END = `
  UPDATE sessions SET ended_at = ?1, doc = json_set(doc, '$.endedAt', ?1, '$.address', '', '$.userAgent', NULL)
  WHERE ended_at IS NULL`;
// The oldest by the order in which they were added, not by a clock that may have been set back in between.
const END_OLDEST = `${END} AND user_id = ?2 AND id NOT IN (
  SELECT id FROM sessions WHERE user_id = ?2 AND ended_at IS NULL ORDER BY rowid DESC LIMIT ?3)`;
const END_ONE = `${END} AND user_id = ?2 AND id = ?3`;
const END_ALL = `${END} AND user_id = ?2 AND id IS NOT ?3 AND (?4 IS NULL OR epoch < ?4)`;
const FIND = 'SELECT doc FROM sessions WHERE user_id = ? AND id = ?';
const ROTATE = `
  UPDATE sessions SET
    refresh_digest = ?4,
    expires_at = min(?6, ends_at),
    doc = json_set(doc, '$.refreshDigest', ?4, '$.usedTokens', json(?9), '$.tokensFrom', ?10, '$.refreshExpiresAt', ?6,
      '$.lastUsedAt', ?5, '$.address', ?7, '$.userAgent', ?8)
  WHERE user_id = ?1 AND id = ?2 AND refresh_digest = ?3 AND ended_at IS NULL AND expires_at > ?5`;
const PROVE = `
  UPDATE sessions SET doc = json_set(doc, '$.authenticatedAt', ?3, '$.methods', json(?4))
  WHERE user_id = ?1 AND id = ?2 AND ended_at IS NULL`;
const LIST = `
  SELECT doc FROM sessions WHERE user_id = ? AND ended_at IS NULL ORDER BY created_at DESC, id DESC`;
const LIST_ENDED = 'SELECT doc FROM sessions WHERE ended_at IS NOT NULL ORDER BY ended_at, id LIMIT ?';
const SWEEP = `
  DELETE FROM sessions WHERE rowid IN (
    SELECT rowid FROM sessions WHERE ended_at IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?)`;

/** Sessions in the embedded store. */
export const makeSqliteSessionStore = ({ read, write }: Database): SessionStore => {
  const change = async (sql: string, params: readonly Scalar[]) => changesOf(await write([{ sql, params }]));

  return {
    find: async (userId, id) => {
      const row = read.get(FIND, [text(userId), text(id)]);
      return row && document<Session>(row);
    },
    list: async (userId) => documents(read.all(LIST, [text(userId)])),
    add: async (session, most) => {
      const outcome = await write([
        { sql: ADD, params: sessionColumns(session), need: true },
        { sql: END_OLDEST, params: [session.createdAt, session.userId, whole(most)] },
      ]);
      if (!outcome.done && outcome.because === 'unique')
        throw new Error('A session with this id exists already.');
      return outcome.done;
    },
    rotate: async (rotation) => {
      const found = read.get(FIND, [text(rotation.userId), text(rotation.sessionId)]);
      if (found === undefined) return undefined;
      // Read apart from the write: the used tokens only change together with the digest that it asks for.
      const session = document<Session>(found);
      const next = rotatedFields(session, rotation);
      return (await change(ROTATE, paramsOf(rotation, next))) > 0 ? { ...session, ...next } : undefined;
    },
    prove: async (userId, id, { authenticatedAt, methods }) => {
      const params = [text(userId), text(id), whole(authenticatedAt), JSON.stringify(methods)];
      return (await change(PROVE, params)) > 0;
    },
    end: async (userId, id, now) => (await change(END_ONE, [whole(now), text(userId), text(id)])) > 0,
    endAll: async (userId, { keep, beforeEpoch }, now) =>
      change(END_ALL, [whole(now), text(userId), textOrNull(keep), wholeOrNull(beforeEpoch)]),
    listEnded: async (limit) => documents(read.all(LIST_ENDED, [whole(limit)])),
    remove: async (userId, id) => {
      await change('DELETE FROM sessions WHERE user_id = ? AND id = ?', [text(userId), text(id)]);
    },
    // Ended ones stay until the event about them is out.
    sweep: async (now, limit) => change(SWEEP, [whole(now), whole(limit)]),
  };
};

const paramsOf = (rotation: Rotation, next: ReturnType<typeof rotatedFields>): readonly Scalar[] => [
  text(rotation.userId),
  text(rotation.sessionId),
  text(rotation.presented),
  text(next.refreshDigest),
  whole(rotation.now),
  whole(next.refreshExpiresAt),
  text(next.address),
  textOrNull(next.userAgent),
  JSON.stringify(next.usedTokens),
  wholeOrNull(next.tokensFrom),
];

/** What queries need beside the document, in the order of the columns. */
export const sessionColumns = (session: Session): readonly Scalar[] => [
  text(session.userId),
  text(session.id),
  whole(session.epoch),
  text(session.refreshDigest),
  whole(session.createdAt),
  whole(session.endsAt),
  Math.min(whole(session.refreshExpiresAt), session.endsAt),
  wholeOrNull(session.endedAt),
  JSON.stringify(session),
];
