import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openConsole, openOperatorBrowser } from './console-client.ts';

const SECURITY_HEADERS = {
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

  it('forbid framing, other origins and caching, also in refusals', async () => {
    const { page } = await openOperatorBrowser(service());
    const stranger = openConsole(service());
    for (const [client, method, path, status, headers] of [
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
      const reply = await client.send(method, path, {
        headers: { Origin: 'https://app.example.com', ...headers },
      });
      const name = `${method} ${path} ${reply.status}`;
      expect(reply.status, name).to.equal(status);
      const received = Object.fromEntries(reply.headers);
      expect(received, name).to.include(SECURITY_HEADERS);
      expect(received['cache-control'], name).to.match(/no-store|no-cache/);
      expect(received, name).not.to.have.property('access-control-allow-origin');
      if (!received['content-type']?.startsWith('text/html')) continue;
      expect(received['content-security-policy'], name).to.include("default-src 'none'");
      expect(received['content-security-policy'], name).to.include("frame-ancestors 'none'");
    }
  });

  it('share their security headers with the error pages of the account service', async () => {
    const { headers } = await service().request('GET', '/nothing', { headers: PAGE });
    expect(Object.fromEntries(headers)).to.include(SECURITY_HEADERS);
  });
});
