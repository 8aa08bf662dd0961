import { type Filter, type MatchKeysAndValues, ObjectId } from 'mongodb';
import type { SessionStore } from '../../core/accounts/ports.ts';
import {
  completeSession,
  endedFields,
  expiryOf,
  type Session,
  type StoredSession,
} from '../../core/accounts/session.ts';
import { ACCOUNTS, type AccountDocument, accountOf } from './documents/account-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce, deleteFirst, type IdempotentDocument, insertOnce } from './engine/idempotent-writes.ts';
import { among, equals, integer, is, limitOf, text, textOrNull } from './engine/scalars.ts';

/** A session; the shard key is `userId`. */
export interface SessionDocument extends IdempotentDocument {
  /** `<user id>/<session id>` */
  readonly _id: string;
  readonly userId: string;
  readonly session: StoredSession;
  /** False after the end of the session. */
  readonly isOpen: boolean;
  /** Grows with each session of the user. It keeps the order of insertion if the clock is set back. */
  readonly order: number;
  /** The end of the refresh token or of the session, whichever comes first. */
  readonly expiresAt: number;
}

export const SESSIONS = 'sessions';

const OPEN = { isOpen: { $eq: true } } as const;

export const makeMongoSessionStore = (database: MongoDatabase): SessionStore => {
  const { call, collection } = database;
  const sessions = collection<SessionDocument>(SESSIONS);
  const accounts = collection<AccountDocument>(ACCOUNTS);

  /** Returns the number of ended sessions. A repetition counts those of earlier attempts, too: all store the same `write`. */
  const endOpen = (userId: string, which: Filter<SessionDocument>, now: number): Promise<number> => {
    const write = new ObjectId();
    const open = { userId: is(userId), ...OPEN, ...which };
    const change = { $set: { ...endedDocumentFields(now), write } };
    return call(async (attempt) => {
      const { modifiedCount } = await sessions.updateMany(open, change);
      if (attempt === 0) return modifiedCount;
      return sessions.countDocuments({ userId: is(userId), write: { $eq: write } });
    });
  };

  /** Ids of all open sessions except the `most` newest. Parallel calls agree on which of two sessions is newer. */
  const idsBeyond = async (userId: string, most: number): Promise<readonly string[]> => {
    const options = { sort: { order: -1, _id: -1 }, skip: integer(most), projection: { _id: 1 } } as const;
    const documents = await call(() => sessions.find({ userId: is(userId), ...OPEN }, options).toArray());
    // Sorted, since some compatible servers lock what a call changes: in one order, parallel calls do not wait in a circle.
    return documents.map(({ _id }) => _id).sort();
  };

  const nextOrder = async (userId: string): Promise<number> => {
    const last = await call(() =>
      sessions.findOne({ userId: is(userId) }, { sort: { order: -1, _id: -1 }, projection: { order: 1 } }),
    );
    return (last?.order ?? 0) + 1;
  };

  /** False if the account has another session epoch or is deleted. True without a document: a deleted account would have one. */
  const isAccepted = async ({ userId, epoch }: Session): Promise<boolean> => {
    const document = await call(() => accounts.findOne({ _id: is(userId) }, { projection: EPOCH_AND_END }));
    if (document === null) return true;
    const { account } = document;
    return account !== null && account.deletedAt === null && account.sessionEpoch === epoch;
  };

  return {
    find: async (userId, id) => {
      const document = await call(() => sessions.findOne(sessionKey(userId, id)));
      return document === null ? undefined : sessionOf(document);
    },
    findWithAccount: async (userId, id) => {
      const key = sessionKey(userId, id);
      const [session, owner] = await call(() =>
        Promise.all([sessions.findOne(key), accounts.findOne({ _id: is(userId) })]),
      );
      const account = owner === null ? undefined : accountOf(owner);
      return session === null || account === undefined ? undefined : { session: sessionOf(session), account };
    },
    list: async (userId) => {
      const filter = { userId: is(userId), ...OPEN };
      const documents = await call(() => sessions.find(filter).toArray());
      return documents.map(sessionOf).sort(newestFirst);
    },
    add: async (session, most) => {
      const { userId, createdAt } = session;
      const document = documentOf(session, await nextOrder(userId));
      if (!(await insertOnce(database, sessions, document)))
        throw new Error('A session with this id exists already.');
      // Checked after the insertion: a deletion of the account that comes later finds the session.
      if (!(await isAccepted(session))) {
        await call(() => sessions.deleteOne(sessionKey(userId, session.id)));
        return false;
      }
      const old = await idsBeyond(userId, most);
      if (old.length > 0) await endOpen(userId, { _id: among(old) }, createdAt);
      return true;
    },
    change: async (session, next) => {
      const { userId, id, refreshDigest, cookie, lastUsedAt, authenticatedAt, methods } = session;
      const unchanged = {
        ...sessionKey(userId, id),
        'session.refreshDigest': { $eq: textOrNull(refreshDigest) },
        'session.cookie.digest': { $eq: textOrNull(cookie?.digest ?? null) },
        'session.lastUsedAt': equals(lastUsedAt),
        // `null` matches sessions of an earlier version, which have no such field. The list of methods must be equal as a whole.
        'session.authenticatedAt': { $in: [integer(authenticatedAt), null] },
        'session.methods': { $in: [methods.map(text), null] },
        ...OPEN,
      } as Filter<SessionDocument> & ReturnType<typeof sessionKey>;
      return changeOnce(database, sessions, unchanged, {
        $set: { session: next, expiresAt: integer(expiryOf(next)) },
      });
    },
    end: async (userId, id, now) => {
      const open = { ...sessionKey(userId, id), ...OPEN };
      return changeOnce(database, sessions, open, { $set: endedDocumentFields(now) });
    },
    endAll: async (userId, { keep, beforeVersion }, now) =>
      endOpen(
        userId,
        {
          ...(keep !== null && { 'session.id': { $ne: text(keep) } }),
          ...(beforeVersion !== null && { 'session.epoch': { $lt: integer(beforeVersion) } }),
        },
        now,
      ),
    listEnded: async (most) => {
      const options = { sort: { 'session.endedAt': 1, _id: 1 }, limit: limitOf(most) } as const;
      const documents = await call(() => sessions.find({ isOpen: { $eq: false } }, options).toArray());
      return documents.map(sessionOf);
    },
    remove: async (userId, id) => {
      await call(() => sessions.deleteOne(sessionKey(userId, id)));
    },
    // In the order of document ids, which begin with the user's id.
    listUses: async (after, most) => {
      const position = after === null ? '' : sessionKey(after.userId, after.id)._id.$eq;
      const options = { sort: { _id: 1 }, limit: limitOf(most), projection: USE } as const;
      const documents = await call(() =>
        sessions.find({ _id: { $gt: position }, ...OPEN }, options).toArray(),
      );
      return documents.map(({ session: { userId, id, lastUsedAt } }) => ({ userId, id, lastUsedAt }));
    },
    // Ended sessions stay until their event is sent.
    sweep: async (now, most) =>
      deleteFirst(database, sessions, { ...OPEN, expiresAt: { $lte: integer(now) } }, 'expiresAt', most),
  };
};

