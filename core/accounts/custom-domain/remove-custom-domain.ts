import type { CustomDomain } from '../account.ts';
import { nameClaim } from '../domain-record.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { type Pending, withPending } from '../pending.ts';
import { makeDomainRecords } from './change-record.ts';
import { withDomain } from './former-domains.ts';

/** The two steps of giving a domain up: entries for the account's write, then the domain's record. */
export const makeGiveUpDomain = (kit: Kit) => {
  const { entries, log } = kit;
  const records = makeDomainRecords(kit);

  return {
    /** The task and the audit row; nothing where there is no domain. */
    entriesFor: (own: CustomDomain | null, userId: string, caller: Caller): readonly Pending[] =>
      own === null
        ? []
        : [
            entries.task('free-domain', nameClaim(own)),
            entries.audit({
              action: 'domain.removed',
              actor: userId,
              target: userId,
              before: { domain: own.domain, verified: own.verified },
              caller,
            }),
          ],
    /** Tries to free the domain before the answer. If that fails, the relay does, and others may claim it until then. */
    now: async (own: CustomDomain | null): Promise<void> => {
      if (own === null) return;
      await records.free(own).catch((error: unknown) => log.warn('domain.not_freed_yet', { error }));
    },
  };
};

export const makeRemoveCustomDomain = (kit: Kit) => {
  const { changeUser, clock, policy } = kit;
  const giveUp = makeGiveUpDomain(kit);

  return async (
    { user: { id } }: Identity,
    caller: Caller,
  ): Promise<{ readonly success: true; readonly message: string }> => {
    const dropped = await changeUser<CustomDomain | null>(id, (account) => {
      const own = account.customDomain;
      if (own === null) return { next: null, answer: null };
      const next = withDomain(account, null, clock.now(), policy);
      return { next: withPending(next, ...giveUp.entriesFor(own, id, caller)), answer: own };
    });
    await giveUp.now(dropped);
    return {
      success: true,
      message: dropped === null ? 'No domain was set.' : 'The domain is removed and free again.',
    };
  };
};
