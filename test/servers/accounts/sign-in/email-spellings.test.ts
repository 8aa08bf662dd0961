import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';

const PASSWORD = 'correct horse battery';

const spellings = [' Kelvin@Example.COM\n', 'KELVIN@EXAMPLE.COM', '\u212aelvin@example.com'];

describe('An email in several spellings', () => {
  const service = useService();
  const records = useRecords(service);
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);

  it('registers one account, and is shown and mailed to in its canonical form', async () => {
    for (const email of spellings) {
      const { status, body } = await post('register', { email, password: PASSWORD });
      expect(status).to.equal(201);
      expect(body.email).to.equal('kelvin@example.com');
      expect(await records().countUnverified('kelvin@example.com')).to.equal(1);
    }
    await records().allSent();
    expect(new Set(service().mails.map(({ to }) => to))).to.deep.equal(new Set(['kelvin@example.com']));
  });

  it('is verified once, can log in and is taken in each spelling', async () => {
    const code = await service().codeFor('kelvin@example.com', spellings.length);
    const [first = '', ...others] = spellings;
    expect((await post('verify-email', { email: first, code })).status).to.equal(200);
    for (const email of [first, ...others]) {
      const { status, body } = await post('login', { email, password: PASSWORD });
      expect(status).to.equal(200);
      expect(body.user?.email).to.equal('kelvin@example.com');
      expect((await post('register', { email, password: PASSWORD })).status).to.equal(409);
      expect((await post('resend-verification', { email })).status).to.equal(409);
    }
  });
});
