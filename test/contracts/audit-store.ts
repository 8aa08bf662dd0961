import { expect } from 'chai';
import type { AuditFilter, AuditRow, AuditStore } from '../../core/accounts/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { following, headAfter, sampleAuditRow } from './samples.ts';

const HEAD = headAfter(sampleAuditRow(1));

export const auditStoreContract = (name: string, open: () => Promise<Opened<AuditStore>>): void => {
  describe(`${name} as an audit store`, () => {
    const store = storeForEachTest(open);

    const append = (...rows: readonly [AuditRow, ...AuditRow[]]) => store.append(following(...rows));

    it('is empty and has no head when it is new', async () => {
      expect(await store.head()).to.equal(undefined);
      expect(await store.list(0, 10)).to.deep.equal([]);
    });

    it('reports an unused store while the store holds nothing but the log', async () => {
      const unused = { inUse: false, firstAccount: null };
      expect(await store.usage()).to.deep.equal(unused);
      await append(sampleAuditRow(1));
      expect(await store.usage()).to.deep.equal(unused);
    });

    it('appends the first row once, with its head, and only to an empty log', async () => {
      const [row, other] = [sampleAuditRow(1), sampleAuditRow(1, { entryId: 'other' })];
      expect(await store.appendFirst(row, headAfter(row))).to.equal(true);
      expect(await store.appendFirst(other, headAfter(other))).to.equal(false);
      expect(await store.list(0, 10)).to.deep.equal([row]);
      expect(await store.head()).to.deep.equal(headAfter(row));
      expect(await append(sampleAuditRow(2))).to.equal(true);
    });

    it('lets exactly one of many concurrent first rows in', async () => {
      const rows = Array.from({ length: 20 }, (_, place) => sampleAuditRow(1, { entryId: `one ${place}` }));
      const results = await Promise.all(rows.map((row) => store.appendFirst(row, headAfter(row))));
      expect(results.filter(Boolean)).to.have.length(1);
      expect(await store.list(0, 10)).to.deep.equal(rows.filter((_, place) => results[place]));
    });

    it('appends the next row with its head', async () => {
      const rows = [1, 2, 3].map((number) => sampleAuditRow(number));
      for (const row of rows) {
        expect(await append(row)).to.equal(true);
        expect(await store.head()).to.deep.equal(headAfter(row));
      }
      expect(await store.list(1, 10)).to.deep.equal(rows);
    });

    it('lists at most the requested number of rows, from a row number on', async () => {
      const rows = [1, 2, 3, 4].map((number) => sampleAuditRow(number));
      for (const row of rows) await append(row);
      expect(await store.list(2, 2)).to.deep.equal(rows.slice(1, 3));
      expect(await store.list(5, 2)).to.deep.equal([]);
    });

    it('lists from the first row if the start is negative infinity', async () => {
      const rows = [1, 2].map((number) => sampleAuditRow(number));
      for (const row of rows) await append(row);
      expect(await store.list(Number.NEGATIVE_INFINITY, 10)).to.deep.equal(rows);
      expect(await store.list(Number.NEGATIVE_INFINITY, 1)).to.deep.equal(rows.slice(0, 1));
    });

    it('refuses a row whose number is used or not the next, and keeps the head', async () => {
      await append(sampleAuditRow(1));
      expect(await append(sampleAuditRow(1, { entryId: 'other' }))).to.equal(false);
      expect(await append(sampleAuditRow(3))).to.equal(false);
      expect(await append(sampleAuditRow(0))).to.equal(false);
      expect(await store.head()).to.deep.equal(headAfter(sampleAuditRow(1)));
      expect(await store.list(0, 10)).to.deep.equal([sampleAuditRow(1)]);
    });

    it('appends consecutive rows with the head after the last row', async () => {
      await append(sampleAuditRow(1));
      expect(await append(sampleAuditRow(2), sampleAuditRow(3), sampleAuditRow(4))).to.equal(true);
      expect(await store.head()).to.deep.equal(headAfter(sampleAuditRow(4)));
      expect((await store.list(1, 10)).map(({ number }) => number)).to.deep.equal([1, 2, 3, 4]);
    });

    it('appends none of several rows if one is not the next or has an entry of the log', async () => {
      await append(sampleAuditRow(1));
      expect(await append(sampleAuditRow(2), sampleAuditRow(4))).to.equal(false);
      expect(await append(sampleAuditRow(2), sampleAuditRow(3, { entryId: 'entry 1' }))).to.equal(false);
      expect(await append(sampleAuditRow(1))).to.equal(false);
      expect(await store.head()).to.deep.equal(headAfter(sampleAuditRow(1)));
      expect(await store.list(0, 10)).to.deep.equal([sampleAuditRow(1)]);
    });

    it('finds which of the given entries are in the log', async () => {
      await append(sampleAuditRow(1), sampleAuditRow(2));
      const entryIds = ['entry 2', 'entry "3"', 'entry 1'];
      expect([...(await store.listExisting(entryIds))].sort()).to.deep.equal(['entry 1', 'entry 2']);
      expect(await store.listExisting([])).to.deep.equal([]);
    });

    it('lists the rows about or by a user, from a row number on and up to a limit', async () => {
      const aboutUser = [1, 3, 5].map((number) =>
        sampleAuditRow(number, { target: 'one', actor: number === 3 ? 'one' : 'system' }),
      );
      const byUser = sampleAuditRow(4, { target: 'other', actor: 'one' });
      const [first, second, third] = aboutUser as [AuditRow, AuditRow, AuditRow];
      await append(first, sampleAuditRow(2), second, byUser, third);
      expect(await store.listAbout('one', 1, 10)).to.deep.equal([first, second, byUser, third]);
      expect(await store.listAbout('one', 2, 2)).to.deep.equal([second, byUser]);
      expect(await store.listAbout('nobody', 1, 2)).to.deep.equal([]);
    });

    it('lists the newest rows first, below a row number and up to a limit', async () => {
      const rows = Array.from({ length: 9 }, (_, place) => sampleAuditRow(place + 1));
      const [first, second, third, ...more] = rows as [AuditRow, AuditRow, AuditRow, AuditRow];
      await append(first);
      await append(second, third);
      await append(...more);
      const numbers = async (before: number, limit: number) =>
        (await store.listBack(before, limit)).map(({ number }) => number);
      expect(await store.listBack(Number.POSITIVE_INFINITY, 100)).to.deep.equal(rows.toReversed());
      expect(await numbers(Number.POSITIVE_INFINITY, 2)).to.deep.equal([9, 8]);
      expect(await numbers(8, 3)).to.deep.equal([7, 6, 5]);
      expect(await numbers(3, 10)).to.deep.equal([2, 1]);
      expect(await numbers(1, 10)).to.deep.equal([]);
    });

    it('lists the newest rows first by target, by actor or by either', async () => {
      const parties = [
        ['one', 'system'],
        ['other', 'one'],
        ['one', 'one'],
        ['other', 'other'],
        ['one', 'other'],
      ];
      const rows = parties.map(([target = '', actor = ''], place) =>
        sampleAuditRow(place + 1, { target, actor }),
      );
      await append(rows[0] as AuditRow);
      await append(...(rows.slice(1) as [AuditRow, AuditRow]));
      const numbers = async (as: AuditFilter['as'], before = Number.POSITIVE_INFINITY, limit = 10) =>
        (await store.listBack(before, limit, { id: 'one', as })).map(({ number }) => number);
      expect(await numbers('target')).to.deep.equal([5, 3, 1]);
      expect(await numbers('actor')).to.deep.equal([3, 2]);
      expect(await numbers('either')).to.deep.equal([5, 3, 2, 1]);
      expect(await numbers('either', 5, 2)).to.deep.equal([3, 2]);
      expect(await numbers('target', 3, 1)).to.deep.equal([1]);
      expect(await numbers('actor', 2)).to.deep.equal([]);
    });

    it('erases content and salt of the rows about or by a user, and keeps the others', async () => {
      const aboutUser = sampleAuditRow(1, { target: 'gone' });
      const byUser = sampleAuditRow(2, { actor: 'gone', target: 'other' });
      const unrelated = sampleAuditRow(3, { target: 'other' });
      for (const row of [aboutUser, byUser, unrelated]) await append(row);
      expect(await store.eraseAbout('gone', [])).to.equal(2);
      expect(await store.eraseAbout('gone', [])).to.equal(0);
      const erased = { content: null, salt: null };
      expect(await store.list(1, 10)).to.deep.equal([
        { ...aboutUser, ...erased },
        { ...byUser, ...erased },
        unrelated,
      ]);
      expect(await store.head()).to.deep.equal(headAfter(unrelated));
      expect(await append(sampleAuditRow(4))).to.equal(true);
    });

    it('keeps the content of the excepted rows', async () => {
      const rows = [1, 2, 3].map((number) => sampleAuditRow(number, { target: 'gone' }));
      for (const row of rows) await append(row);
      expect(await store.eraseAbout('gone', ['entry 2', 'entry 9'])).to.equal(2);
      const contents = (await store.list(1, 10)).map(({ content }) => content);
      expect(contents).to.deep.equal([null, rows[1]?.content, null]);
    });

    it('appends exactly one of many concurrent pairs of rows with the same numbers', () =>
      inRounds(async (round) => {
        const pairs = Array.from({ length: 50 }, (_, place) => {
          const rowOf = (number: number) =>
            sampleAuditRow(number, { entryId: `${number}-${place}`, value: `${place}` });
          return [rowOf(2 * round - 1), rowOf(2 * round)] as const;
        });
        const results = await Promise.all(pairs.map((pair) => append(...pair)));
        expect(results.filter(Boolean)).to.have.length(1);
        const [winner] = pairs.filter((_, place) => results[place]);
        expect(await store.list(2 * round - 1, 10)).to.deep.equal(winner);
        expect(await store.head()).to.deep.equal(winner && headAfter(winner[1]));
      }));

    it('appends an entry once if many calls append it concurrently', () =>
      inRounds(async (number) => {
        const results = await race(50, () => append(sampleAuditRow(number, { entryId: `one of ${number}` })));
        expect(results.filter(Boolean)).to.have.length(1);
        expect(await store.list(number, 10)).to.have.length(1);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await append(sampleAuditRow(1));
      await refusesNonText((value) => append(sampleAuditRow(2, { entryId: value })));
      await refusesNonText((value) => store.appendFirst(sampleAuditRow(1, { entryId: value }), HEAD));
      await refusesNonText((value) => append(sampleAuditRow(2, { target: value })));
      await refusesNonText((value) => append(sampleAuditRow(2, { actor: value })));
      await refusesNonNumbers((value) => append(sampleAuditRow(value)));
      await refusesNonText((value) => store.eraseAbout(value, []));
      await refusesNonText((value) => store.eraseAbout('user', [value]));
      await refusesNonText((value) => store.listExisting([value]));
      await refusesNonText((value) => store.listAbout(value, 1, 1));
      await refusesNonNumbers((value) => store.listAbout('user', value, 1));
      await refusesNonNumbers((value) => store.listAbout('user', 1, value));
      await refusesNonText((value) => store.listBack(1, 1, { id: value, as: 'either' }));
      await refusesNonNumbers((value) => store.listBack(value, 1));
      await refusesNonNumbers((value) => store.listBack(1, value));
      await refusesNonNumbers((value) => store.list(value, 1));
      await refusesNonNumbers((value) => store.list(1, value));
      expect(await store.list(0, 10)).to.deep.equal([sampleAuditRow(1)]);
    });
  });
};
