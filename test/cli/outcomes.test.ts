import { Readable } from 'node:stream';
import { expect } from 'chai';
import sinon from 'sinon';
import { rejectionOf } from '../contracts/rejection.ts';
import { documentsOf } from './run-command.ts';
import { OPERATOR, recordWork, runLine, withCall } from './run-line.ts';

const ADA = 'ada@example.com';

/**
 * The command line, the call that it makes, the call's arguments, its result, the printed text, and the JSON if it differs
 * from the result. Lines of the text after a ⏎ are hints, which --json prints as well.
 */
const ROWS = `
users create ${ADA} | accounts.operate.createUser | [{"email":"${ADA}","verified":false,"sendReset":false}] | DONE | Created the account u1 for ${ADA}. A code to verify the email is mailed.
users create ${ADA} --verified --send-reset --name Ada | accounts.operate.createUser | [{"email":"${ADA}","verified":true,"sendReset":true,"displayName":"Ada"}] | DONE | Created the account u1 for ${ADA}. A code to set a password is mailed.
users create ${ADA} --verified | accounts.operate.createUser | [{"email":"${ADA}","verified":true,"sendReset":false}] | DONE | Created the account u1 for ${ADA}. Nothing is mailed.
users ban u1 | accounts.operate.ban | ["u1",{"reason":"test","until":null}] | DONE | ${ADA} is banned.
users ban u1 --until 2030-01-31 | accounts.operate.ban | ["u1",{"reason":"test","until":${Date.UTC(2030, 0, 31)}}] | NOTHING | ${ADA} was banned already.
users disable u1 | accounts.operate.disable | ["u1",{"reason":"test","until":null}] | DONE | ${ADA} is disabled.
users disable u1 | accounts.operate.disable | ["u1",{"reason":"test","until":null}] | NOTHING | ${ADA} was disabled already.
users unban u1 | accounts.operate.unban | ["u1"] | DONE | ${ADA} is no longer banned.
users unlink u1 google 7 | accounts.operate.unlinkIdentity | ["u1",{"provider":"google","providerAccountId":"7"}] | NOTHING | ${ADA} had no identity google 7.
users logout u1 | accounts.operate.endSessions | ["u1"] | DONE | ${ADA} is signed out everywhere.
users logout u1 --session s1 | accounts.operate.endSession | ["u1","s1"] | DONE | ${ADA} is signed out of that session.
tier set u1 pro | accounts.operate.setTier | ["u1",{"tier":"pro"}] | PRO | ${ADA} has the tier pro.
tier set u1 pro | accounts.operate.setTier | ["u1",{"tier":"pro"}] | NOTHING | ${ADA} had the tier free already, by the same grant.
tier set u1 pro --storage none --api-keys none | accounts.operate.setTier | ["u1",{"tier":"pro","customStorageLimit":null,"customApiKeyLimit":null}] | PRO | ${ADA} has the tier pro.
tier set u1 pro --storage 1TB | accounts.operate.setTier | ["u1",{"tier":"pro","customStorageLimit":1000000000000}] | PRO | ${ADA} has the tier pro.
tier set u1 pro --api-keys 0 | accounts.operate.setTier | ["u1",{"tier":"pro","customApiKeyLimit":0}] | PRO | ${ADA} has the tier pro.
tier clear u1 | accounts.operate.clearTier | ["u1"] | NOTHING | ${ADA} had the tier free already, not by a grant.
operator grant u1 founder | accounts.operate.appoint | ["u1","founder"] | DONE | ${ADA} is founder.
operator grant u1 dev | accounts.operate.appoint | ["u1","dev"] | NOTHING | ${ADA} was already dev.
operator revoke u1 | accounts.operate.dismiss | ["u1"] | DONE | ${ADA} is no longer an operator.
mail retry m1 | accounts.operate.retryMails | ["m1"] | 2 | 2 due now. | {"count":2}
mail retry | accounts.operate.retryMails | [null] | 3 | 3 due now. | {"count":3}
mail preview out | mails.preview | ["out",{}] | ["a","b"] | 2 mails in out: open index.html there. | {"names":["a","b"]}
mail preview out --template a --language pl | mails.preview | ["out",{"template":"a","language":"pl"}] | ["a"] | 1 mails in out: open index.html there. | {"names":["a"]}
mail test ${ADA} --template a --language pl | mails.test | ["${ADA}",{"template":"a","language":"pl"}] | null | Sent to ${ADA}. | {"address":"${ADA}"}
cache invalidate ${ADA} --type OUT | files.invalidate | [{"user":"u1","type":"OUT"}] | {"invalidated":3} | Removed 3 entries from the cache.
cache invalidate --all --type OUT | files.operate.clearCache | [] | 9 | Removed 9 entries from the cache. | {"type":"OUT","invalidated":9}
cache sync ${ADA} --type mostTwo | files.syncCache | [{"user":"u1","type":"mostTwo"}] | {"synced":5,"skipped":1} | Cached 5 records, left out 1.
cache prefetch u2 --limit 9 | files.prefetch | [{"user":"u2","limit":9}] | {"prefetched":2} | Cached 2 records.
keys init k --kind hash | makeKeyFile | ["hash","k"] | true | Created a hash key in k. | {"kind":"hash","file":"k"}
keys rotate | keys.rotateSigning | [{"atOnce":false}] | "s2" | Added the signing key s2. | {"kind":"signing","id":"s2"}
keys rotate --now | keys.rotateSigning | [{"atOnce":true}] | "s2" | Added the signing key s2. | {"kind":"signing","id":"s2"}
store migrate | store.migrate | [] | {"before":8,"now":13} | Upgraded the schema from 8 to 13.
store migrate | store.migrate | [] | {"before":1,"now":1} | Schema and indexes are up to date (schema 1).
store restore all.tar | store.restore | ["all.tar"] | {"dataDir":"data","objects":0,"leftOut":{"keyFiles":["keys.json"],"secretSettings":["HASH_KEY"],"mail":"mail/","bucket":"avatars","sandbox":null}} | Restored into data, with 0 avatars.⏎Put in place before the start: keys.json⏎Set before the start, as it was: HASH_KEY
store restore all.tar | store.restore | ["all.tar"] | {"dataDir":"data","objects":2,"leftOut":{"keyFiles":["keys.json"],"secretSettings":["HASH_KEY"],"mail":"mail/","bucket":"avatars","sandbox":null}} | Restored into data, with 2 avatars.⏎Put in place before the start: keys.json⏎Set before the start, as it was: HASH_KEY⏎Copy before the start: data/objects to avatars
store restore all.tar | store.restore | ["all.tar"] | {"dataDir":"data","objects":2,"leftOut":{"keyFiles":[],"secretSettings":[],"mail":null,"bucket":null,"sandbox":"sandbox/"}} | Restored into data, with 2 avatars.⏎Put in place before the start to keep subscriptions of the sandbox: sandbox/
store export all.jsonl | store.exportTo | ["all.jsonl","PROGRESS"] | {"file":"all.jsonl","records":9,"sha256":"abc","keysNeeded":["k"]} | Wrote all.jsonl: 9 records, SHA-256 abc.⏎Not in the export, copy it as well: k
store import all.jsonl | store.importFrom | ["all.jsonl","PROGRESS"] | {"records":9,"sha256":"abc","keysNeeded":["k"]} | Imported 9 records.⏎Put in place before the start, from the exported installation: k
webhooks test https://a.example | webhooks.operate.tryEndpoint | ["https://a.example"] | {"outcome":"sent"} | Delivered. | {"delivered":true,"failure":null}
`;

