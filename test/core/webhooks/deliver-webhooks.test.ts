import { expect } from 'chai';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeSqlWebhookStore } from '../../../adapters/sql/outbox-store.ts';
import type { Delivery, Happened, WebhookMessage, WebhookStore } from '../../../core/index.ts';
import { createWebhooks, defaultWebhooksPolicy } from '../../../core/index.ts';
import { openedStore } from '../../adapters/sqlite/opened.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';

const SENT: Delivery = { outcome: 'sent' };
const REFUSED: Delivery = { outcome: 'refused', failure: 'gone' };
const AGAIN: Delivery = { outcome: 'again', after: null, failure: 'status_500' };

const happened = (id: string, userId = 'ada', at = NOW): Happened => ({
  ...{ id, at, userId },
  type: 'user.verified',
  sessionId: null,
});

describe('Events on their way to other servers', () => {
  let store: WebhookStore;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ store, close } = await openedStore(makeSqlWebhookStore)());
  });
  afterEach(() => close());

  type Answer = (endpoint: string, message: WebhookMessage) => Delivery;

  /** `tried` are endpoint and event of each message, in order. */
  const open = (answer: Answer = () => SENT, endpoints: readonly string[] = ['one']) => {
    const tried: string[] = [];
    const messages: WebhookMessage[] = [];
    const clock = makeSettableClock();
    const log = makeRecordingLog();
    let woken = 0;
    const webhooks = createWebhooks({
      ...{ clock, log, store },
      // The middle of the jitter.
      random: { ...makeRandom(), bytes: () => Uint8Array.of(128) },
      wake: () => {
        woken += 1;
      },
      sender: {
        endpoints: endpoints.map((id) => ({ id, name: `https://${id}.example.com/…` })),
        idOf: (url) => /^https:\/\/(\w+)\..*hooks$/.exec(url)?.[1] ?? '',
        send: async (endpoint, message) => {
          tried.push(`${endpoint} ${message.id}`);
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
      tried,
      messages,
      clock,
      log,
      woken: () => woken,
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
    const listed: string[] = [];
    for await (const { endpoint } of listDeliveries()) listed.push(endpoint);
    return listed;
  };

  it('go to every endpoint, with the form that Standard Webhooks recommends', async () => {
    const { publish, deliver, tried, messages, woken } = open(() => SENT, ['one', 'two']);
    await publish({ ...happened('e1'), type: 'session.revoked', sessionId: 's1' });
    expect(woken()).to.equal(1);
    expect(await deliver(1)).to.equal(2);
    expect(tried).to.have.members(['one e1', 'two e1']);
    expect(JSON.parse(messages[0]?.body ?? '')).to.deep.equal({
      type: 'session.revoked',
      timestamp: new Date(NOW).toISOString(),
      data: { userId: 'ada', sessionId: 's1' },
    });
    expect(await deliver(1)).to.equal(0);
    await publish(happened('e2'));
    await deliver(1);
    expect(JSON.parse(messages.at(-1)?.body ?? '').data).to.deep.equal({ userId: 'ada' });
  });

  it('wake nobody where there is no endpoint', async () => {
    const { publish, woken } = open(() => SENT, []);
    await publish(happened('e1'));
    expect(woken()).to.equal(0);
  });

  it('are added once, however often they are repeated', async () => {
    const { publish, deliver, tried } = open();
    for (let time = 0; time < 3; time += 1) await publish(happened('e1'));
    await deliver(1);
    expect(tried).to.deep.equal(['one e1']);
  });

  it('reach an endpoint in order for a user: a later one waits for an earlier one that fails', async () => {
    let fails = true;
    const { publish, deliver, tried, clock } = open((_, { id }) => (fails && id === 'a1' ? AGAIN : SENT));
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    await publish(happened('b1', 'bob'));
    await deliver(1);
    expect(tried).to.have.members(['one a1', 'one b1']);
    await publish(happened('a3', 'ada', NOW + 2));
    clock.set(NOW + 4_000);
    // Nothing but the new one is due, and it waits from now on as the others do.
    await deliver(1);
    expect(await store.listDue(NOW + 4_000, 9, 'one')).to.deep.equal([]);
    expect(tried).to.have.length(2);
    fails = false;
    clock.set(NOW + 5_100);
    expect(await deliver(1)).to.equal(3);
    expect(tried.slice(2)).to.deep.equal(['one a1', 'one a2', 'one a3']);
  });

  it('are tried ten times in 75 h, then given up, and hold up no later one', async () => {
    const { publish, deliver, tried, clock, log, ...rest } = open((_, { id }) =>
      id === 'a1' ? AGAIN : SENT,
    );
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    const waits: number[] = [];
    for (let time = NOW; ; ) {
      clock.set(time);
      await deliver(1);
      const [head] = await store.listFor('one ada');
      if (head?.entry.event.id !== 'a1') break;
      waits.push(head.dueAt - time);
      time = head.dueAt;
    }
    expect(tried).to.deep.equal([...Array.from({ length: 10 }, () => 'one a1'), 'one a2']);
    // The jitter's middle is not exactly 1.
    const near = waits.map((wait, place) => Math.abs(wait / (defaultWebhooksPolicy.waitsMs[place] ?? 0) - 1));
    expect(Math.max(...near)).to.be.below(0.01);
    expect(await statesOf(rest)).to.deep.equal(['a1.one dead 10 status_500']);
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ event }) => event)).to.deep.equal([
      'webhook.given_up',
    ]);
  });

  it('go on to other users while the store removes one, and to the next of the same user after that', async () => {
    const { remove } = store;
    const held: (() => void)[] = [];
    const letGo = () => {
      for (const go of held.splice(0)) go();
    };
    store = {
      ...store,
      remove: async (id) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await remove(id);
      },
    };
    const { publish, deliver, tried } = open();
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    for (let user = 0; user < 20; user += 1) await publish(happened(`e${user}`, `user ${user}`));
    const round = deliver(1);
    // More than are sent at once.
    await until(() => held.length === 21);
    expect(tried).to.include('one a1').and.not.include('one a2');
    letGo();
    await until(() => held.length === 1);
    expect(tried.at(-1)).to.equal('one a2');
    letGo();
    expect(await round).to.equal(22);
  });

  it('go on at the next round where one ends between two of a user, though the later one had waited', async () => {
    let slow = 0;
    const { publish, deliver, tried, clock } = open(() => {
      // The later one waits an hour with the first: longer than the round that delivers the first.
      if (tried.length === 1) return { ...AGAIN, outcome: 'again', after: 3_600_000 };
      clock.set(clock.now() + slow);
      return SENT;
    });
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    await deliver(1);
    await store.retry('a1.one', NOW);
    // Longer than a round.
    slow = 6_000;
    await deliver(1);
    expect(tried).to.deep.equal(['one a1', 'one a1']);
    expect(await store.listDue(clock.now(), 9, 'one')).to.deep.equal(['one ada']);
    await deliver(1);
    expect(tried).to.deep.equal(['one a1', 'one a1', 'one a2']);
  });

  it('keep a wait of their own where a round ends before them', async () => {
    let slow = 0;
    const { publish, deliver, tried, clock } = open((_, { id }) => {
      if (id === 'a1' && slow === 0) return { outcome: 'refused', failure: 'gone' };
      if (id === 'a2') return { ...AGAIN, outcome: 'again', after: 3_600_000 };
      clock.set(clock.now() + slow);
      return SENT;
    });
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    await deliver(1);
    await store.retry('a1.one', NOW);
    slow = 6_000;
    await deliver(1);
    expect(tried).to.deep.equal(['one a1', 'one a2', 'one a1']);
    expect(await store.listDue(clock.now(), 9, 'one')).to.deep.equal([]);
  });

  it('go on with the next event of a user where an operator discarded the one that held up the others', async () => {
    const { publish, deliver, tried, discardDeliveries } = open((_, { id }) => (id === 'a1' ? AGAIN : SENT));
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    await deliver(1);
    await discardDeliveries({ id: 'a1.one' });
    await publish(happened('a3', 'ada', NOW + 2));
    await deliver(1);
    expect(tried).to.deep.equal(['one a1', 'one a2', 'one a3']);
  });

  it('wait as long as a receiver asks for, up to a day', async () => {
    let after = 60_000;
    const { publish, deliver, clock } = open(() => ({ ...AGAIN, outcome: 'again', after }));
    await publish(happened('a1'));
    await deliver(1);
    const due = async () => (await store.listFor('one ada'))[0]?.dueAt;
    expect(await due()).to.equal(NOW + 60_000);
    after = 999_999_999;
    clock.set(NOW + 60_000);
    await deliver(1);
    expect(await due()).to.equal(NOW + 60_000 + 86_400_000);
  });

  it('are held up by no other endpoint that is down, which is tried a few times a round', async () => {
    const { publish, deliver, tried } = open(
      (endpoint) => (endpoint === 'down' ? AGAIN : SENT),
      ['down', 'up'],
    );
    for (let user = 0; user < 200; user += 1) await publish(happened(`e${user}`, `user ${user}`));
    await deliver(1);
    expect(tried.filter((address) => address.startsWith('up '))).to.have.length(100);
    // Five in a row, and those that were on their way beside them.
    expect(tried.filter((address) => address.startsWith('down '))).to.have.length.below(22);
  });

  it('are listed as dead where the settings name their endpoint no more, and live when it is back', async () => {
    const back = open((_, { id }) => (id === 'e1' ? REFUSED : SENT), ['old']);
    await back.publish(happened('e1'));
    const without = open();
    expect(await without.deliver(1)).to.equal(0);
    expect(await statesOf(without)).to.deep.equal(['e1.old dead 0 no_endpoint']);
    expect(await endpointsOf(without)).to.deep.equal(['old']);
    await back.publish(happened('e2'));
    expect(await endpointsOf(back)).to.deep.equal(Array(2).fill('https://old.example.com/…'));
    expect(await back.deliver(1)).to.equal(1);
    // What was given up before keeps its reason.
    expect(await statesOf(without)).to.deep.equal(['e1.old dead 1 gone']);
  });

  it('wait again behind a failed delivery if the clock was set back since', async () => {
    const { publish, deliver, tried, clock } = open(() => AGAIN);
    await publish(happened('a1'));
    await publish(happened('a2', 'ada', NOW + 1));
    clock.set(NOW + 3_600_000);
    await deliver(1);
    expect(tried).to.deep.equal(['one a1']);
    clock.set(NOW);
    // Both wait from a time to come, so the first is tried, and the later one waits from now on, too.
    await deliver(1);
    expect(tried).to.deep.equal(['one a1', 'one a1']);
    const waits = await store.listFor('one ada');
    expect(waits.map(({ waitsFrom }) => waitsFrom)).to.deep.equal([NOW, NOW]);
    expect(new Set(waits.map(({ dueAt }) => dueAt)).size).to.equal(1);
    expect(await deliver(1)).to.equal(0);
    expect(tried).to.have.length(2);
  });

  it('are counted, all of them: those to former endpoints as dead', async () => {
    await open(() => SENT, ['old']).publish(happened('e1'));
    const { publish, deliver, countDeliveries } = open(() => AGAIN);
    await publish(happened('a1', 'ada', NOW + 2));
    await deliver(1);
    await publish(happened('b1', 'bob', NOW + 3));
    const counts = { waiting: 1, failing: 1, dead: 1, oldestAt: NOW + 2 };
    expect(await countDeliveries()).to.deep.equal(counts);
  });

  it('are discarded by an operator, one or all to an endpoint, also to a former one', async () => {
    await open(() => SENT, ['old']).publish(happened('e1'));
    const { publish, discardDeliveries, ...rest } = open(() => SENT, ['one', 'two']);
    for (const id of ['a1', 'b1']) await publish(happened(id, id));
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

  it('are retried by an operator, one or all, dead ones too', async () => {
    let answer: Delivery = REFUSED;
    const { publish, deliver, retryDeliveries, ...rest } = open(() => answer);
    for (const id of ['a1', 'b1']) await publish(happened(id, id));
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

  it('can be tried with a message that is no event, at an address of the settings alone', async () => {
    const { tryEndpoint, messages } = open(() => SENT, ['one', 'other']);
    expect(await tryEndpoint('https://one.example.com/hooks')).to.deep.equal(SENT);
    expect(JSON.parse(messages[0]?.body ?? '')).to.include({ type: 'webhook.test' });
    expect(await rejectionOf(() => tryEndpoint('https://two.example.com/hooks'))).to.include({
      kind: 'missing',
      code: 'endpoint_not_found',
      message: 'WEBHOOK_URLS does not name this address.',
    });
  });

  it('are refused where an argument is of another kind', async () => {
    const { publish, deliver, discardDeliveries, retryDeliveries, tryEndpoint } = open();
    for (const call of [publish, deliver, discardDeliveries, retryDeliveries, tryEndpoint])
      expect(await rejectionOf(() => Promise.resolve(Reflect.apply(call, undefined, [{}])))).to.include({
        kind: 'invalid',
        code: 'invalid_request',
      });
  });
});
