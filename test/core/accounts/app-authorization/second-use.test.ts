import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { caller, codeOf, makeMailbox, openPorts } from '../open-core.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { byCookie, cookieValueIn } from '../sessions/open-cookie-session.ts';

const returnTo = 'https://app.example/signed-in';
const codeVerifier = 'v'.repeat(43);
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

/** A user with a page session, and calls that request and redeem codes of theirs. */
const open = async ({ ports, mails }: Pick<ReturnType<typeof openPorts>, 'ports' | 'mails'>) => {
  const accounts = createAccounts(ports, { signInRedirects: [returnTo], cookieSessions: true });
  await accounts.open();
  const answer = await makeMailbox(accounts, mails).verify('ada@example.com', byCookie);
  const principal = await accounts.authenticateCookie(cookieValueIn(answer));
  const authorize = async () =>
    (await accounts.authorizeApp(principal, { returnTo, codeChallenge }, caller)).code;
  const redeem = (code: string) =>
    codeOf(accounts.redeemAuthorizationCode({ code, codeVerifier, returnTo }, caller));
  const count = async () => (await accounts.listSessions(principal)).sessions.length;
  return { authorize, redeem, count };
};

describe('Repeated use of an authorization code', () => {
  const folder = useTempFolder();

  it('ends the session of the first use', async () => {
    const { authorize, redeem, count } = await open(openPorts());
    const code = await authorize();
    expect([await redeem(code), await count()]).to.deep.equal(['done', 2]);
    expect([await redeem(code), await count()]).to.deep.equal(['invalid_code', 1]);
  });

  for (const [name, openStore] of [
    ['memory', () => ({ ...openPorts(), close: async () => undefined })],
    ['SQLite', () => openSqlitePorts(mkdtempSync(join(folder(), 'store-')))],
  ] as const)
    it(`leaves no session of the app after 50 concurrent uses, in ${name}`, () =>
      inRounds(async () => {
        const { close, ...core } = openStore();
        try {
          const { authorize, redeem, count } = await open(core);
          const code = await authorize();
          const outcomes = await race(50, () => redeem(code));
          // The first use is refused as well if the second use comes before its session is written.
          expect(outcomes.toSorted().slice(1)).to.deep.equal(Array(49).fill('invalid_code'));
          expect(outcomes.toSorted()[0]).to.be.oneOf(['done', 'invalid_code']);
          expect(await count()).to.equal(1);
          expect([await redeem(await authorize()), await count()]).to.deep.equal(['done', 2]);
        } finally {
          await close();
        }
      }));

  it('prevents the session of the first use if that session is not yet written', async () => {
    const { ports, mails } = openPorts();
    const { sessions } = ports;
    let beforeAdd: () => Promise<unknown> = async () => undefined;
    const add: typeof sessions.add = async (...args) => {
      await beforeAdd();
      return sessions.add(...args);
    };
    const slow = new Proxy(sessions, {
      get: (target, name) => (name === 'add' ? add : Reflect.get(target, name).bind(target)),
    });
    const { authorize, redeem, count } = await open({ ports: { ...ports, sessions: slow }, mails });
    const code = await authorize();
    const secondOutcomes: unknown[] = [];
    beforeAdd = async () => {
      beforeAdd = async () => undefined;
      secondOutcomes.push(await redeem(code));
    };

    expect(await redeem(code)).to.equal('invalid_code');
    expect(secondOutcomes).to.deep.equal(['invalid_code']);
    expect(await count()).to.equal(1);
    expect([await redeem(await authorize()), await count()]).to.deep.equal(['done', 2]);
  });
});
