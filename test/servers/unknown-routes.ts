import { expect } from 'chai';
import type { OwnParts } from '../../adapters/compose.ts';
import type { AnyRoute } from '../../servers/http/route.ts';
import { rawRequest } from '../support/servers/raw-request.ts';
import { type TestService, useService } from '../support/service.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

/** One of the two services, as the suite below goes through it. */
export interface Unknown {
  readonly name: string;
  url(service: TestService): string;
  routes(service: TestService): readonly AnyRoute[];
  /** The member of a refusal that programs rely on. */
  readonly codeIn: 'code' | 'error';
  readonly settings?: Readonly<Record<string, string>>;
  readonly own?: OwnParts;
  /** Paths that are none of its own, beside those that are none of any service. */
  readonly paths: readonly string[];
}

/** Asks a service for what it has not: other methods of its paths, and other paths. */
export const testUnknownRoutes = (side: Unknown): void => {
  describe(`What no route of the ${side.name} is for`, () => {
    const service = useService({ PAGES: 'off', ADMIN_ROUTES: 'console', ...side.settings }, side.own);

    /** The methods of each path, its parameters filled in: of all routes that it fits. */
    const table = (): ReadonlyMap<string, readonly string[]> => {
      const others = [
        '/health',
        '/api/health',
        '/health/ready',
        '/openapi.json',
        '/docs',
        '/docs/{file}',
      ].map((path) => ({
        method: 'GET',
        path,
        withoutHead: undefined,
      }));
      const all = [...side.routes(service()), ...others];
      const plain = new Set(all.map(({ path }) => path).filter((path) => !path.includes('{')));
      const routes = all.map(({ method, path, withoutHead }) => ({
        methods: method === 'GET' && !withoutHead ? ['GET', 'HEAD'] : [method],
        filled: path.replace(/\{\w+\}/g, 'x'),
        fits: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      }));
      const isPlain = (path: string) => plain.has(path);
      return new Map(
        routes.map(({ filled }) => [
          filled,
          // A path that is a route's own word for word is never taken for another's parameter.
          routes
            .filter(({ filled: own, fits }) => own === filled || (!isPlain(filled) && fits.test(filled)))
            .flatMap(({ methods }) => methods),
        ]),
      );
    };

    it('is 405 with Allow where a path has other methods', async () => {
      const paths = table();
      expect(paths.size).to.be.greaterThan(8);
      for (const [path, allowed] of paths) {
        for (const method of METHODS.filter((one) => !allowed.includes(one))) {
          const { status, headers, text } = await rawRequest(side.url(service()), method, path);
          expect(status, `${method} ${path}`).to.equal(405);
          expect((headers.allow ?? '').split(', ')).to.have.members([...allowed, 'OPTIONS']);
          if (method !== 'HEAD') expect(JSON.parse(text)).to.include({ [side.codeIn]: 'method_not_allowed' });
        }
      }
    });

    it('tells the methods of a path to OPTIONS', async () => {
      for (const [path, allowed] of table()) {
        const { status, headers } = await rawRequest(side.url(service()), 'OPTIONS', path);
        expect(status, path).to.equal(204);
        expect((headers.allow ?? '').split(', ')).to.have.members([...allowed, 'OPTIONS']);
      }
    });

    for (const path of [
      '/',
      '//',
      '/api',
      ...side.paths,
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
          const { status, text } = await rawRequest(side.url(service()), method, path);
          expect([status, JSON.parse(text)[side.codeIn]], method).to.deep.equal([404, 'not_found']);
        }
      });
    }
  });
};
