import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { type Nginx, startNginx } from '../../support/servers/nginx.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** An address of this machine other than the one that others ask from. */
const ATTACKER = '127.0.0.2';
/** What the sample allows an address. */
const MOST = 256;
const HALF_A_HEAD = 'GET /health HTTP/1.1\r\nHost: a\r\n';
const HALF_A_BODY = 'POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';

describe('A client at nginx', () => {
  const folder = useTempFolder();
  const sockets: Socket[] = [];
  let behind: Server | undefined;
  let nginx: Nginx | undefined;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await nginx?.end();
    behind?.close();
  });

  const open = async (shorter = {}) => {
    behind = createServer((_, res) => res.end('{}')).listen(0, '127.0.0.1');
    await once(behind, 'listening');
    const address = behind.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    nginx = await startNginx(folder(), await freePort(), [port, port], shorter);
    return nginx.url;
  };
  const send = async (url: string, text: string) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress: ATTACKER });
    sockets.push(socket.setEncoding('latin1'));
    const state = { socket, heard: '', ended: false };
    socket.on('data', (heard) => {
      state.heard += heard;
    });
    socket.on('close', () => {
      state.ended = true;
    });
    // One that took too long is reset.
    socket.on('error', () => undefined).write(text);
    await once(socket, 'connect');
    return state;
  };

  it('has so many requests under way and no more, while others are served', async () => {
    const url = await open();
    const begun = await Promise.all(Array.from({ length: MOST * 2 }, () => send(url, HALF_A_BODY)));
    const answered = (status: number) => begun.filter(({ heard }) => heard.startsWith(`HTTP/1.1 ${status}`));
    await until(() => answered(429).length === MOST);
    expect((await fetch(`${url}/health`)).status).to.equal(200);
    for (const { socket, heard } of begun) if (heard === '') socket.write('12345678');
    await until(() => answered(200).length === MOST);
  });

  it('has a limited time for the head of a request', async () => {
    const url = await open({ 'client_header_timeout 10s;': 'client_header_timeout 1s;' });
    const half = await send(url, HALF_A_HEAD);
    await until(() => half.ended);
    expect(half.heard).not.to.match(/^HTTP\/1\.1 200/);
  });
});
