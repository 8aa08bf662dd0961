import { invalid } from '../../errors.ts';
import type { Account, TwoFactor } from '../account.ts';
import { readTyped } from '../codes.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { type Proof, timeSince } from '../session.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { makeProvePassword } from './proof.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { logRefusedFactor, makeCheckFactor, totpContext } from './second-factor.ts';
import { alreadyOn, makeSwitchFactor, newFactor, notOn } from './switch-factor.ts';

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

const wrongCode = () =>
  invalid('invalid_two_factor_code', 'The two-factor code is wrong or was used already.');

const hasTotp = (account: Account | undefined): boolean => (account?.twoFactor?.secret ?? null) !== null;

/** The factor with an authenticator app. Passkeys that were the second factor before stay so, with new recovery codes. */
const besidePasskeys = (before: TwoFactor | null, made: TwoFactor & { readonly at: number }): TwoFactor =>
  before === null
    ? made
    : {
        ...made,
        ...(before.at !== undefined && { at: before.at }),
        ...{ totpAt: made.at, recoveryAt: made.at },
        passkey: true,
      };

export const makeConfigureTwoFactor = (kit: Kit) => {
  const { accounts, clock, digest, kms, policy, random, sessions, totp } = kit;
  const checkFactor = makeCheckFactor(kit);
  const provePassword = makeProvePassword(kit);
  const needFresh = makeNeedFresh(kit);
  const { changeOwn, told, endOthers } = makeSwitchFactor(kit);

  const begin = async (
    who: Identity,
    password: string | undefined,
    caller: Caller,
  ): Promise<TwoFactorSetup> => {
    if (password === undefined) await needFresh(who, caller);
    if (hasTotp(await accounts.find(who.user.id))) throw alreadyOn();
    if (password !== undefined) {
      // Beside another factor the password proves too little.
      if (who.user.hasTwoFactor) await needFresh(who, caller);
      await provePassword(who.user, password, caller);
    }
    const secret = random.bytes(totp.secretBytes);
    const base32 = totp.base32(secret);
    const [qrCode, sealed] = await Promise.all([
      totp.qrCode(secret, who.user.email),
      kms.seal(secret, totpContext(who.user.id)),
    ]);
    return changeOwn(who, async (account) =>
      !hasTotp(account)
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
      if (hasTotp(found)) return { next: null, refuse: alreadyOn() };
      if (found.twoFactorSetup === null || !hasBegunIt(found, who)) {
        const message = 'Begin the setup in this session first: send enable alone.';
        return { next: null, refuse: invalid('two_factor_not_pending', message) };
      }
      const pending = await kms.open(found.twoFactorSetup, totpContext(found.id));
      const step = totp.step(pending, readTyped(code), clock.now(), policy.totpWindow);
      if (step === undefined) return { next: null, refuse: wrongCode() };
      if (!digest.equal(totp.base32(pending), secret)) return { next: null, refuse: wrongCode() };
      const totpFactor = { secret: found.twoFactorSetup, lastStep: step };
      const twoFactor = besidePasskeys(found.twoFactor, {
        ...newFactor(clock.now(), codes.digests),
        ...totpFactor,
      });
      const next = told(
        { ...found, twoFactor, twoFactorSetup: null, twoFactorSetupBy: null },
        who,
        { state: 'on', action: 'two_factor.enabled' },
        caller,
      );
      return { next, answer: next };
    });
    await endOthers(who, account, caller);
    const { authenticatedAt, methods } = who.session;
    const proof: Proof = { authenticatedAt, methods: [...new Set([...methods, 'totp' as const])] };
    // Without it the owner proves it once more.
    await sessions.prove(account.id, who.session.id, proof).catch(() => undefined);
    return { success: true, recoveryCodes: codes.codes } as const;
  };

  const disable = async (who: Identity, code: string, caller: Caller) => {
    const account = await changeOwn<Account>(who, async (found) => {
      if (found.twoFactor === null) return { next: null, refuse: notOn() };
      const checked = await checkFactor(found, found.twoFactor, { code }, caller);
      if (checked.refuse !== null) return { next: checked.next, refuse: wrongCode() };
      const next = told(
        { ...checked.next, twoFactor: null, twoFactorSetup: null, twoFactorSetupBy: null },
        who,
        { state: 'off', action: 'two_factor.disabled' },
        caller,
      );
      return { next, answer: next };
    });
    await endOthers(who, account, caller);
    return { success: true } as const;
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
