import { expect } from 'chai';
import type { Delivery } from '../../../core/index.ts';
import { useRecords } from '../../support/records.ts';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'correct horse battery';
const failures: Readonly<Record<string, Delivery>> = {
  'is down': { outcome: 'again', after: null, failure: 'unreachable' },
  'throttles mails': { outcome: 'again', after: 60_000, failure: 'throttled' },
  'refuses the address': { outcome: 'refused', failure: 'no_mailbox' },
};

describe('The replies of the routes that mail codes', () => {
  const service = useService();
  const records = useRecords(service);
  const post = (path: string, body: unknown) => service().post(`/api/auth/${path}`, body);
  const mailsTo = (email: string) => service().mails.filter(({ to }) => to === email);
  afterEach(() => {
    service().mail.delivery = { outcome: 'sent' };
  });

  /** The replies of all calls that mail a code. */
  const repliesFor = async (email: string) => {
    const replies = [
      await post('register', { email, password: PASSWORD }),
      await post('register', { email, password: PASSWORD }),
      await post('resend-verification', { email }),
      await post('login', { email, password: PASSWORD }),
    ];
    return replies.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(email, 'EMAIL')]);
  };
  const untilFailed = async (email: string) => {
    const { id } = await records().accountOf(email);
    await until(() =>
      service().log.lines.some(
        ({ event, fields }) => /^mail\.(postponed|given_up)$/.test(event) && fields.userId === id,
      ),
    );
  };

  let userCount = 0;
  for (const [trouble, delivery] of Object.entries(failures)) {
    it(`stay unchanged while the mail provider ${trouble}`, async () => {
      userCount += 1;
      const usual = await repliesFor(`usual${userCount}@example.com`);
      service().mail.delivery = delivery;
      expect(await repliesFor(`trouble${userCount}@example.com`)).to.deep.equal(usual);
      await untilFailed(`trouble${userCount}@example.com`);
      expect(mailsTo(`trouble${userCount}@example.com`)).to.be.empty;
    });
  }
});

describe('A mail provider that is down', () => {
  const service = useService();

  it('is logged as one warning for all mails, and once more when it is back', async () => {
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
