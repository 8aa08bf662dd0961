import { expect } from 'chai';
import { accountRoutes } from '../../../servers/accounts/routes.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { useService } from '../../support/service.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

describe('What no route is for', () => {
  const service = useService();

  /** The methods of each path, its parameters filled in: of all routes that it fits. */
  const table = (): ReadonlyMap<string, readonly string[]> => {
    const health = ['/health', '/api/health', '/health/ready'].map((path) => ({ method: 'GET', path }));
    const routes = [...accountRoutes(service().composition.accounts), ...health].map(({ method, path }) => ({
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
      filled: path.replace(/\{\w+\}/g, 'x'),
      fits: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
    return new Map(
      routes.map(({ filled }) => [
        filled,
        routes.filter(({ fits }) => fits.test(filled)).flatMap(({ methods }) => methods),
      ]),
    );
  };

  it('is 405 with Allow where a path has other methods', async () => {
    const paths = table();
    expect(paths.size).to.be.greaterThan(10);
    for (const [path, allowed] of paths) {
      for (const method of METHODS.filter((one) => !allowed.includes(one))) {
        const { status, headers, text } = await rawRequest(service().url, method, path);
        expect(status, `${method} ${path}`).to.equal(405);
        expect((headers.allow ?? '').split(', ')).to.have.members([...allowed, 'OPTIONS']);
        if (method !== 'HEAD') expect(JSON.parse(text)).to.include({ code: 'method_not_allowed' });
      }
    }
  });

  it('tells the methods of a path to OPTIONS', async () => {
    for (const [path, allowed] of table()) {
      const { status, headers } = await rawRequest(service().url, 'OPTIONS', path);
      expect(status, path).to.equal(204);
      expect((headers.allow ?? '').split(', ')).to.have.members([...allowed, 'OPTIONS']);
    }
  });

  for (const path of [
    '/',
    '//',
    '/api',
    '/api/auth',
    '/API/AUTH/LOGIN',
    '/api/auth/login/',
    '/api//auth/login',
    '/api/auth/login%2f',
    '/api/auth/./login',
    '/api/auth/sessions/a/b',
    '/api/auth/sessions/',
    '/health/',
    '/.well-known/',
    '/..%2f..%2fetc/passwd',
    '/../../etc/passwd',
    '/__proto__',
    '/constructor',
    '/%00',
    '/%',
    '/%ff',
    `/${'x'.repeat(8_000)}`,
  ]) {
    it(`is 404 for ${path.slice(0, 30)}`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, text } = await rawRequest(service().url, method, path);
        expect([status, JSON.parse(text).code], method).to.deep.equal([404, 'not_found']);
      }
    });
  }
});
