import { expect } from 'chai';
import type { CommandContext } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';
import { type Receiver, receiveWebhooks } from '../support/webhook-receiver.ts';
import { type Installation, openInstallation } from './open-installation.ts';
import { verbsOf } from './verbs.ts';

/** An installation, and a new user of it. */
interface Ground extends Installation {
  readonly id: string;
  readonly email: string;
}

type Args = readonly string[];
type Row = readonly [action: string, target: string];

/** A call of a command, and the audit rows that it writes, in their order. */
interface Call {
  /** Prepares the call and returns the arguments after the command's name. */
  readonly args: (ground: Ground) => Args | Promise<Args>;
  readonly rows: (ground: Ground, args: Args) => readonly Row[] | Promise<readonly Row[]>;
  /** Runs on another installation, in a folder of this name. */
  readonly elsewhere?: string;
  /** Settings in addition to the installation's. */
  readonly settings?: () => Readonly<Record<string, string>>;
}

const writesNothing = (args: Call['args'], elsewhere?: string): readonly Call[] => [
  { args, rows: () => [], ...(elsewhere !== undefined && { elsewhere }) },
];
/** A call that writes one row about the user. */
const about = (action: string, args: Call['args']): Call => ({ args, rows: ({ id }) => [[action, id]] });

/** A call that writes a row before the work, and one with its outcome. */
const around = (
  name: string,
  done: string,
  target: string | ((ground: Ground, args: Args) => string),
  args: Call['args'],
): Call => ({
  args,
  rows: (ground, callArgs) => {
    const rowTarget = typeof target === 'string' ? target : target(ground, callArgs);
    return [
      [`${name}_started`, rowTarget],
      [done, rowTarget],
    ];
  },
});

const emailArg: Call['args'] = ({ email }) => [email];
const noArgs: Call['args'] = () => [];

const lastKey = async ({ keys }: Ground, kind: string) =>
  `key:${(await keys()).findLast((key) => key.kind === kind)?.id}`;
const oldKey = async ({ keys, run }: Ground, kind: string) => {
  await run(['keys', 'rotate', '--kind', kind, ...(kind === 'signing' ? ['--now'] : [])]);
  return (await keys()).find((key) => key.kind === kind && key.state === 'old')?.id ?? '';
};

const SECRET = `whsec_${Buffer.alloc(32, 'webhooks').toString('base64')}`;
let receiver: Receiver;

