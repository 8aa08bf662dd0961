import { expect } from 'chai';
import { memoryPorts } from '../../../../adapters/memory.ts';
import { type AccountsPorts, createAccounts, unavailable } from '../../../../core/index.ts';
import { until } from '../../../support/until.ts';
import { by, useAdminAccounts } from '../admin/open-admin-accounts.ts';

const DOWN = unavailable('store_unavailable', 'Down.');

const actionsIn = async ({ audit }: Pick<AccountsPorts, 'audit'>, id: string) => {
  const rows = await audit.listAbout(id, 1, 100);
  return rows.map(({ content }) => (content === null ? null : JSON.parse(content).action));
};

describe('A failing background task', () => {
  const core = useAdminAccounts();
  const actionsOf = (id: string) => actionsIn(core().ports, id);

  it('blocks neither other tasks nor audit rows, except the rows behind an erasure', async () => {
    const { account, edit, ports, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const task = { kind: 'task', at: 0 } as const;
    await edit(id, {
      pending: [
        { ...task, id: 'object', task: 'remove-object', subject: `${id}/avatar_1.png` },
        { ...task, id: 'sessions', task: 'end-sessions', subject: null },
      ],
    });
    let erasures = 0;
    const failing = createAccounts({
      ...ports,
      objects: {
        ...ports.objects,
        remove: () => Promise.reject(DOWN),
        removeAll: () => Promise.reject(DOWN),
      },
      audit: {
        ...ports.audit,
        eraseAbout: async () => {
          erasures += 1;
          throw DOWN;
        },
      },
    });
    await failing.operate.setTier(email, { tier: 'pro' }, by());
    await failing.background.relay();
    const { pending } = await account(id);
    expect(pending).to.have.length(1);
    expect(pending[0]).to.include({ id: 'object' });
    expect(pending[0]).to.have.nested.property('retry.tries', 1);
    expect(await actionsOf(id)).to.include('entitlement.changed');

    await failing.operate.deleteUser(email, by());
    expect(erasures).to.equal(1);
    const waiting = (await account(id)).pending;
    const names = waiting.map((entry) => (entry.kind === 'task' ? entry.task : entry.kind));
    // The call of an operator leaves events to a server.
    expect(names).to.have.members(['erase-objects', 'erase-audit', 'event', 'audit']);
    expect(await actionsOf(id)).not.to.include('account.deleted');
  });
});

describe('A relay whose account another process deletes meanwhile', () => {
  const core = useAdminAccounts();
  const actionsOf = (id: string) => actionsIn(core().ports, id);

  it('leaves no mail and no audit row about the user', async () => {
    const { operate, ports, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const other = createAccounts(ports);
    let isDeleted = false;
    const slow = createAccounts({
      ...ports,
      audit: {
        ...ports.audit,
        append: async (rowsAfter) => {
          if (!isDeleted) {
            isDeleted = true;
            await other.operate.deleteUser(id, by());
          }
          return ports.audit.append(rowsAfter);
        },
      },
    });
    await slow.operate.setEmail(email, 'ada@example.org', { actor: 'operator:cli', reason: 'a wish' });
    while ((await slow.background.relay()) > 0);
    const mails = await ports.outbox.listOf(id);
    expect(mails.map(({ entry }) => entry.template)).to.deep.equal(['account-deleted']);
    expect(await actionsOf(id)).to.deep.equal(['audit.erased', 'account.deleted', null, 'audit.erased']);
    expect(await operate.verifyAudit()).to.include({ intact: true, erased: 1 });
  });

  it('records the erasure although the row about it failed at first', async () => {
    const { clock, operate, ports, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const other = createAccounts(ports);
    let step: 'changed' | 'deleted' | 'erased' | 'failed' = 'changed';
    const slow = createAccounts({
      ...ports,
      audit: {
        ...ports.audit,
        eraseAbout: async (...args) => {
          const rows = await ports.audit.eraseAbout(...args);
          if (step === 'deleted') step = 'erased';
          return rows;
        },
        append: async (rowsAfter) => {
          if (step === 'changed') {
            step = 'deleted';
            await other.operate.deleteUser(id, by());
          } else if (step === 'erased') {
            step = 'failed';
            throw DOWN;
          }
          return ports.audit.append(rowsAfter);
        },
      },
    });
    await slow.operate.setEmail(email, 'ada@example.org', { actor: 'operator:cli', reason: 'a wish' });
    while ((await slow.background.relay()) > 0);
    expect(step).to.equal('failed');
    clock.advance(60_000);
    while ((await slow.background.relay()) > 0);
    expect(await actionsOf(id)).to.deep.equal(['audit.erased', 'account.deleted', null, 'audit.erased']);
    expect(await operate.verifyAudit()).to.include({ intact: true, erased: 1 });
  });

  it('keeps the rows of the deletion that another process writes', async () => {
    const { ports, signUp } = core();
    const { id } = await signUp('ada@example.com');
    const other = createAccounts(ports);
    const slow = createAccounts({
      ...ports,
      audit: {
        ...ports.audit,
        eraseAbout: async (...args) => {
          await other.background.relay();
          return ports.audit.eraseAbout(...args);
        },
      },
    });
    await slow.operate.deleteUser(id, by());
    expect(await actionsOf(id)).to.deep.equal(['audit.erased', 'account.deleted']);
  });
});

describe('An event listener that never answers', () => {
  it('delays no mail while the events of 40 users wait', async () => {
    const ports = memoryPorts();
    const accounts = createAccounts({ ...ports, events: { publish: () => new Promise(() => {}) } });
    const caller = { address: '::1', client: '::1', userAgent: null, requestId: null, languages: null };
    // More users than one round relays at once.
    for (let user = 0; user < 40; user += 1)
      await accounts.register({ email: `${user}@example.com`, password: 'correct horse battery' }, caller);
    await until(async () => {
      void accounts.background.relay();
      await accounts.background.deliverMail(1);
      return ports.mailer.mails.length === 40;
    }, 5_000);
    expect(ports.mailer.mails).to.have.length(40);
  });
});
