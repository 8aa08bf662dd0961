import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { drop, polarSettings } from '../../support/drop.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { type Ask, ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { BEHIND, inContestedRounds, insist, isHashedTooLate, refuseStarved } from './behind.ts';
import { openStores, type Stores } from './stores.ts';

const AT_ONCE = 50;
const INTERNAL_SECRET = 'in-races-only-0123456789abcdef0123456789abcdef';
const password = 'correct horse battery';

describe('In two processes on one store', () => {
  const processes = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let servers: readonly RunningServer[] = [];
  let stores: Stores;
  // Each race has names of its own.
  before(async () => {
    const start = () =>
      processes.start('accounts', folder(), {
        ...polarSettings('http://127.0.0.1:9'),
        INTERNAL_SECRET,
        DATA_DIR: folder(),
        HASH_QUEUE: '100',
        LOG_LEVEL: 'warn',
      });
    servers = await Promise.all([start(), start()]);
    stores = openStores(folder());
  });
  after(() => stores.close());

  let names = 0;
  const next = () => {
    names += 1;
    return names;
  };
  const at = (place: number) => servers[place % servers.length]?.url ?? '';
  const post = (place: number, path: string, body: unknown, given: Ask = {}) =>
    ask(at(place), 'POST', path, { ...given, body });
  const register = (email: string, place: number) =>
    post(place, '/api/auth/register', { email, password: `${password} ${place}` });
  const verify = async (email: string, place: number) => {
    const code = await makeMailFolder(join(folder(), 'mail')).codeFor(email);
    return insist(() =>
      post(place, '/api/auth/verify-email', { email, code, password: `${password} ${place}` }),
    );
  };
  const signUp = async (email: string) => {
    await insist(() => register(email, 0));
    const { body } = await verify(email, 0);
    return { id: String(body.user?.id), token: String(body.token) };
  };
  const signUpEnterprise = async (email: string) => {
    const user = await signUp(email);
    const given = { token: user.token, headers: { 'x-internal-secret': INTERNAL_SECRET } };
    const granted = await insist(() =>
      post(0, '/api/services', { service: 'DROP', tier: 'enterprise' }, given),
    );
    expect(granted.status).to.equal(200);
    return user;
  };
  const contest = async <T extends { readonly status: number }>(call: (place: number) => Promise<T>) => {
    const replies = await race(AT_ONCE, call);
    refuseStarved(replies);
    return replies;
  };
  /** What was answered, but that somebody should come again. */
  const said = (replies: readonly { readonly status: number }[]): ReadonlySet<number> =>
    new Set(replies.map(({ status }) => status).filter((status) => !BEHIND.includes(status)));

  it(`of ${AT_ONCE} that register an email all get one account`, () =>
    inContestedRounds(async () => {
      const email = `Racer${next()}@example.com`;
      const replies = await contest((place) =>
        register(place % 3 === 0 ? email.toLowerCase() : email, place),
      );
      // A machine that is busy elsewhere hashes some of them too late.
      const hashed = replies.filter((reply) => !isHashedTooLate(reply));
      expect(said(hashed)).to.deep.equal(new Set([201]));
      expect(await stores.ownersOf(email.toLowerCase())).to.have.length(1);
    }));

  it(`of ${AT_ONCE} claims of a domain by two users those of one user succeed`, () =>
    inContestedRounds(async () => {
      const users = [
        await signUpEnterprise(`ada${next()}@example.com`),
        await signUpEnterprise(`bob${next()}@example.com`),
      ];
      const domain = `race${next()}.dev`;
      // Of each user half the calls go to either process.
      const replies = await contest(async (place) => {
        const { id = '', token = '' } = users[Math.floor(place / 2) % 2] ?? {};
        return { id, ...(await post(place, '/api/user/custom-domain', { domain }, { token })) };
      });
      const winners = new Set(replies.filter(({ status }) => status === 200).map(({ id }) => id));
      expect(winners.size).to.equal(1);
      const [winner] = winners;
      const lost = replies.filter(({ id }) => id !== winner);
      expect([409]).to.include.members([...said(lost)]);
      expect(said(replies.filter(({ id }) => id === winner))).to.deep.equal(new Set([200]));
      const claims = (await stores.domains.find(domain))?.claims ?? [];
      expect(claims.map(({ userId }) => userId)).to.deep.equal([winner]);
    }));

  it(`of ${AT_ONCE} deliveries with one id one takes effect`, () =>
    inContestedRounds(async () => {
      const user = await signUp(`buyer${next()}@example.com`);
      const one = newSubscription({ userId: user.id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', one, Date.now());
      const replies = await contest((place) => drop(at(place), event));
      expect(said(replies)).to.deep.equal(new Set([200]));
      await until(async () => (await stores.ledger.count('pending')) === 0);
      await stores.settled();
      const done = await stores.actionsAbout(user.id);
      expect(done.filter((action) => action === 'billing.changed')).to.have.length(1);
    }));
});
