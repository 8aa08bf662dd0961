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
  /** The start of the actions of its rows. */
  readonly name: string;
  readonly target: string;
}

/** Each call reaches its effect, which looks at the audit log and fails. */
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

describe('The audit rows of a command that works beside the accounts', () => {
  const core = useAdminAccounts();
  let folder: string;
  let gaveWay = false;
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

  /** A desk whose product fails at every effect, once this has looked. */
  const deskOf = (look: () => Promise<void>): CommandContext => {
    const effect = async (): Promise<never> => {
      await look();
      throw new Error('The effect failed.');
    };
    const nothing = async () => ({ resealed: 0, failed: 0 });
    const files = {
      deleteFiles: async (_: string, begin: () => Promise<void>) => {
        await begin();
        return effect();
      },
      importFiles: effect,
      masterKey: async () => 'current',
      countByKey: async () => new Map(),
      reseal: nothing,
    };
    const billing = { reconcile: effect, reconcileAll: effect, countCustomers: async () => 0 };
    const webhooks = {
      retryDeliveries: effect,
      discardDeliveries: effect,
    };
    const { operate } = core();
    const product = {
      accounts: { operate: { ...operate, countSealed: async () => new Map(), resealSecrets: nothing } },
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
    const letServersGoFirst = () => {
      gaveWay = true;
    };
    return {
      by: () => BY,
      withChanges: open,
      withReadOnly: open,
      letServersGoFirst,
      keys,
    } as unknown as CommandContext;
  };

  const run = (args: readonly string[], look: () => Promise<void>) => {
    const paths = args.map((arg) => (arg.endsWith('.jsonl') ? join(folder, arg) : arg));
    return rejectionOf(() => makeProgram(deskOf(look)).parseAsync(paths, { from: 'user' }));
  };

  /** Runs a call to its effect. Gives the actions of the rows then, and all rows at the end. */
  const runToEffect = async (args: readonly string[]) => {
    gaveWay = false;
    const { length } = await rows();
    let before: readonly (string | null)[] = [];
    const error = await run(args, async () => {
      before = (await rows()).slice(length).map(({ action }) => action);
    });
    expect(error).to.include({ message: 'The effect failed.' });
    return { before, written: (await rows()).slice(length) };
  };

  const expectRows = async ({ args, name, target }: Call) => {
    const { before, written } = await runToEffect(args);
    expect(before).to.deep.equal([`${name}_started`]);
    expect(written.map(({ action, after }) => [action, after])).to.deep.equal([
      [`${name}_started`, {}],
      [`${name}_failed`, { failure: 'failed' }],
    ]);
    for (const row of written) expect(row).to.include({ ...BY, target });
  };

  for (const call of CALLS) {
    const isShort = ['cache', 'webhooks'].includes(call.args[0] ?? '');
    it(`begin before the effect of ${call.args.join(' ')}, which gives ${isShort ? 'no ' : ''}way to servers`, async () => {
      await expectRows(call);
      expect(gaveWay).to.equal(!isShort);
    });
  }

  it('begin before the effect of billing reconcile for one user', async () => {
    const { id, email } = await core().signUp('ada@example.com');
    await expectRows({ args: ['billing', 'reconcile', email], name: 'billing.reconcile', target: id });
  });

  it('are none where a dry run of files import changes nothing', async () => {
    const { before, written } = await runToEffect(['files', 'import', 'files.jsonl', '--dry-run']);
    expect([before, written]).to.deep.equal([[], []]);
  });
});
