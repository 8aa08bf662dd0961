import { TRUE, token } from '../../answer-schemas.ts';
import { invalid } from '../../errors.ts';
import { describedAs, flag, object, optional, type TypeOf, text, union } from '../../schema.ts';
import type { Account, TwoFactor } from '../account.ts';
import type { Caller } from '../caller.ts';
import { grouped, readTyped } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { PASSWORD } from '../password-rules.ts';
import { actingSession, type Principal } from '../principal.ts';
import { timeSince } from '../session.ts';
import { writeProof } from '../sessions/change-session.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { checkCurrentPassword } from '../verify-password.ts';
import { logRefusedFactor, proveFactorByCode, SECOND_FACTOR, totpContext } from './check-second-factor.ts';
import { newRecoveryCodes, RECOVERY_CODES } from './recovery-codes.ts';
import {
  changeFactor,
  finishFactorSwitch,
  newFactor,
  twoFactorOff,
  twoFactorOn,
  withFactor,
} from './switch-second-factor.ts';

export const configureTwoFactorInput = object({
  enable: flag({ description: 'True without code and secret, it begins the setup', examples: [true] }),
  verificationCode: SECOND_FACTOR.verificationCode,
  secret: optional(token('From the beginning of the setup, to confirm it')),
  password: optional(describedAs(PASSWORD, 'In place of a fresh sign-in, at the begin call')),
});
/**
 * `enable` alone or with `password` begins the setup, code and secret confirm it; `enable: false` with a code turns
 * two-factor authentication off. At the beginning the password replaces a fresh proof, unless passkeys are a second factor.
 * Turning off takes a fresh proof in place of the code of an owner who has a passkey and no recovery code left.
 */
export type ConfigureTwoFactorInput = TypeOf<typeof configureTwoFactorInput>;

