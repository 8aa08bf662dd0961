import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { ACCOUNTS, type AccountDocument, barOf } from './account-document.ts';
import type { MongoDatabase } from './client.ts';
import { isDuplicate, storeUnavailable } from './failures.ts';
import { insertOnce } from './idempotent-writes.ts';
import { is, text } from './scalars.ts';
import type { Indexes } from './schema.ts';

/** Who may have an email. Only the call that put the mark there goes by it, or the account that has the email. */
export interface EmailClaim {
  /** The email. */
  readonly _id: string;
  readonly userId: string;
  readonly mark: ObjectId;
}

export type Claim = Pick<EmailClaim, '_id' | 'mark'>;

export const EMAILS = 'emails';

export const emailIndexes: Indexes = { [EMAILS]: [{ name: 'user', keys: { userId: 1 } }] };

/** Milliseconds that a claim whose account is not there yet is waited for, at the least, and in how many looks. */
const LOOKS = 10;
const BETWEEN_LOOKS = 16;
/** Each claim that is taken over in between lets another try go through. */
const MOST_TRIES = 100;

/**
 * Which user has which email, over all shards: a document for each email, since no unique index can be over anything
 * but the shard key. An account and its claim cannot change together. So a claim comes before the account that goes by
 * it, and what a crash leaves of one, or of an account that has moved or gone, is taken over, after the call that may
 * still be going by it was barred from ending.
 */
export const makeEmailClaims = (database: MongoDatabase) => {
  const { call, collection } = database;
  const emails = collection<EmailClaim>(EMAILS);
  const accounts = collection<AccountDocument>(ACCOUNTS);

  const inserted = (claim: EmailClaim): Promise<boolean> =>
    call(async () => {
      try {
        await emails.insertOne(claim);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });

  /**
   * Bars whatever would give the account another email by a claim made before; false when it has another by now, which a
   * read by a majority may not show yet.
   */
  const barred = async (_id: string, email: string, guard: ObjectId | null): Promise<boolean> => {
    const next = new ObjectId();
    // A repetition finds its own.
    const filter = { _id: is(_id), email: is(email), guard: { $in: [guard, next] } };
    const { matchedCount } = await call(() => accounts.updateOne(filter, { $set: { guard: next } }));
    return matchedCount > 0;
  };

  /** Whether nobody has the email by this claim, nor can come to have it. */
  const isVoid = async ({ _id: email, userId }: EmailClaim): Promise<boolean> => {
    for (let look = 1; ; look += 1) {
      const found = await call(() =>
        accounts.findOne({ _id: is(userId) }, { projection: { email: 1, guard: 1 } }),
      );
      if (found === null) {
        if (look >= LOOKS) await insertOnce(database, accounts, barOf(userId));
        await pause(BETWEEN_LOOKS * (1 + Math.random()));
        continue;
      }
      if (found.email === email) return false;
      // A tombstone or a bar never gets one again.
      if (found.email === undefined || (await barred(userId, found.email, found.guard))) return true;
    }
  };

  const remove = ({ _id, mark }: Claim) =>
    call(() => emails.deleteOne({ _id: is(_id), mark: { $eq: mark } }));

  return {
    /** Claims an email for a user; false while an account has it, or gets it. */
    claim: async (email: string, userId: string): Promise<boolean> => {
      const claim = { _id: text(email), userId: text(userId), mark: new ObjectId() };
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        if (await inserted(claim)) return true;
        const found = await call(() => emails.findOne({ _id: is(email) }));
        if (found === null) {
          await pause(BETWEEN_LOOKS * Math.random());
          continue;
        }
        // Ours, and the answer was lost.
        if (found.mark.equals(claim.mark)) return true;
        if (!(await isVoid(found))) return false;
        const filter = { _id: is(email), mark: { $eq: found.mark } };
        const { matchedCount } = await call(() =>
          emails.updateOne(filter, { $set: { userId, mark: claim.mark } }),
        );
        if (matchedCount > 0) return true;
      }
      throw storeUnavailable();
    },

    /** Those of a user, to be given back once the account is gone. */
    of: (userId: string): Promise<readonly Claim[]> =>
      call(() => emails.find({ userId: is(userId) }).toArray()),

    /** Lets go of claims that no account goes by. Where that fails they are taken over by whoever wants the email. */
    giveBack: async (claims: readonly Claim[]): Promise<void> => {
      for (const claim of claims) await remove(claim).catch(() => undefined);
    },

    /** Lets go of an email unless the user's account has it. The same holds. */
    free: async (email: string, userId: string): Promise<void> => {
      try {
        const found = await call(() => emails.findOne({ _id: is(email), userId: is(userId) }));
        if (found !== null && (await isVoid(found))) await remove(found);
      } catch {
        // It is taken over, then.
      }
    },
  };
};
