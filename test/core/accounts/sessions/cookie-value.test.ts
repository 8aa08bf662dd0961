import { expect } from 'chai';
import { makeCachedSessions } from '../../../../adapters/session-cache/session-cache.ts';
import { createAccounts } from '../../../../core/index.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { caller, codeOf } from '../open-core.ts';
import { cookieValueIn, MINUTE, useCookies } from './open-cookie-session.ts';

const newPassword = 'another horse battery';

describe('The cookie value of a session', () => {
  const core = useCookies();
  const proveBy = async (value: string) => {
    const { accounts } = core();
    return accounts.reauthenticate(await accounts.authenticateCookie(value), { password }, caller);
  };
  const check = (value: string) => codeOf(core().accounts.authenticateCookie(value));

  it('D3: is new at each sign-in and proof, and the previous value stays valid for a minute', async () => {
    const { logIn, pass, session } = core();
    const first = cookieValueIn(await logIn());
    const second = cookieValueIn(await logIn());
    expect(first).not.to.equal(second);
    pass(11 * MINUTE);
    const next = cookieValueIn(await proveBy(first));
    expect(next).not.to.equal(first);
    expect((await session(next)).authenticatedAt).to.equal(core().ports.clock.now());

    pass(MINUTE);
    expect([await check(first), await check(next), await check(second)]).to.deep.equal(Array(3).fill('done'));
    pass(1);
    expect([await check(first), await check(next)]).to.deep.equal(['invalid_token', 'done']);
  });

  it('is replaced once if two tabs prove concurrently, and both proofs succeed', async () => {
    const { accounts, logIn, session } = core();
    const value = cookieValueIn(await logIn());
    const by = await accounts.authenticateCookie(value);
    const answers = await Promise.all([1, 2].map(() => accounts.reauthenticate(by, { password }, caller)));
    const newCookies = answers.flatMap(({ cookie }) => cookie ?? []);
    expect(newCookies).to.have.length(1);
    expect(await check(newCookies[0]?.value ?? '')).to.equal('done');
    // A third proof by the previous value: the browser already has the new value.
    expect(await proveBy(value)).to.have.all.keys('success', 'freshUntil');
    expect((await session(value)).cookie?.digest).to.equal(
      core().ports.digest.sha256(newCookies[0]?.value ?? ''),
    );
  });

  it('is new after a password change, and the previous value is void at once', async () => {
    const { accounts, logIn, pass } = core();
    const value = cookieValueIn(await logIn());
    const otherValue = cookieValueIn(await logIn());
    const by = await accounts.authenticateCookie(value);
    const { token } = await accounts.issueAccessToken(by);
    const result = await accounts.changePassword(by, { currentPassword: password, newPassword }, caller);
    const next = cookieValueIn(result);

    expect(result).to.include({ transport: 'cookie' }).and.not.have.any.keys('token', 'refreshToken');
    expect([await check(next), await check(otherValue)]).to.deep.equal(['done', 'invalid_token']);
    expect(await codeOf(accounts.authenticate(token))).to.equal('invalid_token');
    const newToken = await accounts.issueAccessToken(await accounts.authenticateCookie(next));
    expect(await codeOf(accounts.authenticate(newToken.token))).to.equal('done');
    // Requests in flight: the browser must not drop the newer value.
    expect(await check(value)).to.equal('cookie_replaced');
    pass(MINUTE + 2);
    expect(await check(value)).to.equal('invalid_token');
  });

  it('is void from the first write of a password change on, and replaced by the second', async () => {
    const { logIn, ports, processOn } = core();
    const value = cookieValueIn(await logIn());
    const refusals: unknown[] = [];
    const probing = processOn({
      change: async (session, next) => {
        refusals.push(await check(value));
        return ports.sessions.change(session, next);
      },
    });
    const by = await probing.authenticateCookie(value);
    const result = await probing.changePassword(by, { currentPassword: password, newPassword }, caller);
    expect(refusals).to.deep.equal(['cookie_replaced']);
    expect(await check(cookieValueIn(result))).to.equal('done');
  });

  it('stays void if the process dies between the two writes of a password change', async () => {
    const { logIn, pass, processOn } = core();
    const value = cookieValueIn(await logIn());
    const die = () => Promise.reject(new Error('the process died'));
    const dying = processOn({ change: die, end: die, endAll: die });
    const by = await dying.authenticateCookie(value);
    expect(
      await codeOf(dying.changePassword(by, { currentPassword: password, newPassword }, caller)),
    ).to.equal(undefined);
    expect(await check(value)).to.equal('cookie_replaced');
    pass(MINUTE + 1);
    expect(await check(value)).to.equal('invalid_token');
  });

  it('is accepted at once by a process with a cached session', async () => {
    const { accounts, logIn, ports } = core();
    const silent = {
      announce: async () => undefined,
      onAnnounced: () => undefined,
      close: async () => undefined,
    };
    const { sessionCache } = makeCachedSessions({ ...ports, announcer: silent, clock: { now: () => 0 } });
    const process = createAccounts({ ...ports, sessionCache }, { cookieSessions: true });
    const value = cookieValueIn(await logIn());
    const by = await process.authenticateCookie(value);
    const next = cookieValueIn(await accounts.reauthenticate(by, { password }, caller));
    expect(await codeOf(process.authenticateCookie(next))).to.equal('done');
    const result = await accounts.changePassword(
      await accounts.authenticateCookie(next),
      { currentPassword: password, newPassword },
      caller,
    );
    expect(await codeOf(process.authenticateCookie(cookieValueIn(result)))).to.equal('done');
    expect(await codeOf(process.authenticateCookie(next))).to.equal('cookie_replaced');
  });
});
