import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { callerAt, pendingTokenIn, tokensIn } from '../open-accounts.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { openWithPasskeys } from '../open-with-passkeys.ts';

type Core = Awaited<ReturnType<typeof openWithPasskeys>>;
const EMAIL = 'ada@example.com';

const otherCaller = callerAt('192.0.2.9');

/** A user with a passkey, which can be turned on as the second factor. */
const openOwner = async (behaviour: Parameters<Core['add']>[1] = {}) => {
  const core = await openWithPasskeys();
  const user = await core.signUp(EMAIL);
  const { credential, id: passkeyId } = await core.add(user, behaviour);
  const { accounts, passkeys, answer } = core;
  const configure = async (enable: boolean) =>
    passkeys.configureFactor(await user.principal(), { enable }, caller);
  /** The input for the second step of a sign-in. */
  const secondStep = async () => {
    const pendingToken = pendingTokenIn(await core.logIn(EMAIL));
    const request = await passkeys.beginSecond({ email: EMAIL, pendingToken }, caller);
    return { email: EMAIL, pendingToken, passkey: answer(request, credential) };
  };
  /** The signed challenge for a proof. */
  const proof = async () => answer(await passkeys.beginProof(await user.principal()), credential);
  const prove = async (input: object) => accounts.reauthenticate(await user.principal(), input, caller);
  const methodsOf = async (token: string) => {
    const { id } = (await accounts.authenticate(token)).session;
    return (await core.ports.sessions.find(user.id, id))?.methods;
  };
  return { ...core, ...user, user, credential, passkeyId, configure, secondStep, proof, prove, methodsOf };
};

