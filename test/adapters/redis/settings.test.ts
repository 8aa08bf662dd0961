import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { type OpenedFileCache, openFileCache } from '../../../adapters/compose/choose-adapters.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { EPOCH, entry } from '../../contracts/file-cache.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { canStartRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { refusalOfStart } from './open-redis.ts';
import { redisSettings } from './redis-settings.ts';

describe('REDIS_URL', () => {
  let server: RedisServer | undefined;
  let cache: OpenedFileCache | undefined;
  const folder = useTempFolder();
  const log = makeRecordingLog();

  const open = async (redisUrl: string | null) => {
    const settings = redisSettings(redisUrl, folder());
    cache = await openFileCache(settings, { clock: makeSettableClock(), log });
    return cache;
  };

  afterEach(async () => {
    await cache?.close();
    await server?.end();
    [cache, server] = [undefined, undefined];
  });

  it('selects a cache that is up when opened, and whose keys all have a TTL', async function () {
    if (!canStartRedis()) this.skip();
    server = await startRedis();
    const opened = await open(`${server.url}/3`);
    expect(await opened.isUp()).to.equal(true);
    await opened.fill(entry('a', '{"ä":1}'), EPOCH, 60);
    await opened.remove(['b'], 30);
    expect(await server.command('SELECT 3\r\nGET gatehouse:meta:a')).to.match(/7\.\w{10}:{"ä":1}/);
    expect(await server.command('SELECT 3\r\nTTL gatehouse:meta:a')).to.match(/:(59|60)\r\n$/);
    expect(await server.command('SELECT 3\r\nTTL gatehouse:meta:b')).to.match(/:(29|30)\r\n$/);
  });

  it('may name a server that is down: the start continues without the cache', async () => {
    const opened = await open('redis://127.0.0.1:1');
    expect(await opened.isUp()).to.equal(false);
    expect(log.lines.map(({ event }) => event)).to.deep.equal(['cache.failed']);
  });

  it('may name a server without room for clients: the cache is up once there is room', async function () {
    if (!canStartRedis()) this.skip();
    server = await startRedis();
    // As many clients as a cache has connections; with fewer, one connection could block the other.
    const clients = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
    for (const client of clients) {
      client.write('CONFIG SET maxclients 2\r\n');
      expect(String(await once(client, 'data'))).to.equal('+OK\r\n');
    }
    const opened = await open(server.url);
    expect(log.lines.at(-1)).to.deep.equal({
      level: 'warn',
      event: 'cache.failed',
      fields: { reason: 'MAXCLIENTS' },
    });
    for (const client of clients) client.destroy();
    await until(opened.isUp);
  });

  it('is refused if its path is not the number of a database', async () => {
    for (const url of ['redis://h.example/zero', 'redis://h.example/0/1', 'redis://u:sesame@h.example/x']) {
      const error = await rejectionOf(() => open(url));
      expect(String(error)).to.include('REDIS_URL').and.not.to.include('sesame');
    }
  });

  it('is refused if its user or its password cannot be decoded', async () => {
    for (const url of ['redis://u:ses%ame@h.example:6379/0', 'rediss://ses%ffame:word@h.example']) {
      const error = await rejectionOf(() => open(url));
      expect(error, url).to.be.instanceOf(ConfigError);
      expect(String(error)).to.match(
        /REDIS_URL: must have its user and password percent-encoded: %25 for a literal %$/,
      );
    }
  });

  it('is refused if its sentinels or its primary are malformed', async () => {
    const hosts = 's1.example:26379,s2.example:26379';
    const rests = ['', '/', '/main/zero', '/main/0/1', '/ma%69n', '/main?name=main', '/main#main'];
    for (const url of [
      ...rests.map((rest) => `redis+sentinel://u:sesame@${hosts}${rest}`),
      'redis+sentinel://u:sesame@/main',
      'redis+sentinel://u:sesame@s1.example:26379,/main',
      'redis+sentinel://u:sesame@s1.example:port/main',
      'redis+sentinel://u:sesame@s1.example:65536/main',
      'redis+sentinel://u:ses%ame@s1.example/main',
      'redis+sentinel://u:ses%ffame@s1.example/main',
      'redis+sentinel://u:sesame@[::1/main',
      'redis://u:sesame@h.example:65536',
    ]) {
      const error = await rejectionOf(() => open(url));
      expect(error, url).to.be.instanceOf(ConfigError);
      expect(String(error))
        .to.match(/REDIS_URL: must/)
        .and.not.to.match(/ses%?(?:ff)?ame|example/);
    }
  });

  it('is refused if its cluster servers are malformed or its database is not 0', async () => {
    for (const url of [
      'redis://u:sesame@h1.example:6379,h2.example:6379/3',
      'redis://u:sesame@h1.example,h2.example/0/1',
      'redis://u:sesame@h1.example,',
      'redis://u:sesame@h1.example,h2.example:65536',
      'redis://u:sesame@h1.example,h2.example?a=b',
      'redis://u:ses%ame@h1.example,h2.example',
    ]) {
      const error = await rejectionOf(() => open(url));
      expect(error, url).to.be.instanceOf(ConfigError);
      expect(String(error))
        .to.match(/REDIS_URL: must be .* no other database than 0/)
        .and.not.to.match(/ses%?ame|example/);
    }
  });

  it('stops the start without a secret if Redis refuses user, password or database', async function () {
    if (!canStartRedis()) this.skip();
    const protectedServer = await startRedis('--requirepass', 'sesame');
    server = protectedServer;
    const at = `127.0.0.1:${protectedServer.port}`;
    for (const url of [`redis://${at}`, `redis://:wrong7@${at}`, `redis://:sesame@${at}/99`]) {
      const error = await refusalOfStart(() => open(url));
      expect(error, url).to.be.instanceOf(ConfigError);
      expect(String(error))
        .to.match(/REDIS_URL: Redis refuses/)
        .and.not.to.match(/sesame|wrong7/);
    }
    const opened = await open(`redis://:sesame@${at}/1`);
    await until(opened.isUp);
  });

  it('keeps the cache in DATA_DIR if not set', async () => {
    const opened = await open(null);
    await opened.fill(entry('a'), EPOCH, 60);
    expect(await opened.get('a', EPOCH)).to.equal(entry('a').entry);
    expect(await opened.isUp()).to.equal(true);
  });
});
