import { CoreError } from '../../errors.ts';
import { type Account, endSessions, type TwoFactor } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { invalidToken } from '../errors.ts';
import type { Identity, User } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';

export const alreadyOn = () =>
  new CoreError('conflict', 'two_factor_on', 'Two-factor authentication is on already.');

export const notOn = () =>
  new CoreError('conflict', 'two_factor_off', 'Two-factor authentication is not on.');

/** Refuses a call that another call of the same user overtook: the change is made already, or the proof is used up. */
const overtaken = (seen: User, now: Account) => {
  if (seen.hasTwoFactor === (now.twoFactor !== null)) return invalidToken();
  return now.twoFactor === null ? notOn() : alreadyOn();
};

/** A second factor as it begins: with recovery codes, and nothing else yet. */
export const newFactor = (at: number, recovery: readonly string[]): TwoFactor & { readonly at: number } => ({
  at,
  secret: null,
  lastStep: 0,
  recovery,
  usedRecovery: [],
  wrongInRow: 0,
  heldUntil: null,
  wrongToday: null,
});

/** What is done when its owner switches a second factor on or off, whichever it is. */
export const makeSwitchFactor = ({ changeUser, clock, entries, log, sessions, wake }: Kit) => ({
  /** The epoch moves with a reset or change of the password: who was let in before may be the thief it was meant for. */
  changeOwn: <T>(
    who: Identity,
    decide: (account: Account) => Decision<T> | Promise<Decision<T>>,
  ): Promise<T> =>
    changeUser<T>(who.user.id, (account) =>
      account.sessionEpoch === who.user.sessionEpoch
        ? decide(account)
        : { next: null, refuse: overtaken(who.user, account) },
    ),

  /** The account with its other sessions cut off, and what must be told about it. */
  told(
    account: Account,
    who: Identity,
    { state, action }: { readonly state: 'on' | 'off'; readonly action: string },
    caller: Caller,
  ): Account {
    const now = clock.now();
    const facts = { at: new Date(now).toISOString(), address: caller.address };
    return withPending(
      { ...endSessions(account, who.session.id), updatedAt: now },
      entries.task('end-sessions'),
      entries.audit({ action, actor: account.id, target: account.id, caller }),
      entries.mail(account, state === 'on' ? 'two-factor-on' : 'two-factor-off', facts),
    );
  },

  /** After the account is written. */
  async endOthers(who: Identity, account: Account, caller: Caller): Promise<void> {
    const others = { keep: who.session.id, beforeEpoch: account.sessionEpoch };
    const event = account.twoFactor === null ? 'two_factor.off' : 'two_factor.on';
    log.info(event, { userId: account.id, ...calledFrom(caller) });
    // They are cut off already, and the relay ends what this cannot: the answer has codes that come this once.
    await sessions.endAll(account.id, others, clock.now()).catch(wake);
  },
});
