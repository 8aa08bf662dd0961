import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask, type Reply, type RequestOptions } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { inContestedRounds, insist, refuseStarved } from '../accounts/contested-rounds.ts';
import { codeAt } from '../accounts/second-factor/factor.ts';
import { cookieOf } from './console-client.ts';

const CONCURRENT = 50;
const STEP_MS = 30_000;
const password = 'correct horse battery';
const reason = 'a race';

/** The headers of a page of the console. */
const PAGE_HEADERS = { 'Sec-Fetch-Site': 'same-origin' } as const;

interface Founder {
  readonly id: string;
  readonly cookie: string;
}

describe('The console in two processes on one store', () => {
  const processes = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let servers: readonly RunningServer[] = [];
  let founders: readonly Founder[] = [];

  let calls = 0;
  /** Each call goes to the next process. */
  const request = (method: string, path: string, options?: RequestOptions): Promise<Reply> => {
    calls += 1;
    return ask(servers[calls % servers.length]?.url ?? '', method, path, options);
  };
  const post = (path: string, body: unknown, options: RequestOptions = {}) =>
    insist(() => request('POST', path, { ...options, body }));
  const internal = (): RequestOptions => ({
    headers: { 'x-internal-secret': readFileSync(join(folder(), 'internal-secret'), 'utf8').trim() },
  });
  const appoint = (id: string) =>
    insist(() =>
      request('PATCH', `/api/admin/users/${id}`, {
        ...internal(),
        body: { service: 'DROP', accessFlags: { isOperatorTeam: true, operatorTeamRole: 'founder' } },
      }),
    );

  const signUp = async (email: string) => {
    await post('/api/auth/register', { email, password });
    const code = await makeMailFolder(join(folder(), 'mail')).codeFor(email);
    const { body } = await post('/api/auth/verify-email', { email, code, password });
    return { id: String(body.user?.id), token: String(body.token) };
  };
  const openFounder = async (email: string): Promise<Founder> => {
    const { id, token } = await signUp(email);
    await appoint(id);
    const secret = String((await post('/api/auth/2fa', { enable: true }, { token })).body.secret);
    const now = Date.now();
    const confirm = { enable: true, secret, verificationCode: codeAt(secret, now) };
    expect((await post('/api/auth/2fa', confirm, { token })).status).to.equal(200);
    const body = { email, password, verificationCode: codeAt(secret, now + STEP_MS) };
    const signedIn = await post('/api/admin/sign-in', body, { headers: PAGE_HEADERS });
    const cookie = cookieOf(signedIn);
    if (cookie === undefined) throw new Error(`Not signed in: ${JSON.stringify(signedIn.body)}`);
    return { id, cookie };
  };

  before(async () => {
    const settings = { DATA_DIR: folder(), HASH_QUEUE: '100', LOG_LEVEL: 'warn', ADMIN_ROUTES: 'both' };
    servers = await Promise.all([1, 2].map(() => processes.start('accounts', folder(), settings)));
    founders = [await openFounder('eve@example.com'), await openFounder('dan@example.com')];
  });

  const send = (founder: Founder | undefined, method: string, path: string, body?: unknown) =>
    request(method, `/api/admin/users/${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { ...PAGE_HEADERS, Cookie: `gatehouse-console=${founder?.cookie}` },
    });
  const codesOf = (replies: readonly Reply[]): readonly string[] => {
    refuseStarved(replies);
    return replies.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
  };

  it('keeps one of two founders who dismiss each other in fifty concurrent requests', () =>
    inContestedRounds(async () => {
      for (const { id } of founders) await appoint(id);
      const codes = codesOf(
        await race(CONCURRENT, (place) => {
          const [actor, target] = place % 4 < 2 ? founders : founders.toReversed();
          return send(actor, 'DELETE', `${target?.id}/operator`, { reason });
        }),
      );
      const views = await Promise.all(founders.map((actor) => insist(() => send(actor, 'GET', actor.id))));
      expect(views.map(({ status }) => status).toSorted(), codes.join()).to.deep.equal([200, 403]);
    }));

  it('performs one of fifty concurrent bans of the same version, and refuses the others', () =>
    inContestedRounds(async (round) => {
      for (const { id } of founders) await appoint(id);
      const { id } = await signUp(`ada${round}-${calls}@example.com`);
      const seen = String((await insist(() => send(founders[0], 'GET', id))).body.user?.updatedAt);
      const codes = codesOf(
        await race(CONCURRENT, (place) =>
          send(founders[place % 4 < 2 ? 0 : 1], 'POST', `${id}/ban`, { reason: `act ${place}`, seen }),
        ),
      );
      expect(
        codes.filter((code) => code === '200'),
        codes.join(),
      ).to.have.length(1);
      expect(new Set(codes.filter((code) => code !== '200'))).to.deep.equal(
        new Set(['409 changed_meanwhile']),
      );
    }));
});
