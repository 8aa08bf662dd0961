import { join } from 'node:path';
import { expect } from 'chai';
import { useExamples } from '../../embedding/example.ts';
import { type Installed, installPacked } from '../../embedding/installed.ts';

describe('The packed product inside Next', function () {
  this.timeout(120_000);
  let installed: Installed;
  before(async () => {
    installed = await installPacked(['next']);
  });
  after(() => installed?.remove());
  const serve = useExamples((...parts) => join(installed.folder, ...parts));

  it('serves accounts as a route, and tells pages who is signed in', async () => {
    const settings = {
      NEXT_TELEMETRY_DISABLED: '1',
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_RESEND: '1',
    };
    const { url, ask, journey } = await serve('next', settings);
    expect(await (await fetch(`${url}/hello`)).text())
      .to.include('<form')
      .and.not.to.include('Hello');
    expect(JSON.parse((await ask('GET', '/api/no-such')).text).code).to.equal('not_found');
    expect((await ask('POST', '/api/auth/register', { email: 'a'.repeat(100_000) })).status).to.equal(413);
    await journey();

    const form = await (await fetch(`${url}/hello`)).text();
    const body = new FormData();
    body.set(/name="(\$ACTION_ID_\w+)"/.exec(form)?.[1] ?? '', '');
    body.set('email', 'ada@example.com');
    body.set('password', 'correct horse battery');
    const loggedIn = await fetch(`${url}/hello`, { method: 'POST', body });
    const [cookie = ''] = loggedIn.headers.getSetCookie();
    expect(cookie).to.match(/^token=\S+;.*HttpOnly/);
    const Cookie = cookie.split(';')[0] ?? '';
    expect(await (await fetch(`${url}/hello`, { headers: { Cookie } })).text()).to.include('Hello ada');

    const resend = (client: string) =>
      fetch(`${url}/api/auth/resend-verification`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': client },
      });
    const statuses = [await resend('192.0.2.1'), await resend('192.0.2.1'), await resend('192.0.2.2')];
    expect(statuses.map(({ status }) => status)).to.deep.equal([415, 429, 415]);
  });
});