const twoFactorSetup = object(
  {
    qrCode: text({ description: 'A PNG as a data URL', examples: ['data:image/png;base64,iVBORw0KGgo='] }),
    manualEntryKey: text({ examples: ['JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP'] }),
    secret: text({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
  },
  { title: 'TwoFactorSetup' },
);
/** What an authenticator app needs; the QR code is a PNG as a data URL. */
export type TwoFactorSetup = TypeOf<typeof twoFactorSetup>;

export const configureTwoFactorResult = union([
  twoFactorSetup,
  object({ success: TRUE, recoveryCodes: optional(RECOVERY_CODES) }, { title: 'TwoFactorSwitched' }),
]);
/** The secret to set up, or recovery codes when the factor was turned on. */
export type ConfigureTwoFactorResult = TypeOf<typeof configureTwoFactorResult>;

const wrongCode = () =>
  invalid('invalid_two_factor_code', 'The two-factor code is wrong or was used already.');

const notPending = () =>
  invalid('two_factor_not_pending', 'Begin the setup in this session first: send enable alone.');

const hasTotp = (account: Account | undefined): boolean => (account?.twoFactor?.secret ?? null) !== null;

/**
 * Joins the factor of passkeys, null if there is none, with a new app and its recovery codes. `at` and `by` say when the first
 * factor was turned on, and by which session: they stay those of the passkeys. The app and the codes have times and sessions of
 * their own, since the undo of an email change may remove the app or the codes and leave the passkeys.
 */
const besidePasskeys = (
  passkeyFactor: TwoFactor | null,
  totpFactor: TwoFactor & { readonly at: number; readonly by: string },
): TwoFactor =>
  passkeyFactor === null
    ? totpFactor
    : {
        ...totpFactor,
        ...(passkeyFactor.at !== undefined && { at: passkeyFactor.at }),
        ...(passkeyFactor.by !== undefined && { by: passkeyFactor.by }),
        totpAt: totpFactor.at,
        totpBy: totpFactor.by,
        recoveryAt: totpFactor.at,
        recoveryBy: totpFactor.by,
        passkey: true,
      };

export const makeConfigureTwoFactor = (deps: Deps) => {
  const { accounts, clock, digest, kms, policy, random, totp } = deps;

  const beginSetup = async (
    principal: Principal,
    password: string | undefined,
    caller: Caller,
  ): Promise<TwoFactorSetup> => {
    if (password === undefined) await requireFresh(deps, principal, caller);
    if (hasTotp(await accounts.find(principal.user.id))) throw twoFactorOn();
    if (password !== undefined) {
      // Where another factor is on, the password alone is not enough.
      if (principal.user.hasTwoFactor) await requireFresh(deps, principal, caller);
      await checkCurrentPassword(deps, principal.user, password, caller);
    }
    const secret = random.bytes(totp.secretBytes);
    const base32 = totp.base32(secret);
    const [qrCode, sealed] = await Promise.all([
      totp.qrCode(secret, principal.user.email),
      kms.seal(secret, totpContext(principal.user.id)),
    ]);
    const manualEntryKey = grouped(base32, 4, ' ');
    return changeFactor<TwoFactorSetup>(deps, principal, (account) => {
      if (hasTotp(account)) return { next: null, refuse: twoFactorOn() };
      const twoFactorSetupBy = { session: principal.session.id, at: clock.now() };
      const next = { ...account, twoFactorSetup: sealed, twoFactorSetupBy };
      return { next, answer: { qrCode, manualEntryKey, secret: base32 } };
    });
  };

  const ownsSetup = ({ twoFactorSetupBy: setup }: Account, { session }: Principal) =>
    setup !== null &&
    setup.session === session.id &&
    timeSince(setup.at, clock.now()) <= policy.twoFactorSetupLifeMs;

  const confirm = async (principal: Principal, code: string, secret: string, caller: Caller) => {
    const recovery = newRecoveryCodes(deps, principal.user.id);
    const updatedAccount = await changeFactor<Account>(deps, principal, async (account) => {
      if (hasTotp(account)) return { next: null, refuse: twoFactorOn() };
      if (account.twoFactorSetup === null || !ownsSetup(account, principal))
        return { next: null, refuse: notPending() };
      const pendingSecret = await kms.open(account.twoFactorSetup, totpContext(account.id));
      // Another tab began the setup anew: a right code of the former secret must not be called wrong.
      if (!digest.equal(totp.base32(pendingSecret), secret)) return { next: null, refuse: notPending() };
      const step = totp.step(pendingSecret, readTyped(code), clock.now(), policy.totpWindow);
      if (step === undefined) return { next: null, refuse: wrongCode() };
      const twoFactor = besidePasskeys(account.twoFactor, {
        ...newFactor(clock.now(), recovery.digests),
        secret: account.twoFactorSetup,
        lastStep: step,
        by: actingSession(principal.session),
      });
      const next = withFactor(deps, principal, account, twoFactor, 'two_factor.enabled', caller);
      return { next, answer: next };
    });
    await finishFactorSwitch(deps, updatedAccount, caller);
    const key = { userId: updatedAccount.id, id: principal.session.id };
    // `authenticatedAt` stays as stored: another tab may have written a newer one. If this write fails, the owner has to prove
    // the factor again.
    await writeProof(deps, key, ({ authenticatedAt, methods }) => ({
      authenticatedAt,
      methods: [...new Set([...methods, 'totp' as const])],
    })).catch(() => undefined);
    return { success: true, recoveryCodes: recovery.codes } as const;
  };

  const disable = async (principal: Principal, code: string | undefined, caller: Caller) => {
    const updatedAccount = await changeFactor<Account>(deps, principal, async (account) => {
      const proof = await proveFactorByCode(deps, principal, account, code, caller);
      if (account.twoFactor === null) return { next: null, refuse: twoFactorOff() };
      if (proof.refuse !== null) return { next: proof.next, refuse: wrongCode() };
      const next = withFactor(deps, principal, proof.account, null, 'two_factor.disabled', caller);
      return { next, answer: next };
    });
    await finishFactorSwitch(deps, updatedAccount, caller);
    return { success: true } as const;
  };

  return async (
    principal: Principal,
    input: ConfigureTwoFactorInput,
    caller: Caller,
  ): Promise<ConfigureTwoFactorResult> => {
    const { enable, verificationCode, secret } = input;
    const logRefusal = logRefusedFactor(deps, principal.user.id, caller);
    if (!enable) return disable(principal, verificationCode, caller).catch(logRefusal);
    if (verificationCode === undefined && secret === undefined)
      return beginSetup(principal, input.password, caller);
    if (verificationCode === undefined || secret === undefined) {
      throw invalid('code_required', 'To confirm, send both verificationCode and secret.');
    }
    return confirm(principal, verificationCode, secret, caller).catch(logRefusal);
  };
};
