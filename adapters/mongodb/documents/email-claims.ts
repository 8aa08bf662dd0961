import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { remoteStoreUnavailable } from '../../calls/store-calls.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { unlessDuplicate } from '../engine/failures.ts';
import { insertOnce } from '../engine/idempotent-writes.ts';
import { is, text } from '../engine/scalars.ts';
import { ACCOUNTS, type AccountDocument, barOf } from './account-document.ts';

/** The right to an email. */
export interface EmailClaim {
  /** The email. */
  readonly _id: string;
  readonly userId: string;
  /** A random id of the claim: it belongs to the call that wrote it. */
  readonly mark: ObjectId;
}

export type Claim = Pick<EmailClaim, '_id' | 'mark'>;

export const EMAILS = 'emails';

/** How often a claim's account is read, since it may be inserted a moment after the claim; and the time between these reads. */
const MAX_READS = 10;
const READ_INTERVAL_MS = 16;
/** Each failed attempt means that another call has taken over or deleted a claim. */
const MAX_ATTEMPTS = 100;

/**
 * Makes emails unique over all shards: one document for each email, since a unique index can only be on the shard key. An
 * account and its claim cannot change in one write, so the claim is written first. A claim without an account, as after a crash,
 * is taken over by another call, which first bars the call that may still rely on it. See decision 0044.
 */
export const makeEmailClaims = (database: MongoDatabase) => {
  const { call, collection } = database;
  const emails = collection<EmailClaim>(EMAILS);
  const accounts = collection<AccountDocument>(ACCOUNTS);

  /**
   * Gives the account a new `guard`: a call that has read the former one can no longer change the email. False if the account has
   * another email or guard by now than the caller has read.
   */
  const replaceGuard = async (userId: string, email: string, guard: ObjectId | null): Promise<boolean> => {
    const next = new ObjectId();
    // If the answer is lost, the call is repeated, and finds the new guard.
    const filter = { _id: is(userId), email: is(email), guard: { $in: [guard, next] } };
    const { matchedCount } = await call(() => accounts.updateOne(filter, { $set: { guard: next } }));
    return matchedCount > 0;
  };

  /** Waits for the account. If it does not come, inserts a bar in its place, so that it can no longer be inserted. */
  const readAccountOrBar = async (userId: string): Promise<Pick<AccountDocument, 'email' | 'guard'>> => {
    for (let reads = 1; ; reads += 1) {
      const document = await call(() =>
        accounts.findOne({ _id: is(userId) }, { projection: { email: 1, guard: 1 } }),
      );
      if (document !== null) return document;
      // The next read finds the bar, or the account if that was inserted first.
      if (reads >= MAX_READS) await insertOnce(database, accounts, barOf(userId));
      await pause(READ_INTERVAL_MS * (1 + Math.random()));
    }
  };

  /**
   * Makes a claim void: the call that made it can then neither insert the account nor change its email. False if the account has
   * the email.
   */
  const makeVoid = async ({ _id: email, userId }: EmailClaim): Promise<boolean> => {
    for (;;) {
      const account = await readAccountOrBar(userId);
      if (account.email === email) return false;
      // Bars, and the tombstones of deleted accounts, have no email and never get one.
      if (account.email === undefined) return true;
      if (await replaceGuard(userId, account.email, account.guard)) return true;
      // The account has changed since it was read, perhaps to the claimed email.
    }
  };

  const remove = ({ _id, mark }: Claim) =>
    call(() => emails.deleteOne({ _id: is(_id), mark: { $eq: mark } }));

  return {
    /** Claims an email for a user; false while an account has it, or gets it. */
    claim: async (email: string, userId: string): Promise<boolean> => {
      const claim = { _id: text(email), userId: text(userId), mark: new ObjectId() };
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (await call(() => unlessDuplicate(emails.insertOne(claim)))) return true;
        const existing = await call(() => emails.findOne({ _id: is(email) }));
        if (existing === null) {
          await pause(READ_INTERVAL_MS * Math.random());
          continue;
        }
        // An earlier attempt of this call wrote the claim, but its answer was lost.
        if (existing.mark.equals(claim.mark)) return true;
        if (!(await makeVoid(existing))) return false;
        const filter = { _id: is(email), mark: { $eq: existing.mark } };
        const { matchedCount } = await call(() =>
          emails.updateOne(filter, { $set: { userId, mark: claim.mark } }),
        );
        if (matchedCount > 0) return true;
      }
      throw remoteStoreUnavailable();
    },

    /** The claims of a user, which must be released after the account's deletion. */
    claimsOf: (userId: string): Promise<readonly Claim[]> =>
      call(() => emails.find({ userId: is(userId) }).toArray()),

    /** Deletes claims that no account relies on. If that fails, the next call that wants the email takes them over. */
    release: async (claims: readonly Claim[]): Promise<void> => {
      for (const claim of claims) await remove(claim).catch(() => undefined);
    },

    /** Deletes the claim of an email unless the user's account has the email. */
    free: async (email: string, userId: string): Promise<void> => {
      try {
        const existing = await call(() => emails.findOne({ _id: is(email), userId: is(userId) }));
        if (existing !== null && (await makeVoid(existing))) await remove(existing);
      } catch {
        // The next call that wants the email takes the claim over.
      }
    },
  };
};
