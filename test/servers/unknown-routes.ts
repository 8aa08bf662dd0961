import { expect } from 'chai';
import type { OwnParts } from '../../adapters/compose.ts';
import type { AnyRoute } from '../../servers/http/route.ts';
import { rawRequest } from '../support/servers/raw-request.ts';
import { type TestService, useService } from '../support/service.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

/** One of the two services, as the suite below calls it. */
export interface UnknownRoutesTarget {
  readonly name: string;
  url(service: TestService): string;
  routes(service: TestService): readonly AnyRoute[];
  /** The member of an error response with the code. */
  readonly codeIn: 'code' | 'error';
  readonly settings?: Readonly<Record<string, string>>;
  readonly own?: OwnParts;
  /** Unknown paths of this service, in addition to those of any service. */
  readonly paths: readonly string[];
}

/** Calls a service with wrong methods and unknown paths. */
export const testUnknownRoutes = (side: UnknownRoutesTarget): void => {
  describe(`A request without a route in the ${side.name}`, () => {
    const service = useService({ PAGES: 'off', ADMIN_ROUTES: 'console', ...side.settings }, side.own);

    /** The methods of each path with its parameters filled in, from all routes that match the path. */
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
      const literalPaths = new Set(all.map(({ path }) => path).filter((path) => !path.includes('{')));
      const routes = all.map(({ method, path, withoutHead }) => ({
        methods: method === 'GET' && !withoutHead ? ['GET', 'HEAD'] : [method],
        filled: path.replace(/\{\w+\}/g, 'x'),
        fits: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      }));
      const isLiteral = (path: string) => literalPaths.has(path);
      return new Map(
        routes.map(({ filled }) => [
          filled,
          // A literal path takes precedence over a path with a parameter.
          routes
            .filter(({ filled: own, fits }) => own === filled || (!isLiteral(filled) && fits.test(filled)))
            .flatMap(({ methods }) => methods),
        ]),
      );
    };

    it('is answered with 405 and Allow if the path has other methods', async () => {
      const paths = table();
      expect(paths.size).to.be.greaterThan(8);
      for (const [path, allowed] of paths) {
        for (const method of METHODS.filter((name) => !allowed.includes(name))) {
          const { status, headers, text } = await rawRequest(side.url(service()), method, path);
          expect(status, `${method} ${path}`).to.equal(405);
          expect((headers.allow ?? '').split(', ')).to.have.members([...allowed, 'OPTIONS']);
          if (method !== 'HEAD') expect(JSON.parse(text)).to.include({ [side.codeIn]: 'method_not_allowed' });
        }
      }
    });

    it('is answered with 204 and Allow for OPTIONS', async () => {
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
      it(`is answered with 404 for ${path.slice(0, 30)}`, async () => {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const { status, text } = await rawRequest(side.url(service()), method, path);
          expect([status, JSON.parse(text)[side.codeIn]], method).to.deep.equal([404, 'not_found']);
        }
      });
    }
  });
};
