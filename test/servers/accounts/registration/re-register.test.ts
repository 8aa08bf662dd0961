import { expect } from 'chai';
import { useService } from '../../../support/service.ts';

const STRANGERS = 'the password of a stranger';
const OWNERS = 'the password of the owner';

describe('Registering an email again before it is verified', () => {
  const service = useService();
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);

  let made = 0;
  /** A stranger registers the email, then its owner does. */
  const registerTwice = async () => {
    made += 1;
    const email = `owner${made}@example.com`;
    await post('register', { email, password: STRANGERS, displayName: 'Stranger' });
    await service().mailTo(email);
    const { status, body } = await post('register', { email, password: OWNERS, displayName: 'Owner' });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('message', 'email');
    return { email, old: await service().codeFor(email), code: await service().codeFor(email, 2) };
  };

  it('replaces the password and the display name', async () => {
    const { email, code } = await registerTwice();
    const { status, body } = await post('verify-email', { email, code });
    expect(status).to.equal(200);
    expect(body.user?.displayName).to.equal('Owner');
    expect((await post('login', { email, password: STRANGERS })).status).to.equal(401);
    expect((await post('login', { email, password: OWNERS })).status).to.equal(200);
  });

  it('takes the display name away when it gives none', async () => {
    const { email } = await registerTwice();
    await post('register', { email, password: OWNERS });
    const { body } = await post('verify-email', { email, code: await service().codeFor(email, 3) });
    expect(body.user?.displayName).to.equal(null);
  });

  it('makes the old code void and the new one good', async () => {
    const { email, old, code } = await registerTwice();
    expect((await post('verify-email', { email, code: old })).status).to.equal(401);
    expect((await post('verify-email', { email, code })).status).to.equal(200);
  });

  it('says in the mail that a registration was replaced, when, and not to use the code otherwise', async () => {
    const { email } = await registerTwice();
    const now = new Date(service().clock.now()).toISOString();
    const [first, second] = [await service().mailTo(email), await service().mailTo(email, 2)];
    expect(first.text).to.not.contain('replaced');
    const text = second.text.replaceAll('\n', ' ');
    expect(text).to.contain('registration of this email address was replaced by a new one at');
    expect(text).to.contain('If you did not do that yourself, do not use this code.');
    const at = /at (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC/.exec(text);
    expect(Date.parse(`${at?.[1]}T${at?.[2]}Z`)).to.be.closeTo(Date.parse(now), 120_000);
  });

  it('says so in every later mail with a code for it, too', async () => {
    const { email } = await registerTwice();
    await post('resend-verification', { email });
    expect((await service().mailTo(email, 3)).text).to.contain('replaced');
    await post('login', { email, password: OWNERS });
    expect((await service().mailTo(email, 4)).text).to.contain('replaced');
  });

  describe('and verifying with a password', () => {
    it('takes that of the newest registration', async () => {
      const { email, code } = await registerTwice();
      expect((await post('verify-email', { email, code, password: OWNERS })).status).to.equal(200);
    });

    it('refuses that of an earlier one, and the code stays good', async () => {
      const { email, code } = await registerTwice();
      const refused = await post('verify-email', { email, code, password: STRANGERS });
      expect(refused.status).to.equal(401);
      expect(refused.body).to.have.all.keys('message', 'code');
      expect((await post('verify-email', { email, code, password: OWNERS })).status).to.equal(200);
    });

    it('never verifies a stranger’s registration by the owner’s hand', async () => {
      const email = 'hijacked@example.com';
      await post('register', { email, password: OWNERS });
      await post('register', { email, password: STRANGERS });
      const code = await service().codeFor(email, 2);
      expect((await post('verify-email', { email, code, password: OWNERS })).status).to.equal(401);
      await post('register', { email, password: OWNERS });
      const own = await service().codeFor(email, 3);
      expect((await post('verify-email', { email, code: own, password: OWNERS })).status).to.equal(200);
      expect((await post('login', { email, password: STRANGERS })).status).to.equal(401);
    });

    it('voids the code by five wrong codes only, never by wrong passwords', async () => {
      const { email, code } = await registerTwice();
      for (let time = 0; time < 6; time += 1) {
        const { status } = await post('verify-email', { email, code, password: STRANGERS });
        expect(status).to.equal(401);
      }
      expect((await post('verify-email', { email, code, password: OWNERS })).status).to.equal(200);
    });

    it('takes it in any Unicode form, and refuses one that is too long', async () => {
      const email = 'forms@example.com';
      await post('register', { email, password: 'caf\u00e9 au lait' });
      const code = await service().codeFor(email);
      const long = await post('verify-email', { email, code, password: 'x'.repeat(257) });
      expect(long.status).to.equal(400);
      expect((await post('verify-email', { email, code, password: 'cafe\u0301 au lait' })).status).to.equal(
        200,
      );
    });
  });
});
