import { expect } from 'chai';
import { unavailable } from '../../../../core/errors.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { openPorts } from '../open-core.ts';
import { by, openAdminAccounts } from './open-admin-accounts.ts';

const REASON = 'the mail server is back';

/** The core with waiting mails, whose retry first calls `beforeRetry`, which may fail. */
const openWatched = async (beforeRetry: () => Promise<void>) => {
  const context = openPorts();
  const { outbox } = context.ports;
  const watched = {
    ...outbox,
    retry: async (id: string | null, now: number) => {
      await beforeRetry();
      return outbox.retry(id, now);
    },
  };
  const core = await openAdminAccounts({ ...context, ports: { ...context.ports, outbox: watched } });
  await core.signUp('ada@example.com');
  await core.operate.createUser({ email: 'new@example.com' }, by());
  while ((await core.accounts.background.relay()) > 0);
  const [mail] = await outbox.list(null, 1);
  if (mail === undefined) throw new Error('No mail waits.');
  const rows = async () => {
    const rows = [];
    for await (const row of core.operate.listAudit({})) rows.push(row);
    return rows.filter(({ action }) => action?.startsWith('mail.'));
  };
  return { ...core, rows, mail: mail.entry.id };
};

describe('Audited work of an operator', () => {
  for (const which of ['one mail', 'all mails'] as const) {
    it(`writes an audit row before the retry of ${which}, and the result after it`, async () => {
      let rowsBefore: readonly (string | null)[] = [];
      const context = await openWatched(async () => {
        rowsBefore = (await context.rows()).map(({ action }) => action);
      });
      const id = which === 'one mail' ? context.mail : null;
      await context.operate.retryMails(id, by(REASON));
      expect(rowsBefore).to.deep.equal(['mail.retry_started']);
      const [started, finished] = await context.rows();
      const target = id === null ? 'outbox' : `mail:${id}`;
      expect(started).to.include({ action: 'mail.retry_started', target, reason: REASON });
      expect(finished).to.include({ action: 'mail.retried', target, reason: REASON });
      expect(finished?.after).to.deep.equal({ count: 1 });
      const logged = context.lines.flatMap(({ event, fields }) =>
        event === 'operator.acted' ? [fields] : [],
      );
      expect(logged.slice(-2)).to.deep.equal([
        { id: target, reason: 'mail.retry_started' },
        { id: target, reason: 'mail.retried' },
      ]);
    });
  }

  it('records a failure with its error code', async () => {
    const context = await openWatched(async () => {
      throw unavailable('store_unavailable', 'The store is away.', 1);
    });
    const error = await rejectionOf(() => context.operate.retryMails(null, by(REASON)));
    expect(error).to.include({ code: 'store_unavailable' });
    const rows = await context.rows();
    expect(rows.map(({ action, after }) => [action, after])).to.deep.equal([
      ['mail.retry_started', {}],
      ['mail.retry_failed', { failure: 'store_unavailable' }],
    ]);
  });

  it('records no failure if the work succeeded but its result cannot be written', async () => {
    const context = openPorts();
    const { audit } = context.ports;
    let isDown = false;
    const append: typeof audit.append = async (...args) => {
      if (!isDown) return audit.append(...args);
      isDown = false;
      throw unavailable('store_unavailable', 'The store is away.', 1);
    };
    const core = await openAdminAccounts({
      ...context,
      ports: { ...context.ports, audit: { ...audit, append } },
    });
    const run = async (begin: () => Promise<void>) => {
      await begin();
      isDown = true;
      return { answer: 1, after: {} };
    };
    const work = { name: 'work.do', done: 'work.done', target: 'some', run };
    expect(await rejectionOf(() => core.operate.recordWork(work, by(REASON)))).to.include({
      code: 'store_unavailable',
    });
    const actions = [];
    for await (const { action } of core.operate.listAudit({})) actions.push(action);
    expect(actions.filter((action) => action?.startsWith('work.'))).to.deep.equal(['work.do_started']);
  });

  it('keeps its first row if the process ends during the work', async () => {
    let reach: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const context = await openWatched(() => {
      reach();
      return new Promise(() => undefined);
    });
    void context.operate.retryMails(context.mail, by(REASON));
    await reached;
    expect((await context.rows()).map(({ action }) => action)).to.deep.equal(['mail.retry_started']);
  });

  it('writes no row for an unknown mail or if no mail waits', async () => {
    const context = await openWatched(async () => undefined);
    for (const unknown of ['\u202eno id', context.mail.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))])
      expect(await rejectionOf(() => context.operate.retryMails(unknown, by()))).to.include({
        code: 'mail_not_found',
      });
    await context.settle();
    while ((await context.accounts.background.deliverMail(1)) > 0);
    expect(await context.operate.retryMails(null, by())).to.equal(0);
    expect(await context.rows()).to.deep.equal([]);
  });
});
