import { createServer } from 'node:http';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import { scrapeSamples, sumOf } from '../../support/metrics.ts';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

describe('The metrics of several workers', () => {
  const { launch, start } = useServerProcesses();
  const folder = useTempFolder();

  it('are aggregated and served by the primary process, which keeps running', async () => {
    const server = await start('all', folder(), { WORKERS: '2', HASH_WORKERS: '1', METRICS_PORT: '0' });
    const url = /^Metrics +(http\S+)\/metrics$/m.exec(server.stderr())?.[1] ?? '';
    const headers = { Connection: 'close' };
    await race(20, async () =>
      expect((await ask(server.url, 'GET', '/health', { headers })).status).to.equal(200),
    );
    const health = ['service="accounts"', 'route="/health"', 'status="200"'];
    await until(
      async () =>
        sumOf(await scrapeSamples(url), 'gatehouse_http_request_duration_seconds_count', ...health) === 20,
    );
    const workers = () =>
      new Set(server.logged().flatMap(({ event, pid }) => (event === 'request' ? [pid] : [])));
    await until(() => workers().size === 2);
    // A sum over the workers would be 2.
    expect(sumOf(await scrapeSamples(url), 'gatehouse_dependency_up', 'dependency="store"')).to.equal(1);
    const leases = async () => sumOf(await scrapeSamples(url), 'gatehouse_lease_held', 'task="relay"');
    // A worker takes the lease in its first round of background work.
    await until(async () => (await leases()) > 0);
    expect(await leases()).to.equal(1);
    expect(server.logged().filter(({ event }) => event.startsWith('worker.'))).to.deep.equal([]);
    expect(server.logged().filter(({ event }) => event === 'server.listening')).to.have.length(3);
    // The counts of replaced workers are kept.
    server.signal('SIGHUP');
    const isRenewed = () => server.logged().some(({ event }) => event === 'worker.all_renewed');
    // A worker that is starting is asked until it answers.
    while (!isRenewed()) expect((await ask(url, 'GET', '/metrics', { headers })).status).to.equal(200);
    await ask(server.url, 'GET', '/health', { headers });
    const counts = 'gatehouse_http_request_duration_seconds_count';
    expect(sumOf(await scrapeSamples(url), counts, ...health)).to.be.at.least(20);
    server.signal('SIGTERM');
    expect((await server.ended).code).to.equal(0);
  });

  it('end the start with exit code 78 and the name of the setting if their port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? `${address.port}` : '';
    try {
      const server = launch('all', folder(), { WORKERS: '2', METRICS_PORT: port });
      expect((await server.ended).code).to.equal(78);
      expect(server.stderr()).to.match(/^METRICS_PORT: the port is in use$/m);
    } finally {
      other.close();
    }
  });
});
