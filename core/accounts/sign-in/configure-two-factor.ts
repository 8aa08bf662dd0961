import { CoreError, invalid } from '../../errors.ts';
import { type Account, endSessions } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { readTyped } from '../codes.ts';
import { invalidToken } from '../errors.ts';
import type { Identity, User } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { type Proof, timeSince } from '../session.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { makeProvePassword } from './proof.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { logRefusedFactor, makeCheckFactor, totpContext } from './second-factor.ts';

/** `enable` alone or with `password` begins, with code and secret confirms; `enable: false` with a code switches off. */
export interface ConfigureTwoFactor {
  readonly enable: boolean;
  readonly verificationCode?: string;
  readonly secret?: string;
  /** Stands for a fresh proof where the setup begins. */
  readonly password?: string;
}

export interface TwoFactorSetup {
  /** PNG as a data URL. */
  readonly qrCode: string;
  readonly manualEntryKey: string;
  readonly secret: string;
}

export type TwoFactorAnswer =
  | TwoFactorSetup
  | { readonly success: true; readonly recoveryCodes?: readonly string[] };

const alreadyOn = () =>
  new CoreError('conflict', 'two_factor_on', 'Two-factor authentication is on already.');
const notOn = () => new CoreError('conflict', 'two_factor_off', 'Two-factor authentication is not on.');
/** Refuses a call that another call of the same user overtook: the change is made already, or the proof is used up. */
const overtaken = (seen: User, now: Account) => {
  if (seen.hasTwoFactor === (now.twoFactor !== null)) return invalidToken();
  return now.twoFactor === null ? notOn() : alreadyOn();
};
const wrongCode = () =>
  invalid('invalid_two_factor_code', 'The two-factor code is wrong or was used already.');

