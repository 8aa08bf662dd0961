import type { ObjectId } from 'mongodb';
import { type Account, completeAccount, type StoredAccount } from '../../../core/accounts/account.ts';
import { accountFacts } from '../../../core/accounts/account-facts.ts';
import type { Entitlement } from '../../../core/accounts/entitlement.ts';
import type { IdempotentDocument } from '../engine/idempotent-writes.ts';
import { integer, integerOrNull, text } from '../engine/scalars.ts';

/** The free-form objects are JSON text: users choose their keys and their depth, of which MongoDB does not take all. */
type StoredEntitlement = Omit<Entitlement, 'accessFlags' | 'metadata'> & {
  readonly accessFlags: string;
  readonly metadata: string;
};

type EmbeddedAccount = Omit<StoredAccount, 'entitlements'> & {
  readonly entitlements: readonly StoredEntitlement[];
};

/**
 * Facts that queries need. An optional field that does not apply is left out: a tombstone has neither `listed` nor an email.
 * `bannedUntil` and `disabledUntil` are 0 without a restriction.
 */
interface StoredFacts {
  readonly listed?: true;
  readonly email?: string;
  readonly unverifiedSince?: number;
  readonly isPending?: true;
  readonly isSealed?: true;
  readonly claimsCounted?: boolean;
  readonly isBilled?: true;
  readonly billingDueAt?: number;
  readonly hasTwoFactor: boolean;
  readonly bannedUntil: number;
  readonly disabledUntil: number;
  readonly isOperator?: true;
  readonly formerEmails?: readonly string[];
}

export interface AccountDocument extends IdempotentDocument, Partial<StoredFacts> {
  /** The user's id; the shard key. */
  readonly _id: string;
  /** Null: the document is a bar, which keeps the id from being inserted again. */
  readonly account: EmbeddedAccount | null;
  /**
   * A change of the email writes only if the guard is still the one that it has read. A call that takes the claim of an email
   * from this account sets another guard first.
   */
  readonly guard: ObjectId | null;
  /** When the bar was inserted. The TTL index deletes it long after every call that it bars has ended. */
  readonly barredAt?: Date;
}

export const ACCOUNTS = 'accounts';

/** The condition of all lists and counts. A query needs it to use their partial indexes. */
export const LISTED = { listed: { $eq: true } } as const;

/** The document of an account, without the idempotency key of its write. */
export const documentOf = (account: Account): Omit<AccountDocument, 'write'> => ({
  _id: text(account.id),
  account: {
    ...account,
    // Queries compare these two, so they must be numbers.
    version: integer(account.version),
    createdAt: integer(account.createdAt),
    entitlements: account.entitlements.map((entitlement) => ({
      ...entitlement,
      accessFlags: JSON.stringify(entitlement.accessFlags),
      metadata: JSON.stringify(entitlement.metadata),
    })),
  },
  guard: null,
  ...factsOf(account),
});

/** The account in a document; undefined for a bar. */
export const accountOf = ({ account }: Pick<AccountDocument, 'account'>): Account | undefined =>
  account === null
    ? undefined
    : completeAccount({
        ...account,
        entitlements: account.entitlements.map((entitlement) => ({
          ...entitlement,
          accessFlags: JSON.parse(entitlement.accessFlags) as Entitlement['accessFlags'],
          metadata: JSON.parse(entitlement.metadata) as Entitlement['metadata'],
        })),
      });

export const accountsOf = (documents: readonly AccountDocument[]): readonly Account[] =>
  documents.flatMap((document) => accountOf(document) ?? []);

export const barOf = (id: string): Omit<AccountDocument, 'write'> => ({
  _id: text(id),
  account: null,
  guard: null,
  barredAt: new Date(),
});

const factsOf = (account: Account): StoredFacts => {
  const facts = accountFacts(account);
  const { unverifiedSince, hasTwoFactor, bannedUntil, disabledUntil } = facts;
  const { claimsCounted } = account;
  const billingDueAt = integerOrNull(account.billingDueAt);
  return {
    ...(facts.isListed && { listed: true, email: text(account.email) }),
    ...(unverifiedSince !== null && { unverifiedSince: integer(unverifiedSince) }),
    ...(facts.isPending && { isPending: true }),
    ...(facts.isSealed && { isSealed: true }),
    ...(claimsCounted !== null && { claimsCounted }),
    ...(facts.isBilled && { isBilled: true }),
    ...(billingDueAt !== null && { billingDueAt }),
    hasTwoFactor,
    bannedUntil: integer(bannedUntil),
    disabledUntil: integer(disabledUntil),
    ...(facts.isOperator && { isOperator: true }),
    ...(facts.formerEmails.length > 0 && { formerEmails: facts.formerEmails.map(text) }),
  };
};
