import type { RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { type HostileProvider, openHostileProvider } from '../../support/hostile-provider.ts';
import { until } from '../../support/until.ts';
import { anOpenId, CLIENT, type One, openOne } from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };
const DOWN = { kind: 'unavailable', code: 'provider_unavailable' };
const DESCRIPTION = '/.well-known/openid-configuration';
const DAY = 86_400_000;

const says =
  (status: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
const hangs: RequestListener = () => undefined;
const drips: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{');
};
/** As much as the connection takes, up to a gigabyte. */
const floods =
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

describe('A provider in trouble', () => {
  const time = useFakeTime();
  let provider: HostileProvider;
  let client: One;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
    client = openOne(anOpenId({ issuer: provider.issuer }));
  });
  afterEach(() => provider.close());

  const travel = async () => {
    const { address, trip } = await client.begin();
    return client.identify(provider.meet(address), trip);
  };
  const count = (path: string) => provider.asked.filter((request) => request.path === path).length;

  it('is asked for its tokens once, and for all else a second time', async () => {
    for (const [path, times] of [
      [DESCRIPTION, 2],
      ['/token', 1],
      ['/keys', 2],
    ] as const) {
      time.advance(2_000);
      provider.instead.set(path, says(503));
      expect(await rejectionOf(travel), path).to.include(DOWN);
      expect(count(path), path).to.equal(times);
      provider.instead.clear();
    }
    time.advance(2_000);
    expect(await travel()).to.include({ subject: 'subject-1' });
  });

  for (const [what, listener] of Object.entries({ 'does not answer': hangs, 'drips its answer': drips })) {
    it(`has four seconds where it ${what}, and the caller an end within 5.5`, async () => {
      for (const path of [DESCRIPTION, '/token']) {
        provider.instead.set(path, listener);
        const before = time.now();
        const ended = rejectionOf(travel);
        await until(() => count(path) === 1);
        time.advance(4_000);
        if (path === DESCRIPTION) {
          await until(() => count(path) === 2);
          time.advance(1_500);
        }
        expect(await ended).to.include(DOWN);
        expect(time.now() - before).to.be.at.most(5_500);
        provider.instead.clear();
        await turn();
        time.advance(2_000);
      }
    });
  }

  it('has 5.5 seconds for everything that one answer needs', async () => {
    await travel();
    time.advance(301_000);
    const { address, trip } = await client.begin();
    const answer = provider.meet(address);
    provider.idToken = () => 'a.b.c';
    provider.instead.set('/keys', hangs);
    const before = time.now();
    const ended = rejectionOf(() => client.identify(answer, trip));
    await until(() => count('/keys') === 2);
    time.advance(5_500);
    expect(await ended).to.include(DOWN);
    expect(time.now() - before).to.equal(5_500);
  });

  it('is cut off after 256 KiB, and after as much as that without compression', async () => {
    for (const path of [DESCRIPTION, '/token', '/keys', '/userinfo']) {
      const sent = { bytes: 0 };
      provider.claims = { email: undefined };
      provider.instead.set(path, floods(sent));
      expect(await rejectionOf(travel), path).to.include(INVALID);
      await until(() => sent.bytes < 2 ** 26);
      expect(sent.bytes, path).to.be.below(2 ** 26);
      provider.instead.clear();
    }
    expect(new Set(client.reasons())).to.deep.equal(new Set(['too_long']));
  });

  it('leads nobody to another address', async () => {
    const location = `${provider.issuer}/elsewhere`;
    for (const path of [DESCRIPTION, '/token', '/keys', '/userinfo']) {
      time.advance(2_000);
      provider.claims = { email: undefined };
      for (const status of [301, 302, 307, 308]) {
        provider.instead.set(path, says(status, '', { Location: location }));
        expect(await rejectionOf(travel))
          .to.have.property('code')
          .that.matches(/^provider_/);
      }
      provider.instead.clear();
    }
    expect(count('/elsewhere')).to.equal(0);
  });

  it('is not believed about addresses that are not https, but on this machine', async () => {
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
      for (const address of [
        'http://169.254.169.254/latest',
        'http://id.example/',
        'file:///etc/passwd',
        'x',
        7,
      ]) {
        provider.description = { [name]: address };
        expect(await rejectionOf(() => openOne(anOpenId({ issuer: provider.issuer })).begin())).to.include(
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

  it('that is no JSON, or nothing, is down', async () => {
    for (const listener of [says(404), says(200, '<h1>Sorry</h1>'), says(200, '[]'), says(403, '{}')]) {
      time.advance(2_000);
      provider.instead.set(DESCRIPTION, listener);
      expect(await rejectionOf(travel)).to.include(DOWN);
    }
    provider.instead.clear();
    for (const body of ['', '[]', 'null', '{}', '{"access_token":7}', '<h1>']) {
      provider.instead.set('/token', says(200, body));
      time.advance(2_000);
      expect(await rejectionOf(travel), body).to.include(INVALID);
    }
  });

  it('says nothing that is passed on', async () => {
    const secret = 'words of the provider';
    provider.instead.set('/token', says(400, JSON.stringify({ error: secret, error_description: secret })));
    const error = await rejectionOf(travel);
    expect(error).to.include({ kind: 'refused', code: 'provider_error' });
    expect(`${JSON.stringify(error)}${String(error)}${JSON.stringify(client.log.lines)}`).to.not.include(
      secret,
    );
    expect(client.reasons()).to.deep.equal(['other_error']);
  });

  it('is described for a day, and for a week while it cannot be asked', async () => {
    await travel();
    time.advance(DAY - 1);
    await client.begin();
    expect(count(DESCRIPTION)).to.equal(1);
    time.advance(1);
    provider.instead.set(DESCRIPTION, says(503));
    expect(await client.begin()).to.have.property('address');
    expect(count(DESCRIPTION)).to.equal(3);
    time.advance(6 * DAY - 1);
    await client.begin();
    time.advance(1_001);
    expect(await rejectionOf(() => client.begin())).to.include(DOWN);
    provider.instead.clear();
    time.advance(1_000);
    await client.begin();
  });

  it('has an old description used after two seconds where it does not answer', async () => {
    await travel();
    time.advance(DAY);
    provider.instead.set(DESCRIPTION, hangs);
    const begun = client.begin();
    await until(() => count(DESCRIPTION) === 2);
    time.advance(2_000);
    const { address, trip } = await begun;
    const identified = client.identify(provider.meet(address), trip);
    time.advance(2_000);
    expect(await identified).to.include({ subject: 'subject-1' });
  });

  it('has its known keys used while they are asked for, and others not', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await travel();
    time.advance(300_000);
    provider.instead.set('/keys', says(503));
    expect(await travel()).to.include({ subject: 'subject-1' });
    await until(() => count('/keys') === 3);
    time.advance(DAY);
    expect(await rejectionOf(travel)).to.include(DOWN);
    await turn();
    process.off('unhandledRejection', note);
    // A service would end by one: nobody waited for the keys of the trip that went on with the known ones.
    expect(unhandled).to.deep.equal([]);
  });

  it('is down while its keys alone cannot be had, and its other addresses are asked all the same', async () => {
    const isUp = client.port.areUp.get('staff');
    provider.instead.set('/keys', says(503));
    for (const _ of [1, 2, 3]) expect(await rejectionOf(travel)).to.include(DOWN);
    expect(isUp?.()).to.equal(false);
    expect(count('/keys')).to.equal(5);
    expect(await rejectionOf(travel)).to.include(DOWN);
    expect([count('/token'), count('/keys')]).to.deep.equal([4, 5]);
    const events = client.log.lines.map(({ event, fields }) => `${event} ${fields.id}`);
    expect(events.filter((event) => event === 'oidc.down staff')).to.have.length(1);
    provider.instead.clear();
    time.advance(1_000);
    expect(await travel()).to.include({ subject: 'subject-1' });
    expect(isUp?.()).to.equal(true);
    expect(client.log.lines.at(-1)).to.deep.equal({
      level: 'info',
      event: 'oidc.up',
      fields: { id: 'staff' },
    });
  });

  it('that nobody has set is not found', async () => {
    const trip = { state: 's', nonce: 'n', verifier: 'v', proof: false };
    expect(await rejectionOf(() => client.port.begin('other', trip))).to.include({
      code: 'provider_not_found',
    });
    const request = { ...trip, issuer: 'i', at: 0 };
    expect(await rejectionOf(() => client.port.identify('other', [], request))).to.include({
      kind: 'missing',
    });
  });
});
