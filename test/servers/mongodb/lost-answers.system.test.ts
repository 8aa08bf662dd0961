import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { deliverEvent, polarSettings } from '../../support/deliver-event.ts';
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

describe('A service that loses replies of MongoDB', function () {
  this.timeout(process.env.LONG === undefined ? 120_000 : 1_800_000);
  const on = useServiceOnMongo(polarSettings('http://127.0.0.1:9'));

  /** Loses the reply to the `place`th write from now on, of any caller. */
  const loseReply = (place: number) => {
    let passed = 0;
    return on().proxy.strike('lost', (command) => {
      if (!WRITES.includes(command)) return false;
      passed += 1;
      return passed > place;
    });
  };

  it('registers an account once, and sends one mail', async () => {
    let emails = 0;
    const registerOnce = async (round: number): Promise<void> => {
      const { service } = on();
      emails += 1;
      const email = `lost${emails}@example.com`;
      const countLost = loseReply((round - 1) % 4);
      const { status } = await service.post('/api/auth/register', { email, password: PASSWORD });
      // On a busy machine the retry of the lost call may exceed the deadline: the client gets a 503.
      if (status === 503 && emails < rounds + 4) return registerOnce(round);
      expect(status).to.equal(201);
      const code = await service.codeFor(email);
      const verified = await service.post('/api/auth/verify-email', { email, code, password: PASSWORD });
      expect(verified.status).to.equal(200);
      expect(countLost()).to.equal(1);
      expect(service.mails.filter(({ to }) => to === email)).to.have.length(1);
    };
    await inRounds(registerOnce);
  });

  it('issues one successor for a refresh token, which stays valid', async () => {
    const { service } = on();
    let { refreshToken } = await service.signUp();
    await inRounds(async (round) => {
      const countLost = loseReply((round - 1) % 2);
      const answers = await race(2, () => service.post('/api/auth/refresh', { refreshToken }));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 401]);
      refreshToken = String(answers.find(({ status }) => status === 200)?.body.refreshToken);
      await until(() => countLost() === 1);
    });
    expect((await service.post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
  });

  it('applies a delivery once', () =>
    inRounds(async (round) => {
      const { service } = on();
      const { id, token } = await service.signUp();
      const sale = newSubscription({ userId: id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', sale, Date.now());
      loseReply((round - 1) % 4);
      expect((await deliverEvent(service.url, event)).status).to.equal(200);
      expect((await deliverEvent(service.url, event)).status).to.equal(200);
      await until(async () => (await service.request('GET', '/api/subscription', { token })).status === 200);
      const changes = () =>
        service.events.filter((event) => event.userId === id && event.type === 'entitlement.changed');
      await until(() => changes().length > 0);
      expect(new Set(changes().map((change) => change.id)).size).to.equal(1);
    }));

  it('creates a file once', () =>
    inRounds(async (round) => {
      const client = makeClient(on().service.metadataUrl);
      const user = `user-${round}`;
      const countLost = loseReply(0);
      const { status, body } = await client.create({ user });
      expect([status, countLost()]).to.deep.equal([200, 1]);
      const listed = (await client.list(user)).body.files as unknown as readonly { readonly id: string }[];
      expect(listed.map(({ id }) => id)).to.deep.equal([body.id]);
    }));

  it('deletes a file once', () =>
    inRounds(async (round) => {
      const client = makeClient(on().service.metadataUrl);
      const { body } = await client.create({ user: `other-${round}` });
      loseReply((round - 1) % 2);
      const answers = await race(2, () => client.remove(String(body.id)));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 404]);
    }));

  describe('for all writes of a call', () => {
    /** Sends a call during which all replies to writes are lost, and returns its response. */
    const withoutReplies = async <T>(call: () => Promise<T>): Promise<T> => {
      const { proxy, service } = on();
      proxy.strike('lost', (command) => WRITES.includes(command), 100_000);
      const answer = await call();
      proxy.calm();
      await until(async () => (await service.request('GET', '/health/ready')).status === 200);
      return answer;
    };

    it('accepts a repeated registration as if it were the first', async () => {
      const { service } = on();
      const body = { email: 'dark@example.com', password: PASSWORD };
      const register = () => service.post('/api/auth/register', body);
      expect((await withoutReplies(register)).status).to.equal(503);
      expect((await register()).status).to.equal(201);
      // A new registration replaces the previous one and invalidates its code.
      await verifyByNewestMail(service, body);
    });

    it('applies a repeated delivery', async () => {
      const { service } = on();
      const { id, token } = await service.signUp();
      const sale = newSubscription({ userId: id, customerId: randomUUID() }, Date.now());
      const event = subscriptionEvent('active', sale, Date.now());
      expect((await withoutReplies(() => deliverEvent(service.url, event))).status).to.equal(503);
      expect((await deliverEvent(service.url, event)).status).to.equal(200);
      await until(async () => (await service.request('GET', '/api/subscription', { token })).status === 200);
    });
  });
});
