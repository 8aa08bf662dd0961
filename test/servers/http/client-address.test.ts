import { expect } from 'chai';
import { makeClientAddress } from '../../../servers/http/client-address.ts';
import { ask, makeLog, startApp, testRoute } from './start-app.ts';

type Request = Parameters<ReturnType<typeof makeClientAddress>>[0];

/** A request with only a peer and a header. */
const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as Request;

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '2001:db8:aaaa::/48'];

describe('The client address', () => {
  const find = (peer: string | undefined, forwarded?: string) =>
    makeClientAddress(PROXIES, makeLog().log)(from(peer, forwarded));
  const address = (peer: string, forwarded?: string) => find(peer, forwarded).address;

  it('is the peer without X-Forwarded-For', () => {
    expect(address('192.0.2.1')).to.equal('192.0.2.1');
    expect(address('10.1.2.3')).to.equal('10.1.2.3');
    expect(find(undefined)).to.deep.equal({ address: 'unknown', key: 'unknown' });
  });

  it('is the rightmost hop that is not a trusted proxy', () => {
    expect(address('127.0.0.1', '192.0.2.1')).to.equal('192.0.2.1');
    expect(address('127.0.0.1', '6.6.6.6, 192.0.2.1')).to.equal('192.0.2.1');
    expect(address('127.0.0.1', '6.6.6.6,192.0.2.1 , 10.0.0.9,2001:db8:aaaa:1::5')).to.equal('192.0.2.1');
    expect(address('::ffff:127.0.0.1', '6.6.6.6, 192.0.2.1')).to.equal('192.0.2.1');
    expect(address('127.0.0.1', '10.0.0.1, 10.0.0.2')).to.equal('10.0.0.1');
  });

  it('is the last trusted hop if the value before it is not an address', () => {
    for (const garbage of [
      '',
      'unknown',
      'example.org',
      '192.0.2',
      '1.2.3.4.5',
      '0x7f.1',
      '[',
      '[]',
      '[2001:db8::12',
      '[2001:db8::1%1',
      '[2001:db8::1]2',
      '[2001:db8::1]:',
      '[2001:db8::1]:x',
      ' ',
      '192.0.2.1 x',
      '192.0.2.1:',
      '192.0.2.1:abc',
      '192.0.2.1:1:2',
    ])
      expect(address('127.0.0.1', `6.6.6.6, ${garbage}, 10.0.0.9`), garbage).to.equal('10.0.0.9');
    expect(address('127.0.0.1', '6.6.6.6, , ')).to.equal('127.0.0.1');
  });

  it('is read without the port that some proxies add', () => {
    expect(address('127.0.0.1', '192.0.2.1:4711')).to.equal('192.0.2.1');
    expect(address('127.0.0.1', '[2001:db8::7]:4711')).to.equal('2001:db8::7');
    expect(address('127.0.0.1', '[2001:db8::7]')).to.equal('2001:db8::7');
  });

  it('has one canonical spelling', () => {
    for (const spelling of [
      '::ffff:192.0.2.1',
      '::FFFF:c000:201',
      '0:0:0:0:0:ffff:192.0.2.1',
      '::ffff:192.0.2.1%eth0',
    ])
      expect(find('127.0.0.1', spelling), spelling).to.deep.equal({ address: '192.0.2.1', key: '192.0.2.1' });
    for (const spelling of [
      '2001:DB8::1',
      '2001:db8:0:0:0:0:0:1',
      '2001:0db8::0001',
      '2001:db8::0.0.0.1',
      '2001:db8::1%1',
    ])
      expect(address('127.0.0.1', spelling), spelling).to.equal('2001:db8::1');
  });

  it('has its /64 as the key if it is IPv6', () => {
    const keys = [
      '2001:db8:1:2::',
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:db8:1:3::1',
      '::1',
      '1::',
      '::5:0:0:0:0:0',
    ];
    expect(keys.map((text) => find(text).key)).to.deep.equal([
      '2001:db8:1:2::/64',
      '2001:db8:1:2::/64',
      '2001:db8:1:3::/64',
      '0:0:0:0::/64',
      '1:0:0:0::/64',
      '0:0:5:0::/64',
    ]);
  });

  it('ignores X-Forwarded-For of an untrusted peer, and logs a warning once', () => {
    const { log, lines } = makeLog();
    const clientOf = makeClientAddress(PROXIES, log);
    for (let round = 0; round < 3; round += 1)
      expect(clientOf(from('192.0.2.66', '127.0.0.1, 10.0.0.1')).address).to.equal('192.0.2.66');
    expect(lines).to.deep.equal([
      { level: 'warn', event: 'proxy.untrusted', fields: { address: '192.0.2.66' } },
    ]);
  });

  it('is searched for in a limited number of hops', () => {
    expect(address('127.0.0.1', `6.6.6.6${', 10.0.0.1'.repeat(31)}`)).to.equal('6.6.6.6');
    expect(address('127.0.0.1', `6.6.6.6${', 10.0.0.1'.repeat(32)}`)).to.equal('10.0.0.1');
  });

  it('is found in linear time in a hostile header', () => {
    const hostile = [',', '10.0.0.1,', ' ', '[', '::1,', '2001:db8:aaaa::1,', ':', '1.1.1.1:'];
    // A search in quadratic time would exceed the time limit of a test.
    for (const piece of hostile) {
      const header = piece.repeat(Math.floor(2_000_000 / piece.length));
      expect(find('127.0.0.1', header)).to.have.property('key');
    }
  });

  it('is passed to the route over a real connection', async () => {
    const app = await startApp([testRoute({})], { trustedProxies: ['127.0.0.0/8'] });
    const headers = {
      'X-Forwarded-For': ['6.6.6.6', '198.51.100.7'],
      'User-Agent': 'tests',
      'Accept-Language': 'pl',
    };
    const reply = await ask(`${app.url}/thing`, { headers });
    expect(reply.body.caller).to.include({ address: '198.51.100.7', userAgent: 'tests', languages: 'pl' });
    expect(app.accessLines[0]?.address).to.equal('198.51.100.7');
    await app.close();
  });
});
