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

/** The startup message follows so soon that it may be printed before the signal arrives. */
const OPENED = 'has opened one of its services';

/** Points of a start, each detected by its output or files. */
const POINTS: Readonly<Record<string, (server: ServerProcess, folder: string) => boolean>> = {
  'has read its settings': (server) => server.stderr().includes('Warning: SELF_ENTITLEMENT'),
  'has created its folder': (_, folder) => readdirSync(folder).includes('data'),
  'has created a store': (_, folder) => {
    try {
      return readdirSync(join(folder, 'data')).includes('gatehouse.db');
    } catch {
      return false;
    }
  },
  [OPENED]: (server) => server.stdout().includes('server.listening'),
};
const STARTUP_MESSAGE = /^Data /m;

describe('A start that receives a signal', () => {
  const { launch, start } = useServerProcesses();
  const folder = useTempFolder();

  for (const WORKERS of ['1', '3'])
    for (const [point, isReached] of Object.entries(POINTS))
      it(`exits with 0 after SIGTERM if the server with WORKERS=${WORKERS} ${point}, and leaves no process`, async () => {
        const server = launch('all', folder(), { WORKERS });
        await until(() => isReached(server, folder()));
        const wasUp = STARTUP_MESSAGE.test(server.stderr());
        server.signal('SIGTERM');
        expect(await server.ended).to.deep.equal({ code: 0, signal: null });
        expect(isGroupAlive(server.pid)).to.equal(false);
        if (!wasUp && point !== OPENED) expect(server.stderr()).not.to.match(STARTUP_MESSAGE);
        if (WORKERS !== '1') return;
        // The next start can use the folder.
        const next = await start('all', folder());
        await until(async () => String((await ask(next.url, 'GET', '/health')).body.status) === 'ok');
      });

  it('exits with 0 if SIGTERM also reaches its workers', async () => {
    const server = launch('all', folder(), { WORKERS: '3' });
    await until(() => POINTS['has created a store']?.(server, folder()) === true);
    process.kill(-server.pid, 'SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    expect(isGroupAlive(server.pid)).to.equal(false);
  });

  it('exits with 0 after SIGTERM if its store does not answer', async () => {
    const settings = { MONGODB_URL: 'mongodb://192.0.2.1/x' };
    const server = launch('accounts', folder(), settings);
    await until(() => server.stderr().includes('Warning: '));
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
  });

  it('continues after a SIGHUP, and renews the workers once they serve', async () => {
    const server = launch('accounts', folder(), { WORKERS: '2' });
    await until(
      () =>
        server.stdout().includes('server.listening') ||
        POINTS['has created a store']?.(server, folder()) === true,
    );
    server.signal('SIGHUP');
    await server.logs('worker.all_renewed');
    expect(server.stderr()).to.match(STARTUP_MESSAGE);
  });
});
