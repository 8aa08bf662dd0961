import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { picture, upload } from './avatars.ts';
import { BOUNDARY, bodyOf, MULTIPART } from './raw-upload.ts';

describe('Uploads of avatars at once', () => {
  const service = useService();
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Sends the head of an upload, and what is given of its body. */
  const begin = async ({ token }: User, text = '') => {
    const { hostname, port } = new URL(service().url);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    sockets.push(socket);
    const state = { socket, heard: '' };
    socket.on('data', (heard) => {
      state.heard += heard;
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
    return state;
  };
  /** The beginning of a form, so that the rest is waited for. */
  const opening = `--${BOUNDARY}\r\n`;
  const half = `${opening.length.toString(16)}\r\n${opening}\r\n`;
  /** Whether another upload of the user would be refused: those that were sent are under way then. */
  const isFull = async ({ token }: User) => {
    const { accounts } = service().composition;
    const who = await accounts.authenticate(token);
    try {
      accounts.beginAvatarUpload(who, 2_113_536)();
      return false;
    } catch {
      return true;
    }
  };

  it('are two of a user; the next is refused before its body, and another user’s is taken', async () => {
    const [ada, grace] = [await service().signUp(), await service().signUp()];
    const held = [await begin(ada, half), await begin(ada, half)];
    await until(() => isFull(ada));
    const late = await begin(ada);
    await until(() => late.heard.includes('"too_many_uploads"'));
    expect(late.heard)
      .to.match(/^HTTP\/1\.1 429 /)
      .and.match(/^Retry-After: [1-9]/m);
    expect((await upload(service(), grace, picture)).status).to.equal(200);

    held[0]?.socket.destroy();
    // What ends at the client ends a little later at the service.
    await until(async () => (await upload(service(), ada, picture)).status === 200);
    const rest = bodyOf({ content: picture }).subarray(opening.length);
    held[1]?.socket.write(
      Buffer.concat([Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n0\r\n\r\n')]),
    );
    await until(() => held[1]?.heard !== '');
    expect(held[1]?.heard).to.match(/^HTTP\/1\.1 200 /);
  });
});
