import type { RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { type HostileProvider, openHostileProvider } from '../../support/hostile-provider.ts';
import { until } from '../../support/until.ts';
import { CLIENT, type IdpClient, openIdOf, openIdp } from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };
const DOWN = { kind: 'unavailable', code: 'provider_unavailable' };
const METADATA_PATH = '/.well-known/openid-configuration';
const DAY = 86_400_000;

const reply =
  (status: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
const hang: RequestListener = () => undefined;
const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{');
};
/** Sends as much as the connection accepts, up to a gigabyte. */
const flood =
  (sent: { bytes: number }): RequestListener =>
  (_request, response) => {
    const chunk = Buffer.alloc(65_536, ' ');
    const more = () => {
      while (sent.bytes < 2 ** 30 && !response.destroyed) {
        sent.bytes += chunk.length;
        if (!response.write(chunk)) return response.once('drain', more);
      }
      return response.end();
    };
    more();
  };

describe('A faulty provider', () => {
  const time = useFakeTime();
  let provider: HostileProvider;
  let client: IdpClient;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
    client = openIdp(openIdOf({ issuer: provider.issuer }));
  });
  afterEach(() => provider.close());

  const signIn = async () => {
    const { address, flow } = await client.begin();
    return client.identify(provider.meet(address), flow);
  };
  const count = (path: string) => provider.asked.filter((call) => call.path === path).length;

  it('is asked once for tokens, and twice for metadata and keys', async () => {
    for (const [path, times] of [
      [METADATA_PATH, 2],
      ['/token', 1],
      ['/keys', 2],
    ] as const) {
      time.advance(2_000);
      provider.instead.set(path, reply(503));
      expect(await rejectionOf(signIn), path).to.include(DOWN);
      expect(count(path), path).to.equal(times);
      provider.instead.clear();
    }
    time.advance(2_000);
    expect(await signIn()).to.include({ subject: 'subject-1' });
  });

  for (const [label, listener] of Object.entries({ 'does not answer': hang, 'drips its answer': drip })) {
    it(`times out after four seconds if it ${label}, and fails the call within 5.5`, async () => {
      for (const path of [METADATA_PATH, '/token']) {
        provider.instead.set(path, listener);
        const before = time.now();
        const failure = rejectionOf(signIn);
        await until(() => count(path) === 1);
        time.advance(4_000);
        if (path === METADATA_PATH) {
          await until(() => count(path) === 2);
          time.advance(1_500);
        }
        expect(await failure).to.include(DOWN);
        expect(time.now() - before).to.be.at.most(5_500);
        provider.instead.clear();
        await turn();
        time.advance(2_000);
      }
    });
  }

  it('fails a callback after 5.5 seconds in total', async () => {
    await signIn();
    time.advance(301_000);
    const { address, flow } = await client.begin();
    const answer = provider.meet(address);
    provider.idToken = () => 'a.b.c';
    provider.instead.set('/keys', hang);
    const before = time.now();
    const failure = rejectionOf(() => client.identify(answer, flow));
    await until(() => count('/keys') === 2);
    time.advance(5_500);
    expect(await failure).to.include(DOWN);
    expect(time.now() - before).to.equal(5_500);
  });

  it('is refused and disconnected if an answer is too long', async () => {
    for (const path of [METADATA_PATH, '/token', '/keys', '/userinfo']) {
      const sent = { bytes: 0 };
      provider.claims = { email: undefined };
      provider.instead.set(path, flood(sent));
      expect(await rejectionOf(signIn), path).to.include(INVALID);
      await until(() => sent.bytes < 2 ** 26);
      expect(sent.bytes, path).to.be.below(2 ** 26);
      provider.instead.clear();
    }
    expect(new Set(client.reasons())).to.deep.equal(new Set(['too_long']));
  });

  it('cannot redirect a call', async () => {
    const location = `${provider.issuer}/elsewhere`;
    for (const path of [METADATA_PATH, '/token', '/keys', '/userinfo']) {
      time.advance(2_000);
      provider.claims = { email: undefined };
      for (const status of [301, 302, 307, 308]) {
        provider.instead.set(path, reply(status, '', { Location: location }));
        expect(await rejectionOf(signIn))
          .to.have.property('code')
          .that.matches(/^provider_/);
      }
      provider.instead.clear();
    }
    expect(count('/elsewhere')).to.equal(0);
  });

  it('is refused if its metadata contains an endpoint without https or another issuer', async () => {
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
      for (const address of [
        'http://169.254.169.254/latest',
        'http://id.example/',
        'file:///etc/passwd',
        'x',
        7,
      ]) {
        provider.description = { [name]: address };
        expect(await rejectionOf(() => openIdp(openIdOf({ issuer: provider.issuer })).begin())).to.include(
          INVALID,
        );
      }
    }
    for (const issuer of [`${provider.issuer}/`, 'https://id.example', undefined]) {
      provider.description = { issuer };
      expect(await rejectionOf(() => client.begin())).to.include(INVALID);
    }
    expect(new Set(client.reasons())).to.deep.equal(new Set(['description_issuer']));
  });

  it('is down for invalid metadata, and refused for an invalid answer to the code', async () => {
    for (const listener of [reply(404), reply(200, '<h1>Sorry</h1>'), reply(200, '[]'), reply(403, '{}')]) {
      time.advance(2_000);
      provider.instead.set(METADATA_PATH, listener);
      expect(await rejectionOf(signIn)).to.include(DOWN);
    }
    provider.instead.clear();
    for (const body of ['', '[]', 'null', '{}', '{"access_token":7}', '<h1>']) {
      provider.instead.set('/token', reply(200, body));
      time.advance(2_000);
      expect(await rejectionOf(signIn), body).to.include(INVALID);
    }
  });

  it('may misspell members of its answer that are not used, as Twitch does with `scope`', async () => {
    for (const tokens of [
      { scope: ['openid'] },
      { refresh_token: null },
      { expires_in: null },
      { token_type: undefined },
    ]) {
      provider.tokens = tokens;
      expect(await signIn(), Object.keys(tokens)[0]).to.include({ subject: 'subject-1' });
    }
  });

  it('has its error texts neither logged nor passed on', async () => {
    const secret = 'words of the provider';
    provider.instead.set('/token', reply(400, JSON.stringify({ error: secret, error_description: secret })));
    const error = await rejectionOf(signIn);
    expect(error).to.include({ kind: 'refused', code: 'provider_error' });
    expect(`${JSON.stringify(error)}${String(error)}${JSON.stringify(client.log.lines)}`).to.not.include(
      secret,
    );
    expect(client.reasons()).to.deep.equal(['other_error']);
  });

  it('has its metadata cached for a day, and for a week while it is down', async () => {
    await signIn();
    time.advance(DAY - 1);
    await client.begin();
    expect(count(METADATA_PATH)).to.equal(1);
    time.advance(1);
    provider.instead.set(METADATA_PATH, reply(503));
    expect(await client.begin()).to.have.property('address');
    expect(count(METADATA_PATH)).to.equal(3);
    time.advance(6 * DAY - 1);
    await client.begin();
    time.advance(1_001);
    expect(await rejectionOf(() => client.begin())).to.include(DOWN);
    provider.instead.clear();
    time.advance(1_000);
    await client.begin();
  });

  it('has its old metadata used after two seconds without an answer', async () => {
    await signIn();
    time.advance(DAY);
    provider.instead.set(METADATA_PATH, hang);
    const begin = client.begin();
    await until(() => count(METADATA_PATH) === 2);
    time.advance(2_000);
    const { address, flow } = await begin;
    const identity = client.identify(provider.meet(address), flow);
    time.advance(2_000);
    expect(await identity).to.include({ subject: 'subject-1' });
  });

  it('has its known keys used while a refresh fails, until they are too old', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await signIn();
    time.advance(300_000);
    provider.instead.set('/keys', reply(503));
    expect(await signIn()).to.include({ subject: 'subject-1' });
    await until(() => count('/keys') === 3);
    time.advance(DAY);
    expect(await rejectionOf(signIn)).to.include(DOWN);
    await turn();
    process.off('unhandledRejection', note);
    // An unhandled rejection ends a process, and no caller awaits the refresh of the keys.
    expect(unhandled).to.deep.equal([]);
  });

  it('is down while only its keys fail, and its other endpoints are still called', async () => {
    const isUp = client.port.areUp.get('staff');
    provider.instead.set('/keys', reply(503));
    for (const _ of [1, 2, 3]) expect(await rejectionOf(signIn)).to.include(DOWN);
    expect(isUp?.()).to.equal(false);
    expect(count('/keys')).to.equal(5);
    expect(await rejectionOf(signIn)).to.include(DOWN);
    expect([count('/token'), count('/keys')]).to.deep.equal([4, 5]);
    const events = client.log.lines.map(({ event, fields }) => `${event} ${fields.id}`);
    expect(events.filter((event) => event === 'oidc.down staff')).to.have.length(1);
    provider.instead.clear();
    time.advance(1_000);
    expect(await signIn()).to.include({ subject: 'subject-1' });
    expect(isUp?.()).to.equal(true);
    expect(client.log.lines.at(-1)).to.deep.equal({
      level: 'info',
      event: 'oidc.up',
      fields: { id: 'staff' },
    });
  });

  it('is not found if not configured', async () => {
    const flow = { state: 's', nonce: 'n', verifier: 'v', proof: false };
    expect(await rejectionOf(() => client.port.begin('other', flow))).to.include({
      code: 'provider_not_found',
    });
    const authorization = { ...flow, issuer: 'i', at: 0 };
    expect(await rejectionOf(() => client.port.identify('other', [], authorization))).to.include({
      kind: 'missing',
    });
  });
});
