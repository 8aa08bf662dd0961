import { expect } from 'chai';
import { describeUser } from '../../../../core/accounts/admin/user-view.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { samplePasskey } from '../../../contracts/transfer-samples.ts';
import { openAccounts } from '../open-accounts.ts';
import { caller } from '../open-core.ts';
import { by, password, useAdminAccounts } from './open-admin-accounts.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('Deletion by an operator', () => {
  const core = useAdminAccounts();

  it('removes the data of the user, and returns a receipt with kinds, places and counts', async () => {
    const { accounts, events, logIn, mails, operate, ports, settle, signUp } = core();
    const { id, email, token } = await signUp('ada@example.com');
    const principal = await accounts.authenticate(token);
    await accounts.setAvatar(principal, Buffer.from(PNG, 'base64'), caller);
    await logIn(email);
    await operate.setTier(email, { tier: 'pro' }, by());
    await operate.ban(email, { reason: 'spam', until: null }, by());
    await settle();
    await accounts.requestPasswordReset({ email }, caller);
    await accounts.background.relayAllButEvents();

    await ports.objects.put('another/avatar_1.png', new Uint8Array(1));
    const receipt = await operate.deleteUser(email, by('asked for'));
    expect(receipt).to.deep.include({ userId: id, email, outstanding: [] });
    expect(receipt.deletedAt).to.match(/^2\d{3}-/);
    expect(receipt.removed.map(({ what, where, count }) => [what, where, count])).to.deep.equal([
      ['account', 'accounts', 1],
      ['entitlements', 'accounts', 1],
      ['identities', 'accounts and login keys', 0],
      ['passkeys', 'accounts and login keys', 0],
      ['customers', 'accounts and billing', 0],
      ['subscriptions', 'accounts', 0],
      ['custom domain', 'accounts and domains', 0],
      ['avatar', 'objects', 1],
      ['file records', 'files and cache', 0],
      ['sessions', 'sessions', 2],
      ['mails', 'outbox', 1],
      ['content of rows about the user', 'audit log', 2],
    ]);
    expect(receipt.kept.map(({ where }) => where)).to.deep.equal(['accounts', 'audit log', 'outbox']);
    expect(await ports.accounts.findByEmail(email)).to.equal(undefined);
    expect(await ports.sessions.list(id)).to.deep.equal([]);
    expect((await ports.outbox.listOf(id)).map(({ entry }) => entry.template)).to.deep.equal([
      'account-deleted',
    ]);
    const paths = [];
    for await (const { path } of ports.objects.list()) paths.push(path);
    expect(paths).to.deep.equal(['another/avatar_1.png']);

    await settle();
    expect(mails.at(-1)?.subject).to.match(/deleted/);
    expect(events.filter(({ type }) => type === 'user.deleted')).to.have.length(1);
    const verdict = await operate.verifyAudit();
    expect(verdict).to.include({ intact: true, erased: 2 });
    const rows = [];
    for await (const row of operate.listAudit({ user: id })) rows.push(row);
    expect(rows.map(({ action }) => action)).to.deep.equal([null, null, 'audit.erased', 'account.deleted']);
    expect(rows.at(-1)).to.deep.include({ actor: 'operator:cli', reason: 'asked for' });
    const refusal = await rejectionOf(() => operate.deleteUser(id, by()));
    expect(refusal).to.include({ code: 'user_not_found' });
  });

  it('counts the records of each kind, and lists kept billing records and outstanding tasks', async () => {
    const file = { id: 'file', filenameEnc: 'sealed', size: 7, mimeType: 'image/png', uploadedDate: 'then' };
    const removeAll = () => Promise.reject(new Error('The files are down.'));
    const pages = async function* () {
      yield [file, file];
      yield [file];
    };
    const { edit, operate, signUp } = await openAccounts({}, ({ userFiles }) => ({
      userFiles: { ...userFiles, count: async () => 3, list: pages, removeAll },
    }));
    const { id } = await signUp();
    const identity = { provider: 'github', providerAccountId: '71', email: null, createdAt: '' };
    await edit(id, {
      avatar: 'https://example.com/ada.png',
      passkeys: [samplePasskey],
      oauthAccounts: [identity, { ...identity, providerAccountId: '72' }],
      customDomain: { domain: 'ada.dev', token: 'token', verified: true, claimedAt: NOW },
      billing: {
        customers: ['one', 'two'].map((customer) => ({ id: customer, deleted: null })),
        ...{ subscriptions: [], granted: false, answered: null, triedAt: null },
      },
    });
    expect((await operate.exportUser(id, by())).files).to.deep.equal([file, file, file]);
    const { removed, kept, outstanding } = await operate.deleteUser(id, by());
    expect(removed.flatMap(({ what, count }) => (count === 0 ? [] : [[what, count]]))).to.deep.equal([
      ['account', 1],
      ['identities', 2],
      ['passkeys', 1],
      ['customers', 2],
      ['custom domain', 1],
      ['file records', 3],
      ['sessions', 1],
      ['content of rows about the user', 1],
    ]);
    expect(kept.slice(3).map(({ where }) => where)).to.deep.equal(['billing', 'payment provider']);
    expect(kept.map(({ what }) => what.length > 9)).to.deep.equal(Array(5).fill(true));
    expect(outstanding).to.deep.equal(['erase-files']);
  });
});

