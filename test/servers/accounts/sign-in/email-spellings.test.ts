import { expect } from 'chai';
import { inRounds, race } from '../../../contracts/race.ts';
import { useRecords } from '../../../support/records.ts';
import { useService } from '../../../support/service.ts';
import { insist } from '../behind.ts';

const PASSWORD = 'correct horse battery';

const spellings = [
  ' Kelvin@Example.COM\n',
  'KELVIN@EXAMPLE.COM',
  '\u212aelvin@example.com',
  'ｋｅｌｖｉｎ@example.com',
  'kelvin＠example.com',
  'kelvin@ｅｘａｍｐｌｅ.com',
  'kelvin@exam\u00adple.com',
];

const refused = [
  'kelvın@example.com',
  'KELVİN@example.com',
  'ßkelvin@example.com',
  'k\u0435lvin@example.com',
  'kelvin@example.com.',
  'kelvin@example.com\r\nBcc: eve@example.com',
  'kel\0vin@example.com',
  'kelvin@localhost',
  'kelvin@127.0.0.1',
  'kelvin@home@example.com',
  `${'k'.repeat(65)}@example.com`,
];

describe('An email in other spellings', () => {
  // So that none of those that arrive together is turned away.
  const service = useService({ HASH_QUEUE: '64' });
  const records = useRecords(service);
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);

  it('is one account, shown and mailed to in the canonical form', async () => {
    for (const email of spellings) {
      const { status, body } = await post('register', { email, password: PASSWORD });
      expect(status).to.equal(201);
      expect(body.email).to.equal('kelvin@example.com');
      expect(await records().countUnverified('kelvin@example.com')).to.equal(1);
    }
    await records().allSent();
    expect(new Set(service().mails.map(({ to }) => to))).to.deep.equal(new Set(['kelvin@example.com']));
  });

  it('is verified, logged in with, and taken in each of them', async () => {
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

  for (const email of refused) {
    it(`is refused everywhere as ${JSON.stringify(email.slice(0, 40))}`, async () => {
      const bodies = {
        register: { email, password: PASSWORD },
        'verify-email': { email, code: '123456' },
        'resend-verification': { email },
        login: { email, password: PASSWORD },
      };
      for (const [path, body] of Object.entries(bodies)) {
        const reply = await post(path, body);
        expect(reply.status).to.equal(400);
        expect(reply.body.code).to.equal('invalid_email');
      }
    });
  }

  it('is one account after ten registrations at once, and its newest code verifies it', async () => {
    await inRounds(async (round) => {
      const canonical = `kasimir${round}@example.com`;
      // Half of a day's code mails: a registration that is refused as contended and sent again counts again.
      const replies = await race(10, (place) => {
        const email = [...canonical]
          .map((letter, at) => ((place >> (at % 5)) & 1 ? letter.toUpperCase() : letter))
          .join('')
          .replace('K', '\u212a');
        return insist(() => post('register', { email, password: `the password ${place}` }));
      });
      for (const { status, body } of replies) {
        expect(status).to.equal(201);
        expect(body.email).to.equal(canonical);
      }
      expect(await records().countUnverified(canonical)).to.equal(1);

      await records().allSent();
      const codes = service()
        .mails.filter(({ to }) => to === canonical)
        .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]);
      expect(codes).to.not.be.empty;
      const { status, body } = await post('verify-email', { email: canonical, code: codes.at(-1) });
      expect(status).to.equal(200);
      expect(body.user?.email).to.equal(canonical);
      expect(await records().countUnverified(canonical)).to.equal(0);
      const logins = await race(10, (place) =>
        post('login', { email: canonical, password: `the password ${place}` }),
      );
      expect(logins.filter(({ status }) => status === 200)).to.have.lengthOf(1);
    });
  });
});
