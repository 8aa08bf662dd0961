import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { blockIn } from '../../../support/documented-block.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { type Receiver, receiveWebhooks } from '../../../support/webhook-receiver.ts';

const [OLD, NEW] = [7, 8].map(
  (byte) => `whsec_${Buffer.from(`${byte} of the tests' secrets of 40 bytes`).toString('base64')}`,
);
const BY = { actor: 'operator:cli' };

describe('Servers in WEBHOOK_URLS', () => {
  let receiver: Receiver;
  let service: TestService;
  before(async () => {
    receiver = await receiveWebhooks();
    service = await openTestService({
      WEBHOOK_URLS: `${receiver.url} ${OLD},${NEW}`,
      WEBHOOK_ALLOW_PRIVATE: 'on',
    });
  });
  after(async () => {
    await service?.close();
    receiver?.close();
  });

  const typesOf = (userId: string) =>
    receiver.seen
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.userId === userId)
      .map(({ type }) => type);

  it('receive the events of a user in order', async () => {
    const { operate } = service.composition.accounts;
    const user = await service.signUp();
    await operate.setTier(user.id, { tier: 'pro' }, BY);
    await operate.ban(user.id, { reason: 'spam', until: null }, BY);
    await operate.unban(user.id, BY);
    await operate.setEmail(user.id, 'moved@example.com', { ...BY, reason: 'asked' });
    await operate.deleteUser(user.id, BY);
    const wanted = ['user.created', 'user.verified', 'entitlement.changed', 'user.banned'];
    await until(() => typesOf(user.id).includes('user.deleted'));
    const types = typesOf(user.id).filter((type) => type !== 'session.revoked');
    expect([...new Set(types)]).to.deep.equal([...wanted, 'user.email_changed', 'user.deleted']);
    await until(() => typesOf(user.id).includes('session.revoked'));
  });

  it('receive an event in the form that webhooks.md shows', () => {
    const shown = JSON.parse(blockIn('docs/webhooks.md', 'json'));
    const bodies = receiver.seen.map(({ body }) => JSON.parse(body));
    const event = bodies.find(({ type }) => type === shown.type);
    expect(event).to.have.all.keys(Object.keys(shown));
    expect(event.data).to.have.all.keys(Object.keys(shown.data));
  });

  it('receive events that both secrets sign, without personal data', async () => {
    const user = await service.signUp();
    await until(() => typesOf(user.id).length === 2);
    for (const { headers, body } of receiver.seen) {
      for (const secret of [OLD, NEW])
        new Webhook(secret ?? '').verify(body, headers as Record<string, string>);
      expect(body).not.to.match(/@|Firefox|127\.0\.0/);
    }
    expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-id']))).to.have.property(
      'size',
      receiver.seen.length,
    );
  });
});

describe('WEBHOOK_URLS', () => {
  it('refuses a weak secret, and http unless private networks are allowed', async () => {
    const rejected = async (settings: Record<string, string>) =>
      String(await rejectionOf(() => openTestService(settings)));
    expect(await rejected({ WEBHOOK_URLS: 'https://app.example.com/hooks whsec_c2hvcnQ=' })).to.match(
      /WEBHOOK_URLS must be at most 10/,
    );
    for (const scheme of ['http', 'HTTP'])
      expect(await rejected({ WEBHOOK_URLS: `${scheme}://app.example.com/hooks ${OLD}` })).to.match(
        /WEBHOOK_URLS must name https addresses alone/,
      );
  });
});
