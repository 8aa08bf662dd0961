import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { signDelivery } from '../../adapters/signed-deliveries/signature.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../support/servers/polar-events.ts';
import { type User, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { documentsOf, runCommand } from './run-command.ts';

const SECRET = 'whsec_LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=';
/** What the sandbox sells as `pro` a month. */
const PRO = '5a9db000-0000-4000-8000-000000000003';

describe('The billing commands', () => {
  const service = useService({ WEBHOOK_SECRETS: SECRET, SELF_ENTITLEMENT: 'ignore' });
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(service().folder, args, {
      env: { DATA_DIR: service().folder, WEBHOOK_SECRETS: SECRET, SELF_ENTITLEMENT: 'ignore', ...env },
    });
  /** Settings with a payment provider that is unreachable. */
  const unreachable = {
    BILLING: 'polar',
    POLAR_URL: 'http://127.0.0.1:1/v1',
    POLAR_ACCESS_TOKEN: 'polar_oat_of_the_tests',
    POLAR_PRODUCTS: '{"pro":{"monthly":"a"}}',
  };
  const tierOf = async ({ token }: User): Promise<string> => {
    const { body } = await service().request('GET', '/api/auth/me', { token });
    return String(body.user?.serviceAccess?.[0]?.tier ?? 'none');
  };
  const deliver = async (event: { readonly id: string; readonly body: string }) => {
    const headers = { ...signDelivery(SECRET, event, service().clock.now()) };
    const { status } = await service().post('/api/webhooks/drop', event.body, { headers });
    expect(status).to.equal(200);
  };
  const outcomeOf = async (args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const { status, stdout, stderr } = await run([...args, '--json'], env);
    return { status, output: JSON.parse((stdout || stderr).trim().split('\n').at(-1) ?? '') };
  };
  const applyEvents = async () => {
    const { billing } = service().composition;
    while ((await billing.background.applyEvents()) > 0);
  };
  const activeSubscription = (userId: string | null, customerId: string, id?: string) =>
    subscriptionEvent(
      'active',
      newSubscription({ userId, customerId, productId: PRO }, Date.now()),
      Date.now(),
      id,
    );

  it('replay one delivery or all, and exit with 1 while a delivery cannot be applied', async () => {
    const user = await service().signUp();
    const customerId = randomUUID();
    await deliver(activeSubscription(null, customerId, 'first'));
    await deliver(activeSubscription(null, customerId, 'second'));
    await applyEvents();
    expect(await outcomeOf(['billing', 'replay'])).to.deep.equal({
      status: 1,
      output: { replayed: 2, left: 2 },
    });
    expect(await outcomeOf(['billing', 'replay', '--event', 'first'])).to.deep.equal({
      status: 1,
      output: { replayed: 1, left: 1 },
    });
    const result = await run(['billing', 'replay', '--event', 'of none']);
    expect([result.status, result.stdout, result.stderr.trim()]).to.deep.equal([
      1,
      '',
      'There is no delivery with this id.',
    ]);
    // Another delivery that cannot be applied does not make the replay of `first` fail.
    await deliver(activeSubscription(null, randomUUID(), 'of-a-stranger'));
    await deliver(customerEvent('created', { customerId, userId: user.id }, Date.now()));
    await until(async () => (await tierOf(user)) === 'pro');
    expect(await outcomeOf(['billing', 'replay', '--event', 'first'])).to.deep.equal({
      status: 0,
      output: { replayed: 0, left: 0 },
    });
    expect((await outcomeOf(['billing', 'replay'])).output).to.include({ left: 1 });
    const rows = documentsOf(await run(['audit', 'list', '--json']));
    expect(rows.filter(({ action }) => action === 'billing.replayed')).to.have.length(4);
  });

  it('reconcile one user, by id or email, and apply the answer at once', async () => {
    const user = await service().signUp();
    // The sandbox does not know this subscription.
    await deliver(activeSubscription(user.id, randomUUID()));
    await until(async () => (await tierOf(user)) === 'pro');
    expect(await outcomeOf(['billing', 'reconcile', user.email])).to.deep.equal({
      status: 0,
      output: { asked: 1, failed: 0 },
    });
    expect(await tierOf(user)).to.equal('free');
    expect((await outcomeOf(['billing', 'reconcile', user.id])).status).to.equal(0);
    const unknown = await outcomeOf(['billing', 'reconcile', 'nobody@example.com']);
    const error = { code: 'user_not_found', message: 'There is no such user.' };
    expect(unknown).to.deep.equal({ status: 1, output: { error } });
    const rows = documentsOf(await run(['audit', 'list', '--user', user.id, '--json']));
    expect(rows.map(({ actor, action }) => [actor, action])).to.deep.include.members([
      ['provider', 'billing.changed'],
      ['operator:cli', 'billing.reconciled'],
    ]);
  });

  it('reconcile all customers, count those without an answer, and leave their tiers unchanged', async () => {
    const user = await service().signUp();
    await service().signUp();
    await deliver(activeSubscription(user.id, randomUUID()));
    await until(async () => (await tierOf(user)) === 'pro');
    const unanswered = await outcomeOf(['billing', 'reconcile'], unreachable);
    expect(unanswered.status).to.equal(1);
    expect(unanswered.output.asked).to.equal(0);
    expect(unanswered.output.failed).to.be.greaterThan(0);
    expect(await tierOf(user)).to.equal('pro');
    const single = await outcomeOf(['billing', 'reconcile', user.id], unreachable);
    expect(single.status).to.equal(1);
    expect(single.output.error.code).to.equal('billing_unavailable');

    const all = await outcomeOf(['billing', 'reconcile']);
    expect(all).to.deep.equal({ status: 0, output: { asked: unanswered.output.failed, failed: 0 } });
    expect(await tierOf(user)).to.equal('free');
  });
});