const user = { userId: 'u1', email: ADA };
const RESULTS: Readonly<Record<string, object>> = {
  DONE: { ...user, changed: true },
  PRO: { ...user, changed: true, entitlement: { tier: 'pro' } },
  NOTHING: { ...user, changed: false, entitlement: null },
};

describe('A command', () => {
  for (const row of ROWS.trim().split('\n')) {
    const [line = '', path = '', args = '', answer = '', sentences = '', json] = row.split(' | ');
    const [outcome = '', ...hints] = sentences.split('⏎').map((text) => `${text}\n`);
    const result: unknown = RESULTS[answer] ?? JSON.parse(answer);
    const isAudited = path.startsWith('accounts.');
    const reason = isAudited && !line.startsWith('mail ') ? ['--reason', 'test'] : [];

    const run = async (...options: readonly string[]) => {
      const call = sinon.spy(async () => result);
      const product = withCall(path, call) as { accounts?: { operate: object } };
      const operate = { ...product.accounts?.operate, recordWork, findUser: async () => ({ id: 'u1' }) };
      const words = [...line.split(' '), ...reason, ...options];
      const printed = await runLine(words, { ...product, accounts: { operate } }, product);
      const [callArguments = []] = call.args as unknown[][];
      return {
        printed,
        callArguments: callArguments.map((value) => (typeof value === 'function' ? 'PROGRESS' : value)),
      };
    };
    const expectedArguments = (person: object) => [
      ...JSON.parse(args),
      ...(isAudited ? [{ ...OPERATOR, ...(reason.length > 0 && { reason: 'test' }), ...person }] : []),
    ];

    it(`passes its options on and prints the result as text or JSON: ${line} → ${answer}`, async () => {
      const plain = await run(...(isAudited ? ['--as', 'Zoë'] : []));
      expect(plain.printed).to.deep.equal({ status: 0, stdout: '', stderr: [outcome, ...hints].join('') });
      expect(plain.callArguments).to.deep.equal(expectedArguments({ person: 'Zoë' }));
      const asJson = await run('--json');
      expect(asJson.callArguments).to.deep.equal(expectedArguments({}));
      expect(asJson.printed.stderr).to.equal(hints.join(''));
      expect(documentsOf(asJson.printed)).to.deep.equal([json === undefined ? result : JSON.parse(json)]);
    });
  }

  const REFUSED = {
    'users ban u1': "required option '--reason <reason>'",
    'users reset-2fa u1': "required option '--reason <reason>'",
    'users disable u1 --reason test --until soon': 'such as 2030-01-31',
    'users unban u1 --as \u0007': '--as',
    'operator grant u1 king': 'founder, dev',
    'tier set u1 pro --api-keys -1': 'whole number of at least 0',
    'tier set u1 pro --api-keys 9007199254740993': 'whole number of at least 0',
    'users list --page 0': 'whole number of at least 1',
    'cache invalidate --type OUT': 'give a user, or --all with --type OUT',
    'cache invalidate u1 --all --type OUT': 'give a user, or --all with --type OUT',
    'cache invalidate --all --type DEL': 'give a user, or --all with --type OUT',
    'cache invalidate u1 --type ALL': 'OUT, DEL',
    'cache sync u1': '--type',
    'cache prefetch u1': '--limit',
  };
  for (const [line, problem] of Object.entries(REFUSED)) {
    it(`is refused with the reason: ${line}`, async () => {
      expect(String(await rejectionOf(() => runLine(line.split(' '))))).to.include(problem);
    });
  }
});

