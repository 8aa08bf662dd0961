import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { drop, polarSettings } from '../../support/drop.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { makeClient } from '../metadata/client.ts';
import { useServiceOnMongo, verifyByNewestMail } from './behind-proxy.ts';

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const PASSWORD = 'correct horse battery';
const rounds = process.env.LONG === undefined ? ROUNDS : 200;

const inRounds = async (round: (number: number) => Promise<void>): Promise<void> => {
  for (let number = 1; number <= rounds; number += 1) await round(number);
};

describe('A service whose store does what it is asked, and whose answers are lost', function () {
  this.timeout(process.env.LONG === undefined ? 120_000 : 1_800_000);
  const on = useServiceOnMongo(polarSettings('http://127.0.0.1:9'));

  /** Loses the answer to one write from now on, the `place`th, whoever made it. */
  const losing = (place: number) => {
    let passed = 0;
    return on().proxy.strike('lost', (command) => {
      if (!WRITES.includes(command)) return false;
      passed += 1;
      return passed > place;
    });
  };

  it('registers once, and mails once', async () => {
    let emails = 0;
    const registerOnce = async (round: number): Promise<void> => {
      const { service } = on();
      emails += 1;
      const email = `lost${emails}@example.com`;
      const lost = losing((round - 1) % 4);
      const { status } = await service.post('/api/auth/register', { email, password: PASSWORD });
      // On a busy machine the repetition of the lost call may end too late: the client is told to come again.
      if (status === 503 && emails < rounds + 4) return registerOnce(round);
      expect(status).to.equal(201);
      const code = await service.codeFor(email);
      const verified = await service.post('/api/auth/verify-email', { email, code, password: PASSWORD });
      expect(verified.status).to.equal(200);
      expect(lost()).to.equal(1);
      expect(service.mails.filter(({ to }) => to === email)).to.have.length(1);
    };
    await inRounds(registerOnce);
  });

  it('gives a refresh token one successor, and goes on with it', async () => {
    const { service } = on();
    let { refreshToken } = await service.signUp();
    await inRounds(async (round) => {
      const lost = losing((round - 1) % 2);
      const answers = await race(2, () => service.post('/api/auth/refresh', { refreshToken }));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 401]);
      refreshToken = String(answers.find(({ status }) => status === 200)?.body.refreshToken);
      await until(() => lost() === 1);
    });
    expect((await service.post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
  });

  it('takes a delivery in once', () =>
    inRounds(async (round) => {
      const { service } = on();
      const { id, token } = await service.signUp();
      const sale = newSubscription({ userId: id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', sale, Date.now());
      losing((round - 1) % 4);
      expect((await drop(service.url, event)).status).to.equal(200);
      expect((await drop(service.url, event)).status).to.equal(200);
      await until(async () => (await service.request('GET', '/api/subscription', { token })).status === 200);
      const changes = () =>
        service.events.filter((one) => one.userId === id && one.type === 'entitlement.changed');
      await until(() => changes().length > 0);
      expect(new Set(changes().map((change) => change.id)).size).to.equal(1);
    }));

  it('records a file once', () =>
    inRounds(async (round) => {
      const client = makeClient(on().service.metadataUrl);
      const user = `user-${round}`;
      const lost = losing(0);
      const { status, body } = await client.create({ user });
      expect([status, lost()]).to.deep.equal([200, 1]);
      const listed = (await client.list(user)).body.files as unknown as readonly { readonly id: string }[];
      expect(listed.map(({ id }) => id)).to.deep.equal([body.id]);
    }));

  it('removes a file once', () =>
    inRounds(async (round) => {
      const client = makeClient(on().service.metadataUrl);
      const { body } = await client.create({ user: `other-${round}` });
      losing((round - 1) % 2);
      const answers = await race(2, () => client.remove(String(body.id)));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 404]);
    }));

  describe('all of which are lost', () => {
    /** The answer to a call no part of which the service learns the end of. */
    const inTheDark = async <T>(call: () => Promise<T>): Promise<T> => {
      const { proxy, service } = on();
      proxy.strike('lost', (command) => WRITES.includes(command), 100_000);
      const answer = await call();
      proxy.calm();
      await until(async () => (await service.request('GET', '/health/ready')).status === 200);
      return answer;
    };

    it('has a registration that is made again go on as if it were the first', async () => {
      const { service } = on();
      const body = { email: 'dark@example.com', password: PASSWORD };
      const register = () => service.post('/api/auth/register', body);
      expect((await inTheDark(register)).status).to.equal(503);
      expect((await register()).status).to.equal(201);
      // Each registration takes the place of the one before it, whose code is no good any more.
      await verifyByNewestMail(service, body);
    });

    it('has a delivery that is sent again take effect once', async () => {
      const { service } = on();
      const { id, token } = await service.signUp();
      const sale = newSubscription({ userId: id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', sale, Date.now());
      expect((await inTheDark(() => drop(service.url, event))).status).to.equal(503);
      expect((await drop(service.url, event)).status).to.equal(200);
      await until(async () => (await service.request('GET', '/api/subscription', { token })).status === 200);
    });
  });
});
