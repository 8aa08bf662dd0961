import { expect } from 'chai';
import { openMemoryStore } from '../../../adapters/choose-store.ts';
import type { StorePorts } from '../../../adapters/store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { following, NOW, sampleAccount, sampleAuditRow, sampleSession } from '../../contracts/samples.ts';
import { postgresForTests } from './postgres-for-tests.ts';

const clock = { now: () => NOW };

/** Texts that callers may send, and that some databases do not accept. */
const TEXTS = [
  '\0',
  'a\0b',
  '\0\0',
  '\u0001',
  '\u0001\u0001',
  '\u0001\u0002',
  '\u0001\u0001\0\u0002\0\u0001',
  '\\u0000',
  '\\u0001',
  '\\u0001\\u0002',
  '\\ud83e',
  '\\\\u0000',
  '\ud800',
  'a\udc00b',
  '\udc00\ud800',
  '\ud83e\udd8a',
  '\uffff',
  '\\',
  "'; DROP TABLE accounts; --",
  '$1 ?1 ? {"$ne": 1}',
  '',
];

/** The result of a call, or the class of its error. */
const outcomeOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    return { answer: await call() };
  } catch (error) {
    return { error: error instanceof Error ? error.name : error };
  }
};

/** Stores and reads the text in every kind of column. */
const useText = async ({ accounts, audit, sessions, attempts }: StorePorts, text: string, place: number) => {
  const account = sampleAccount(`user-${place}`, { displayName: text, email: `${place}${text}@example.com` });
  const session = sampleSession(`session-${place}`, { userAgent: text });
  const content = JSON.stringify({ reason: text, within: JSON.stringify([text]) });
  const row = sampleAuditRow(place + 1, { content });
  const calls: readonly (() => Promise<unknown>)[] = [
    () => audit.append(following(row)),
    () => audit.list(row.number, 1),
    () => accounts.add(account),
    () => accounts.find(account.id),
    () => accounts.findByEmail(account.email ?? ''),
    () => accounts.save({ ...account, displayName: `${text}${text}` }),
    () => accounts.find(account.id),
    () => sessions.add(session, 1_000),
    () => sessions.find('user', session.id),
    () => sessions.end('user', session.id, NOW),
    () => sessions.find('user', session.id),
    () => attempts.add(`${place}${text}`, 1_000, NOW),
    () => attempts.find(`${place}${text}`, NOW),
    () => attempts.addInTurn([{ key: `turn ${place}${text}`, most: 1 }], 1_000, NOW),
  ];
  const outcomes: unknown[] = [];
  for (const call of calls) outcomes.push(await outcomeOf(call));
  return outcomes;
};

describe('Texts and numbers in PostgreSQL', () => {
  const { openStore } = postgresForTests();

  it('are returned or refused as by the embedded store', async () => {
    const embedded = openMemoryStore(clock);
    const { ports, close } = await openStore(clock);
    for (const [place, text] of TEXTS.entries()) {
      const outcomes = await useText(ports, text, place);
      expect(outcomes, JSON.stringify(text)).to.deep.equal(await useText(embedded.ports, text, place));
    }
    await embedded.close();
    await close();
  });

  it('are sorted by their bytes, except for JSON escapes', async () => {
    const { database, close } = await openStore(clock);
    const texts = TEXTS.filter((text) => !/\\u|\p{Surrogate}/u.test(text));
    const insert = 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 1, 0, 0)';
    for (const text of texts) await database.write([{ sql: insert, params: [text] }]);
    const rows = await database.read.all('SELECT key FROM tries ORDER BY key', []);
    const sorted = texts.toSorted((first, second) => Buffer.compare(Buffer.from(first), Buffer.from(second)));
    expect(rows.map(({ key }) => key)).to.deep.equal(sorted);
    await close();
  });

  it('are stored exactly up to the largest safe integer, and refused otherwise', async () => {
    const { database, close } = await openStore(clock);
    const numbers = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, -0, 1e15, 2 ** 32];
    for (const number of numbers) {
      const sql = 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, ?, 0, 0) RETURNING count';
      const outcome = await database.write([
        { sql, params: [`key of ${number} ${Object.is(number, -0)}`, number] },
      ]);
      expect(outcome.done && outcome.results[0]?.rows[0]?.count).to.equal(number === 0 ? 0 : number);
    }
    for (const number of [1e300, 0.5, Number.MAX_VALUE]) {
      const sql = 'UPDATE tries SET count = ?';
      const error = await rejectionOf(() => database.write([{ sql, params: [number] }]));
      expect(String(error)).to.match(/^Error: A call to the store is wrong: 22...\.$/);
    }
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(await rejectionOf(() => database.read.get('SELECT ? AS x', [number]))).to.be.instanceOf(
        TypeError,
      );
    await close();
  });

  it('do not appear in the messages of errors', async () => {
    const { database, close } = await openStore(clock);
    const error = await rejectionOf(() =>
      database.read.get('SELECT CAST(? AS bigint) AS number', ['a secret word']),
    );
    expect(String(error)).to.equal('Error: A call to the store is wrong: 22P02.');
    expect(error).not.to.have.property('cause');
    await close();
  });
});
