import { expect } from 'chai';
import fc from 'fast-check';
import { parseHashConfig } from '../../../cli/import-from/hashes.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { openSample, type ReadSample, readSample } from './read-export.ts';
import { AUTH0_HASHES, EXPORTS, FILES_BESIDE, HASH_CONFIG } from './samples.ts';

const names = Object.keys(EXPORTS);
const NO_USERS: Readonly<Record<string, readonly string[]>> = {
  'better-auth': ['{"user":[],"account":[{"userId":"7"}]}'],
  firebase: ['{"users":[]}', '{"user":[{"email":"ada@example.com"}]\n}'],
  keycloak: ['{"realm":"shop","users":[]}'],
};

const expectCutOff = (refusal: unknown) => {
  expect(refusal).to.have.property('code', 'broken_export');
  expect(refusal).to.have.property('message').that.includes('was cut off');
};
const NOT_UTF8 = 'The file is not UTF-8: convert it first. Programs on Windows often write UTF-16.';

describe('A malformed export', () => {
  const folder = useTempFolder();

  it('is read to its end or refused before the first user, for any changes to its text', async () => {
    const change = fc.record({
      at: fc.nat(),
      removed: fc.nat(20),
      inserted: fc.oneof(fc.string(), fc.constantFrom('"', '{', ']', ',', 'null', '\n', '[[')),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(change, { maxLength: 3 }),
        async (name, changes) => {
          let text = EXPORTS[name] ?? '';
          for (const { at, removed, inserted } of changes) {
            const index = at % text.length;
            text = text.slice(0, index) + inserted + text.slice(index + removed);
          }
          const result = await readSample(folder(), name, text).catch((error: unknown) => error);
          if (result instanceof Error) {
            expect(result).to.deep.include({ kind: 'invalid', code: 'broken_export' });
            return;
          }
          for (const line of (result as ReadSample).lines) {
            if ('problem' in line) expect(line.problem).to.match(/^It.*\.$/s);
            else expect(line).to.have.property('email').that.is.a('string');
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('may begin with blank lines before the column names', async () => {
    const text = EXPORTS.supabase ?? '';
    const expected = await readSample(folder(), 'supabase', text);
    expect(expected.lines).not.to.deep.equal([]);
    expect(await readSample(folder(), 'supabase', `\n \r\n${text}`)).to.deep.equal(expected);
  });

  it('is refused if it is UTF-16, with the advice to convert it', async () => {
    for (const byteOrderMark of ['', '\ufeff'])
      for (const name of names) {
        const text = Buffer.from(`${byteOrderMark}${EXPORTS[name]}`, 'utf16le');
        const refusal = await rejectionOf(() => readSample(folder(), name, text));
        expect(refusal).to.include({ code: 'broken_export' }).with.property('message', NOT_UTF8);
      }
  });

  it('is refused if its column names cannot be read', async () => {
    for (const first of ['a"b,c', `"${'a'.repeat(1_048_577)}"`]) {
      const read = () => readSample(folder(), 'supabase', `${first}\n1,2\n`);
      expect(await rejectionOf(read)).to.deep.include({ kind: 'invalid', code: 'broken_export' });
    }
  });

  it('yields a line or a problem for each user whose members have unexpected types', async () => {
    const names = [
      'email',
      'emailVerified',
      'passwordHash',
      'salt',
      'encrypted_password',
      'identities',
      'image',
    ];
    const more = [
      'credentials',
      'providerUserInfo',
      'raw_user_meta_data',
      'user_id',
      'created_at',
      'picture',
    ];
    const deeper = ['federatedIdentities', 'accounts', 'disabled', 'banned_until', 'createdTimestamp', 'id'];
    const user = fc.dictionary(
      fc.constantFrom(...names, ...more, ...deeper),
      fc.oneof(fc.jsonValue(), fc.string()),
    );
    const product = fc.constantFrom('better-auth', 'supabase', 'firebase', 'auth0', 'keycloak');
    await fc.assert(
      fc.asyncProperty(product, fc.array(user, { minLength: 1, maxLength: 5 }), async (name, users) => {
        const { lines } = await readSample(folder(), name, JSON.stringify(users));
        expect(lines).to.have.length(users.length);
      }),
      { numRuns: 150 },
    );
  });

  for (const name of names) {
    it(`of ${name} is refused if it was cut off within a user`, async () => {
      const text = EXPORTS[name] ?? '';
      const cut = text.slice(0, Math.floor(text.length * 0.6));
      const refusal = await rejectionOf(() => openSample(folder(), name, cut));
      expectCutOff(refusal);
    });

    it(`of ${name} is refused if it has no users or is no export`, async () => {
      for (const text of ['', '[]', '\n', '[1, 2', 'email\n', ...(NO_USERS[name] ?? [])]) {
        const error = await rejectionOf(() => openSample(folder(), name, text));
        expect(error, text).to.deep.include({ kind: 'invalid', code: 'broken_export' });
      }
    });
  }

  it('is refused if its file of password hashes was cut off', async () => {
    const beside = { passwords: `${AUTH0_HASHES.trimEnd()}\n{"_id":{"$oid":"77` };
    const refusal = await rejectionOf(() => openSample(folder(), 'auth0', EXPORTS.auth0 ?? '', { beside }));
    expectCutOff(refusal);
  });

  it('has a problem in place of each user that is not an object', async () => {
    const text = '{"users":[{"email":"a@example.com"}, 7, {oops}, {"email":"b@example.com"}]}';
    const { lines } = await readSample(folder(), 'firebase', text);
    const notAnObject = { problem: 'It is not a JSON object.' };
    expect(lines.map((line) => ('problem' in line ? line : line.email))).to.deep.equal([
      'a@example.com',
      notAnObject,
      notAnObject,
      'b@example.com',
    ]);
  });

  it('has problems after the users for records beside the users that are not objects', async () => {
    const ada = '{"id":"7","email":"ada@example.com"}';
    const text = `{"account":[7,{oops},null,{"userId":"7","providerId":"github","accountId":"1"}],"user":[${ada}]}`;
    const { lines } = await readSample(folder(), 'better-auth', text);
    expect(lines[0]).to.include({ email: 'ada@example.com' }).and.to.have.property('oauthAccounts');
    const problem = 'It belongs to a user and is not a JSON object: its content was not imported.';
    expect(lines.slice(1)).to.deep.equal([{ problem }, { problem }, { problem }]);

    const passwords = `${FILES_BESIDE.auth0?.passwords}\n[1]\n{oops}\n`;
    const hashes = await readSample(folder(), 'auth0', EXPORTS.auth0 ?? '', { beside: { passwords } });
    expect(hashes.lines.filter((line) => line.problem === problem)).to.have.length(2);
  });

  it('may have a user nested too deeply, who alone is refused', async () => {
    const nested = (depth: number, open: string, close: string) =>
      `${open.repeat(depth)}1${close.repeat(depth)}`;
    const values = [nested(7_000, '{"$oid":', '}'), nested(100_000, '[', ']'), nested(100_000, '{"a":', '}')];
    const members = ['email', 'id', 'created_at', 'accounts', 'identities', 'credentials', 'user_id', 'salt'];
    for (const name of names.filter((name) => name !== 'supabase')) {
      for (const value of values) {
        const text = `[{"email":"ada@example.com"},{${members.map((key) => `"${key}":${value}`).join(',')}},{"email":"bob@example.com"}]`;
        const { lines } = await readSample(folder(), name, text);
        expect(lines, name).to.have.length(3);
        const users = lines.map((line) => ('problem' in line ? 'problem' : line.email));
        expect(users).to.deep.equal(['ada@example.com', 'problem', 'bob@example.com']);
      }
    }
  });

  it('is read within 10 seconds if it has a hash of a megabyte', async () => {
    const hash = `$2b$${'='.repeat(1_000_000)}.`;
    const startedAt = performance.now();
    const { lines } = await readSample(
      folder(),
      'better-auth',
      JSON.stringify([
        { email: 'ada@example.com', accounts: [{ providerId: 'credential', password: hash }] },
      ]),
    );
    expect(performance.now() - startedAt).to.be.below(10_000);
    expect(lines[0]).to.include({ email: 'ada@example.com', passwordHash: hash });
  });

  it('may begin with a byte order mark', async () => {
    for (const name of names) {
      const plain = await readSample(folder(), name, EXPORTS[name] ?? '');
      expect(await readSample(folder(), name, `\ufeff${EXPORTS[name]}`)).to.deep.equal(plain);
    }
  });
});

describe('The files beside an export', () => {
  const folder = useTempFolder();
  const refusal = (name: string, more: Parameters<typeof openSample>[3]) =>
    rejectionOf(() => openSample(folder(), name, EXPORTS[name] ?? '', more));

  it('are required, unless passwords are not imported', async () => {
    for (const [name, flag] of [
      ['firebase', '--hash-config FILE'],
      ['auth0', '--passwords FILE'],
    ] as const) {
      const error = await refusal(name, { beside: {} });
      expect(error).to.deep.include({ kind: 'invalid', code: 'wrong_usage' });
      expect(error).to.have.property('message').that.includes(flag).and.includes('--without-passwords');
    }
  });

  it('are refused if the product does not need them', async () => {
    const error = await refusal('keycloak', { beside: { hashConfig: HASH_CONFIG } });
    expect(error).to.deep.include({ code: 'wrong_usage' });
    expect(error).to.have.property('message', '--hash-config is not for the export of this product.');
  });

  const wrong: readonly (readonly [title: string, text: string, problem: string])[] = [
    [
      'has no signer key',
      HASH_CONFIG.replace(/ {2}base64_signer_key.*\n/, ''),
      'must have base64_signer_key in Base64',
    ],
    [
      'has a signer key that is no Base64',
      HASH_CONFIG.replace('jxspr8', '***'),
      'must have base64_signer_key in Base64',
    ],
    [
      'has no separator',
      HASH_CONFIG.replace('base64_salt_separator', 'separator'),
      'must have base64_salt_separator in Base64',
    ],
    ['has no rounds', HASH_CONFIG.replace('rounds: 8', 'rounds: 0'), 'must have rounds, from 1 to 99'],
    [
      'has too much memory',
      HASH_CONFIG.replace('mem_cost: 14', 'mem_cost: 100'),
      'must have mem_cost, from 1 to 99',
    ],
    ['is of another algorithm', HASH_CONFIG.replace('SCRYPT', 'BCRYPT'), 'is not of the algorithm SCRYPT'],
    ['is empty', '', 'must have base64_signer_key in Base64'],
  ];
  for (const [title, text, problem] of wrong) {
    it(`are refused without quoting them if a hash configuration ${title}`, async () => {
      const error = await refusal('firebase', { beside: { hashConfig: text } });
      expect(error).to.deep.include({ kind: 'invalid', code: 'wrong_hash_config' });
      expect(error).to.have.property('message', `The file of --hash-config ${problem}.`);
    });
  }

  it('make a hash a problem if the hash configuration is of another project', async () => {
    const short = HASH_CONFIG.replace(/signer_key: .*,/, 'signer_key: AAAAAAAAAAAAAAAAAAAAAA==,');
    const { lines } = await readSample(folder(), 'firebase', EXPORTS.firebase ?? '', {
      beside: { hashConfig: short },
    });
    expect(lines[0]).to.have.property('problem').that.includes('was not made with this hash configuration');
  });

  it('may have a hash configuration as JSON or on one line', () => {
    const asJson = JSON.stringify({
      hash_config: { base64_signer_key: 'AAAA', base64_salt_separator: 'Bw==', rounds: 8, mem_cost: 14 },
    });
    const onOneLine =
      'hash_config { algorithm: SCRYPT, base64_signer_key: AAAA, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14, }';
    for (const text of [asJson, onOneLine]) {
      expect(parseHashConfig(text)).to.deep.equal({
        signerKey: Buffer.from([0, 0, 0]),
        saltSeparator: Buffer.from([7]),
        rounds: 8,
        memCost: 14,
      });
    }
  });
});