/** The filter for one session; it includes the shard key. */
const sessionKey = (userId: string, id: string) =>
  ({ _id: is(`${text(userId)}/${text(id)}`), userId: is(userId), 'session.id': is(id) }) as const;

const USE = { 'session.userId': 1, 'session.id': 1, 'session.lastUsedAt': 1 } as const;

const EPOCH_AND_END = { 'account.deletedAt': 1, 'account.sessionEpoch': 1 } as const;

const newestFirst = (a: Session, b: Session): number => b.createdAt - a.createdAt || (b.id > a.id ? 1 : -1);

const endedDocumentFields = (now: number) => ({ isOpen: false, ...inSession(endedFields(integer(now))) });

/** Fields of the session as fields of its document. */
const inSession = (fields: Partial<Session>): MatchKeysAndValues<SessionDocument> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`session.${name}`, value]));

export const sessionOf = ({ session }: Pick<SessionDocument, 'session'>): Session => completeSession(session);

/** The document of a session, without the idempotency key of its write. */
export const documentOf = (session: Session, order: number): Omit<SessionDocument, 'write'> => ({
  _id: `${text(session.userId)}/${text(session.id)}`,
  userId: session.userId,
  session,
  isOpen: session.endedAt === null,
  order,
  expiresAt: expiryOf(session),
});