/** By command, also those that only read: its calls and their rows; a call writes no other row. */
const TABLE: Readonly<Record<string, readonly Call[]>> = {
  stats: writesNothing(noArgs),
  'users list': writesNothing(noArgs),
  'users show': writesNothing(emailArg),
  'users export': [about('user.exported', emailArg)],
  'users create': [
    {
      args: ({ email }) => [`new.${email}`, '--verified'],
      rows: async ({ email, idOf }) => [['user.created', await idOf(`new.${email}`)]],
    },
  ],
  'users ban': [about('user.banned', emailArg)],
  'users disable': [about('user.disabled', emailArg)],
  'users unban': [
    about('user.unbanned', async ({ operate, email, by }) => {
      await operate.ban(email, { reason: 'spam', until: null }, by);
      return [email];
    }),
  ],
  'users enable': [
    about('user.enabled', async ({ operate, email, by }) => {
      await operate.disable(email, { reason: 'asked', until: null }, by);
      return [email];
    }),
  ],
  'users unlock': [about('user.unlocked', emailArg)],
  'users verify': [
    {
      args: async ({ operate, email, by }) => {
        await operate.createUser({ email: `new.${email}` }, by);
        return [`new.${email}`];
      },
      rows: async ({ email, idOf }) => [['user.verified', await idOf(`new.${email}`)]],
    },
  ],
  'users reset-2fa': [
    about('two_factor.reset', async ({ email, turnOnFactor }) => {
      await turnOnFactor(email);
      return [email];
    }),
  ],
  'users unlink': [
    {
      args: async ({ operate, email, by }) => {
        const identity = { provider: 'github', providerAccountId: email };
        const line = { email: `linked.${email}`, emailVerified: true, oauthAccounts: [identity] };
        const lines = async function* () {
          yield JSON.stringify(line);
        };
        const options = { dryRun: false, onBad: () => undefined, onProgress: () => undefined };
        await operate.importUsers(lines(), options, by);
        return [line.email, identity.provider, identity.providerAccountId];
      },
      rows: async ({ email, idOf }) => [['identity.unlinked', await idOf(`linked.${email}`)]],
    },
  ],
  'users remove-passkey': [
    about('passkey.removed', async ({ email, addPasskey }) => [email, await addPasskey(email)]),
  ],
  'users send-reset': [about('password.reset_sent', emailArg)],
  'users set-email': [about('user.email_changed', ({ email }) => [email, `moved.${email}`])],
  'users sessions': writesNothing(emailArg),
  'users logout': [
    about('user.logged_out', emailArg),
    about('session.ended', async ({ email, logIn }) => [email, '--session', await logIn(email)]),
  ],
  'users delete': [
    {
      args: ({ email }) => [email, '--yes'],
      rows: ({ id }) => [
        ['audit.erased', id],
        ['account.deleted', id],
      ],
    },
  ],
  'users import': [
    {
      args: ({ email, write }) => [
        write('users.jsonl', { email: `new.${email}`, emailVerified: true, tier: 'pro' }),
      ],
      rows: async ({ email, idOf }) => {
        const id = await idOf(`new.${email}`);
        return [
          ['user.imported', id],
          ['entitlement.changed', id],
        ];
      },
    },
    ...writesNothing(({ email, write }) => [write('users.jsonl', { email: `no.${email}` }), '--dry-run']),
  ],
  'users bind-identities': writesNothing(noArgs),
  'tier set': [about('entitlement.changed', ({ email }) => [email, 'pro'])],
  'tier clear': [
    about('entitlement.changed', async ({ operate, email, by }) => {
      await operate.setTier(email, { tier: 'pro' }, by);
      return [email];
    }),
  ],
  'operator grant': [about('entitlement.changed', ({ email }) => [email, 'dev'])],
  'operator revoke': [
    about('entitlement.changed', async ({ operate, email, by }) => {
      await operate.appoint(email, 'dev', by);
      return [email];
    }),
  ],
  'audit list': writesNothing(noArgs),
  'audit verify': writesNothing(noArgs),
  'mail list': writesNothing(noArgs),
  'mail preview': writesNothing(({ path }) => [path('mails')]),
  'mail test': [{ args: () => ['ops@example.com'], rows: () => [], settings: () => ({ SMTP_URL: '' }) }],
  'webhooks list': writesNothing(noArgs),
  'webhooks test': [
    {
      args: () => [receiver.url],
      rows: () => [],
      settings: () => ({ WEBHOOK_URLS: `${receiver.url} ${SECRET}`, WEBHOOK_ALLOW_PRIVATE: 'on' }),
    },
  ],
  'webhooks retry': [around('webhooks.retry', 'webhooks.retried', 'webhooks', noArgs)],
  'webhooks discard': [
    around('webhooks.discard', 'webhooks.discarded', 'webhooks', async ({ makeDelivery }) => {
      await makeDelivery('one', 'https://former.example.com/hooks');
      return ['--address', 'https://former.example.com/hooks'];
    }),
    around('webhooks.discard', 'webhooks.discarded', 'two', async ({ makeDelivery }) => {
      await makeDelivery('two', 'https://former.example.com/hooks');
      return ['two'];
    }),
  ],
  'mail retry': [
    around(
      'mail.retry',
      'mail.retried',
      (_, [id]) => `mail:${id}`,
      async ({ email, makeMail }) => [await makeMail(email)],
    ),
    around('mail.retry', 'mail.retried', 'outbox', async ({ email, makeMail }) => {
      await makeMail(email);
      return [];
    }),
  ],
  'billing replay': [around('billing.replay', 'billing.replayed', 'billing', noArgs)],
  'billing reconcile': [
    around('billing.reconcile', 'billing.reconciled', ({ id }) => id, emailArg),
    around('billing.reconcile', 'billing.reconciled', 'billing', noArgs),
  ],
  'files import': [
    around('files.import', 'files.imported', 'files', ({ id, fileOf, write }) => [
      write('files.jsonl', fileOf(id)),
    ]),
    ...writesNothing(({ id, fileOf, write }) => [write('files.jsonl', fileOf(id)), '--dry-run']),
  ],
  'cache invalidate': [
    around(
      'files.delete',
      'files.deleted',
      ({ id }) => id,
      ({ id }) => [id, '--type', 'DEL'],
    ),
    ...writesNothing(({ id }) => [id, '--type', 'OUT']),
    ...writesNothing(() => ['--all', '--type', 'OUT']),
  ],
  'cache sync': writesNothing(async ({ id, createFile, fileOf }) => {
    await createFile(fileOf(id));
    return [id, '--type', 'allOne'];
  }),
  'cache prefetch': writesNothing(({ id }) => [id, '--limit', '5']),
  'cache stats': writesNothing(noArgs),
  'keys init': writesNothing(({ path }) => ['--kind', 'hash', path('hash-key')]),
  'keys status': writesNothing(noArgs),
  'keys rotate': [
    {
      args: () => ['--now'],
      rows: async (ground) => [
        ['keys.rotate_started', 'keys:signing'],
        ['keys.rotated', await lastKey(ground, 'signing')],
      ],
    },
    {
      args: () => ['--kind', 'master'],
      rows: async (ground) => [
        ['keys.rotate_started', 'keys:master'],
        ['keys.rotated', await lastKey(ground, 'master')],
      ],
    },
  ],
  'keys retire': ['signing', 'master'].map((kind) =>
    around(
      'keys.retire',
      'keys.retired',
      (_, [id]) => `key:${id}`,
      async (ground) => [await oldKey(ground, kind), '--yes'],
    ),
  ),
  'store migrate': writesNothing(noArgs),
  'store backup': [{ args: ({ path }) => [path('backup.tar')], rows: () => [['store.backed_up', 'store']] }],
  'store restore': writesNothing(async ({ path, run }) => {
    await run(['store', 'backup', path('to-restore.tar')]);
    return [path('to-restore.tar')];
  }, 'restored'),
  'store export': writesNothing(({ path }) => [path('export.jsonl')]),
  'store import': writesNothing(async ({ path, run }) => {
    await run(['store', 'export', path('to-import.jsonl')]);
    return [path('to-import.jsonl')];
  }, 'imported'),
  'config check': writesNothing(noArgs),
  completion: writesNothing(() => ['bash']),
};

