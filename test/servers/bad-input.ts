import { expect } from 'chai';
import type { OwnParts } from '../../adapters/compose.ts';
import type { JsonSchema } from '../../core/schema.ts';
import type { AnyRoute, Route } from '../../servers/http/route.ts';
import { ask, type TestService, useService } from '../support/service.ts';
import { makeSlots } from '../support/slots.ts';
import { useStores } from './accounts/stores.ts';
import { BAD_BODIES, type Bad } from './bad-bodies.ts';
import { CANARY, plain, sampleBody, wrongFor } from './wrong-values.ts';

/** One of the two services, as the suite below goes through it. */
export interface Side {
  readonly name: string;
  url(service: TestService): string;
  routes(service: TestService): readonly AnyRoute[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly own?: OwnParts;
  /** Gives the headers with which each route may be called. */
  admit(service: TestService): Promise<(route: Route) => Readonly<Record<string, string>>>;
  /** The member of a refusal that programs rely on, and what stands there for a code of `servers/http`. */
  readonly codeIn: 'code' | 'error';
  codeFor(status: number, code: string): string;
  /** What an id that nothing has is answered. */
  readonly unknownId: string;
}

type Answer = readonly [status: number, code: string];

/** The least length that the schema of a text does not allow; of one that allows any, more than our rules do. */
const tooLong = (schema: JsonSchema | undefined): number => 1 + (schema?.maxLength ?? 1_999);

/** Sends to every route of a service what it must refuse, and looks that nothing came of it. */
export const testBadInput = (side: Side): void => {
  describe(`Input that no route of the ${side.name} takes`, () => {
    const service = useService(side.settings, side.own);
    const stores = useStores(service);
    let headersFor: (route: Route) => Readonly<Record<string, string>>;
    let stored: string;

    const dump = (): Promise<string> => stores().dump();

    before(async () => {
      headersFor = await side.admit(service());
      // So that something is stored, whatever the service.
      const { email } = await service().signUp();
      await stores().settled();
      stored = await dump();
      expect(stored).to.include(email);
    });
    afterEach(async () => {
      const log = JSON.stringify(service().log.lines);
      expect(await dump(), 'something was stored').to.equal(stored);
      expect(log).not.to.include(CANARY);
      expect(log).not.to.include('http.failed');
    });

    const routes = (): readonly Route[] => side.routes(service()).map(plain);
    const withBody = () =>
      routes().flatMap((route) => (route.body === undefined ? [] : [{ route, schema: route.body }]));

    // A client has at most MAX_OPEN_HEADS connections, 256, without a finished request.
    const inSlot = makeSlots(64);

    /** Calls a route as one who may, and gives what is wrong with the refusal; nothing when it is as it should be. */
    const problem = async (
      route: Route,
      what: string,
      given: Bad,
      [status, code]: Answer,
      named = '',
    ): Promise<string | undefined> => {
      const { method, path } = route;
      const { response, text } = await inSlot(async () => {
        const response = await fetch(side.url(service()) + path.replace(/\{\w+\}/g, 'x'), {
          method,
          ...(given.body !== undefined && { body: given.body }),
          headers: { 'Content-Type': 'application/json', ...headersFor(route), ...given.headers },
        });
        return { response, text: await response.text() };
      });
      // A browser that came by navigation gets a page.
      const { [side.codeIn]: said, message } = route.navigation
        ? { [side.codeIn]: side.codeFor(status, code), message: named }
        : JSON.parse(text);
      const isRight =
        response.status === status &&
        said === side.codeFor(status, code) &&
        message.includes(named) &&
        !text.includes(CANARY);
      return isRight
        ? undefined
        : `${method} ${path.slice(0, 200)} with ${what}: ${response.status} ${text.slice(0, 1_000)}`;
    };
    const expectNone = async (problems: Iterable<Promise<string | undefined>>) => {
      const all = await Promise.all(problems);
      expect(all.length).to.be.greaterThan(4);
      expect(all.filter((one) => one !== undefined).join('\n')).to.equal('');
    };
    const refused: Answer = [400, 'invalid_request'];
    const refusedField = ({ fieldCodes }: Route, name: string): Answer => [
      400,
      fieldCodes?.[name] ?? 'invalid_request',
    ];

    it('is named field by field, whatever of the wrong kind stands there', () =>
      expectNone(
        withBody().flatMap(({ route, schema }) =>
          Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
            Object.entries(wrongFor(field)).map(([what, value]) => {
              const body = JSON.stringify({ ...sampleBody(schema), [name]: value });
              return problem(route, `${what} as ${name}`, { body }, refusedField(route, name), name);
            }),
          ),
        ),
      ));

    it('is named when a field is missing, also when only the prototype has it', () =>
      expectNone(
        withBody().flatMap(({ route, schema }) =>
          (schema.required ?? []).flatMap((name) => {
            const wrong = refusedField(route, name);
            const { [name]: missing, ...rest } = sampleBody(schema);
            const inherited = JSON.stringify(rest).replace(
              /^\{/,
              `{"__proto__":${JSON.stringify({ [name]: missing })},`,
            );
            return [
              problem(route, `no ${name}`, { body: JSON.stringify(rest) }, wrong, name),
              problem(route, `${name} in __proto__`, { body: inherited.replace(',}', '}') }, wrong, name),
            ];
          }),
        ),
      ));

    it('may be the whole body', () =>
      expectNone(
        withBody().flatMap(({ route }) =>
          Object.entries(BAD_BODIES).map(([what, { answer, ...given }]) =>
            problem(route, what, given, answer),
          ),
        ),
      ));

    it('may be too long', () =>
      expectNone(
        withBody().map(({ route }) => {
          const body = JSON.stringify({ text: 'x'.repeat(route.bodyLongest ?? 65_536) });
          return problem(route, 'too long a body', { body }, [413, 'too_large']);
        }),
      ));

    it('may stand in the path', async () => {
      const parts = [
        '%ff',
        '%',
        '%00',
        '%2e%2e%2f',
        '__proto__',
        'x'.repeat(65),
        '%7B%22$ne%22:%22%22%7D',
        CANARY,
      ];
      const found = new Set<string>();
      for (const route of routes().filter(({ path, body }) => path.includes('{') && body === undefined)) {
        for (const part of parts) {
          const path = route.path.replace(/\{\w+\}/g, part);
          const { status, body } = await ask(side.url(service()), route.method, path, {
            headers: { ...headersFor(route), ...(route.raw?.type && { 'Content-Type': route.raw.type }) },
          });
          expect(status, path).to.be.oneOf([400, 404]);
          if (route.navigation) continue;
          expect(body).to.have.all.keys('message', side.codeIn);
          found.add(`${status} ${body[side.codeIn]}`);
        }
      }
      expect(found).to.include(`404 ${side.unknownId}`);
      for (const one of found) expect(one).to.match(/^\d{3} [a-z_]+$/);
    });

    it('may stand in the query', () =>
      expectNone(
        routes().flatMap((route) => {
          const { query } = route;
          return Object.keys(query?.properties ?? {}).flatMap((name) => {
            const others = (query?.required ?? []).filter((one) => one !== name).map((one) => `${one}=x&`);
            const asked = (text: string) => ({ ...route, path: `${route.path}?${others.join('')}${text}` });
            const sent = (what: string, text: string, named = '') =>
              problem(asked(text), what, {}, refused, named);
            return [
              sent(`${name} twice`, `${name}=1&${name}=1`),
              sent(
                `${name} in two spellings`,
                `${name}=1&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`,
              ),
              sent(`${name} that is no UTF-8`, `${name}=%ff`),
              sent(
                `${name} that is too long`,
                `${name}=${'x'.repeat(tooLong(query?.properties?.[name]))}`,
                name,
              ),
              ...(query?.required?.includes(name)
                ? [sent(`${name} as an operator`, `${name}[$ne]=`, name)]
                : []),
            ];
          });
        }),
      ));

    it('has polluted no prototype', () => {
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
      expect(({} as { isOperatorTeam?: boolean }).isOperatorTeam).to.equal(undefined);
    });
  });
};
