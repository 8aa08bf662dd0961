import { expect } from 'chai';
import { makeCachedPresences } from '../../../../../adapters/presence/cached-presences.ts';
import { createAccounts } from '../../../../../core/index.ts';
import { caller } from '../../open-core.ts';
import { password } from '../../operate/opened.ts';
import { codeOf, MINUTE, useCookies, valueIn } from './opened.ts';

const newPassword = 'another horse battery';

describe('The value of a session’s cookie', () => {
  const opened = useCookies();
  const proveBy = async (value: string) => {
    const { accounts } = opened();
    return accounts.reauthenticate(await accounts.authenticateCookie(value), { password }, caller);
  };
  const isGood = (value: string) => codeOf(opened().accounts.authenticateCookie(value));

  it('D3: is another at each login and after each proof; the one before is good for a minute', async () => {
    const { logIn, pass, session } = opened();
    const [first, other] = [valueIn(await logIn()), valueIn(await logIn())];
    expect(first).not.to.equal(other);
    pass(11 * MINUTE);
    const next = valueIn(await proveBy(first));
    expect(next).not.to.equal(first);
    expect((await session(next)).authenticatedAt).to.equal(opened().ports.clock.now());

    pass(MINUTE);
    expect([await isGood(first), await isGood(next), await isGood(other)]).to.deep.equal(
      Array(3).fill('done'),
    );
    pass(1);
    expect([await isGood(first), await isGood(next)]).to.deep.equal(['invalid_token', 'done']);
  });

  it('is given once to two tabs that prove at once, and both proofs count', async () => {
    const { accounts, logIn, session } = opened();
    const value = valueIn(await logIn());
    const who = await accounts.authenticateCookie(value);
    const answers = await Promise.all([1, 2].map(() => accounts.reauthenticate(who, { password }, caller)));
    const given = answers.flatMap(({ cookie }) => cookie ?? []);
    expect(given).to.have.length(1);
    expect(await isGood(given[0]?.value ?? '')).to.equal('done');
    // A third one, by the value before: the browser has the newer one by now.
    expect(await proveBy(value)).to.have.all.keys('success', 'freshUntil');
    expect((await session(value)).cookie?.digest).to.equal(
      opened().ports.digest.sha256(given[0]?.value ?? ''),
    );
  });

  it('is another after a change of the password, and the one before is over at once', async () => {
    const { accounts, logIn, pass } = opened();
    const [value, other] = [valueIn(await logIn()), valueIn(await logIn())];
    const who = await accounts.authenticateCookie(value);
    const { token } = await accounts.issueAccessToken(who);
    const changed = await accounts.changePassword(who, { currentPassword: password, newPassword }, caller);
    const next = valueIn(changed);

    expect([changed.token, changed.refreshToken]).to.deep.equal(['', '']);
    expect([await isGood(next), await isGood(other)]).to.deep.equal(['done', 'invalid_token']);
    expect(await codeOf(accounts.authenticate(token))).to.equal('invalid_token');
    const again = await accounts.issueAccessToken(await accounts.authenticateCookie(next));
    expect(await codeOf(accounts.authenticate(again.token))).to.equal('done');
    // For requests that were on their way: the browser must not be told to drop the newer one.
    expect(await isGood(value)).to.equal('cookie_replaced');
    pass(MINUTE + 2);
    expect(await isGood(value)).to.equal('invalid_token');
  });

  it('is void from the first write of a password change on, and the second gives the new one', async () => {
    const { logIn, ports, processOn } = opened();
    const value = valueIn(await logIn());
    const seen: unknown[] = [];
    const meeting = processOn({
      use: async (use) => {
        seen.push(await isGood(value));
        return ports.sessions.use(use);
      },
    });
    const who = await meeting.authenticateCookie(value);
    const changed = await meeting.changePassword(who, { currentPassword: password, newPassword }, caller);
    expect(seen).to.deep.equal(['cookie_replaced']);
    expect(await isGood(valueIn(changed))).to.equal('done');
  });

  it('stays void when a password change dies between its two writes', async () => {
    const { logIn, pass, processOn } = opened();
    const value = valueIn(await logIn());
    const die = () => Promise.reject(new Error('the process died'));
    const dying = processOn({ use: die, end: die, endAll: die });
    const who = await dying.authenticateCookie(value);
    expect(
      await codeOf(dying.changePassword(who, { currentPassword: password, newPassword }, caller)),
    ).to.equal(undefined);
    expect(await isGood(value)).to.equal('cookie_replaced');
    pass(MINUTE + 1);
    expect(await isGood(value)).to.equal('invalid_token');
  });

  it('is known at once to a process that kept what it read for a second', async () => {
    const { accounts, logIn, ports } = opened();
    const silent = {
      announce: async () => undefined,
      onAnnounced: () => undefined,
      close: async () => undefined,
    };
    const { presences } = makeCachedPresences({ ...ports, announcer: silent, clock: { now: () => 0 } });
    const other = createAccounts({ ...ports, presences }, { cookieSessions: true });
    const value = valueIn(await logIn());
    const who = await other.authenticateCookie(value);
    const next = valueIn(await accounts.reauthenticate(who, { password }, caller));
    expect(await codeOf(other.authenticateCookie(next))).to.equal('done');
    const changed = await accounts.changePassword(
      await accounts.authenticateCookie(next),
      { currentPassword: password, newPassword },
      caller,
    );
    expect(await codeOf(other.authenticateCookie(valueIn(changed)))).to.equal('done');
    expect(await codeOf(other.authenticateCookie(next))).to.equal('cookie_replaced');
  });
});
