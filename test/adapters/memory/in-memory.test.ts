import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { ConfigError } from '../../../adapters/config.ts';
import { composeInMemory, type InMemory, memoryPorts } from '../../../adapters/memory.ts';
import { createAccounts, createBilling, createFiles, type Mailer } from '../../../core/index.ts';
import { createHandlers } from '../../../servers/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';
import { adaCredentials, signUp } from './sign-up.ts';

const DAY = 86_400_000;
const by = { actor: 'operator:cli' };

describe('A product in memory', () => {
  const open: InMemory[] = [];
  const compose = async (...args: Parameters<typeof composeInMemory>) => {
    const app = await composeInMemory(...args);
    open.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
  });

  it('signs a user up and in, and shares no data with a second product', async () => {
    const [app, other] = [await compose(), await compose()];
    const { token } = await signUp(app);
    expect((await app.accounts.authenticate(token)).user.email).to.equal(adaCredentials.email);
    expect(other.mails).to.deep.equal([]);
    expect(await other.accounts.operate.stats()).to.include({ total: 0 });
    expect(await rejectionOf(() => other.accounts.authenticate(token))).to.include({ code: 'invalid_token' });
  });

  it('publishes its events to the test and to a custom listener', async () => {
    const types: string[] = [];
    const app = await compose({ events: { publish: async ({ type }) => void types.push(type) } });
    const { id } = await signUp(app);
    await app.settle();
    expect(app.events.map(({ type, userId }) => [type, userId])).to.deep.include(['user.verified', id]);
    expect(types).to.deep.equal(app.events.map(({ type }) => type));
  });

  it('uses the clock that the test sets', async () => {
    const app = await compose();
    const { token } = await signUp(app);
    app.clock.pass(900_000);
    expect(await rejectionOf(() => app.accounts.authenticate(token))).to.include({ code: 'invalid_token' });
    app.clock.set(new Date('2031-02-03T04:05:06Z'));
    await app.accounts.register({ ...adaCredentials, email: 'bob@example.com' }, app.caller);
    const { users } = await app.accounts.listUsers({ limit: 1 });
    expect(users[0]?.createdAt).to.match(/^2031-02-03T04:05:0/);
  });

  it('sells a plan through the sandbox without a server, until the period ends', async () => {
    const app = await compose();
    const { id } = await signUp(app);
    const tokenOf = ({ url }: { readonly url: string }) => url.split('/').at(-1) ?? '';
    const { billing, sandbox } = app;
    await sandbox?.pay(tokenOf(await billing.checkout(id, { plan: 'pro', billingCycle: 'monthly' }, '::1')));
    await app.settle();
    expect(await billing.showSubscription(id)).to.include({ plan: 'pro' });
    const portal = tokenOf(await billing.openPortal(id));
    const [subscription] = (await sandbox?.portal(portal))?.subscriptions ?? [];
    await sandbox?.press(portal, subscription?.id ?? '', 'cancel');
    await app.settle();
    expect(await billing.showSubscription(id)).to.include({ plan: 'pro' });
    app.clock.pass(32 * DAY);
    await app.settle();
    expect(await rejectionOf(() => billing.showSubscription(id))).to.include({
      code: 'no_active_subscription',
    });
  });

  it('finds the TXT records that the test sets', async () => {
    const app = await compose();
    const { id, token } = await signUp(app);
    await app.accounts.operate.setTier(id, { tier: 'enterprise' }, by);
    const principal = await app.accounts.authenticate(token);
    const { verification } = await app.accounts.setCustomDomain(
      principal,
      { domain: 'files.acme.dev' },
      app.caller,
    );
    const currentPrincipal = await app.accounts.authenticate(token);
    const verify = () => app.accounts.verifyCustomDomain(currentPrincipal, app.caller);
    expect(await rejectionOf(verify)).to.include({ code: 'domain_not_verified' });
    app.dns.set(verification?.name ?? '', verification?.value ?? '');
    expect(await verify()).to.include({ success: true });
  });

  it('serves HTTP requests in a server of the test', async () => {
    const app = await compose({ settings: { PRODUCT_NAME: 'Acme' } });
    const handlers = createHandlers(app, app.config);
    const server = createServer(handlers.accounts).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(adaCredentials),
    });
    expect(response.status).to.equal(201);
    await app.settle();
    expect(app.mails[0]?.subject).to.include('Acme');
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([handlers.close(), closed]);
  });

  it('sends due mails once when `settle` is called, also during its background work', async () => {
    let sends = 0;
    const mailer: Mailer = {
      send: async () => {
        // A slow send: the background work has not sent the mail yet when the test calls `settle`.
        for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
        sends += 1;
        return { outcome: 'sent' };
      },
    };
    const app = await compose({ mailer });
    app.start({ accounts: true });
    await until(async () => (await app.installation.health()).jobs.some(({ heldBy }) => heldBy));
    for (const round of [1, 2, 3]) {
      await app.accounts.register({ ...adaCredentials, email: `ada${round}@example.com` }, app.caller);
      await app.settle();
      expect([app.mails.length, sends]).to.deep.equal([round, round]);
    }
  });

  it('waits in `settle` for a slow run of its background work, also after a later run has ended', async () => {
    const begun: string[] = [];
    const sent: string[] = [];
    const released = new AbortController();
    const mailer: Mailer = {
      send: async ({ to }) => {
        begun.push(to);
        if (to === adaCredentials.email) await once(released.signal, 'abort');
        sent.push(to);
        return { outcome: 'sent' };
      },
    };
    const app = await compose({ mailer });
    app.start({ accounts: true });
    await app.accounts.register(adaCredentials, app.caller);
    await until(() => begun.length > 0);
    await app.accounts.register({ ...adaCredentials, email: 'grace@example.com' }, app.caller);
    await until(() => sent.includes('grace@example.com'));
    let isSettled = false;
    const settled = app.settle().then(() => {
      isSettled = true;
    });
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
    expect(isSettled).to.equal(false);
    released.abort();
    await settled;
    expect(sent).to.deep.equal(['grace@example.com', adaCredentials.email]);
  });

  it('rotates its master key, and still unwraps keys of the previous master key', async () => {
    const { files, rotateMasterKey } = await compose();
    const dek = Buffer.alloc(32, 7).toString('base64');
    const { dekEnc } = await files.wrapKey({ dek });
    const key = await rotateMasterKey();
    expect((await files.wrapKey({ dek })).dekEnc).to.include(key);
    expect(dekEnc).to.not.include(key);
    expect(await files.unwrapKey({ dekEnc })).to.deep.equal({ dek });
  });

  it('ignores ports of the store that are undefined', async () => {
    const app = await compose({ store: { tries: undefined, leases: undefined } as never });
    expect((await signUp(app)).token).to.be.a('string');
  });

  it('accepts ports and settings of the app, and refuses invalid settings and unknown names', async () => {
    const log = makeRecordingLog();
    const sent: string[] = [];
    const app = await compose({
      log,
      mailer: {
        send: async ({ to }) => {
          sent.push(to);
          return { outcome: 'sent' };
        },
      },
      settings: { PASSWORD_BLOCKLIST: 'builtin', BILLING: 'none' },
    });
    const weak = await rejectionOf(() =>
      app.accounts.register({ ...adaCredentials, password: 'password1' }, app.caller),
    );
    expect(weak).to.include({ kind: 'invalid' });
    await signUp(app);
    expect(sent).to.deep.equal([adaCredentials.email]);
    expect(log.lines.map(({ event }) => event)).to.not.be.empty;
    expect(app.sandbox).to.equal(null);
    const wrong = await rejectionOf(() => composeInMemory({ settings: { ACCOUNTS_PORT: 'none' } }));
    expect(wrong).to.be.instanceOf(ConfigError);
    const unknown = JSON.parse('{"clock":{}}');
    expect(await rejectionOf(() => composeInMemory(unknown))).to.include({ code: 'invalid_request' });
  });
});

