import { expect } from 'chai';
import { healthRoutes } from '../../../servers/http/health.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { ask, startApp } from './start-app.ts';

const up = (name: string, needed: boolean) => ({ name, needed, check: async () => true });
const down = (name: string, needed: boolean) => ({ name, needed, check: async () => false });
const start = async (checks: Parameters<typeof healthRoutes>[0]['checks']) => {
  const closing = new AbortController();
  const parts = { service: 'drop-accounts', version: '1.2.3', checks, closing: closing.signal };
  return startApp(healthRoutes(parts), {}, { closing });
};

describe('The health route', () => {
  const time = useFakeTime();

  /** Sends a request after the results of all checks have expired. */
  const askLater = async (url: string) => {
    time.advance(1_000);
    return ask(url);
  };

  it('returns `ok` on every path if all checks pass', async () => {
    const app = await start([up('store', true), up('cache', false)]);
    const ok = { service: 'drop-accounts', version: '1.2.3', status: 'ok' };
    for (const path of ['/health', '/api/health', '/health/ready']) {
      const reply = await askLater(app.url + path);
      expect([reply.status, reply.body], path).to.deep.equal([200, ok]);
    }
    await app.close();
  });

  it('returns 200 and names a failed check, and stays ready if the check is optional', async () => {
    const app = await start([up('store', true), down('cache', false), down('mail', false)]);
    const degraded = await askLater(`${app.url}/health`);
    expect([degraded.status, degraded.body.status]).to.deep.equal([200, 'degraded']);
    expect(degraded.body.down).to.deep.equal(['cache', 'mail']);
    expect((await askLater(`${app.url}/health/ready`)).status).to.equal(200);
    await app.close();
  });

  it('is not ready and sends Retry-After if a required check fails', async () => {
    const app = await start([down('store', true), up('cache', false)]);
    const reply = await askLater(`${app.url}/health/ready`);
    expect([reply.status, reply.body.code, reply.body.message]).to.deep.equal([
      503,
      'not_ready',
      'Not available: store.',
    ]);
    expect(Number(reply.headers['retry-after'])).to.be.at.least(1);
    expect((await askLater(`${app.url}/health`)).status).to.equal(200);
    await app.close();
  });

  it('runs a check once a second, regardless of the number of requests', async () => {
    let attempts = 0;
    const check = async () => {
      attempts += 1;
      return attempts > 1;
    };
    const app = await start([{ name: 'store', needed: true, check }]);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask(`${app.url}/health`)).body.status),
    );
    expect(new Set(statuses)).to.deep.equal(new Set(['degraded']));
    expect(attempts).to.equal(1);
    expect((await askLater(`${app.url}/health`)).body.status).to.equal('ok');
    await app.close();
  });

  it('is rate-limited, unlike the readiness route', async () => {
    const app = await start([up('store', true)]);
    expect((await askLater(`${app.url}/health`)).headers['ratelimit-limit']).to.equal('50');
    expect((await askLater(`${app.url}/health/ready`)).headers).to.not.have.property('ratelimit-limit');
    await app.close();
  });
});