describe('Passkeys as the second factor, in the core', () => {
  it('complete a sign-in, whose challenge is accepted once and for no other call', async () => {
    const { accounts, configure, secondStep, proof, prove, methodsOf } = await openOwner();
    await configure(true);
    const step = await secondStep();
    expect(await codeOf(accounts.logIn({ ...step, passkey: await proof() }, caller))).to.equal(
      'invalid_passkey',
    );
    expect(await codeOf(prove({ passkey: step.passkey }))).to.equal('invalid_passkey');
    const { token } = tokensIn(await accounts.logIn(step, caller));
    expect(await methodsOf(token)).to.deep.equal(['password', 'passkey']);
    const repeated = accounts.logIn({ ...(await secondStep()), passkey: step.passkey }, caller);
    expect(await codeOf(repeated)).to.equal('invalid_passkey');
  });

  it('are listed as methods of the second step and of a required proof', async () => {
    const { clock, configure, logIn, turnOnFactor, user, passkeys, prove, proof, principal } =
      await openOwner();
    const requiredProof = async () => {
      const refusal = await rejectionOf(async () => passkeys.begin(await principal(), caller));
      return (refusal as { readonly facts?: { readonly details?: unknown } }).facts?.details;
    };
    clock.advance(600_000);
    expect(await requiredProof()).to.deep.equal({ maxAge: 600, methods: ['password', 'passkey'] });
    await prove({ passkey: await proof() });
    await configure(true);
    expect(await logIn(EMAIL)).to.deep.include({ methods: ['passkey', 'recovery'] });
    await prove({ passkey: await proof() });
    await turnOnFactor(user);
    expect(await logIn(EMAIL)).to.deep.include({ methods: ['totp', 'passkey', 'recovery'] });
    clock.advance(600_001);
    expect(await requiredProof()).to.deep.equal({
      maxAge: 600,
      methods: ['password', 'passkey', 'totp', 'recovery'],
    });
  });

  it('end other sessions when turned on or off, unless an app stays the second factor', async () => {
    const {
      configure,
      isActive,
      logIn,
      prove,
      proof,
      secondStep,
      accounts,
      token,
      turnOnFactor,
      user,
      account,
      id,
    } = await openOwner();
    const before = tokensIn(await logIn(EMAIL, {}, otherCaller)).token;
    const on = await configure(true);
    expect([on.success, on.recoveryCodes?.length]).to.deep.equal([true, 10]);
    expect([await isActive(before), await isActive(token)]).to.deep.equal([false, true]);
    expect(await codeOf(configure(true))).to.equal('fresh_authentication_needed');
    await prove({ passkey: await proof() });
    expect(await codeOf(configure(true))).to.equal('two_factor_on');
    const during = tokensIn(await accounts.logIn(await secondStep(), otherCaller)).token;
    expect(await configure(false)).to.deep.equal({ success: true });
    expect([await isActive(during), await isActive(token)]).to.deep.equal([false, true]);
    expect(await codeOf(configure(false))).to.equal('two_factor_off');

    await configure(true);
    await prove({ passkey: await proof() });
    await turnOnFactor(user);
    expect((await account(id)).twoFactor).to.include({ passkey: true });
    const beside = tokensIn(await accounts.logIn(await secondStep(), otherCaller)).token;
    expect(await configure(false)).to.deep.equal({ success: true });
    expect([await isActive(beside), await isActive(token)]).to.deep.equal([true, true]);
    expect(await logIn(EMAIL)).to.deep.include({ requires2FA: true });
  });

  it('prove alone with user verification, and together with the password without it', async () => {
    const { answer, configure, credential, passkeys, prove, principal, methodsOf, token } = await openOwner({
      userVerified: false,
    });
    const beginAndAnswer = async () => {
      const request = await passkeys.beginProof(await principal());
      return { verification: request.options.userVerification, passkey: answer(request, credential) };
    };
    const first = await beginAndAnswer();
    expect(first.verification).to.equal('required');
    expect(await codeOf(prove({ passkey: first.passkey }))).to.equal('invalid_passkey');
    await configure(true);
    const { verification, passkey } = await beginAndAnswer();
    expect(verification).to.equal('preferred');
    expect(await codeOf(prove({ password }))).to.equal('code_required');
    expect(await codeOf(prove({ password, passkey }))).to.equal('done');
    expect(await methodsOf(token)).to.deep.equal(['password', 'passkey']);
    expect(await codeOf(prove({ password, passkey }))).to.equal('invalid_passkey');
  });

  type Owner = Awaited<ReturnType<typeof openOwner>>;
  const changesWithoutCode: Readonly<Record<string, (owner: Owner) => Promise<unknown>>> = {
    renewRecoveryCodes: async ({ accounts, principal }) =>
      accounts.renewRecoveryCodes(await principal(), {}, caller),
    turnOff: async ({ accounts, principal }) =>
      accounts.configureTwoFactor(await principal(), { enable: false }, caller),
  };

  it('let a fresh proof change the second factor of an owner who has used all recovery codes', async () => {
    for (const [name, change] of Object.entries(changesWithoutCode)) {
      const owner = await openOwner();
      const { recoveryCodes = [] } = await owner.configure(true);
      for (const verificationCode of recoveryCodes) await owner.prove({ password, verificationCode });
      owner.clock.advance(600_001);
      expect(await codeOf(change(owner)), name).to.equal('fresh_authentication_needed');
      await owner.prove({ passkey: await owner.proof() });
      expect(await codeOf(change(owner)), name).to.equal('done');
    }
  });

  it('replace no code while a recovery code is left', async () => {
    for (const [name, change] of Object.entries(changesWithoutCode)) {
      const owner = await openOwner();
      const { recoveryCodes = [] } = await owner.configure(true);
      const [, ...others] = recoveryCodes;
      for (const verificationCode of others) await owner.prove({ password, verificationCode });
      await owner.prove({ passkey: await owner.proof() });
      expect(await codeOf(change(owner)), name).to.equal('code_required');
    }
  });

  it('are refused after their removal, also for a challenge that was signed before', async () => {
    const { configure, passkeys, passkeyId, add, user, secondStep, proof, prove, accounts, principal } =
      await openOwner();
    await add(user);
    await configure(true);
    await prove({ passkey: await proof() });
    const [step, assertion] = [await secondStep(), await proof()];
    await passkeys.remove(await principal(), passkeyId, caller);
    expect(await codeOf(prove({ passkey: assertion }))).to.equal('invalid_passkey');
    expect(await codeOf(accounts.logIn(step, caller))).to.equal('invalid_passkey');
  });
});