const OPERATOR = 'Zoë';

describe('The audit rows of the commands', () => {
  let installation: Installation;
  before(async () => {
    receiver = await receiveWebhooks();
    installation = await openInstallation();
  });
  after(async () => {
    receiver?.close();
    await installation?.close();
  });

  const verbs = verbsOf(makeProgram({} as CommandContext));
  const takes = (name: string, option: string): boolean =>
    verbs.some((verb) => verb.name === name && verb.command.options.some(({ long }) => long === option));

  it('are listed in this file for every command', () => {
    expect(Object.keys(TABLE).sort()).to.deep.equal(verbs.map(({ name }) => name).sort());
  });

  for (const [name, calls] of Object.entries(TABLE)) {
    it(`are those listed for ${name}`, async () => {
      const reason = takes(name, '--reason') ? `why ${name}` : null;
      const commonArgs = [
        ...(takes(name, '--as') ? ['--as', OPERATOR] : []),
        ...(reason === null ? [] : ['--reason', reason]),
      ];
      for (const { args, rows, elsewhere, settings } of calls) {
        const ground = { ...installation, ...(await installation.makeUser()) };
        const callArgs = await args(ground);
        const { length } = await ground.rowsFrom(0);
        const place = elsewhere === undefined ? {} : { DATA_DIR: ground.path(elsewhere) };
        const env = { ...place, ...settings?.() };
        await ground.run([...name.split(' '), ...callArgs, ...commonArgs], env);
        const expected = await rows(ground, callArgs);
        const rowsWritten = (await ground.rowsFrom(0)).slice(length);
        expect(
          rowsWritten.map(({ action, target, actor, person, reason }) => ({
            action,
            target,
            actor,
            person,
            reason,
          })),
        ).to.deep.equal(
          expected.map(([action, target]) =>
            action === 'audit.erased'
              ? { action, target, actor: 'system', person: null, reason: null }
              : { action, target, actor: 'operator:cli', person: OPERATOR, reason },
          ),
        );
      }
    });
  }
});