/** Members without personal data: secrets, their times and sessions, counts, and pending work. */
const OMITTED_MEMBERS = [
  'verification',
  'reset',
  'registration',
  'passkeyHandle',
  'loginKeys',
  'spentLogins',
  'passwordAt',
  'passwordBy',
  'twoFactorSetup',
  'twoFactorSetupBy',
  'sessionEpoch',
  'keptSession',
  'version',
  'pending',
  'billingDueAt',
  'claimsCounted',
  'avatarAt',
  'registeredAt',
  'replacedAt',
  'deletedAt',
  'waitingDeletion',
];
/** Members that are exported beside the account. */
const SEPARATE_MEMBERS = ['knownAddresses'];

describe('The export of a user', () => {
  const core = useAdminAccounts();

  it('contains the data of the user, and no password, code or digest', async () => {
    const { accounts, operate, ports, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    await operate.setTier(email, { tier: 'pro' }, by('a friend'));
    await accounts.requestPasswordReset({ email }, caller);

    const data = await operate.exportUser(email, by());
    expect(data.user).to.deep.include({ id, email, emailVerified: true, tier: 'pro', hasPassword: true });
    expect(data.user.entitlements).to.have.length(1);
    expect(data.mails.map(({ template }) => template)).to.deep.equal(['reset']);
    expect(data.audit.map(({ action }) => action)).to.deep.equal(['entitlement.changed', 'user.exported']);

    const text = JSON.stringify(data);
    const account = await ports.accounts.find(id);
    const [session] = await ports.sessions.list(id);
    const iso = (at = 0) => new Date(at).toISOString();
    expect(data.sessions).to.deep.equal([
      {
        ...{ id: session?.id, methods: ['code'], userAgent: null, address: '192.0.2.1' },
        ...{ createdAt: iso(session?.createdAt), lastUsedAt: iso(session?.lastUsedAt) },
        ...{ authenticatedAt: iso(session?.authenticatedAt), endsAt: iso(session?.endsAt) },
      },
    ]);
    expect(data.knownAddresses).to.deep.equal([{ lastUsedAt: iso(account?.knownAddresses[0]?.lastAt) }]);
    const secrets = [
      password,
      account?.reset?.digest,
      session?.refreshDigest,
      account?.knownAddresses[0]?.digest,
      (await ports.outbox.listOf(id))[0]?.entry.sealedCode,
    ];
    for (const secret of secrets) {
      expect(secret).to.be.a('string');
      expect(text).not.to.include(secret);
    }
  });

  it('leaves `updatedAt` of the account unchanged', async () => {
    const { operate, ports, signUp } = core();
    const { id } = await signUp('ada@example.com');
    const before = await ports.accounts.find(id);
    await operate.exportUser(id, by());
    expect((await ports.accounts.find(id))?.updatedAt).to.equal(before?.updatedAt);
  });

  it('reads every member of an account that is not listed as omitted', () => {
    const account = sampleAccount('a');
    const readMembers = new Set<string>();
    const recorder = new Proxy(account, {
      get: (target, member, receiver) => {
        readMembers.add(String(member));
        return Reflect.get(target, member, receiver);
      },
    });
    describeUser(recorder, 'trust', NOW);
    const unreadMembers = Object.keys(account).filter((member) => !readMembers.has(member));
    expect(unreadMembers).to.have.members([...OMITTED_MEMBERS, ...SEPARATE_MEMBERS]);
  });
});
