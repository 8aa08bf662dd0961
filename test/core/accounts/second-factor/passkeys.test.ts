import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { openWithPasskeys } from '../open-with-passkeys.ts';
import { from, pendingIn, tokensIn } from '../use-people.ts';

type Opened = Awaited<ReturnType<typeof openWithPasskeys>>;
const EMAIL = 'ada@example.com';

const elsewhere = from('192.0.2.9');

/** A user with a passkey, who may switch it on as the second factor. */
const openOwner = async (behaviour: Parameters<Opened['add']>[1] = {}) => {
  const opened = await openWithPasskeys();
  const user = await opened.signUp(EMAIL);
  const { credential, id: passkeyId } = await opened.add(user, behaviour);
  const { accounts, passkeys, answer } = opened;
  const configure = async (enable: boolean) => passkeys.configureFactor(await user.who(), { enable }, caller);
  /** Answers the second step of a sign-in. */
  const second = async () => {
    const pendingToken = pendingIn(await opened.logIn(EMAIL));
    const request = await passkeys.beginSecond({ email: EMAIL, pendingToken }, caller);
    return { email: EMAIL, pendingToken, passkey: answer(request, credential) };
  };
  /** Answers a challenge that proves who asks. */
  const proof = async () => answer(await passkeys.beginProof(await user.who()), credential);
  const prove = async (input: object) => accounts.reauthenticate(await user.who(), input, caller);
  const methodsOf = async (token: string) => {
    const { id } = (await accounts.authenticate(token)).session;
    return (await opened.ports.sessions.find(user.id, id))?.methods;
  };
  return { ...opened, ...user, user, credential, passkeyId, configure, second, proof, prove, methodsOf };
};

describe('Passkeys as the second factor, in the core', () => {
  it('answer the second step of a sign-in, each challenge once, and no other call', async () => {
    const { accounts, configure, second, proof, prove, methodsOf } = await openOwner();
    await configure(true);
    const step = await second();
    expect(await codeOf(accounts.logIn({ ...step, passkey: await proof() }, caller))).to.equal(
      'invalid_passkey',
    );
    expect(await codeOf(prove({ passkey: step.passkey }))).to.equal('invalid_passkey');
    const { token } = tokensIn(await accounts.logIn(step, caller));
    expect(await methodsOf(token)).to.deep.equal(['password', 'passkey']);
    const repeated = accounts.logIn({ ...(await second()), passkey: step.passkey }, caller);
    expect(await codeOf(repeated)).to.equal('invalid_passkey');
  });

  it('are named by the sign-in and by the demand for a proof, beside recovery codes and an app', async () => {
    const { clock, configure, logIn, turnOnFactor, user, passkeys, prove, proof, who } = await openOwner();
    const demanded = async () => {
      const refusal = await rejectionOf(async () => passkeys.begin(await who(), caller));
      return (refusal as { readonly facts?: { readonly details?: unknown } }).facts?.details;
    };
    clock.advance(600_000);
    expect(await demanded()).to.deep.equal({ maxAge: 600, methods: ['password', 'passkey'] });
    await prove({ passkey: await proof() });
    await configure(true);
    expect(await logIn(EMAIL)).to.deep.include({ methods: ['passkey', 'recovery'] });
    await prove({ passkey: await proof() });
    await turnOnFactor(user);
    expect(await logIn(EMAIL)).to.deep.include({ methods: ['totp', 'passkey', 'recovery'] });
    clock.advance(600_001);
    expect(await demanded()).to.deep.equal({
      maxAge: 600,
      methods: ['password', 'passkey', 'totp', 'recovery'],
    });
  });

  it('end the other sessions when switched on and off, unless an app stays the second factor', async () => {
    const {
      configure,
      isGood,
      logIn,
      prove,
      proof,
      second,
      accounts,
      token,
      turnOnFactor,
      user,
      account,
      id,
    } = await openOwner();
    const before = tokensIn(await logIn(EMAIL, {}, elsewhere)).token;
    const on = await configure(true);
    expect([on.success, on.recoveryCodes?.length]).to.deep.equal([true, 10]);
    expect([await isGood(before), await isGood(token)]).to.deep.equal([false, true]);
    expect(await codeOf(configure(true))).to.equal('fresh_authentication_needed');
    await prove({ passkey: await proof() });
    expect(await codeOf(configure(true))).to.equal('two_factor_on');
    const during = tokensIn(await accounts.logIn(await second(), elsewhere)).token;
    expect(await configure(false)).to.deep.equal({ success: true });
    expect([await isGood(during), await isGood(token)]).to.deep.equal([false, true]);
    expect(await codeOf(configure(false))).to.equal('two_factor_off');

    await configure(true);
    await prove({ passkey: await proof() });
    await turnOnFactor(user);
    expect((await account(id)).twoFactor).to.include({ passkey: true });
    const beside = tokensIn(await accounts.logIn(await second(), elsewhere)).token;
    expect(await configure(false)).to.deep.equal({ success: true });
    expect([await isGood(beside), await isGood(token)]).to.deep.equal([true, true]);
    expect(await logIn(EMAIL)).to.deep.include({ requires2FA: true });
  });

  it('prove with a PIN alone, and without one beside the password', async () => {
    const { answer, configure, credential, passkeys, prove, who, methodsOf, token } = await openOwner({
      userVerified: false,
    });
    const beginAndAnswer = async () => {
      const request = await passkeys.beginProof(await who());
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

  it('are refused after they were removed, in a challenge that was answered before', async () => {
    const { configure, passkeys, passkeyId, add, user, second, proof, prove, accounts, who } =
      await openOwner();
    await add(user);
    await configure(true);
    await prove({ passkey: await proof() });
    const [step, answered] = [await second(), await proof()];
    await passkeys.remove(await who(), passkeyId, caller);
    expect(await codeOf(prove({ passkey: answered }))).to.equal('invalid_passkey');
    expect(await codeOf(accounts.logIn(step, caller))).to.equal('invalid_passkey');
  });
});
