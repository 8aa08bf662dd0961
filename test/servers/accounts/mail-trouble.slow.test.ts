import { expect } from 'chai';
import type { Delivery } from '../../../core/index.ts';
import { useRecords } from '../../support/records.ts';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'correct horse battery';
const HOUR = 3_600_000;
const failures: Readonly<Record<string, Delivery>> = {
  'is down': { outcome: 'again', after: null, failure: 'unreachable' },
  'asks for patience': { outcome: 'again', after: 60_000, failure: 'throttled' },
  'takes no mail for the address': { outcome: 'refused', failure: 'no_mailbox' },
};

describe('While the mail provider', () => {
  const service = useService();
  const records = useRecords(service);
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);
  const mailsTo = (email: string) => service().mails.filter(({ to }) => to === email);
  afterEach(() => {
    service().mail.delivery = { outcome: 'sent' };
  });

  /** The answers of everything that mails a code. */
  const answers = async (email: string) => {
    const replies = [
      await post('register', { email, password: PASSWORD }),
      await post('register', { email, password: PASSWORD }),
      await post('resend-verification', { email }),
      await post('login', { email, password: PASSWORD }),
    ];
    return replies.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(email, 'EMAIL')]);
  };
  /** The mails to the address that could not be sent, once for each try. */
  const failuresOf = async (email: string): Promise<readonly unknown[]> => {
    const { id } = await records().accountOf(email);
    const failed = service().log.lines.filter(({ event }) => /^mail\.(postponed|given_up)$/.test(event));
    return failed.filter(({ fields }) => fields.userId === id).map(({ fields }) => fields.id);
  };
  const hasFailed = (email: string, times = 1, mails = 1) =>
    until(async () => {
      const failures = await failuresOf(email);
      return failures.length >= times && new Set(failures).size >= mails;
    });

  let made = 0;
  for (const [what, delivery] of Object.entries(failures)) {
    it(`${what}, every answer is the same`, async () => {
      made += 1;
      const usual = await answers(`usual${made}@example.com`);
      service().mail.delivery = delivery;
      expect(await answers(`trouble${made}@example.com`)).to.deep.equal(usual);
      await hasFailed(`trouble${made}@example.com`);
      expect(mailsTo(`trouble${made}@example.com`)).to.be.empty;
    });
  }

  it('is down, mails wait, and come in their order when it is back', async () => {
    const email = 'patient@example.com';
    service().mail.delivery = { outcome: 'again', after: null, failure: 'unreachable' };
    await post('register', { email, password: PASSWORD });
    await post('resend-verification', { email });
    // Until the second one has, too: a round that is under way goes on to it when the first fails.
    await hasFailed(email, 1, 2);

    service().mail.delivery = { outcome: 'sent' };
    service().clock.advance(10_000);
    const codes = [await service().codeFor(email), await service().codeFor(email, 2)];
    expect((await post('verify-email', { email, code: codes[0] })).status).to.equal(401);
    expect((await post('verify-email', { email, code: codes[1] })).status).to.equal(200);
  });

  it('is down for hours, the mail still comes, once', async () => {
    const email = 'hours@example.com';
    service().mail.delivery = { outcome: 'again', after: null, failure: 'unreachable' };
    await post('register', { email, password: PASSWORD });
    await hasFailed(email);
    for (let hour = 1; hour <= 3; hour += 1) {
      const { length: before } = await failuresOf(email);
      service().clock.advance(HOUR);
      await hasFailed(email, before + 1);
    }
    service().mail.delivery = { outcome: 'sent' };
    service().clock.advance(2 * HOUR);
    await records().allSent();
    expect(mailsTo(email)).to.have.lengthOf(1);
  });

  it('refuses one address, mails to others go on', async () => {
    service().mail.delivery = { outcome: 'refused', failure: 'no_mailbox' };
    await post('register', { email: 'no-mailbox@example.com', password: PASSWORD });
    await hasFailed('no-mailbox@example.com');
    service().mail.delivery = { outcome: 'sent' };
    expect((await service().signUp()).token).to.match(/^ey/);
    expect(mailsTo('no-mailbox@example.com')).to.be.empty;
  });
});

describe('A mail provider that is down', () => {
  const service = useService();

  it('is a warning in the log, one for all mails, until it is back', async () => {
    const linesOf = (event: string) =>
      service().log.lines.filter((line) => line.event === event && line.fields.id === 'mail');
    service().mail.delivery = { outcome: 'again', after: null, failure: 'unreachable' };
    for (const name of ['a', 'b', 'c', 'd']) {
      await service().post('/api/auth/register', { email: `${name}@example.com`, password: PASSWORD });
    }
    await until(() => linesOf('dependency.down').length > 0);
    service().mail.delivery = { outcome: 'sent' };
    await until(() => linesOf('dependency.back').length > 0);
    expect(linesOf('dependency.down').map(({ level }) => level)).to.deep.equal(['warn']);
    expect(linesOf('dependency.back').map(({ level }) => level)).to.deep.equal(['info']);
  });
});
