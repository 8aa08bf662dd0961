import { expect } from 'chai';
import fc from 'fast-check';
import { NOW } from '../../../contracts/samples.ts';
import { by, useAdminAccounts } from './open-admin-accounts.ts';

type Line = string | { readonly problem: string } | undefined;

async function* linesOf(lines: readonly Line[]): AsyncGenerator<Line> {
  yield* lines;
}

describe('An import of users', () => {
  const core = useAdminAccounts();

  const load = async (lines: readonly unknown[], dryRun = false, withoutPasswords?: boolean) => {
    const invalidLines: (readonly [number, string])[] = [];
    const progress: number[] = [];
    const unknownFields: string[] = [];
    const texts = lines.map((line) => (typeof line === 'object' ? JSON.stringify(line) : line));
    const counts = await core().operate.importUsers(
      linesOf(texts as readonly (string | undefined)[]),
      {
        dryRun,
        withoutPasswords,
        onBad: (line, problem) => invalidLines.push([line, problem]),
        onProgress: ({ added }) => progress.push(added),
        onUnknownFields: (names) => unknownFields.push(...names),
      },
      by('moving house'),
    );
    return { ...counts, bad: invalidLines, badCount: counts.bad, progress, unknownFields };
  };

  it('adds users with the fields, password hashes and identities of the lines', async () => {
    const { accounts, events, operate, ports, rowsAbout } = core();
    const createdAt = '2020-02-03T04:05:06.000Z';
    const counts = await load([
      {
        email: ' Ada@Example.COM ',
        displayName: 'Ada',
        emailVerified: true,
        passwordHash: 'hash of correct horse battery',
        tier: 'pro',
        createdAt,
        unknown: 'field',
      },
      '',
      {
        email: 'bob@example.com',
        avatar: 'https://pictures.example/bob.png',
        oauthAccounts: [{ provider: 'google', providerAccountId: '7', email: 'bob@mail.example' }],
        tier: 'free',
        displayName: null,
      },
    ]);
    expect(counts).to.deep.include({
      added: 2,
      skipped: 0,
      badCount: 0,
      bad: [],
      progress: [2],
      unknownFields: ['unknown'],
    });

    const ada = await operate.showUser('ada@example.com');
    expect(ada).to.include({
      emailVerified: true,
      hasPassword: true,
      displayName: 'Ada',
      tier: 'pro',
      createdAt,
    });
    const bob = await ports.accounts.findByEmail('bob@example.com');
    expect(bob).to.deep.include({
      verified: false,
      passwordHash: null,
      avatar: 'https://pictures.example/bob.png',
      entitlements: [],
    });
    expect(bob?.oauthAccounts).to.have.length(1);
    expect(bob?.oauthAccounts[0]).to.include({
      provider: 'google',
      providerAccountId: '7',
      email: 'bob@mail.example',
    });
    const login = { email: 'ada@example.com', password: 'correct horse battery' };
    const caller = { address: '::1', client: '::1', userAgent: null, requestId: null, languages: null };
    expect(await accounts.logIn(login, caller)).to.have.property('token');

    const rows = await rowsAbout('ada@example.com');
    expect(rows.map(({ action }) => action)).to.deep.equal(['user.imported', 'entitlement.changed']);
    expect(rows[0]).to.deep.include({
      actor: 'operator:cli',
      reason: 'moving house',
      after: { verified: true, password: true, oauthAccounts: 0 },
    });
    const types = events.filter(({ userId }) => userId === ada.id).map(({ type }) => type);
    expect(types).to.deep.equal(['user.created', 'user.verified', 'entitlement.changed']);
  });

  it('adds users as banned or disabled unless the restriction has ended', async () => {
    const until = new Date(NOW + 86_400_000).toISOString();
    const past = new Date(NOW - 86_400_000).toISOString();
    await load([
      { email: 'ban@example.com', banned: { reason: ' spam ', until } },
      { email: 'off@example.com', disabled: { reason: 'left' }, banned: null },
      { email: 'over@example.com', banned: { reason: 'spam', until: past } },
    ]);
    const { events, lines, operate, rowsAbout } = core();
    expect(lines.filter(({ event }) => event === 'operator.acted')).to.deep.equal([
      { level: 'info', event: 'operator.acted', fields: { reason: 'users.imported', count: 3 } },
    ]);
    const ban = await operate.showUser('ban@example.com');
    expect(ban.banned).to.deep.include({ inForce: true, reason: 'spam', until });
    const off = await operate.showUser('off@example.com');
    expect(off.disabled).to.deep.include({ inForce: true, reason: 'left', until: null });
    expect(off.banned).to.equal(null);
    expect(await operate.showUser('over@example.com')).to.include({ banned: null, disabled: null });
    const afterOf = async (email: string) => (await rowsAbout(email))[0]?.after;
    const none = { verified: false, password: false, oauthAccounts: 0 };
    expect(await afterOf('ban@example.com')).to.deep.equal({ ...none, banned: true });
    expect(await afterOf('off@example.com')).to.deep.equal({ ...none, disabled: true });
    expect(await afterOf('over@example.com')).to.deep.equal(none);
    const bans = events.filter(({ type }) => type === 'user.banned');
    expect(bans.map(({ userId }) => userId)).to.deep.equal([ban.id]);
  });

  it('reports a line that the caller rejected by its number', async () => {
    const { operate } = core();
    const invalidLines: unknown[] = [];
    const counts = await operate.importUsers(
      linesOf(['{"email":"first@example.com"}', { problem: 'It has no email.' }]),
      { dryRun: false, onBad: (...args) => invalidLines.push(args), onProgress: () => undefined },
      by('moving house'),
    );
    expect(counts).to.include({ added: 1, bad: 1 });
    expect(invalidLines).to.deep.equal([[2, 'It has no email.']]);
  });

  it('skips users whose email exists, so that it can be repeated', async () => {
    const lines = Array.from({ length: 600 }, (_, place) => ({ email: `u${place % 500}@example.com` }));
    expect(await load(lines.slice(0, 100))).to.include({ added: 100, skipped: 0 });
    const before = await core().ports.accounts.findByEmail('u7@example.com');
    const { progress, ...counts } = await load(lines);
    expect(counts).to.include({ added: 400, skipped: 200, badCount: 0 });
    expect(progress).to.deep.equal([156, 400, 400]);
    expect(await load(lines)).to.include({ added: 0, skipped: 600 });
    const after = await core().ports.accounts.findByEmail('u7@example.com');
    expect(after).to.deep.equal(before);
    expect(await core().operate.stats()).to.include({ total: 500 });
  });

  it('adds users with an unusable hash without a password if `withoutPasswords` is set', async () => {
    const hashes = ['hash made slowly', 'hash of ada made slowly', 'md5:0123', `hash of ${'x'.repeat(600)}`];
    const lines = [...hashes, 'hash of eve'].map((passwordHash, place) => ({
      email: `user${place}@example.com`,
      passwordHash,
    }));
    const strictCounts = await load(lines, true);
    expect(strictCounts).to.include({ added: 1, badCount: 4 }).and.not.have.property('lostPasswords');
    for (const dryRun of [true, false])
      expect(await load(lines, dryRun, true)).to.include({ added: 5, badCount: 0, lostPasswords: 4 });
    const users = await Promise.all(lines.map(({ email }) => core().operate.showUser(email)));
    expect(users.map(({ hasPassword }) => hasPassword)).to.deep.equal([false, false, false, false, true]);
    const invalidLine = { ...lines[4], email: 'no email' };
    expect(await load([invalidLine], false, true)).to.include({ added: 0, badCount: 1 });
  });

  it('adds users with an empty or non-text hash, too, if `withoutPasswords` is set', async () => {
    const lines = ['', 7, {}].map((passwordHash, place) => ({
      email: `user${place}@example.com`,
      passwordHash,
    }));
    const problem = 'passwordHash must be a text of 1 to 512 characters.';
    expect((await load(lines)).bad.map(([, reported]) => reported)).to.deep.equal([
      problem,
      problem,
      problem,
    ]);
    expect(await load(lines, false, true)).to.include({ added: 3, badCount: 0, lostPasswords: 3 });
  });

  it('counts added users with a costlier hash than the product’s, also in a dry run', async () => {
    const lines = ['there', 'ada', 'bob'].map((name) => ({
      email: `${name}@example.com`,
      passwordHash: `hash of ${name} made dearly`,
    }));
    expect(await load(lines.slice(0, 1))).to.include({ added: 1, dearer: 1 });
    const more = [
      ...lines,
      { email: 'cid@example.com', passwordHash: 'hash of cid' },
      { email: 'dan@example.com' },
    ];
    for (const dryRun of [true, false])
      expect(await load(more, dryRun)).to.include({ added: 4, skipped: 1, dearer: 2 });
    expect(await load(more)).to.include({ added: 0, skipped: 5, dearer: 0 });
  });

  it('writes nothing in a dry run, and returns the counts of a real run', async () => {
    await load([{ email: 'there@example.com' }]);
    const counts = await load([{ email: 'there@example.com' }, { email: 'new@example.com' }, 'bad'], true);
    expect(counts).to.include({ added: 1, skipped: 1, badCount: 1 });
    expect(await core().operate.stats()).to.include({ total: 1 });
    expect(core().lines.filter(({ event }) => event === 'operator.acted')).to.have.length(1);
  });

  const email = 'a@example.com';
  const refusalOf = async (line: unknown): Promise<string | undefined> => {
    const counts = await load([{ email: 'before@example.com' }, line, { email: 'after@example.com' }]);
    expect(counts).to.include({ added: 2, badCount: 1 });
    const [[number, problem] = [0, '']] = counts.bad;
    expect(number).to.equal(2);
    return problem;
  };
  const identity = { provider: 'google', providerAccountId: '7' };
  const invalidCases: readonly (readonly [fault: string, line: unknown, problem: RegExp | string])[] = [
    ['invalid JSON', '{"email":', /\.$/],
    ['an array in place of an object', '["a@example.com"]', /\.$/],
    ['unreadable content', undefined, /\.$/],
    ['no email', {}, 'email must be present.'],
    ['an invalid email', { email: 'a@b' }, /\.$/],
    ['an empty email', { email: '' }, 'email must be a text of 1 to 1000 characters.'],
    ['a name with control characters', { email, displayName: 'a\u001bb' }, /\.$/],
    [
      'a name that is not text',
      { email, displayName: 7 },
      'displayName must be a text of 1 to 1000 characters.',
    ],
    [
      'an emailVerified that is not boolean',
      { email, emailVerified: 'yes' },
      'emailVerified must be true or false.',
    ],
    [
      'a hash that takes too long to verify',
      { email, passwordHash: 'hash of ada made slowly' },
      /^passwordHash must be a hash that /,
    ],
    [
      'a hash of an unknown kind',
      { email, passwordHash: '$2b$12$R9h/cIPz0gi.URNNX3kh2O' },
      /^passwordHash must be of a form that docs\/commands.md names, /,
    ],
    [
      'a hash that is too long',
      { email, passwordHash: `hash of ${'x'.repeat(505)}` },
      'passwordHash must be a text of 1 to 512 characters.',
    ],
    [
      'an avatar that is not an HTTP address',
      { email, avatar: 'javascript:alert(1)' },
      'avatar must be an http(s) address.',
    ],
    [
      'an avatar of another scheme',
      { email, avatar: 'ftp://x.example/a.png' },
      'avatar must be an http(s) address.',
    ],
    [
      'an avatar address with user information',
      { email, avatar: 'https://a@x.example/a.png' },
      'avatar must be an http(s) address.',
    ],
    [
      'an avatar address with a space',
      { email, avatar: 'https://x.example/a b' },
      'avatar must be an http(s) address.',
    ],
    [
      'an avatar that is too long',
      { email, avatar: `https://x.example/${'a'.repeat(2_031)}` },
      'avatar must be a text of 1 to 2048 characters.',
    ],
    ['a ban that is not an object', { email, banned: true }, 'banned must be an object with a reason.'],
    ['a ban without a reason', { email, banned: {} }, 'reason must be present.'],
    [
      'a blank reason',
      { email, disabled: { reason: '  ' } },
      'reason of disabled must be readable, without control characters.',
    ],
    [
      'an end that is not a time',
      { email, disabled: { reason: 'left', until: 'soon' } },
      'until of disabled must be an ISO 8601 time.',
    ],
    ['an unknown tier', { email, tier: 'gold' }, 'tier must be one of free, pro-lite, pro, enterprise.'],
    [
      'an invalid creation time',
      { email, createdAt: 'yesterday' },
      'createdAt must be an ISO 8601 time in the past.',
    ],
    [
      'a creation time in the future',
      { email, createdAt: new Date(NOW + 86_400_000).toISOString() },
      'createdAt must be an ISO 8601 time in the past.',
    ],
    [
      'a creation time before 1970',
      { email, createdAt: '1969-12-31T23:59:59.999Z' },
      'createdAt must be an ISO 8601 time in the past.',
    ],
    [
      'OAuth accounts that are not a list',
      { email, oauthAccounts: {} },
      'oauthAccounts must be a list of at most 20 objects.',
    ],
    [
      'OAuth accounts that are not objects',
      { email, oauthAccounts: [7] },
      'oauthAccounts must be a list of at most 20 objects.',
    ],
    [
      'too many OAuth accounts',
      { email, oauthAccounts: Array(21).fill(identity) },
      'oauthAccounts must be a list of at most 20 objects.',
    ],
    [
      'an OAuth account without its id',
      { email, oauthAccounts: [{ provider: 'google' }] },
      'providerAccountId must be present.',
    ],
    [
      'a lone surrogate',
      `{"email":"${email}","displayName":"\\ud800"}`,
      'displayName must be a text of 1 to 1000 characters.',
    ],
  ];
  for (const [fault, line, problem] of invalidCases) {
    it(`reports a line with ${fault} by its number, and adds the others`, async () => {
      const refusal = await refusalOf(line);
      if (typeof problem === 'string') expect(refusal).to.equal(problem);
      else expect(refusal).to.match(problem);
    });
  }

  it('accepts each field at its maximum length, and the earliest creation time', async () => {
    const line = {
      email,
      displayName: 'a',
      passwordHash: `hash of ${'x'.repeat(504)}`,
      avatar: `https://x.example/${'a'.repeat(2_030)}`,
      createdAt: '1970-01-01T00:00:00.000Z',
      oauthAccounts: Array.from({ length: 20 }, (_, place) => ({
        ...identity,
        providerAccountId: `${place}`,
      })),
    };
    expect(await load([line])).to.include({ added: 1, badCount: 0 });
  });

  it('reports how long the verification of a hash would take if the time is too long', async () => {
    const { bad: invalidLines } = await load([{ email, passwordHash: 'hash of ada made slowly' }], true);
    expect(invalidLines).to.deep.equal([
      [1, 'passwordHash must be a hash that this machine checks within about 2 s, but this one takes 8 s.'],
    ]);
  });

  it('adds, skips or reports any JSON, and never fails', async () => {
    const field = fc.oneof(fc.string(), fc.jsonValue(), fc.constant(null));
    const names = [
      'displayName',
      'emailVerified',
      'passwordHash',
      'avatar',
      'oauthAccounts',
      'banned',
      'disabled',
      'tier',
      'createdAt',
    ];
    const line = fc
      .tuple(fc.nat(), fc.dictionary(fc.constantFrom(...names), field))
      .map(([place, fields]) => JSON.stringify({ email: `any${place}@example.com`, ...fields }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(line, fc.json()), { maxLength: 20 }), async (lines) => {
        const { added, skipped, badCount } = await load(lines, true);
        expect(added + skipped + badCount).to.equal(lines.length);
      }),
      { numRuns: 50 },
    );
  });
});
