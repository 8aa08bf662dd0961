import { join } from 'node:path';
import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { makeMailFolder } from '../../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../../support/servers/server-process.ts';
import { type Ask, ask } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { BEHIND, inContestedRounds, insist, refuseStarved } from '../behind.ts';
import { valueIn } from '../cookies/jar.ts';
import { makeHandover, outcome, SETTINGS } from './app.ts';

const AT_ONCE = 50;
const email = 'ada@example.com';
const password = 'correct horse battery';

describe('Hand-overs in two processes on one store', () => {
  const processes = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let servers: readonly RunningServer[] = [];
  let token = '';
  let cookie = '';
  let calls = 0;
  /** Each call goes to the next process. */
  const send = (method: string, path: string, given?: Ask) => {
    calls += 1;
    return ask(servers[calls % servers.length]?.url ?? '', method, path, given);
  };
  const post = (path: string, body: unknown, given: Ask = {}) => send('POST', path, { ...given, body });
  const { begin, redeem } = makeHandover(post);

  before(async () => {
    const settings = { ...SETTINGS, DATA_DIR: folder(), HASH_QUEUE: '100', LOG_LEVEL: 'warn' };
    servers = await Promise.all([1, 2].map(() => processes.start('accounts', folder(), settings)));
    await post('/api/auth/register', { email, password });
    const code = await makeMailFolder(join(folder(), 'mail')).codeFor(email);
    token = String((await post('/api/auth/verify-email', { email, code, password })).body.token);
    const asks = { 'X-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' };
    cookie = valueIn(await post('/api/auth/login', { email, password }, { headers: asks })) ?? '';
  });

  const count = async () => {
    const { body } = await insist(() => send('GET', '/api/auth/sessions', { token }));
    return Array.from(body.sessions as unknown as Iterable<unknown>).length;
  };

  it('let one use of a code in at most, and leave no session of it', () =>
    inContestedRounds(async () => {
      const right = await begin(cookie);
      const replies = await race(AT_ONCE, () => redeem(right));
      refuseStarved(replies);
      const outcomes = replies.filter(({ status }) => !BEHIND.includes(status)).map(outcome);
      expect(outcomes.filter((one) => one === '200').length, outcomes.join()).to.be.at.most(1);
      expect(new Set(outcomes.filter((one) => one !== '200')), outcomes.join()).to.deep.equal(
        new Set(['401 invalid_code']),
      );
      await insist(() => redeem(right));
      expect(await count()).to.equal(2);
    }));

  it('let each of many codes in once', () =>
    inContestedRounds(async () => {
      const given = await race(5, () => begin(cookie));
      const replies = await race(5, (place) => insist(() => redeem(given[place] ?? {})));
      expect(replies.map(outcome)).to.deep.equal(Array.from({ length: 5 }, () => '200'));
      expect(await count()).to.equal(7);
      await race(5, (place) => insist(() => redeem(given[place] ?? {})));
      expect(await count()).to.equal(2);
    }));
});
