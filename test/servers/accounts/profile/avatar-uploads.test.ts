import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { picture, upload } from './avatars.ts';
import { BOUNDARY, bodyOf, MULTIPART } from './raw-upload.ts';

/** As many of the longest uploads as 64 MiB have room for. */
const MOST = 31;

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
  const statusOf = ({ heard }: { readonly heard: string }) => heard.slice(9, 12);
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
  /** Asked for until it is no longer refused: what ends at the client ends a little later at the service. */
  const untilTaken = (user: User) =>
    until(async () => (await upload(service(), user, picture)).status === 200);
  const refused = async (user: User) => {
    const late = await begin(user);
    await until(() => late.heard.includes('\r\n\r\n'));
    expect(late.heard).to.match(/^Retry-After: [1-9]/m);
    return [statusOf(late), /"code":"(\w+)"/.exec(late.heard)?.[1]];
  };

  it('are two of a user; the next is refused before its body, and another user’s is taken', async () => {
    const [ada, grace] = [await service().signUp(), await service().signUp()];
    const held = [await begin(ada, half), await begin(ada, half)];
    await until(() => isFull(ada));
    expect(await refused(ada)).to.deep.equal(['429', 'too_many_uploads']);
    expect((await upload(service(), grace, picture)).status).to.equal(200);

    held[0]?.socket.destroy();
    await untilTaken(ada);
    const rest = bodyOf({ content: picture }).subarray(opening.length);
    held[1]?.socket.write(
      Buffer.concat([Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n0\r\n\r\n')]),
    );
    await until(() => held[1]?.heard !== '');
    expect(held[1]?.heard).to.match(/^HTTP\/1\.1 200 /);
  });

  it('hold 64 MiB of all users together; the next is refused before its body', async () => {
    const users: User[] = [];
    for (let place = 0; place <= MOST / 2; place += 1) users.push(await service().signUp());
    const [one, ...others] = users as [User, ...User[]];
    const held = [];
    for (const user of others) held.push(await begin(user, half), await begin(user, half));
    held.push(await begin(one, half));
    expect(held).to.have.lengthOf(MOST);
    await until(() => isFull(one));
    expect(await refused(one)).to.deep.equal(['503', 'uploads_full']);
    expect(held.filter(({ heard }) => heard !== '')).to.deep.equal([]);

    held[0]?.socket.destroy();
    await untilTaken(one);
  });
});
