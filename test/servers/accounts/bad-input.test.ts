import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Libsql from 'libsql';
import { accountRoutes } from '../../../servers/accounts/routes.ts';
import type { Route } from '../../../servers/http/route.ts';
import { type User, useService } from '../../support/service.ts';
import { signUpEnterprise } from './enterprise.ts';
import { useStores } from './stores.ts';
import { CANARY, plain, sampleBody, wrongFor } from './wrong-values.ts';

const MANY = 'x'.repeat(65 * 1024);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const members = (count: number) =>
  JSON.stringify(
    Object.fromEntries(
      Array(count)
        .fill(0)
        .map((_, n) => [n, n]),
    ),
  );

interface Bad {
  readonly body?: string | Buffer;
  readonly headers?: object;
}

/** Bodies that are refused before any field of theirs is looked at, with what they are answered. */
const BODIES: Readonly<Record<string, Bad & { readonly answer: readonly [number, string] }>> = {
  'no JSON': { body: `{"password":"${CANARY}`, answer: [400, 'invalid_json'] },
  'JavaScript that is no JSON': { body: `{password:'${CANARY}'}`, answer: [400, 'invalid_json'] },
  'two documents': { body: '{}{}', answer: [400, 'invalid_json'] },
  'a list': { body: `["${CANARY}"]`, answer: [400, 'invalid_request'] },
  'a text': { body: `"${CANARY}"`, answer: [400, 'invalid_request'] },
  null: { body: 'null', answer: [400, 'invalid_request'] },
  '65 KiB': { body: JSON.stringify({ email: MANY }), answer: [413, 'too_large'] },
  '40 levels': { body: nested(40), answer: [400, 'too_deep'] },
  '50,000 levels in brackets': { body: '['.repeat(50_000), answer: [400, 'invalid_json'] },
  '1,001 members': { body: members(1_001), answer: [400, 'too_many_members'] },
  'bytes that are no UTF-8': {
    body: Buffer.from('{"email":"\xff\xfe"}', 'latin1'),
    answer: [400, 'invalid_encoding'],
  },
  'a lone surrogate': { body: '{"email":"\\ud800"}', answer: [400, 'invalid_encoding'] },
  'a gzip bomb': {
    body: gzipSync(Buffer.alloc(20 * 1024 * 1024, ' ')),
    headers: { 'Content-Encoding': 'gzip' },
    answer: [413, 'too_large'],
  },
  'broken gzip': {
    body: Buffer.from('not gzip'),
    headers: { 'Content-Encoding': 'gzip' },
    answer: [400, 'invalid_encoding'],
  },
  'an unknown coding': {
    body: '{}',
    headers: { 'Content-Encoding': 'br' },
    answer: [415, 'unsupported_encoding'],
  },
  'a form': {
    body: `email=${CANARY}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    answer: [415, 'unsupported_media_type'],
  },
  'another charset': {
    body: '{}',
    headers: { 'Content-Type': 'application/json; charset=utf-16' },
    answer: [415, 'unsupported_media_type'],
  },
};

describe('Input that no route takes', function () {
  this.timeout(60_000);
  const service = useService();
  const stores = useStores(service);
  let user: User;
  let stored: string;

  /** All that is stored, but for what counts and who does the background work. */
  const dump = (): string => {
    const database = new Libsql(`${service().folder}/gatehouse.db`, { readonly: true });
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all();
    const rows = (tables as { name: string }[])
      .filter(({ name }) => name !== 'tries' && name !== 'leases')
      .map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all()]);
    database.close();
    return JSON.stringify(rows, (key, value) => (key === '_metadata' ? undefined : value));
  };

  before(async () => {
    user = await signUpEnterprise(service());
    await stores().settled();
    stored = dump();
    expect(stored).to.include(user.email);
  });
  afterEach(() => {
    const log = JSON.stringify(service().log.lines);
    expect(dump(), 'something was stored').to.equal(stored);
    expect(log).not.to.include(CANARY);
    expect(log).not.to.include('http.failed');
  });

  const routes = (): readonly Route[] => accountRoutes(service().composition.accounts).map(plain);
  const withBody = () =>
    routes().flatMap((route) => (route.body === undefined ? [] : [{ route, schema: route.body }]));

  /** Calls a route as one who may, and gives what is wrong with the refusal; nothing when it is as it should be. */
  const problem = async (
    { method, path, access }: Route,
    what: string,
    given: Bad,
    [status, code]: readonly [number, string],
    named = '',
  ): Promise<string | undefined> => {
    const [secret = ''] = service().composition.internalSecrets;
    const bearer = access.startsWith('bearer');
    const response = await fetch(service().url + path.replace(/\{\w+\}/g, 'x'), {
      method,
      ...(given.body !== undefined && { body: given.body }),
      headers: {
        'Content-Type': 'application/json',
        ...(bearer && { Authorization: `Bearer ${user.token}` }),
        ...(access !== 'open' && !bearer && { 'x-internal-secret': secret }),
        ...given.headers,
      },
    });
    const text = await response.text();
    const { code: said, message } = JSON.parse(text);
    const isRight =
      response.status === status && said === code && message.includes(named) && !text.includes(CANARY);
    return isRight ? undefined : `${method} ${path} with ${what}: ${response.status} ${text}`;
  };
  const expectNone = async (problems: Iterable<Promise<string | undefined>>) => {
    const all = await Promise.all(problems);
    expect(all.length).to.be.greaterThan(5);
    expect(all.filter((one) => one !== undefined)).to.deep.equal([]);
  };
  const refused = [400, 'invalid_request'] as const;

  it('is named field by field, whatever of the wrong kind stands there', () =>
    expectNone(
      withBody().flatMap(({ route, schema }) =>
        Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
          Object.entries(wrongFor(field)).map(([what, value]) => {
            const body = JSON.stringify({ ...sampleBody(schema), [name]: value });
            return problem(route, `${what} as ${name}`, { body }, refused, name);
          }),
        ),
      ),
    ));

  it('is named when a field is missing, also when only the prototype has it', () =>
    expectNone(
      withBody().flatMap(({ route, schema }) =>
        (schema.required ?? []).flatMap((name) => {
          const { [name]: missing, ...rest } = sampleBody(schema);
          const inherited = JSON.stringify(rest).replace(
            /^\{/,
            `{"__proto__":${JSON.stringify({ [name]: missing })},`,
          );
          return [
            problem(route, `no ${name}`, { body: JSON.stringify(rest) }, refused, name),
            problem(route, `${name} in __proto__`, { body: inherited.replace(',}', '}') }, refused, name),
          ];
        }),
      ),
    ));

  it('may be the whole body', () =>
    expectNone(
      withBody().flatMap(({ route }) =>
        Object.entries(BODIES).map(([what, { answer, ...given }]) => problem(route, what, given, answer)),
      ),
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
    for (const { method, path, access } of routes()) {
      if (!path.includes('{') || !access.startsWith('bearer')) continue;
      for (const part of parts) {
        const { status, body } = await service().request(method, path.replace(/\{\w+\}/g, part), {
          token: user.token,
        });
        expect(status, `${path} with ${part}`).to.be.oneOf([400, 404]);
        expect(body).to.have.all.keys('message', 'code');
        found.add(`${status} ${body.code}`);
      }
    }
    expect(found).to.include('404 session_not_found');
    for (const one of found) expect(one).to.match(/^\d{3} [a-z_]+$/);
  });

  it('may stand in the query', () =>
    expectNone(
      routes().flatMap((route) => {
        const { query } = route;
        return Object.keys(query?.properties ?? {}).flatMap((name) => {
          const asked = (text: string) => ({ ...route, path: `${route.path}?${text}` });
          const sent = (what: string, text: string, named = '') =>
            problem(asked(text), what, {}, refused, named);
          return [
            sent(`${name} twice`, `${name}=1&${name}=1`),
            sent(
              `${name} in two spellings`,
              `${name}=1&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`,
            ),
            sent(`${name} that is no UTF-8`, `${name}=%ff`),
            sent(`${name} that is too long`, `${name}=${'x'.repeat(2_000)}`, name),
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
