import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { type Nginx, startNginx } from '../../support/servers/nginx.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** An address of this machine other than that of other clients. */
const ATTACKER = '127.0.0.2';
/** The connections that the sample allows an address. */
const LIMIT = 256;
const HALF_A_HEAD = 'GET /health HTTP/1.1\r\nHost: a\r\n';
const HALF_A_BODY = 'POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';

describe('A client at nginx', () => {
  const folder = useTempFolder();
  const sockets: Socket[] = [];
  let backend: Server | undefined;
  let nginx: Nginx | undefined;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await nginx?.end();
    backend?.close();
  });

  const open = async (replacements = {}) => {
    backend = createServer((_, res) => res.end('{}')).listen(0, '127.0.0.1');
    await once(backend, 'listening');
    const address = backend.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    nginx = await startNginx(folder(), await freePort(), [port, port], replacements);
    return nginx.url;
  };
  const send = async (url: string, text: string) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress: ATTACKER });
    sockets.push(socket.setEncoding('latin1'));
    const state = { socket, text: '', ended: false };
    socket.on('data', (chunk) => {
      state.text += chunk;
    });
    socket.on('close', () => {
      state.ended = true;
    });
    // A connection that times out is reset.
    socket.on('error', () => undefined).write(text);
    await once(socket, 'connect');
    return state;
  };

  it('has a limited number of requests in progress, while others are served', async () => {
    const url = await open();
    const clients = await Promise.all(Array.from({ length: LIMIT * 2 }, () => send(url, HALF_A_BODY)));
    const answered = (status: number) => clients.filter(({ text }) => text.startsWith(`HTTP/1.1 ${status}`));
    await until(() => answered(429).length === LIMIT);
    expect((await fetch(`${url}/health`)).status).to.equal(200);
    for (const { socket, text } of clients) if (text === '') socket.write('12345678');
    await until(() => answered(200).length === LIMIT);
  });

  it('has a limited time for the head of a request', async () => {
    const url = await open({ 'client_header_timeout 10s;': 'client_header_timeout 1s;' });
    const half = await send(url, HALF_A_HEAD);
    await until(() => half.ended);
    expect(half.text).not.to.match(/^HTTP\/1\.1 200/);
  });
});
