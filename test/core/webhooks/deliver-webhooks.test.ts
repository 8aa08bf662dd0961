import { expect } from 'chai';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeSqlWebhookStore } from '../../../adapters/sql/outbox-store.ts';
import type { Delivery, UserEvent, WebhookMessage, WebhookStore } from '../../../core/index.ts';
import { createWebhooks, defaultWebhooksPolicy } from '../../../core/index.ts';
import { makeStoreOpener } from '../../adapters/sqlite/open-store.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';

const SENT: Delivery = { outcome: 'sent' };
const REFUSED: Delivery = { outcome: 'refused', failure: 'gone' };
const AGAIN: Delivery = { outcome: 'again', after: null, failure: 'status_500' };

const eventOf = (id: string, userId = 'ada', at = NOW): UserEvent => ({
  ...{ id, at, userId },
  type: 'user.verified',
  sessionId: null,
});

describe('Webhook deliveries', () => {
  let store: WebhookStore;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ store, close } = await makeStoreOpener(makeSqlWebhookStore)());
  });
  afterEach(() => close());

  type Answer = (endpoint: string, message: WebhookMessage) => Delivery;

  /** `calls` has the endpoint and the event of each message to the sender, in order. */
  const open = (answer: Answer = () => SENT, endpoints: readonly string[] = ['one']) => {
    const calls: string[] = [];
    const messages: WebhookMessage[] = [];
    const clock = makeSettableClock();
    const log = makeRecordingLog();
    let wakeUps = 0;
    const webhooks = createWebhooks({
      ...{ clock, log, store },
      // This byte makes the jitter factor about 1.
      random: { ...makeRandom(), bytes: () => Uint8Array.of(128) },
      wake: () => {
        wakeUps += 1;
      },
      sender: {
        endpoints: endpoints.map((id) => ({ id, name: `https://${id}.example.com/…` })),
        idOf: (url) => /^https:\/\/(\w+)\..*hooks$/.exec(url)?.[1] ?? '',
        send: async (endpoint, message) => {
          calls.push(`${endpoint} ${message.id}`);
          messages.push(message);
          return answer(endpoint, message);
        },
      },
    });
    const { publish } = webhooks.events;
    return {
      ...webhooks.background,
      ...webhooks.operate,
      publish,
      calls,
      messages,
      clock,
      log,
      wakeUps: () => wakeUps,
    };
  };

  const statesOf = async ({ listDeliveries }: Pick<ReturnType<typeof open>, 'listDeliveries'>) => {
    const states: string[] = [];
    for await (const { id, state, tries, lastFailure } of listDeliveries()) {
      states.push(`${id} ${state} ${tries} ${lastFailure}`);
    }
    return states;
  };

  const endpointsOf = async ({ listDeliveries }: Pick<ReturnType<typeof open>, 'listDeliveries'>) => {
    const endpoints: string[] = [];
    for await (const { endpoint } of listDeliveries()) endpoints.push(endpoint);
    return endpoints;
  };

  it('reach every endpoint in the form that Standard Webhooks recommends', async () => {
    const { publish, deliver, calls, messages, wakeUps } = open(() => SENT, ['one', 'two']);
    await publish({ ...eventOf('e1'), type: 'session.revoked', sessionId: 's1' });
    expect(wakeUps()).to.equal(1);
    expect(await deliver(1)).to.equal(2);
    expect(calls).to.have.members(['one e1', 'two e1']);
    expect(JSON.parse(messages[0]?.body ?? '')).to.deep.equal({
      type: 'session.revoked',
      timestamp: new Date(NOW).toISOString(),
      data: { userId: 'ada', sessionId: 's1' },
    });
    expect(await deliver(1)).to.equal(0);
    await publish(eventOf('e2'));
    await deliver(1);
    expect(JSON.parse(messages.at(-1)?.body ?? '').data).to.deep.equal({ userId: 'ada' });
  });

  it('wake no process if there is no endpoint', async () => {
    const { publish, wakeUps } = open(() => SENT, []);
    await publish(eventOf('e1'));
    expect(wakeUps()).to.equal(0);
  });

  it('are added once if an event is repeated', async () => {
    const { publish, deliver, calls } = open();
    for (let time = 0; time < 3; time += 1) await publish(eventOf('e1'));
    await deliver(1);
    expect(calls).to.deep.equal(['one e1']);
  });

  it('reach an endpoint in order for a user: a later event waits for an earlier one that fails', async () => {
    let fails = true;
    const { publish, deliver, calls, clock } = open((_, { id }) => (fails && id === 'a1' ? AGAIN : SENT));
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    await publish(eventOf('b1', 'bob'));
    await deliver(1);
    expect(calls).to.have.members(['one a1', 'one b1']);
    await publish(eventOf('a3', 'ada', NOW + 2));
    clock.set(NOW + 4_000);
    // Only the new event is due, and it then waits like the others.
    await deliver(1);
    expect(await store.listDue(NOW + 4_000, 9, 'one')).to.deep.equal([]);
    expect(calls).to.have.length(2);
    fails = false;
    clock.set(NOW + 5_100);
    expect(await deliver(1)).to.equal(3);
    expect(calls.slice(2)).to.deep.equal(['one a1', 'one a2', 'one a3']);
  });

  it('are attempted ten times in 75 h, then given up, and no longer delay later events', async () => {
    const { publish, deliver, calls, clock, log, ...rest } = open((_, { id }) =>
      id === 'a1' ? AGAIN : SENT,
    );
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    const waits: number[] = [];
    for (let time = NOW; ; ) {
      clock.set(time);
      await deliver(1);
      const [head] = await store.listFor('one ada');
      if (head?.entry.event.id !== 'a1') break;
      waits.push(head.dueAt - time);
      time = head.dueAt;
    }
    expect(calls).to.deep.equal([...Array.from({ length: 10 }, () => 'one a1'), 'one a2']);
    // The jitter factor is not exactly 1.
    const diff = waits.map((wait, place) => Math.abs(wait / (defaultWebhooksPolicy.waitsMs[place] ?? 0) - 1));
    expect(Math.max(...diff)).to.be.below(0.01);
    expect(await statesOf(rest)).to.deep.equal(['a1.one dead 10 status_500']);
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ event }) => event)).to.deep.equal([
      'webhook.given_up',
    ]);
  });

  it('continue for other users while the store removes one, and for its user after that', async () => {
    const { remove } = store;
    const pending: (() => void)[] = [];
    const release = () => {
      for (const go of pending.splice(0)) go();
    };
    store = {
      ...store,
      remove: async (id) => {
        await new Promise<void>((resolve) => pending.push(resolve));
        await remove(id);
      },
    };
    const { publish, deliver, calls } = open();
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    for (let user = 0; user < 20; user += 1) await publish(eventOf(`e${user}`, `user ${user}`));
    const round = deliver(1);
    // These are more deliveries than are sent at once.
    await until(() => pending.length === 21);
    expect(calls).to.include('one a1').and.not.include('one a2');
    release();
    await until(() => pending.length === 1);
    expect(calls.at(-1)).to.equal('one a2');
    release();
    expect(await round).to.equal(22);
  });

  it('continue in the next round if a round ends between two events of a user', async () => {
    let slow = 0;
    const { publish, deliver, calls, clock } = open(() => {
      // The later event waits an hour with the first, which is longer than the round that delivers the first.
      if (calls.length === 1) return { ...AGAIN, outcome: 'again', after: 3_600_000 };
      clock.set(clock.now() + slow);
      return SENT;
    });
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    await deliver(1);
    await store.retry('a1.one', NOW);
    // This is longer than a round.
    slow = 6_000;
    await deliver(1);
    expect(calls).to.deep.equal(['one a1', 'one a1']);
    expect(await store.listDue(clock.now(), 9, 'one')).to.deep.equal(['one ada']);
    await deliver(1);
    expect(calls).to.deep.equal(['one a1', 'one a1', 'one a2']);
  });

  it('keep their own wait if a round ends before them', async () => {
    let slow = 0;
    const { publish, deliver, calls, clock } = open((_, { id }) => {
      if (id === 'a1' && slow === 0) return { outcome: 'refused', failure: 'gone' };
      if (id === 'a2') return { ...AGAIN, outcome: 'again', after: 3_600_000 };
      clock.set(clock.now() + slow);
      return SENT;
    });
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    await deliver(1);
    await store.retry('a1.one', NOW);
    slow = 6_000;
    await deliver(1);
    expect(calls).to.deep.equal(['one a1', 'one a2', 'one a1']);
    expect(await store.listDue(clock.now(), 9, 'one')).to.deep.equal([]);
  });

  it('continue with the next event of a user after an operator discarded a failing one', async () => {
    const { publish, deliver, calls, discardDeliveries } = open((_, { id }) => (id === 'a1' ? AGAIN : SENT));
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    await deliver(1);
    await discardDeliveries({ id: 'a1.one' });
    await publish(eventOf('a3', 'ada', NOW + 2));
    await deliver(1);
    expect(calls).to.deep.equal(['one a1', 'one a2', 'one a3']);
  });

  it('wait as long as a receiver requests, up to a day', async () => {
    let after = 60_000;
    const { publish, deliver, clock } = open(() => ({ ...AGAIN, outcome: 'again', after }));
    await publish(eventOf('a1'));
    await deliver(1);
    const due = async () => (await store.listFor('one ada'))[0]?.dueAt;
    expect(await due()).to.equal(NOW + 60_000);
    after = 999_999_999;
    clock.set(NOW + 60_000);
    await deliver(1);
    expect(await due()).to.equal(NOW + 60_000 + 86_400_000);
  });

  it('are not delayed by another endpoint that is down, which is attempted few times a round', async () => {
    const { publish, deliver, calls } = open(
      (endpoint) => (endpoint === 'down' ? AGAIN : SENT),
      ['down', 'up'],
    );
    for (let user = 0; user < 200; user += 1) await publish(eventOf(`e${user}`, `user ${user}`));
    await deliver(1);
    expect(calls.filter((address) => address.startsWith('up '))).to.have.length(100);
    // Five failures in a row, and the deliveries that were pending beside them.
    expect(calls.filter((address) => address.startsWith('down '))).to.have.length.below(22);
  });

  it('are dead while their endpoint is not configured, and are delivered once it is again', async () => {
    const former = open((_, { id }) => (id === 'e1' ? REFUSED : SENT), ['old']);
    await former.publish(eventOf('e1'));
    const without = open();
    expect(await without.deliver(1)).to.equal(0);
    expect(await statesOf(without)).to.deep.equal(['e1.old dead 0 no_endpoint']);
    expect(await endpointsOf(without)).to.deep.equal(['old']);
    await former.publish(eventOf('e2'));
    expect(await endpointsOf(former)).to.deep.equal(Array(2).fill('https://old.example.com/…'));
    expect(await former.deliver(1)).to.equal(1);
    // A delivery that was given up before keeps its failure.
    expect(await statesOf(without)).to.deep.equal(['e1.old dead 1 gone']);
  });

  it('wait again after a failed delivery if the clock was set back since', async () => {
    const { publish, deliver, calls, clock } = open(() => AGAIN);
    await publish(eventOf('a1'));
    await publish(eventOf('a2', 'ada', NOW + 1));
    clock.set(NOW + 3_600_000);
    await deliver(1);
    expect(calls).to.deep.equal(['one a1']);
    clock.set(NOW);
    // Both waits start in the future, so the first event is attempted, and the later one then waits, too.
    await deliver(1);
    expect(calls).to.deep.equal(['one a1', 'one a1']);
    const waits = await store.listFor('one ada');
    expect(waits.map(({ waitsFrom }) => waitsFrom)).to.deep.equal([NOW, NOW]);
    expect(new Set(waits.map(({ dueAt }) => dueAt)).size).to.equal(1);
    expect(await deliver(1)).to.equal(0);
    expect(calls).to.have.length(2);
  });

  it('are all counted, those to former endpoints as dead', async () => {
    await open(() => SENT, ['old']).publish(eventOf('e1'));
    const { publish, deliver, countDeliveries } = open(() => AGAIN);
    await publish(eventOf('a1', 'ada', NOW + 2));
    await deliver(1);
    await publish(eventOf('b1', 'bob', NOW + 3));
    const counts = { waiting: 1, failing: 1, dead: 1, oldestAt: NOW + 2 };
    expect(await countDeliveries()).to.deep.equal(counts);
  });

  it('are discarded by an operator, one or all of an endpoint, also of a former endpoint', async () => {
    await open(() => SENT, ['old']).publish(eventOf('e1'));
    const { publish, discardDeliveries, ...rest } = open(() => SENT, ['one', 'two']);
    for (const id of ['a1', 'b1']) await publish(eventOf(id, id));
    expect(await discardDeliveries({ id: 'a1.one' })).to.equal(1);
    expect(await discardDeliveries({ endpoint: 'https://old.example.com/hooks' })).to.equal(1);
    expect(await discardDeliveries({ endpoint: 'https://two.example.com/…' })).to.equal(2);
    expect(await statesOf(rest)).to.deep.equal(['b1.one waiting 0 null']);
    expect(await discardDeliveries({ endpoint: 'https://old.example.com/hooks' })).to.equal(0);
    expect(await rejectionOf(() => discardDeliveries({ id: 'a1.one' }))).to.include({
      kind: 'missing',
      code: 'delivery_not_found',
      message: 'There is no such delivery in the outbox.',
    });
  });

  it('are retried by an operator, one or all, including dead ones', async () => {
    let answer: Delivery = REFUSED;
    const { publish, deliver, retryDeliveries, ...rest } = open(() => answer);
    for (const id of ['a1', 'b1']) await publish(eventOf(id, id));
    await deliver(1);
    answer = SENT;
    expect(await retryDeliveries('a1.one')).to.equal(1);
    expect(await deliver(1)).to.equal(1);
    expect(await rejectionOf(() => retryDeliveries('a1.one'))).to.include({ code: 'delivery_not_found' });
    expect(await retryDeliveries(null)).to.equal(1);
    expect(await deliver(1)).to.equal(1);
    expect(await statesOf(rest)).to.deep.equal([]);
    expect(await retryDeliveries(null)).to.equal(0);
  });

  it('are found by one short list before an operator retries or discards one, however many wait', async () => {
    const { publish, retryDeliveries, discardDeliveries } = open();
    for (let number = 100; number < 200; number += 1) await publish(eventOf(`a${number}`));
    const limits: number[] = [];
    let begun = 0;
    const { list } = store;
    store = {
      ...store,
      list: (after, limit) => {
        limits.push(limit);
        return list(after, limit);
      },
    };
    const begin = async () => {
      begun += 1;
    };
    const counted = open();
    expect(await counted.retryDeliveries('a150.one', begin)).to.equal(1);
    expect(await counted.discardDeliveries({ id: 'a151.one' }, begin)).to.equal(1);
    expect(begun).to.equal(2);
    for (const call of [retryDeliveries('a151.one', begin), discardDeliveries({ id: 'a9' }, begin)])
      expect(await rejectionOf(() => call)).to.include({ code: 'delivery_not_found' });
    expect(begun).to.equal(2);
    expect(limits.length).to.equal(2);
    expect(Math.max(...limits)).to.be.at.most(16);
  });

  it('can be tested with a message that is not an event, only at a configured address', async () => {
    const { tryEndpoint, messages } = open(() => SENT, ['one', 'other']);
    expect(await tryEndpoint('https://one.example.com/hooks')).to.deep.equal(SENT);
    expect(JSON.parse(messages[0]?.body ?? '')).to.include({ type: 'webhook.test' });
    expect(await rejectionOf(() => tryEndpoint('https://two.example.com/hooks'))).to.include({
      kind: 'missing',
      code: 'endpoint_not_found',
      message: 'WEBHOOK_URLS does not name this address.',
    });
  });

  it('are refused with `invalid_request` for an argument of the wrong type', async () => {
    const { publish, deliver, discardDeliveries, retryDeliveries, tryEndpoint } = open();
    for (const call of [publish, deliver, discardDeliveries, retryDeliveries, tryEndpoint])
      expect(await rejectionOf(() => Promise.resolve(Reflect.apply(call, undefined, [{}])))).to.include({
        kind: 'invalid',
        code: 'invalid_request',
      });
  });
});
