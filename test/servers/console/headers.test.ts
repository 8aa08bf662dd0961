import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { atConsole, openConsole } from './opened.ts';

const SHIELD = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const PAGE = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' };

describe('The answers of the console', () => {
  const service = useService({ PAGES: 'on', CORS_ORIGINS: 'https://app.example.com' });

  it('can be framed by nobody, read by no other origin and kept by no cache, refusals included', async () => {
    const { page } = await atConsole(service());
    const stranger = openConsole(service());
    for (const [who, method, path, status, headers] of [
      [page, 'GET', '/', 200, PAGE],
      [page, 'GET', '/sign-in', 200, PAGE],
      [page, 'GET', '/nothing', 404, PAGE],
      [page, 'GET', '/nothing', 404, {}],
      [page, 'GET', '/docs', 200, PAGE],
      [page, 'GET', '/openapi.json', 200, {}],
      [page, 'GET', '/health', 200, {}],
      [page, 'GET', '/api/admin/directory', 200, {}],
      [page, 'GET', '/api/admin/nothing', 404, {}],
      [page, 'PUT', '/api/admin/directory', 405, {}],
      [page, 'OPTIONS', '/api/admin/directory', 204, {}],
      [page, 'GET', '/api/avatar', 404, {}],
      [page, 'GET', '/api/admin/directory?limit=0', 400, {}],
      [page, 'POST', '/api/admin/mails/retry', 415, { 'Content-Type': 'text/plain' }],
      [page, 'POST', '/api/admin/mails/retry', 403, { 'Sec-Fetch-Site': 'cross-site' }],
      [stranger, 'GET', '/api/admin/directory', 401, {}],
      [stranger, 'GET', '/api/admin/directory', 401, PAGE],
    ] as const) {
      const reply = await who.send(method, path, {
        headers: { Origin: 'https://app.example.com', ...headers },
      });
      const name = `${method} ${path} ${reply.status}`;
      expect(reply.status, name).to.equal(status);
      const given = Object.fromEntries(reply.headers);
      expect(given, name).to.include(SHIELD);
      expect(given['cache-control'], name).to.match(/no-store|no-cache/);
      expect(given, name).not.to.have.property('access-control-allow-origin');
      if (!given['content-type']?.startsWith('text/html')) continue;
      expect(given['content-security-policy'], name).to.include("default-src 'none'");
      expect(given['content-security-policy'], name).to.include("frame-ancestors 'none'");
    }
  });

  it('are shielded as pages of the accounts are, whose error pages are, too', async () => {
    const { headers } = await service().request('GET', '/nothing', { headers: PAGE });
    expect(Object.fromEntries(headers)).to.include(SHIELD);
  });
});