export const makeConfigureTwoFactor = (kit: Kit) => {
  const { changeUser, clock, digest, kms, log, policy, random, sessions, totp, wake } = kit;
  const checkFactor = makeCheckFactor(kit);
  const provePassword = makeProvePassword(kit);
  const needFresh = makeNeedFresh(kit);
  const told = makeTold(kit);

  /** The epoch moves with a reset or change of the password: who was let in before may be the thief it was meant for. */
  const changeOwn = <T>(who: Identity, decide: (account: Account) => Promise<Decision<T>>): Promise<T> =>
    changeUser<T>(who.user.id, (account) =>
      account.sessionEpoch === who.user.sessionEpoch
        ? decide(account)
        : { next: null, refuse: overtaken(who.user, account) },
    );

  const begin = async (
    who: Identity,
    password: string | undefined,
    caller: Caller,
  ): Promise<TwoFactorSetup> => {
    if (password === undefined) await needFresh(who, caller);
    if (who.user.hasTwoFactor) throw alreadyOn();
    if (password !== undefined) await provePassword(who.user, password, caller);
    const secret = random.bytes(totp.secretBytes);
    const base32 = totp.base32(secret);
    const [qrCode, sealed] = await Promise.all([
      totp.qrCode(secret, who.user.email),
      kms.seal(secret, totpContext(who.user.id)),
    ]);
    return changeOwn(who, async (account) =>
      account.twoFactor === null
        ? {
            next: {
              ...account,
              twoFactorSetup: sealed,
              twoFactorSetupBy: { session: who.session.id, at: clock.now() },
            },
            answer: { qrCode, manualEntryKey: (base32.match(/.{1,4}/g) ?? []).join(' '), secret: base32 },
          }
        : { next: null, refuse: alreadyOn() },
    );
  };

  const hasBegunIt = ({ twoFactorSetupBy: by }: Account, { session }: Identity) =>
    by !== null && by.session === session.id && timeSince(by.at, clock.now()) <= policy.twoFactorSetupLife;

  const confirm = async (who: Identity, code: string, secret: string, caller: Caller) => {
    const codes = newRecoveryCodes(kit, who.user.id);
    const account = await changeOwn<Account>(who, async (found) => {
      if (found.twoFactor !== null) return { next: null, refuse: alreadyOn() };
      if (found.twoFactorSetup === null || !hasBegunIt(found, who)) {
        const message = 'Begin the setup in this session first: send enable alone.';
        return { next: null, refuse: invalid('two_factor_not_pending', message) };
      }
      const pending = await kms.open(found.twoFactorSetup, totpContext(found.id));
      const step = totp.step(pending, readTyped(code), clock.now(), policy.totpWindow);
      if (step === undefined) return { next: null, refuse: wrongCode() };
      if (!digest.equal(totp.base32(pending), secret)) return { next: null, refuse: wrongCode() };
      const twoFactor = {
        at: clock.now(),
        secret: found.twoFactorSetup,
        lastStep: step,
        recovery: codes.digests,
        usedRecovery: [],
        wrongInRow: 0,
        heldUntil: null,
        wrongToday: null,
      };
      const next = told(
        { ...found, twoFactor, twoFactorSetup: null, twoFactorSetupBy: null },
        who,
        'on',
        caller,
      );
      return { next, answer: next };
    });
    await after(who, account, caller);
    const { authenticatedAt, methods } = who.session;
    const proof: Proof = { authenticatedAt, methods: [...new Set([...methods, 'totp' as const])] };
    // Without it the owner proves it once more.
    await sessions.prove(account.id, who.session.id, proof).catch(() => undefined);
    return { success: true, recoveryCodes: codes.codes } as const;
  };

  const disable = async (who: Identity, code: string, caller: Caller) => {
    const account = await changeOwn<Account>(who, async (found) => {
      if (found.twoFactor === null) return { next: null, refuse: notOn() };
      const checked = await checkFactor(found, found.twoFactor, code);
      if (checked.refuse !== null) return { next: checked.next, refuse: wrongCode() };
      const next = told(
        { ...checked.next, twoFactor: null, twoFactorSetup: null, twoFactorSetupBy: null },
        who,
        'off',
        caller,
      );
      return { next, answer: next };
    });
    await after(who, account, caller);
    return { success: true } as const;
  };

  const after = async (who: Identity, account: Account, caller: Caller) => {
    const others = { keep: who.session.id, beforeEpoch: account.sessionEpoch };
    const event = account.twoFactor === null ? 'two_factor.off' : 'two_factor.on';
    log.info(event, { userId: account.id, ...calledFrom(caller) });
    // They are cut off already, and the relay ends what this cannot: the answer has codes that come this once.
    await sessions.endAll(account.id, others, clock.now()).catch(wake);
  };

  return async (who: Identity, input: ConfigureTwoFactor, caller: Caller): Promise<TwoFactorAnswer> => {
    const { enable, verificationCode, secret } = input;
    const refused = logRefusedFactor(kit, who.user.id, caller);
    if (!enable) {
      if (verificationCode === undefined) throw invalid('code_required', 'The two-factor code is missing.');
      return disable(who, verificationCode, caller).catch(refused);
    }
    if (verificationCode === undefined && secret === undefined) return begin(who, input.password, caller);
    if (verificationCode === undefined || secret === undefined) {
      throw invalid('code_required', 'To confirm, send both verificationCode and secret.');
    }
    return confirm(who, verificationCode, secret, caller).catch(refused);
  };
};

/** The account with its other sessions cut off, and what must be told about it. */
const makeTold =
  ({ clock, entries }: Pick<Kit, 'clock' | 'entries'>) =>
  (account: Account, who: Identity, state: 'on' | 'off', caller: Caller): Account => {
    const now = clock.now();
    const facts = { at: new Date(now).toISOString(), address: caller.address };
    return withPending(
      { ...endSessions(account, who.session.id), updatedAt: now },
      entries.task('end-sessions'),
      entries.audit({
        action: state === 'on' ? 'two_factor.enabled' : 'two_factor.disabled',
        actor: account.id,
        target: account.id,
        caller,
      }),
      entries.mail(account, state === 'on' ? 'two-factor-on' : 'two-factor-off', facts),
    );
  };
