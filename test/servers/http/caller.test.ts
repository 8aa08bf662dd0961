import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Caller } from '../../../core/index.ts';
import { callerOf } from '../../../servers/index.ts';

describe('callerOf', () => {
  /** Sends a request to a plain Node.js server that calls `callerOf`. */
  const send = async (headers: Record<string, string>, trustedProxies?: readonly string[]) => {
    let caller: Caller | undefined;
    const server = createServer((req: IncomingMessage, res) => {
      caller = callerOf(req, trustedProxies);
      res.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [response] = await once(request({ port, host: '127.0.0.1', headers }).end(), 'response');
    response.resume();
    await once(response, 'end');
    server.close();
    return caller;
  };

  it('returns the caller that use cases need', async () => {
    const headers = { 'user-agent': 'Probe/1', 'x-request-id': 'abc', 'accept-language': 'pl' };
    expect(await send(headers)).to.deep.equal({
      address: '127.0.0.1',
      client: '127.0.0.1',
      userAgent: 'Probe/1',
      requestId: 'abc',
      languages: 'pl',
    });
    expect(await send({})).to.include({ userAgent: null, requestId: null, languages: null });
    expect(await send({ 'x-request-id': 'a b' })).to.include({ requestId: null });
  });

  it('reads a forwarded address from trusted proxies only, and counts it by its /64', async () => {
    const headers = { 'x-forwarded-for': '2001:db8:1:2:3::4' };
    expect(await send(headers)).to.include({ address: '127.0.0.1' });
    expect(await send(headers, ['127.0.0.0/8'])).to.include({
      address: '2001:db8:1:2:3::4',
      client: '2001:db8:1:2::/64',
    });
  });
});
