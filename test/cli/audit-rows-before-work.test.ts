import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CommandContext } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';
import type { KeyLine } from '../../core/key-status.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { useAdminAccounts } from '../core/accounts/admin/open-admin-accounts.ts';

const BY = { actor: 'operator:cli', person: 'Zoë', reason: 'a test' };
const KEYS: readonly KeyLine[] = [
  { kind: 'signing', id: 'signer', state: 'next', createdAt: null },
  { kind: 'master', id: 'master', state: 'old', createdAt: null },
];

interface Call {
  readonly args: readonly string[];
  /** The actions of its rows without `_started` and `_failed`. */
  readonly name: string;
  readonly target: string;
}

/** Each call runs until its effect, which reads the audit log and fails. */
const CALLS: readonly Call[] = [
  {
    args: ['cache', 'invalidate', 'leaver', '--type', 'DEL'],
    name: 'files.delete',
    target: 'leaver',
  },
  { args: ['files', 'import', 'files.jsonl'], name: 'files.import', target: 'files' },
  { args: ['billing', 'reconcile'], name: 'billing.reconcile', target: 'billing' },
  { args: ['keys', 'rotate'], name: 'keys.rotate', target: 'keys:signing' },
  { args: ['keys', 'rotate', '--kind', 'master'], name: 'keys.rotate', target: 'keys:master' },
  { args: ['keys', 'retire', 'signer', '--yes'], name: 'keys.retire', target: 'key:signer' },
  { args: ['keys', 'retire', 'master', '--yes'], name: 'keys.retire', target: 'key:master' },
  { args: ['webhooks', 'retry', 'd1'], name: 'webhooks.retry', target: 'd1' },
  { args: ['webhooks', 'retry'], name: 'webhooks.retry', target: 'webhooks' },
  { args: ['webhooks', 'discard', 'd1'], name: 'webhooks.discard', target: 'd1' },
  { args: ['webhooks', 'discard', '--address', 'a'], name: 'webhooks.discard', target: 'webhooks' },
];

describe('The audit rows of a command whose work fails', () => {
  const core = useAdminAccounts();
  let folder: string;
  let hasLowPriority = false;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-rows-'));
    writeFileSync(join(folder, 'files.jsonl'), '{}\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  const rows = async () => {
    const all = [];
    for await (const row of core().operate.listAudit({})) all.push(row);
    return all;
  };

  /** A context whose product runs `beforeFailure` at every effect and then fails. */
  const makeContext = (beforeFailure: () => Promise<void>): CommandContext => {
    const effect = async (): Promise<never> => {
      await beforeFailure();
      throw new Error('The effect failed.');
    };
    const beginEffect = async (_: unknown, begin: () => Promise<void>) => {
      await begin();
      return effect();
    };
    const resealNothing = async () => ({ resealed: 0, failed: 0 });
    const files = {
      deleteFiles: beginEffect,
      importFiles: effect,
      masterKey: async () => 'current',
      countByKey: async () => new Map(),
      reseal: resealNothing,
    };
    const billing = { reconcile: effect, reconcileAll: effect, countCustomers: async () => 0 };
    const webhooks = { retryDeliveries: beginEffect, discardDeliveries: beginEffect };
    const { operate } = core();
    const product = {
      accounts: { operate: { ...operate, countSealed: async () => new Map(), resealSecrets: resealNothing } },
      files: { operate: files },
      billing: { operate: billing },
      webhooks: { operate: webhooks },
      rotateMasterKey: effect,
    };
    const open = (job: (opened: never) => Promise<unknown>) => job(product as never);
    const keys = {
      list: async () => KEYS,
      rotateSigning: effect,
      retireSigning: effect,
      retireMaster: effect,
    };
    const lowerPriority = () => {
      hasLowPriority = true;
    };
    return {
      by: () => BY,
      withChanges: open,
      withReadOnly: open,
      lowerPriority,
      keys,
    } as unknown as CommandContext;
  };

  const run = (args: readonly string[], beforeFailure: () => Promise<void>) => {
    const paths = args.map((arg) => (arg.endsWith('.jsonl') ? join(folder, arg) : arg));
    return rejectionOf(() => makeProgram(makeContext(beforeFailure)).parseAsync(paths, { from: 'user' }));
  };

  /** Runs a call until its effect fails. Returns the actions of the rows before the effect, and all rows at the end. */
  const runToEffect = async (args: readonly string[]) => {
    hasLowPriority = false;
    const { length } = await rows();
    let actionsBefore: readonly (string | null)[] = [];
    const error = await run(args, async () => {
      actionsBefore = (await rows()).slice(length).map(({ action }) => action);
    });
    expect(error).to.include({ message: 'The effect failed.' });
    return { actionsBefore, rowsWritten: (await rows()).slice(length) };
  };

  const expectRows = async ({ args, name, target }: Call) => {
    const { actionsBefore, rowsWritten } = await runToEffect(args);
    expect(actionsBefore).to.deep.equal([`${name}_started`]);
    expect(rowsWritten.map(({ action, after }) => [action, after])).to.deep.equal([
      [`${name}_started`, {}],
      [`${name}_failed`, { failure: 'failed' }],
    ]);
    for (const row of rowsWritten) expect(row).to.include({ ...BY, target });
  };

  for (const call of CALLS) {
    const isShort = ['cache', 'webhooks'].includes(call.args[0] ?? '');
    it(`begin before ${call.args.join(' ')}, which runs at ${isShort ? 'normal' : 'low'} priority`, async () => {
      await expectRows(call);
      expect(hasLowPriority).to.equal(!isShort);
    });
  }

  it('begin before billing reconcile for one user', async () => {
    const { id, email } = await core().signUp('ada@example.com');
    await expectRows({ args: ['billing', 'reconcile', email], name: 'billing.reconcile', target: id });
  });

  it('are not written by a dry run of files import', async () => {
    const { actionsBefore, rowsWritten } = await runToEffect(['files', 'import', 'files.jsonl', '--dry-run']);
    expect([actionsBefore, rowsWritten]).to.deep.equal([[], []]);
  });
});
