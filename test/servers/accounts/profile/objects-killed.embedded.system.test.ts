import { expect } from 'chai';
import { makeMailFolder } from '../../../support/mail-folder.ts';
import { openStrictS3, type StrictS3, s3Settings } from '../../../support/servers/aws/strict-s3.ts';
import { isGroupAlive, useServerProcesses } from '../../../support/servers/server-process.ts';
import type { Fault } from '../../../support/servers/strict-server.ts';
import { ask } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { formOf, sample, smallestPng } from './avatars.ts';

describe('A server that is killed between its writes to bucket and store', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  let s3: StrictS3;
  beforeEach(async () => {
    s3 = await openStrictS3();
  });
  afterEach(() => s3.close());

  const startOne = () => start('accounts', folder(), { ...s3Settings(s3), DATA_DIR: folder() });
  const signUp = async (url: string) => {
    const credentials = { email: 'ada@example.com', password: 'correct horse battery' };
    await ask(url, 'POST', '/api/auth/register', { body: credentials });
    const code = await makeMailFolder(`${folder()}/mail`).codeFor(credentials.email);
    const { body } = await ask(url, 'POST', '/api/auth/verify-email', { body: { ...credentials, code } });
    return String(body.token);
  };
  const upload = (url: string, token: string, bytes: Uint8Array) =>
    fetch(`${url}/api/avatar`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: formOf({ bytes }),
    });
  const avatars = () => [...s3.stored.keys()].filter((key) => key.includes('avatar_'));

  it('shows the previous avatar after a restart, and accepts the next', async () => {
    let server = await startOne();
    const token = await signUp(server.url);
    expect((await upload(server.url, token, smallestPng)).status).to.equal(200);
    const [before] = avatars();

    const kill: Fault = (response, work) => {
      work();
      server.signal('SIGKILL');
      response.destroy();
    };
    s3.faults.push(kill);
    expect(await upload(server.url, token, sample('a grey JPEG of 8 x 8')).catch(() => 'gone')).to.equal(
      'gone',
    );
    await server.ended;
    await until(() => !isGroupAlive(server.pid));
    expect(avatars()).to.have.length(2);

    server = await startOne();
    const { body } = await ask(server.url, 'GET', '/api/auth/me', { token });
    expect(`pictures/${String(body.user?.avatar)}`).to.equal(before);
    const shown = await fetch(`${server.url}/api/avatar`, { headers: { Authorization: `Bearer ${token}` } });
    expect(new Uint8Array(await shown.arrayBuffer())).to.deep.equal(smallestPng);
    expect((await upload(server.url, token, sample('a grey JPEG of 8 x 8'))).status).to.equal(200);
    // The previous avatar is deleted now; the object of the killed upload is swept an hour later.
    await until(() => !avatars().includes(String(before)));
    expect(avatars()).to.have.length(2);
  });
});
