import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';
const NEXT = 'another horse battery';

describe('The addresses that an owner is known by', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });
  const records = useRecords(service);
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

  /** A user known from each of the addresses, with the digests in their order and a token for each. */
  const signUpFrom = async (email: string, [first = '', ...others]: readonly string[]) => {
    await service().post('/api/auth/register', { email, password: PASSWORD }, from(first));
    const code = await service().codeFor(email);
    const { body } = await service().post('/api/auth/verify-email', { email, code }, from(first));
    const tokens = [String(body.token)];
    for (const address of others) {
      const login = await service().post('/api/auth/login', { email, password: PASSWORD }, from(address));
      tokens.push(String(login.body.token));
    }
    const digests = (await known(email)).toReversed();
    expect(digests).to.have.length(others.length + 1);
    return { digests, tokens };
  };
  const known = async (email: string) =>
    (await records().accountOf(email)).knownAddresses.map(({ digest }) => digest);
  const reset = async (email: string, address: string) => {
    await service().post('/api/auth/password-reset', { email }, from(address));
    const mail = await service().mailTo(email, 2);
    const [code] = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(mail.text) ?? [];
    const body = { email, code, newPassword: NEXT };
    expect((await service().post('/api/auth/password-reset/confirm', body, from(address))).status).to.equal(
      200,
    );
  };

  it('are forgotten by a reset of the password, but for the one that it came from', async () => {
    const email = 'reset@example.com';
    const { digests } = await signUpFrom(email, ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    await reset(email, '192.0.2.2');
    expect(await known(email)).to.deep.equal([digests[1]]);
  });

  it('are all forgotten by a reset from elsewhere, which makes none known', async () => {
    const email = 'elsewhere@example.com';
    await signUpFrom(email, ['192.0.2.1', '192.0.2.2']);
    await reset(email, '203.0.113.1');
    expect(await known(email)).to.deep.equal([]);
  });

  it('are forgotten by a change of the password, but for the one that it came from', async () => {
    const email = 'change@example.com';
    const { digests, tokens } = await signUpFrom(email, ['192.0.2.1', '192.0.2.2']);
    const body = { currentPassword: PASSWORD, newPassword: NEXT };
    await service().post('/api/auth/password', body, { token: tokens[1] ?? '', ...from('192.0.2.2') });
    expect(await known(email)).to.deep.equal([digests[1]]);
  });
});
