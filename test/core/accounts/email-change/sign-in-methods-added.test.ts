import { expect } from 'chai';
import { makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import { identityKey, passkeyKey } from '../../../../core/accounts/login-key.ts';
import type { Method } from '../../../../core/accounts/session.ts';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { claimKey } from '../login-keys/claim-key.ts';
import { caller, codeOf } from '../open-core.ts';
import { openWithPasskeys } from '../open-with-passkeys.ts';
import { OLD, openOwner, useOwner } from './open-owner.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('The undo of a change of email, with sign-in methods added before it', () => {
  const owner = useOwner();

  it('removes passkeys and identities added since, or within 30 days before by the session', async () => {
    const { account, change, edit, undo, ports, id, settle, principal } = await owner();
    const { digest, loginKeys } = ports;
    const code = await change();
    const { askedAt = 0, by = '' } = (await account()).formerEmails[0] ?? {};
    expect(by).to.equal((await principal()).session.id);
    const addedMethods = [
      { name: 'before', at: askedAt - HOUR },
      { name: 'by another session', at: askedAt - HOUR, addedBy: 'another' },
      { name: 'long before by the same session', at: askedAt - 30 * DAY - 1, addedBy: by },
      { name: 'before by the same session', at: askedAt - 30 * DAY, addedBy: by },
      { name: 'since', at: askedAt },
    ].map(({ name, at, ...added }) => ({
      passkey: { ...samplePasskey, id: name, name, credentialId: name, createdAt: at, ...added },
      identity: {
        provider: 'idp',
        providerAccountId: name,
        email: null,
        createdAt: new Date(at).toISOString(),
        key: identityKey(digest, 'https://idp.example.com', name),
        ...added,
      },
    }));
    const keys = addedMethods.flatMap(({ passkey, identity }) => [
      passkeyKey(digest, passkey.credentialId),
      identity.key,
    ]);
    for (const key of keys) await loginKeys.add({ key, userId: id, mark: 'mark' });
    await edit(id, {
      passkeys: addedMethods.map(({ passkey }) => passkey),
      oauthAccounts: addedMethods.map(({ identity }) => identity),
      loginKeys: keys.map((key) => ({ key, mark: 'mark' })),
    });

    const result = await undo(code);
    await settle();
    const after = await account();
    const remainingIds = ['before', 'by another session', 'long before by the same session'];
    expect(after.passkeys.map((passkey) => passkey.id)).to.deep.equal(remainingIds);
    expect(after.oauthAccounts.map((identity) => identity.providerAccountId)).to.deep.equal(remainingIds);
    expect(after.loginKeys.map(({ key }) => key)).to.deep.equal(keys.slice(0, 6));
    expect(result).to.deep.equal({
      success: true,
      removed: {
        passkeys: ['before by the same session', 'since'],
        identities: ['idp', 'idp'],
        password: false,
        secondFactor: false,
      },
      deletionUndone: false,
    });
    const remaining = await Promise.all(keys.map((key) => loginKeys.find(key)));
    expect(remaining.map((record) => record?.userId)).to.deep.equal([
      ...Array.from({ length: 6 }, () => id),
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });

  /** The names of the methods that remain after the undo of a change by a session with these methods. */
  const remainingAfter = async (
    methods: readonly Method[],
    daysBefore: number,
    passwordDaysBefore?: number,
  ): Promise<readonly string[]> => {
    const { account, change, clock, edit, undo, ports, principal } = await owner();
    const at = clock.now() - daysBefore * DAY;
    const usesFactor = methods.includes('totp') || methods.includes('recovery');
    const added = { createdAt: at, addedBy: 'of a thief' };
    const { id, userId } = (await principal()).session;
    await edit(userId, {
      ...(passwordDaysBefore !== undefined && {
        passwordAt: clock.now() - passwordDaysBefore * DAY,
        passwordBy: 'of a thief',
      }),
      passkeys: [
        { ...samplePasskey, id: 'own', name: 'own', credentialId: 'own', createdAt: at },
        { ...samplePasskey, id: 'new', name: 'new', credentialId: 'new', ...added },
      ],
      oauthAccounts: [
        {
          provider: 'new',
          providerAccountId: '1',
          email: null,
          ...added,
          createdAt: new Date(at).toISOString(),
        },
      ],
      twoFactor: usesFactor
        ? { ...sampleTwoFactor, at, by: 'of a thief', secret: null, passkey: true, recovery: ['unused'] }
        : null,
    });
    const session = await ports.sessions.find(userId, id);
    if (session === undefined) throw new Error('The session has ended.');
    await ports.sessions.change(session, { ...session, methods });
    await undo(await change());
    const after = await account();
    return [
      ...after.passkeys.map(({ name }) => `passkey ${name}`),
      ...after.oauthAccounts.map(({ provider }) => `identity ${provider}`),
      ...(after.twoFactor === null ? [] : ['second factor']),
      ...(after.passwordHash === null ? [] : ['password']),
    ];
  };

  for (const method of ['passkey', 'oidc', 'totp', 'recovery'] as const)
    it(`removes recent methods of all sessions if the session of the change had used ${method}`, async () => {
      expect(await remainingAfter(['password', method], 29)).to.deep.equal(['passkey own', 'password']);
    });

  for (const [which, daysBefore] of [
    ['that no session set', undefined],
    ['set more than a month before', 31],
  ] as const)
    it(`keeps methods of other sessions if the session had used a password ${which}`, async () => {
      const remaining = await remainingAfter(['password'], 29, daysBefore);
      expect(remaining).to.deep.equal(['passkey own', 'passkey new', 'identity new', 'password']);
    });

  it('removes recent methods of all sessions if the session had used a recent password', async () => {
    expect(await remainingAfter(['password'], 29, 29)).to.deep.equal(['passkey own']);
  });

  it('keeps methods that other sessions added more than a month before', async () => {
    const remaining = await remainingAfter(['passkey', 'oidc', 'totp', 'recovery'], 31);
    expect(remaining).to.deep.equal([
      'passkey own',
      'passkey new',
      'identity new',
      'second factor',
      'password',
    ]);
  });

  describe('An older second factor by a passkey', () => {
    /** An owner whose session is fresh by a proof with the passkey. */
    const openPasskeyOwner = async () => {
      const core = await openWithPasskeys();
      const context = await openOwner(core);
      const { account, accounts, clock, edit, id, makeFactorOlder, principal } = context;
      const passkey = await core.add(context);
      const { recoveryCodes: [recoveryCode = ''] = [] } = await core.passkeys.configureFactor(
        await principal(),
        { enable: true },
        caller,
      );
      await makeFactorOlder();
      const older = { createdAt: clock.now() - 31 * DAY, addedBy: 'another' };
      const passkeys = (await account()).passkeys.map((passkey) => ({ ...passkey, ...older }));
      await edit(id, { passkeys });
      const proof = core.answer(await core.passkeys.beginProof(await principal()), passkey.credential);
      await accounts.reauthenticate(await principal(), { passkey: proof }, caller);
      return { ...core, ...context, passkey, recoveryCode };
    };

    it('stays on while the passkey exists, without the app and the recovery codes of a thief', async () => {
      const { account, change, logIn, turnOnFactor, undo } = await openPasskeyOwner();
      await turnOnFactor();
      const { removed } = await undo(await change());
      expect(removed).to.deep.equal({ passkeys: [], identities: [], password: false, secondFactor: true });
      expect((await account()).twoFactor).to.deep.include({ secret: null, passkey: true, recovery: [] });
      expect(await logIn(OLD)).to.have.property('requires2FA', true);
    });

    it('is turned off if the passkey was removed, and the owner must set a new password', async () => {
      const {
        account,
        accounts,
        add,
        change,
        codeTo,
        logIn,
        passkey,
        passkeys,
        turnOnFactor,
        undo,
        principal,
      } = await openPasskeyOwner();
      const { name } = await add({ principal });
      await passkeys.remove(await principal(), passkey.id, caller);
      await turnOnFactor();
      const { removed } = await undo(await change());
      expect(removed).to.deep.equal({ passkeys: [name], identities: [], password: true, secondFactor: true });
      expect(await account()).to.deep.include({ passkeys: [], twoFactor: null });
      expect(await codeOf(logIn(OLD))).to.equal('wrong_credentials');
      await accounts.requestPasswordReset({ email: OLD }, caller);
      const reset = { email: OLD, code: await codeTo(OLD), newPassword: password };
      await accounts.confirmPasswordReset(reset, caller);
      expect(await logIn(OLD)).to.have.property('token');
    });

    it('is turned off if another account has claimed the passkey since a deletion', async () => {
      const {
        account,
        accounts,
        change,
        edit,
        passkey,
        ports,
        recoveryCode,
        settle,
        signUp,
        undo,
        principal,
      } = await openPasskeyOwner();
      const code = await change();
      const { recoveryCodes } = await accounts.renewRecoveryCodes(
        await principal(),
        { verificationCode: recoveryCode },
        caller,
      );
      const [verificationCode = ''] = recoveryCodes;
      await accounts.deleteAccount(await principal(), { password, verificationCode }, caller);
      await settle();
      const eve = await signUp('eve@example.com');
      const otherAccount = (await ports.accounts.find(eve.id)) ?? expect.fail('There is no account.');
      const key = passkeyKey(ports.digest, passkey.credentialId);
      await edit(eve.id, { loginKeys: [await claimKey(makeLoginKeys(ports), otherAccount, key)] });
      expect(await undo(code)).to.deep.equal({
        success: true,
        removed: { passkeys: [passkey.name], identities: [], password: true, secondFactor: true },
        deletionUndone: true,
      });
      expect(await account()).to.deep.include({ passkeys: [], passwordHash: null, twoFactor: null });
    });
  });
});