describe('users delete without --yes', () => {
  const deleteUser = sinon.spy(async () => ({ ...user, removed: [], kept: [], outstanding: [] }));
  const operate = { deleteUser, findUser: async () => ({ id: 'u1', email: ADA }) };
  const deleteWithInput = async (...typed: readonly string[]) => {
    deleteUser.resetHistory();
    const input = sinon.stub(process, 'stdin').value(Readable.from(typed));
    try {
      return await runLine(['users', 'delete', 'u1', '--json', '--reason', 'test'], {
        accounts: { operate },
      });
    } finally {
      input.restore();
    }
  };

  it('deletes the account once the email is typed, and prompts for it on standard error', async () => {
    const { stdout, stderr } = await deleteWithInput(' ADA@example.com \n');
    expect(stderr).to.equal(`This cannot be undone. Type ${ADA} to delete the account: `);
    expect(JSON.parse(stdout)).to.include({ userId: 'u1' });
    expect(deleteUser.args).to.deep.equal([['u1', { ...OPERATOR, reason: 'test' }]]);
  });

  it('deletes nothing if another text or no text is typed', async () => {
    for (const typed of [['yes\n', `${ADA}\n`], ['\n'], []]) {
      expect(String(await rejectionOf(() => deleteWithInput(...typed)))).to.include('Nothing was deleted.');
      expect(deleteUser.callCount).to.equal(0);
    }
  });
});
