import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openRedisAnnouncer } from '../../../adapters/redis/announcer.ts';
import { slotOf, TAGS } from '../../../adapters/redis/hash-tags.ts';
import { startRedisCluster } from '../../support/servers/redis-cluster.ts';
import { GENEROUS_DEADLINE, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';
import { needsRedis, useServers } from './open-redis.ts';

const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const setUser = /^ *```sh\n( *redis-cli ACL SETUSER .*?)^ *```$/ms.exec(guide)?.[1] ?? '';
const clusterRights = /^- \*\*Rights\*\* beside those above: `(.*?)`/m.exec(guide)?.[1] ?? '';
const NAME_AND_PASSWORD = 'gatehouse:change-this-password';

describe('The Redis rights in docs/deploying.md', () => {
  const { track, startServer, openCache, openLimits } = useServers();
  let server: RedisServer;

  needsRedis('rights on Redis');
  beforeEach(async () => {
    server = await startServer(startRedis());
    const script = `redis-cli() { command redis-cli -p ${server.port} "$@"; }\n${setUser}`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).to.equal('OK\n');
  });

  it('keep the cache in use with a warning if INFO is not among them', async () => {
    await server.command('ACL SETUSER gatehouse -info');
    const { cache, log } = openCache(`redis://${NAME_AND_PASSWORD}@127.0.0.1:${server.port}/0`);
    await cache.tried;
    await cache.fill({ id: 'one', entry: '{}' }, 1, 60);
    expect(await cache.get('one', 1)).to.equal('{}');
    expect(log.lines.map(({ event, fields }) => [event, fields.reason])).to.deep.equal([
      ['cache.refused', 'NOPERM'],
    ]);
  });

  it('are not needed for INFO on a Redis without that command', async () => {
    const other = await startServer(startRedis('--rename-command', 'INFO', ''));
    const { cache, log } = openCache(other.url);
    await cache.tried;
    expect(await cache.isUp()).to.equal(true);
    expect(log.lines.map(({ event, fields }) => [event, fields.reason])).to.deep.equal([
      ['cache.refused', 'ERR'],
    ]);
  });

  it('suffice for cache, limits and announcements', async () => {
    const url = `redis://${NAME_AND_PASSWORD}@127.0.0.1:${server.port}/0`;
    const { cache, log } = openCache(url);
    await cache.tried;
    const [first, second] = [
      { id: 'one', entry: '{"id":"one"}' },
      { id: 'other', entry: '{"id":"other"}' },
    ];
    await cache.fill(first, 1, 60);
    expect(await cache.load([first, second], 1, 600)).to.equal(2);
    expect(await cache.get('one', 1)).to.equal(first.entry);
    expect((await cache.stats(1)).entries).to.equal(2);
    expect(await cache.forget(['other'], 1)).to.equal(1);
    await cache.remove(['one'], 60, 'mark');
    await cache.renew([first], 'mark', 1, 60);
    expect(await cache.get('one', 1)).to.equal(first.entry);
    await cache.remove(['one'], 60);
    expect(await cache.clear(1)).to.equal(0);
    expect(await cache.isUp()).to.equal(true);

    const { limiter } = openLimits(url, { log, beatEvery: 20, ...GENEROUS_DEADLINE });
    await limiter.tried;
    const bucket = { name: 'client:login', limit: 1, seconds: 60 };
    expect((await limiter.take(bucket, 'a')).allowed).to.equal(true);
    expect((await limiter.take(bucket, 'a')).allowed).to.equal(false);

    const announcer = track(openRedisAnnouncer({ url, log, ...GENEROUS_DEADLINE }));
    const received: (string | null)[] = [];
    announcer.onAnnounced((userId) => received.push(userId));
    await announcer.tried;
    await announcer.announce('ada');
    await until(() => received.includes('ada'));

    for (const { close } of [cache, limiter, announcer]) await close();
    expect(await server.command('ACL LOG')).to.equal('*0\r\n');
    expect(log.lines).to.deep.equal([]);
  });

  it('suffice in a cluster with the rights that its section adds, even while a slot moves', async () => {
    const cluster = await startServer(startRedisCluster({ replicas: 0 }));
    for (const { port } of cluster.primaries) {
      const script = `redis-cli() { command redis-cli -p ${port} "$@"; }\n${setUser}\nredis-cli ACL SETUSER gatehouse ${clusterRights}`;
      expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).to.equal('OK\nOK\n');
    }
    const url = cluster.address.replace('//', `//${NAME_AND_PASSWORD}@`);
    const { cache, log } = openCache(url);
    const { limiter } = openLimits(url, { log, ...GENEROUS_DEADLINE });
    const announcer = track(openRedisAnnouncer({ url, log, ...GENEROUS_DEADLINE }));
    await Promise.all([cache.tried, limiter.tried, announcer.tried]);
    const [tag = ''] = TAGS;
    const owner = await cluster.ownerOf(slotOf(tag));
    const to = cluster.primaries.find((primary) => primary !== owner) ?? owner;
    const ids = Array.from({ length: 400 }, (_, place) => `file-${place}`);
    await cluster.moveSlot(slotOf(tag), to, async () => {
      await cache.load(
        ids.map((id) => ({ id, entry: '{}' })),
        1,
        60,
      );
      expect(await cache.forget(ids, 1)).to.be.within(390, 400);
      expect((await limiter.take({ name: 'client:login', limit: 1_000, seconds: 60 }, 'a')).allowed).to.equal(
        true,
      );
    });
    expect([await cache.clear(1), await cache.isUp(), await limiter.isUp()]).to.deep.equal([0, true, true]);
    await announcer.announce('ada');
    for (const { command } of cluster.primaries) expect(await command('ACL LOG')).to.equal('*0\r\n');
    expect(log.lines).to.deep.equal([]);
  });

  it('do not include other keys, channels or commands', async () => {
    const url = `redis://${NAME_AND_PASSWORD}@127.0.0.1:${server.port}/0`;
    const redisCli = (...words: readonly string[]) =>
      execFileSync('redis-cli', ['-u', url, '--no-auth-warning', ...words], { encoding: 'utf8' });
    expect(redisCli('PING')).to.equal('PONG\n');
    for (const words of [['GET', 'other:key'], ['FLUSHALL'], ['CONFIG', 'GET', '*'], ['KEYS', '*']]) {
      expect(redisCli(...words), words.join(' ')).to.match(/NOPERM/);
    }
    expect(redisCli('PUBLISH', 'other:channel', 'x')).to.match(/NOPERM/);
  });
});