describe('Ports in memory', () => {
  const caller = { address: '::1', client: '::1', userAgent: null, requestId: null, languages: null };

  it('suffice for accounts with a custom mailer', async () => {
    const sent: string[] = [];
    const mailer: Mailer = {
      send: async ({ to }) => {
        sent.push(to);
        return { outcome: 'sent' };
      },
    };
    const accounts = createAccounts({ ...memoryPorts(), mailer });
    await accounts.register(adaCredentials, caller);
    await accounts.background.relay();
    await accounts.background.deliverMail(1);
    expect(sent).to.deep.equal([adaCredentials.email]);
  });

  it('are replaced by ports of the app under their former names', async () => {
    const read = sinon.fake.resolves(7);
    const tries = {
      ...memoryPorts().attempts,
      find: sinon.fake.resolves({ count: 1_000, firstAt: Date.now() }),
    };
    const ports = { ...memoryPorts(), tries, epoch: { read, raise: read } };
    const signIn = createAccounts(ports).logIn({ ...adaCredentials, password: 'a wrong password' }, caller);
    expect(await rejectionOf(() => signIn)).to.include({ code: 'login_held' });
    expect((await createFiles(ports).operate.cacheStats()).epoch).to.equal(7);
  });

  it('cannot be combined with a policy that has an unknown name', () => {
    const policy: object = { sessionLife: 3_600_000 };
    for (const create of [createAccounts, createFiles])
      expect(() => create(memoryPorts(), policy))
        .to.throw("The policy has no 'sessionLife'.")
        .with.property('code', 'invalid_request');
  });

  it('suffice for files and billing of an existing user', async () => {
    const ports = memoryPorts();
    const accounts = createAccounts(ports);
    const files = createFiles(ports);
    const billing = createBilling({ ...ports, subscribers: accounts.subscribers });
    const { userId } = await accounts.operate.createUser({ email: adaCredentials.email, verified: true }, by);
    const upload = { size: 12, mimeType: 'text/plain', dekEnc: 'a', thumb: false, filenameEnc: 'bm90ZXM=' };
    const { id } = await files.create({ ...upload, userId });
    expect(JSON.parse(await files.read(id))).to.include({ size: 12 });
    expect(await files.countOf(userId)).to.equal(1);
    const { url } = await billing.checkout(userId, { plan: 'pro', billingCycle: 'yearly' }, '::1');
    expect(url).to.match(/^http:/);
  });
});
