import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { byMail, caller, codeOf, openPorts } from '../open-core.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { byCookie, valueIn } from '../sessions/open-cookie-session.ts';

const returnTo = 'https://app.example/signed-in';
const codeVerifier = 'v'.repeat(43);
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

/** Somebody with a session, and what an app sends for a code of theirs. */
const open = async ({ ports, mails }: Pick<ReturnType<typeof openPorts>, 'ports' | 'mails'>) => {
  const accounts = createAccounts(ports, { signInRedirects: [returnTo], cookieSessions: true });
  await accounts.open();
  const signedIn = await byMail(accounts, mails).verify('ada@example.com', byCookie);
  const who = await accounts.authenticateCookie(valueIn(signedIn));
  const { code } = await accounts.authorizeApp(who, { returnTo, codeChallenge }, caller);
  const redeem = () => codeOf(accounts.redeemAuthorizationCode({ code, codeVerifier, returnTo }, caller));
  const count = async () => (await accounts.listSessions(who)).sessions.length;
  return { redeem, count };
};

describe('A second use of a code', () => {
  const folder = useTempFolder();

  for (const [name, opened] of [
    ['memory', () => ({ ...openPorts(), close: async () => undefined })],
    ['SQLite', () => openSqlitePorts(mkdtempSync(join(folder(), 'store-')))],
  ] as const)
    it(`leaves no session of fifty uses at once, in ${name}`, () =>
      inRounds(async () => {
        const { close, ...core } = opened();
        try {
          const { redeem, count } = await open(core);
          const outcomes = await race(50, redeem);
          expect(outcomes.filter((one) => one === 'done').length, outcomes.join()).to.be.at.most(1);
          expect(outcomes.filter((one) => one !== 'done').every((one) => one === 'invalid_code')).to.equal(
            true,
          );
          expect(await count()).to.equal(1);
        } finally {
          await close();
        }
      }));

  it('ends the session of the first that is still to be written', async () => {
    const { ports, mails } = openPorts();
    const { sessions } = ports;
    let between: () => Promise<unknown> = async () => undefined;
    const add: typeof sessions.add = async (...given) => {
      await between();
      return sessions.add(...given);
    };
    const slow = new Proxy(sessions, {
      get: (target, name) => (name === 'add' ? add : Reflect.get(target, name).bind(target)),
    });
    const { redeem, count } = await open({ ports: { ...ports, sessions: slow }, mails });
    const others: unknown[] = [];
    between = async () => {
      between = async () => undefined;
      others.push(await redeem());
    };

    expect(await redeem()).to.equal('invalid_code');
    expect(others).to.deep.equal(['invalid_code']);
    expect(await count()).to.equal(1);
  });
});
