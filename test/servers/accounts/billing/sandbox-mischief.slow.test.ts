import { expect } from 'chai';
import type { Mischief } from '../../../../adapters/sandbox-billing/deliveries.ts';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const JSON_PLEASE = { Accept: 'application/json' };
const forms: readonly Mischief[] = [
  { copies: 4 },
  { backwards: true },
  { delay: 300 },
  { copies: 3, backwards: true, delay: 100 },
];

describe('The sandbox that delivers as it likes', () => {
  let mischief: Mischief = {};
  const service = useService({ SELF_ENTITLEMENT: 'ignore' }, { mischief: () => mischief });

  const get = (user: User, path: string) =>
    service().request('GET', path, { token: user.token, headers: JSON_PLEASE });
  const tierOf = async (user: User): Promise<string> =>
    String((await get(user, '/api/auth/me')).body.user?.serviceAccess?.[0]?.tier ?? 'none');
  const post = async (address: string) => {
    expect((await fetch(address, { method: 'POST', redirect: 'manual' })).status).to.equal(303);
  };
  const press = async (user: User, button: string) => {
    const portal = String((await get(user, '/api/billing/portal')).body.url);
    const [, action] =
      new RegExp(`action="([^"]+/${button})"`).exec(await (await fetch(portal)).text()) ?? [];
    await post(`${service().url}${action}`);
  };
  /** Waits until that many deliveries were taken in. */
  const told = (count: number) =>
    until(
      () => service().log.lines.filter(({ event }) => event === 'billing.event_received').length === count,
    );
  /** The status of the subscription, undefined when there is none any more. */
  const statusOf = async (user: User) => (await get(user, '/api/subscription')).body.status;

  const rowsOf = async ({ id }: User) => {
    await service().composition.settle();
    const rows = [];
    for await (const row of service().composition.accounts.operate.listAudit({ user: id }))
      rows.push(row.action);
    return rows;
  };

  /** What is left of a user who buys, cancels, resumes and is revoked, step by step. */
  const storyOf = async (given: Mischief) => {
    mischief = given;
    service().log.lines.length = 0;
    const user = await service().signUp();
    const { body } = await get(user, '/api/billing/checkout?plan=pro&billingCycle=monthly');
    await post(`${String(body.url)}/pay`);
    await until(async () => (await tierOf(user)) === 'pro');
    // Of the customer, and of the subscription that it was made, changed and became active.
    await told(4);
    const seen: unknown[] = [];
    for (const [button, count, status] of [
      ['cancel', 6, 'canceled'],
      ['resume', 8, 'active'],
      ['renew', 10, 'active'],
      ['revoke', 13, undefined],
    ] as const) {
      await press(user, button);
      await told(count);
      await until(async () => (await statusOf(user)) === status);
      seen.push([button, await tierOf(user)]);
    }
    return { seen, rows: await rowsOf(user) };
  };

  it('leaves what it leaves when it delivers each once and in order', async () => {
    const expected = await storyOf({});
    expect(expected.seen).to.deep.equal([
      ['cancel', 'pro'],
      ['resume', 'pro'],
      ['renew', 'pro'],
      ['revoke', 'free'],
    ]);
    for (const form of forms) expect(await storyOf(form), JSON.stringify(form)).to.deep.equal(expected);
  }).timeout(60_000);

  it('takes each delivery once, however often it is sent', async () => {
    mischief = { copies: 5 };
    service().log.lines.length = 0;
    const user = await service().signUp();
    const { body } = await get(user, '/api/billing/checkout?plan=pro-lite&billingCycle=yearly');
    await post(`${String(body.url)}/pay`);
    await until(async () => (await tierOf(user)) === 'pro-lite');
    await told(4);
    const changes = () =>
      service().events.filter(({ type, userId }) => type === 'entitlement.changed' && userId === user.id);
    await until(() => changes().length > 0);
    expect(changes()).to.have.length(1);
    expect(await rowsOf(user)).to.deep.equal(['billing.changed']);
  });
});
