import { expect } from 'chai';
import fc from 'fast-check';
import { parseClusterUrl, parseSentinelUrl, redisAddress } from '../../../adapters/redis/redis-url.ts';

const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('localhost', '[2001:db8::1]'));
const ports = fc.option(fc.integer({ min: 1, max: 65_535 }));
const words = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), { nil: undefined });

const addresses = fc.record({
  scheme: fc.constantFrom('redis', 'rediss'),
  sentinels: fc.array(fc.tuple(hosts, ports), { minLength: 1, maxLength: 5 }),
  name: fc.stringMatching(/^[\w.-]{1,9}$/),
  database: fc.option(fc.nat(15), { nil: undefined }),
  password: words,
  sentinelPassword: words,
});

describe('The URL of a primary behind sentinels', () => {
  it('is parsed in every form', () => {
    fc.assert(
      fc.property(addresses, ({ scheme, sentinels, name, database, password, sentinelPassword }) => {
        const list = sentinels.map(([host, port]) => (port === null ? host : `${host}:${port}`)).join();
        const login = password === undefined ? '' : `ada:${encodeURIComponent(password)}@`;
        const path = database === undefined ? name : `${name}/${database}`;
        const query =
          sentinelPassword === undefined ? '' : `?sentinelPassword=${encodeURIComponent(sentinelPassword)}`;
        const url = `${scheme}+sentinel://${login}${list}/${path}${query}`;

        expect(redisAddress(url, 'REDIS_URL', false)).to.equal(url);
        const group = parseSentinelUrl(url);
        expect(group?.name).to.equal(name);
        const sentinelUrls = group?.sentinels.map((address) => new URL(address)) ?? [];
        expect(sentinelUrls.map(({ protocol, hostname, port }) => [protocol, hostname, port])).to.deep.equal(
          sentinels.map(([host, port]) => [`${scheme}:`, host.toLowerCase(), String(port ?? 26_379)]),
        );
        for (const address of sentinelUrls) {
          expect(decodeURIComponent(address.password)).to.equal(sentinelPassword ?? '');
        }
        const server = new URL(group?.serverUrl('10.0.0.7', '6380') ?? '');
        expect([server.protocol, server.host]).to.deep.equal([`${scheme}:`, '10.0.0.7:6380']);
        expect(server.pathname).to.equal(`/${database ?? ''}`);
        expect(decodeURIComponent(server.password)).to.equal(password ?? '');
      }),
    );
  });

  it('yields server URLs for the IPv6 addresses that sentinels return', () => {
    const group = parseSentinelUrl('redis+sentinel://s1.example/main');
    expect(group?.serverUrl('2001:db8::1', '6379')).to.equal('redis://[2001:db8::1]:6379/');
  });
});

describe('The URL of a cluster', () => {
  it('names several servers, or one if the setting says that it is a cluster', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('redis', 'rediss'),
        fc.array(fc.tuple(hosts, ports), { minLength: 2, maxLength: 5 }),
        fc.constantFrom('', '/', '/0'),
        words,
        (scheme, servers, path, password) => {
          const list = servers.map(([host, port]) => (port === null ? host : `${host}:${port}`));
          const login = password === undefined ? '' : `ada:${encodeURIComponent(password)}@`;
          for (const [named, isCluster] of [
            [list, false],
            [list.slice(0, 1), true],
          ] as const) {
            const address = redisAddress(
              `${scheme}://${login}${named.join()}${path}`,
              'REDIS_URL',
              isCluster,
            );
            const cluster = parseClusterUrl(address);
            const seeds = cluster?.seeds.map((seed) => new URL(seed)) ?? [];
            expect(seeds.map(({ protocol, hostname, port }) => [protocol, hostname, port])).to.deep.equal(
              servers
                .slice(0, named.length)
                .map(([host, port]) => [`${scheme}:`, host, String(port ?? 6_379)]),
            );
            const other = new URL(cluster?.serverUrl('2001:db8::1', '7000') ?? '');
            expect([other.host, decodeURIComponent(other.password)]).to.deep.equal([
              '[2001:db8::1]:7000',
              password ?? '',
            ]);
          }
        },
      ),
    );
  });

  it('is not that of one server or of sentinels', () => {
    expect(parseClusterUrl(redisAddress('redis://h.example:6379/3', 'REDIS_URL', false))).to.equal(undefined);
    const sentinels = 'redis+sentinel://s1.example,s2.example/main';
    expect(redisAddress(sentinels, 'REDIS_URL', true)).to.equal(sentinels);
  });
});
