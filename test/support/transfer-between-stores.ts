import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SECTIONS } from '../../adapters/transfer/sections.ts';
import { domainsOf } from '../servers/accounts/custom-domain/domains.ts';
import { setAvatar, show, smallestPng } from '../servers/accounts/profile/avatars.ts';
import {
  logIn,
  logInAgain,
  makeApp,
  signUpWithFactor,
  statusOfMe,
} from '../servers/accounts/second-factor/factor.ts';
import { makeClient } from '../servers/metadata/client.ts';
import { openTestService, type TestService } from './service.ts';
import { useTempFolder } from './temp-folder.ts';
import { comparable, makeTransfer, recordsIn } from './transferred-installation.ts';
import { until } from './until.ts';

const MINUTE = 60_000;
const BY = { actor: 'operator:cli' };
const SECRET = `whsec_${Buffer.alloc(32, 'webhook').toString('base64')}`;
const DEK = Buffer.alloc(32, 7).toString('base64');

const mailsTo = async ({ composition }: TestService, email: string) => {
  const events: { readonly state: string; readonly lastFailure: string | null }[] = [];
  for await (const mail of composition.accounts.operate.listMails()) if (mail.to === email) events.push(mail);
  return events;
};

/** Fills a service with records of every kind. */
const populate = async (service: TestService) => {
  const { operate, background } = service.composition.accounts;
  const plain = await service.signUp();
  const signedInAgain = await logInAgain(service, plain);
  const avatar = await setAvatar(service, plain);
  const { user: guarded, app } = await signUpWithFactor(service);

  const domains = domainsOf(() => service);
  await operate.setTier(guarded.id, { tier: 'enterprise' }, BY);
  await domains.own(guarded, 'house.guarded.dev');

  const checkout = await service.request('GET', '/api/billing/checkout?plan=pro&billingCycle=monthly', {
    token: plain.token,
    headers: { Accept: 'application/json' },
  });
  await fetch(`${checkout.body.url}/pay`, { method: 'POST', redirect: 'manual' });
  const subscription = () => service.request('GET', '/api/subscription', { token: plain.token });
  await until(async () => String((await subscription()).body.status) === 'active');

  const client = makeClient(service.metadataUrl);
  const dekEnc = String((await client.post('/api/v1/dek/wrap', { dek: DEK })).body.dekEnc);
  const file = String((await client.create({ user: plain.id, dekEnc })).body.id);
  await client.read(file);
  await client.createSome(plain.id, 3);

  const deleted = await service.signUp();
  await service.post('/api/auth/delete-account', { password: deleted.password }, { token: deleted.token });
  await logIn(service, { email: plain.email, password: 'wrong' });
  await until(async () => (await background.relay()) === 0);
  await service.mailTo(deleted.email, 2);

  for (const outcome of ['again', 'refused'] as const) {
    service.mail.delivery = { outcome, after: null, failure: 'no such mailbox' };
    const email = `${outcome}@example.com`;
    await service.post('/api/auth/register', { email, password: 'correct horse battery' });
    await until(async () => (await mailsTo(service, email)).some(({ lastFailure }) => lastFailure !== null));
  }
  return { plain: signedInAgain, avatar, guarded, secret: app.secret, deleted, dekEnc, file };
};

/** Transfers an installation from the embedded store to another one and back. Call it inside `describe`. */
export const itTransfersBetweenStores = (
  store: string,
  settingsOf: () => Promise<Readonly<Record<string, string>>>,
): void => {
  const folder = useTempFolder();

  it(`has the same records and works after each transfer: ${store}`, async () => {
    const installations = {
      first: { WEBHOOK_URLS: `http://127.0.0.1:1/ ${SECRET}`, WEBHOOK_ALLOW_PRIVATE: 'on' },
      second: await settingsOf(),
      third: {},
    };
    const dataDir = (name: string) => join(folder(), name);
    const fileOf = (name: string) => join(folder(), `${name}.jsonl`);
    const transferOf = (name: keyof typeof installations) =>
      makeTransfer(folder(), { ...installations[name], DATA_DIR: dataDir(name) });
    const open = (name: keyof typeof installations) =>
      openTestService({ ...installations[name], SELF_ENTITLEMENT: 'ignore' }, dataDir(name));

    mkdirSync(dataDir('first'), { mode: 0o700 });
    const first = await open('first');
    for await (const _ of first.composition.accounts.background.takeStatistics());
    const populated = await populate(first);
    await first.close();
    await transferOf('first').exportTo(fileOf('first'));
    const sections = new Set(recordsIn(fileOf('first')).map(({ section }) => section));
    expect(SECTIONS.filter((section) => !sections.has(section) && section !== 'rates')).to.deep.equal([]);

    for (const [from, to] of [
      ['first', 'second'],
      ['second', 'third'],
    ] as const) {
      await transferOf(to).importFrom(fileOf(from));
      for (const path of ['keys', 'issuer'])
        cpSync(join(dataDir(from), path), join(dataDir(to), path), { recursive: true });
      await transferOf(to).exportTo(fileOf(to));
      expect(comparable(fileOf(to)), to).to.deep.equal(comparable(fileOf('first')));
    }

    for (const name of ['second', 'third'] as const) {
      const service = await open(name);
      try {
        await checkService(service, populated, name);
      } finally {
        await service.close();
      }
    }
  });
};

/** Checks what users and operators can do after a transfer. */
const checkService = async (
  service: TestService,
  populated: Awaited<ReturnType<typeof populate>>,
  name: string,
): Promise<void> => {
  const { plain, guarded, deleted } = populated;
  const { operate } = service.composition.accounts;
  expect(await operate.verifyAudit(), name).to.deep.include({ intact: true, broken: null });
  expect(await statusOfMe(service, plain.token), name).to.equal(200);

  const refreshed = await service.post('/api/auth/refresh', { refreshToken: plain.refreshToken });
  expect(refreshed.status, JSON.stringify(refreshed.body)).to.equal(200);
  const loggedIn = await logInAgain(service, plain);
  expect(Buffer.from((await show(service, loggedIn)).bytes).equals(Buffer.from(smallestPng))).to.equal(true);
  const { body } = await service.request('GET', '/api/subscription', { token: loggedIn.token });
  expect(body).to.include({ status: 'active', plan: 'pro' });

  // Skips the time step of the TOTP code that was used before.
  service.clock.advance(2 * MINUTE);
  const app = makeApp(service, populated.secret);
  const withCode = await logIn(service, guarded, { verificationCode: app.fresh() });
  expect(withCode.status, JSON.stringify(withCode.body)).to.equal(200);
  const domain = await domainsOf(() => service).show({ token: String(withCode.body.token) });
  expect(domain.body).to.include({ customDomain: 'house.guarded.dev', customDomainVerified: true });

  const client = makeClient(service.metadataUrl);
  expect((await client.read(populated.file)).body).to.include({
    id: populated.file,
    dekEnc: populated.dekEnc,
  });
  expect((await client.post('/api/v1/dek/unwrap', { dekEnc: populated.dekEnc })).body).to.deep.equal({
    dek: DEK,
  });
  expect(await logIn(service, deleted).then(({ status }) => status)).to.equal(401);

  // The mail that waited in the outbox is sent by the new installation.
  await service.mailTo('again@example.com');
  expect((await mailsTo(service, 'refused@example.com')).map(({ state }) => state)).to.deep.equal(['dead']);
};
