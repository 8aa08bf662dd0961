import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  isGroupAlive,
  type ServerProcess,
  useServerProcesses,
} from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** The welcome follows so soon that it may be on its way when the signal is sent. */
const OPENED = 'has opened one of its services';

/** Points of a start, each known by what it leaves behind. */
const POINTS: Readonly<Record<string, (server: ServerProcess, folder: string) => boolean>> = {
  'has read its settings': (server) => server.stderr().includes('Warning: SELF_ENTITLEMENT'),
  'has made its folder': (_, folder) => readdirSync(folder).includes('data'),
  'has begun a store': (_, folder) => {
    try {
      return readdirSync(join(folder, 'data')).includes('gatehouse.db');
    } catch {
      return false;
    }
  },
  [OPENED]: (server) => server.stdout().includes('server.listening'),
};
const WELCOME = /^Data /m;

describe('A start that is told to end', () => {
  const { launch, start } = useServerProcesses();
  const folder = useTempFolder();

  for (const WORKERS of ['1', '3'])
    for (const [point, isThere] of Object.entries(POINTS))
      it(`ends with 0 when the server of ${WORKERS} ${point}, and leaves no process behind`, async () => {
        const server = launch('all', folder(), { WORKERS });
        await until(() => isThere(server, folder()));
        const wasUp = WELCOME.test(server.stderr());
        server.signal('SIGTERM');
        expect(await server.ended).to.deep.equal({ code: 0, signal: null });
        expect(isGroupAlive(server.pid)).to.equal(false);
        if (!wasUp && point !== OPENED) expect(server.stderr()).not.to.match(WELCOME);
        if (WORKERS !== '1') return;
        // What it had begun is good for the next one.
        const next = await start('all', folder());
        await until(async () => String((await ask(next.url, 'GET', '/health')).body.status) === 'ok');
      });

  it('ends with 0 when the signal goes to its workers as well', async () => {
    const server = launch('all', folder(), { WORKERS: '3' });
    await until(() => POINTS['has begun a store']?.(server, folder()) === true);
    process.kill(-server.pid, 'SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    expect(isGroupAlive(server.pid)).to.equal(false);
  });

  it('ends with 0 though its store does not answer', async () => {
    const silent = { MONGODB_URL: 'mongodb://192.0.2.1/x' };
    const server = launch('accounts', folder(), silent);
    await until(() => server.stderr().includes('Warning: '));
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
  });

  it('goes on at SIGHUP, and renews the workers once they serve', async () => {
    const server = launch('accounts', folder(), { WORKERS: '2' });
    await until(
      () =>
        server.stdout().includes('server.listening') ||
        POINTS['has begun a store']?.(server, folder()) === true,
    );
    server.signal('SIGHUP');
    await server.logs('worker.all_renewed');
    expect(server.stderr()).to.match(WELCOME);
  });
});
