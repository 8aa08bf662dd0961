import { expect } from 'chai';
import type { CommandContext } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';
import { type Receiver, receiveWebhooks } from '../support/webhook-receiver.ts';
import { type Installation, openInstallation } from './audit-ground.ts';
import { verbsOf } from './verbs.ts';

/** An installation, and a user of it whom nothing was done to yet. */
interface Ground extends Installation {
  readonly id: string;
  readonly email: string;
}

type Args = readonly string[];
type Row = readonly [action: string, target: string];

/** A call of a verb, and the rows that it leaves, in their order. */
interface Call {
  /** Gives the arguments behind the verb, after what must be done before. */
  readonly args: (ground: Ground) => Args | Promise<Args>;
  readonly rows: (ground: Ground, args: Args) => readonly Row[] | Promise<readonly Row[]>;
  /** Works on another installation, in a folder of this name. */
  readonly elsewhere?: string;
  /** More settings. */
  readonly settings?: () => Readonly<Record<string, string>>;
}

const none = (args: Call['args'], elsewhere?: string): readonly Call[] => [
  { args, rows: () => [], ...(elsewhere !== undefined && { elsewhere }) },
];
/** A call that leaves one row about the user. */
const about = (action: string, args: Call['args']): Call => ({ args, rows: ({ id }) => [[action, id]] });

/** A call that leaves a row before the work, and one with its outcome. */
const around = (
  name: string,
  done: string,
  target: string | ((ground: Ground, args: Args) => string),
  args: Call['args'],
): Call => ({
  args,
  rows: (ground, behind) => {
    const one = typeof target === 'string' ? target : target(ground, behind);
    return [
      [`${name}_started`, one],
      [done, one],
    ];
  },
});

const user: Call['args'] = ({ email }) => [email];
const nothing: Call['args'] = () => [];

const lastKey = async ({ keys }: Ground, kind: string) =>
  `key:${(await keys()).findLast((key) => key.kind === kind)?.id}`;
const oldKey = async ({ keys, run }: Ground, kind: string) => {
  await run(['keys', 'rotate', '--kind', kind, ...(kind === 'signing' ? ['--now'] : [])]);
  return (await keys()).find((key) => key.kind === kind && key.state === 'old')?.id ?? '';
};

const SECRET = `whsec_${Buffer.alloc(32, 'webhooks').toString('base64')}`;
let receiver: Receiver;

/** By verb, those that only look too: whom or what the rows are about, and nothing else is written. */
const TABLE: Readonly<Record<string, readonly Call[]>> = {
  stats: none(nothing),
  'users list': none(nothing),
  'users show': none(user),
  'users export': [about('user.exported', user)],
  'users create': [
    {
      args: ({ email }) => [`new.${email}`, '--verified'],
      rows: async ({ email, idOf }) => [['user.created', await idOf(`new.${email}`)]],
    },
  ],
  'users ban': [about('user.banned', user)],
  'users disable': [about('user.disabled', user)],
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
  'users unlock': [about('user.unlocked', user)],
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
  'users send-reset': [about('password.reset_sent', user)],
  'users set-email': [about('user.email_changed', ({ email }) => [email, `moved.${email}`])],
  'users sessions': none(user),
  'users logout': [
    about('user.logged_out', user),
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
    ...none(({ email, write }) => [write('users.jsonl', { email: `no.${email}` }), '--dry-run']),
  ],
  'users bind-identities': none(nothing),
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
  'audit list': none(nothing),
  'audit verify': none(nothing),
  'mail list': none(nothing),
  'mail preview': none(({ path }) => [path('mails')]),
  'mail test': [{ args: () => ['ops@example.com'], rows: () => [], settings: () => ({ SMTP_URL: '' }) }],
  'webhooks list': none(nothing),
  'webhooks test': [
    {
      args: () => [receiver.url],
      rows: () => [],
      settings: () => ({ WEBHOOK_URLS: `${receiver.url} ${SECRET}`, WEBHOOK_ALLOW_PRIVATE: 'on' }),
    },
  ],
  'webhooks retry': [around('webhooks.retry', 'webhooks.retried', 'webhooks', nothing)],
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
  'billing replay': [around('billing.replay', 'billing.replayed', 'billing', nothing)],
  'billing reconcile': [
    around('billing.reconcile', 'billing.reconciled', ({ id }) => id, user),
    around('billing.reconcile', 'billing.reconciled', 'billing', nothing),
  ],
  'files import': [
    around('files.import', 'files.imported', 'files', ({ id, fileOf, write }) => [
      write('files.jsonl', fileOf(id)),
    ]),
    ...none(({ id, fileOf, write }) => [write('files.jsonl', fileOf(id)), '--dry-run']),
  ],
  'cache invalidate': [
    around(
      'files.delete',
      'files.deleted',
      ({ id }) => id,
      ({ id }) => [id, '--type', 'DEL'],
    ),
    ...none(({ id }) => [id, '--type', 'OUT']),
    ...none(() => ['--all', '--type', 'OUT']),
  ],
  'cache sync': none(async ({ id, createFile, fileOf }) => {
    await createFile(fileOf(id));
    return [id, '--type', 'allOne'];
  }),
  'cache prefetch': none(({ id }) => [id, '--limit', '5']),
  'cache stats': none(nothing),
  'keys init': none(({ path }) => ['--kind', 'hash', path('hash-key')]),
  'keys status': none(nothing),
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
  'store migrate': none(nothing),
  'store backup': [{ args: ({ path }) => [path('backup.tar')], rows: () => [['store.backed_up', 'store']] }],
  'store restore': none(async ({ path, run }) => {
    await run(['store', 'backup', path('to-restore.tar')]);
    return [path('to-restore.tar')];
  }, 'restored'),
  'store export': none(({ path }) => [path('export.jsonl')]),
  'store import': none(async ({ path, run }) => {
    await run(['store', 'export', path('to-import.jsonl')]);
    return [path('to-import.jsonl')];
  }, 'imported'),
  'config check': none(nothing),
  completion: none(() => ['bash']),
};

const PERSON = 'Zoë';

describe('The rows that each command leaves in the audit log', () => {
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

  it('are known of every command that there is', () => {
    expect(Object.keys(TABLE).sort()).to.deep.equal(verbs.map(({ name }) => name).sort());
  });

  for (const [name, calls] of Object.entries(TABLE)) {
    it(`${name}`, async () => {
      const reason = takes(name, '--reason') ? `why ${name}` : null;
      const commonArgs = [
        ...(takes(name, '--as') ? ['--as', PERSON] : []),
        ...(reason === null ? [] : ['--reason', reason]),
      ];
      for (const { args, rows, elsewhere, settings } of calls) {
        const ground = { ...installation, ...(await installation.makeUser()) };
        const behind = await args(ground);
        const { length } = await ground.rowsFrom(0);
        const place = elsewhere === undefined ? {} : { DATA_DIR: ground.path(elsewhere) };
        const env = { ...place, ...settings?.() };
        await ground.run([...name.split(' '), ...behind, ...commonArgs], env);
        const expected = await rows(ground, behind);
        const written = (await ground.rowsFrom(0)).slice(length);
        expect(
          written.map(({ action, target, actor, person, reason }) => ({
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
              : { action, target, actor: 'operator:cli', person: PERSON, reason },
          ),
        );
      }
    });
  }
});
