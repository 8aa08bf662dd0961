import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type Reply, useService } from '../../../support/service.ts';

const ADDRESS = '203.0.113.77';
const PASSWORD = 'canary-of-the-password';
const WRONG = 'canary-of-a-wrong-password';
const GUESS = 'canary';
const LOCAL = 'canary-of-the-email';
const EMAIL = `${LOCAL}@example.com`;

describe('The log of sign-up and login', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });
  const records = useRecords(service);
  const secrets = new Set([PASSWORD, WRONG, LOCAL]);

  let calls = 0;
  /** Calls with a request id of its own; `lines` are the log lines of the call. */
  const call = async (path: string, body: unknown, token?: string) => {
    calls += 1;
    const requestId = `call-${calls}`;
    const headers = { 'X-Forwarded-For': ADDRESS, 'X-Request-Id': requestId };
    const method = path === 'me' ? 'PATCH' : 'POST';
    const request = { headers, body, ...(token === undefined ? {} : { token }) };
    const reply: Reply = await service().request(method, `/api/auth/${path}`, request);
    for (const secret of [reply.body.token, reply.body.refreshToken])
      if (secret !== undefined) secrets.add(String(secret));
    const lines = service().log.lines.filter(({ fields }) => fields.requestId === requestId);
    return { ...reply, lines };
  };
  /** Expects one log line of a call, with the address. Returns the user id in the line. */
  const userOfLine = async (event: string, pendingCall: ReturnType<typeof call>, reason?: string) => {
    const { lines } = await pendingCall;
    expect(lines.map((line) => line.event)).to.deep.equal([event]);
    expect(lines[0]?.fields).to.include({
      address: ADDRESS,
      ...(reason === undefined ? {} : { reason }),
    });
    return lines[0]?.fields.userId;
  };
  const logIn = (password: string, email = EMAIL) => call('login', { email, password });

  let id: string;
  let token: string;

  it('has one line for a login before the email is verified', async () => {
    await call('register', { email: EMAIL, password: PASSWORD, displayName: 'Ada' });
    await service().mailTo(EMAIL);
    const { id: accountId } = await records().accountOf(EMAIL);
    expect(await userOfLine('sign_in.failed', logIn(PASSWORD), 'email_not_verified')).to.equal(accountId);
    id = accountId;
  });

  it('has one line for each wrong code, of known and unknown emails', async () => {
    const body = { email: EMAIL, code: GUESS };
    expect(await userOfLine('verification.failed', call('verify-email', body), 'invalid_code')).to.equal(id);
    const unknown = call('verify-email', { ...body, email: `${LOCAL}2@example.com` });
    expect(await userOfLine('verification.failed', unknown, 'invalid_code')).to.equal(undefined);
  });

  it('has one line for each request for a code', async () => {
    expect(await userOfLine('verification.asked', call('resend-verification', { email: EMAIL }))).to.equal(
      id,
    );
    const unknown = call('resend-verification', { email: `${LOCAL}6@example.com` });
    expect(await userOfLine('verification.asked', unknown)).to.equal(undefined);
    expect(await userOfLine('password.reset_asked', call('password-reset', { email: EMAIL }))).to.equal(id);
  });

  it('has one line for a verification that logs in', async () => {
    const code = await service().codeFor(EMAIL, 3);
    const pendingCall = call('verify-email', { email: EMAIL, code, password: PASSWORD });
    expect(await userOfLine('email.verified', pendingCall)).to.equal(id);
    token = String((await pendingCall).body.token);
  });

  it('has one line for each login and each wrong password', async () => {
    const pendingCall = logIn(PASSWORD);
    expect(await userOfLine('sign_in.succeeded', pendingCall)).to.equal(id);
    expect((await pendingCall).lines[0]?.fields.factors).to.deep.equal(['password']);
    expect(await userOfLine('sign_in.failed', logIn(WRONG), 'wrong_credentials')).to.equal(id);
    const unknown = logIn(WRONG, `${LOCAL}3@example.com`);
    expect(await userOfLine('sign_in.failed', unknown, 'wrong_credentials')).to.equal(undefined);
  });

  it('has one line for each refusal of a restricted account', async () => {
    for (const kind of ['banned', 'disabled'] as const) {
      await records().change(EMAIL, { [kind]: { reason: 'spam', at: 0, until: null } });
      const refused = call('me', { displayName: 'Eve' }, token);
      expect(await userOfLine('access.refused', refused, `account_${kind}`)).to.equal(id);
      await records().change(EMAIL, { [kind]: null });
    }
  });

  it('has one line for a login during a lockout', async () => {
    for (let time = 0; time < 99; time += 1) await logIn(WRONG);
    expect(await userOfLine('sign_in.held', logIn(PASSWORD))).to.equal(id);
  });

  it('has one line for a verification during a lockout', async () => {
    const email = `${LOCAL}4@example.com`;
    await call('register', { email, password: PASSWORD });
    for (let time = 0; time < 10; time += 1) await call('verify-email', { email, code: GUESS });
    const account = await records().accountOf(email);
    const locked = call('verify-email', { email, code: GUESS });
    expect(await userOfLine('verification.held', locked)).to.equal(account.id);
  });

  it('contains no password, code, token or email', async () => {
    service().mail.delivery = { outcome: 'refused', failure: 'no_mailbox' };
    await call('register', { email: `${LOCAL}5@example.com`, password: PASSWORD });
    await records().allSent();
    const text = JSON.stringify(service().log.lines, (_, value) =>
      value instanceof Error ? `${value.stack} ${JSON.stringify(value)}` : value,
    );
    expect(service().log.lines.length).to.be.greaterThan(100);
    expect(secrets.size).to.be.at.least(6);
    for (const secret of secrets) expect(text).to.not.contain(secret);
    expect(text).to.not.match(/canary|@|\$scrypt/);
    // No part of an id or an address has six digits: six digits would be a code.
    expect(text).to.not.match(/\b\d{6}\b/);
  });
});
