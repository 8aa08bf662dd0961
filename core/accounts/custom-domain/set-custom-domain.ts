import type { CustomDomain } from '../account.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import { makeDomainRecords } from './change-record.ts';
import { claimStart, withDomain } from './former-domains.ts';
import { acceptDomain } from './name.ts';
import { makeGiveUpDomain } from './remove-custom-domain.ts';
import { type DomainVerification, needDomainRight, verificationOf } from './show.ts';

export interface SetCustomDomain {
  readonly domain: string;
}

export interface CustomDomainSet {
  readonly success: true;
  readonly domain: string;
  readonly message: string;
  readonly verification: DomainVerification;
}

/** 256 bits. */
const TOKEN_BYTES = 32;

const setAnswer = (own: CustomDomain): CustomDomainSet => ({
  success: true,
  domain: own.domain,
  message: own.verified
    ? 'The domain is set and verified.'
    : 'The domain is set. Add the TXT record to its DNS, then have it verified.',
  verification: verificationOf(own),
});

export const makeSetCustomDomain = (kit: Kit) => {
  const { accounts, changeUser, clock, domains, entries, ownHost, policy, random } = kit;
  const records = makeDomainRecords(kit);
  const giveUp = makeGiveUpDomain(kit);

  return async (
    { user: seen }: Identity,
    input: SetCustomDomain,
    caller: Caller,
  ): Promise<CustomDomainSet> => {
    needDomainRight(seen, policy);
    const { id } = seen;
    const domain = acceptDomain(domains, ownHost(), input.domain);
    const found = await accounts.find(id);
    if (found === undefined || found.deletedAt !== null) throw invalidToken();
    const own = found.customDomain;
    if (own?.domain === domain) {
      await records.claim(id, own);
      return setAnswer(own);
    }
    const claimedAt = claimStart(found, domain, clock.now(), policy);
    const wanted: CustomDomain = { domain, token: random.text(TOKEN_BYTES), verified: false, claimedAt };
    // First the record, then the account: `change-record.ts` says why.
    await records.claim(id, wanted);
    const { kept, dropped } = await changeUser<{ kept: CustomDomain; dropped: CustomDomain | null }>(
      id,
      (account) => {
        const before = account.customDomain;
        // A parallel call set the same one: this call's claim is one too many.
        if (before?.domain === domain) return { next: null, answer: { kept: before, dropped: wanted } };
        const row = entries.audit({
          action: 'domain.claimed',
          actor: id,
          target: id,
          after: { domain },
          caller,
        });
        const left = giveUp.entriesFor(before, id, caller);
        const next = withDomain(account, wanted, clock.now(), policy);
        return { next: withPending(next, ...left, row), answer: { kept: wanted, dropped: before } };
      },
    );
    await giveUp.now(dropped);
    return setAnswer(kept);
  };
};
