import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { smallestPng, upload } from './avatars.ts';
import { BOUNDARY, bodyOf, MULTIPART } from './raw-upload.ts';

describe('Concurrent uploads of avatars', () => {
  const service = useService();
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Sends the headers of an upload and a first part of its body. */
  const begin = async ({ token }: User, text = '') => {
    const { hostname, port } = new URL(service().url);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    sockets.push(socket);
    const connection = { socket, received: '' };
    socket.on('data', (data) => {
      connection.received += data;
    });
    await once(socket, 'connect');
    const lines = [
      'POST /api/avatar HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: Bearer ${token}`,
      `Content-Type: ${MULTIPART}`,
      'Transfer-Encoding: chunked',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
    return connection;
  };
  /** The first bytes of a form: the service waits for the rest. */
  const opening = `--${BOUNDARY}\r\n`;
  const firstChunk = `${opening.length.toString(16)}\r\n${opening}\r\n`;
  /** Whether another upload of the user would be refused, since two are in progress. */
  const isFull = async ({ token }: User) => {
    const { accounts } = service().composition;
    const principal = await accounts.authenticate(token);
    try {
      accounts.beginAvatarUpload(principal, 2_113_536)();
      return false;
    } catch {
      return true;
    }
  };

  it('are limited to two for each user, and a third is refused before its body', async () => {
    const [ada, grace] = [await service().signUp(), await service().signUp()];
    const connections = [await begin(ada, firstChunk), await begin(ada, firstChunk)];
    await until(() => isFull(ada));
    const third = await begin(ada);
    await until(() => third.received.includes('"too_many_uploads"'));
    expect(third.received)
      .to.match(/^HTTP\/1\.1 429 /)
      .and.match(/^Retry-After: [1-9]/m);
    expect((await upload(service(), grace, smallestPng)).status).to.equal(200);

    connections[0]?.socket.destroy();
    // The service notices the closed connection a little later.
    await until(async () => (await upload(service(), ada, smallestPng)).status === 200);
    const rest = bodyOf({ content: smallestPng }).subarray(opening.length);
    connections[1]?.socket.write(
      Buffer.concat([Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n0\r\n\r\n')]),
    );
    await until(() => connections[1]?.received !== '');
    expect(connections[1]?.received).to.match(/^HTTP\/1\.1 200 /);
  });
});
