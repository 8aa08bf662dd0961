import { expect } from 'chai';
import type { OwnParts } from '../../adapters/compose.ts';
import type { JsonSchema } from '../../core/schema.ts';
import type { AnyRoute, Route } from '../../servers/http/route.ts';
import { ask, type TestService, useService } from '../support/service.ts';
import { makeSlots } from '../support/slots.ts';
import { useStores } from './accounts/stores.ts';
import { BAD_BODIES, type BadRequest } from './bad-bodies.ts';
import { CANARY, plain, sampleBody, wrongFor } from './wrong-values.ts';

/** One of the two services, as the suite below calls it. */
export interface BadInputTarget {
  readonly name: string;
  url(service: TestService): string;
  routes(service: TestService): readonly AnyRoute[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly own?: OwnParts;
  /** Returns the headers that each route needs. */
  admit(service: TestService): Promise<(route: Route) => Readonly<Record<string, string>>>;
  /** The member of an error response with the code, and its value for a code of `servers/http`. */
  readonly codeIn: 'code' | 'error';
  codeFor(status: number, code: string): string;
  /** The code of the response to an unknown id. */
  readonly unknownId: string;
}

type Answer = readonly [status: number, code: string];

/** The least length that the schema of a text refuses; without a limit, a length beyond the rules of the core. */
const tooLong = (schema: JsonSchema | undefined): number => 1 + (schema?.maxLength ?? 1_999);

/** Sends invalid input to every route of a service, and checks that nothing was stored or logged. */
export const testBadInput = (side: BadInputTarget): void => {
  describe(`Invalid input to a route of the ${side.name}`, () => {
    const service = useService(side.settings, side.own);
    const stores = useStores(service);
    let headersFor: (route: Route) => Readonly<Record<string, string>>;
    let stored: string;

    const dump = (): Promise<string> => stores().dump();

    before(async () => {
      headersFor = await side.admit(service());
      // The store must not be empty, so that the dumps can differ.
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

    /** Calls a route as an authorized caller; returns how the response differs from the expected error, or undefined. */
    const problem = async (
      route: Route,
      defect: string,
      request: BadRequest,
      [status, code]: Answer,
      named = '',
    ): Promise<string | undefined> => {
      const { method, path } = route;
      const { response, text } = await inSlot(async () => {
        const response = await fetch(side.url(service()) + path.replace(/\{\w+\}/g, 'x'), {
          method,
          ...(request.body !== undefined && { body: request.body }),
          headers: { 'Content-Type': 'application/json', ...headersFor(route), ...request.headers },
        });
        return { response, text: await response.text() };
      });
      // A navigation is answered with a page.
      const { [side.codeIn]: actualCode, message } = route.navigation
        ? { [side.codeIn]: side.codeFor(status, code), message: named }
        : JSON.parse(text);
      const isRight =
        response.status === status &&
        actualCode === side.codeFor(status, code) &&
        message.includes(named) &&
        !text.includes(CANARY);
      return isRight
        ? undefined
        : `${method} ${path.slice(0, 200)} with ${defect}: ${response.status} ${text.slice(0, 1_000)}`;
    };
    const expectNone = async (problems: Iterable<Promise<string | undefined>>) => {
      const all = await Promise.all(problems);
      expect(all.length).to.be.greaterThan(4);
      expect(all.filter((text) => text !== undefined).join('\n')).to.equal('');
    };
    const refused: Answer = [400, 'invalid_request'];
    const refusedField = ({ fieldCodes }: Route, name: string): Answer => [
      400,
      fieldCodes?.[name] ?? 'invalid_request',
    ];

    it('is refused with the name of the field if its value has a wrong type or length', () =>
      expectNone(
        withBody().flatMap(({ route, schema }) =>
          Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
            Object.entries(wrongFor(field)).map(([defect, value]) => {
              const body = JSON.stringify({ ...sampleBody(schema), [name]: value });
              return problem(route, `${defect} as ${name}`, { body }, refusedField(route, name), name);
            }),
          ),
        ),
      ));

    it('is refused with the name of a field that is missing or only in `__proto__`', () =>
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

    it('is refused if the whole body is malformed', () =>
      expectNone(
        withBody().flatMap(({ route }) =>
          Object.entries(BAD_BODIES).map(([defect, { answer, ...request }]) =>
            problem(route, defect, request, answer),
          ),
        ),
      ));

    it('is refused if the body is too long', () =>
      expectNone(
        withBody().map(({ route }) => {
          const body = JSON.stringify({ text: 'x'.repeat(route.bodyLongest ?? 65_536) });
          return problem(route, 'too long a body', { body }, [413, 'too_large']);
        }),
      ));

    it('is refused in the path', async () => {
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
      const outcomes = new Set<string>();
      for (const route of routes().filter(({ path, body }) => path.includes('{') && body === undefined)) {
        for (const part of parts) {
          const path = route.path.replace(/\{\w+\}/g, part);
          const { status, body } = await ask(side.url(service()), route.method, path, {
            headers: { ...headersFor(route), ...(route.raw?.type && { 'Content-Type': route.raw.type }) },
          });
          expect(status, path).to.be.oneOf([400, 404]);
          if (route.navigation) continue;
          expect(body).to.have.all.keys('message', side.codeIn);
          outcomes.add(`${status} ${body[side.codeIn]}`);
        }
      }
      expect(outcomes).to.include(`404 ${side.unknownId}`);
      for (const outcome of outcomes) expect(outcome).to.match(/^\d{3} [a-z_]+$/);
    });

    it('is refused in the query', () =>
      expectNone(
        routes().flatMap((route) => {
          const { query } = route;
          return Object.keys(query?.properties ?? {}).flatMap((name) => {
            const others = (query?.required ?? []).filter((key) => key !== name).map((key) => `${key}=x&`);
            const extend = (text: string) => ({ ...route, path: `${route.path}?${others.join('')}${text}` });
            const send = (defect: string, text: string, named = '') =>
              problem(extend(text), defect, {}, refused, named);
            return [
              send(`${name} twice`, `${name}=1&${name}=1`),
              send(
                `${name} in two spellings`,
                `${name}=1&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`,
              ),
              send(`${name} that is not UTF-8`, `${name}=%ff`),
              send(
                `${name} that is too long`,
                `${name}=${'x'.repeat(tooLong(query?.properties?.[name]))}`,
                name,
              ),
              ...(query?.required?.includes(name)
                ? [send(`${name} as an operator`, `${name}[$ne]=`, name)]
                : []),
            ];
          });
        }),
      ));

    it('does not pollute a prototype', () => {
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
      expect(({} as { isOperatorTeam?: boolean }).isOperatorTeam).to.equal(undefined);
    });
  });
};
