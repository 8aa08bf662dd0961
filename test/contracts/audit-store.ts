import { expect } from 'chai';
import type { AuditFilter, AuditRow, AuditStore } from '../../core/accounts/ports.ts';
import { type Opened, storeForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { following, headAfter, sampleAuditRow } from './samples.ts';

const HEAD = headAfter(sampleAuditRow(1));

export const auditStoreContract = (name: string, open: () => Promise<Opened<AuditStore>>): void => {
  describe(`${name} as an audit store`, () => {
    const store = storeForEachTest(open);

    const append = (...rows: readonly [AuditRow, ...AuditRow[]]) => store.append(following(...rows));

    it('begins empty, without a head', async () => {
      expect(await store.head()).to.equal(undefined);
      expect(await store.list(0, 10)).to.deep.equal([]);
    });

    it('finds no sign of use in a store that holds nothing but the log', async () => {
      const none = { inUse: false, firstAccount: null };
      expect(await store.usage()).to.deep.equal(none);
      await append(sampleAuditRow(1));
      expect(await store.usage()).to.deep.equal(none);
    });

    it('begins a log once, with its first row and head, and no log that has rows', async () => {
      const [row, other] = [sampleAuditRow(1), sampleAuditRow(1, { entryId: 'other' })];
      expect(await store.appendFirst(row, headAfter(row))).to.equal(true);
      expect(await store.appendFirst(other, headAfter(other))).to.equal(false);
      expect(await store.list(0, 10)).to.deep.equal([row]);
      expect(await store.head()).to.deep.equal(headAfter(row));
      expect(await append(sampleAuditRow(2))).to.equal(true);
    });

    it('lets one of many that begin a log at once through', async () => {
      const rows = Array.from({ length: 20 }, (_, place) => sampleAuditRow(1, { entryId: `one ${place}` }));
      const begun = await Promise.all(rows.map((row) => store.appendFirst(row, headAfter(row))));
      expect(begun.filter(Boolean)).to.have.length(1);
      expect(await store.list(0, 10)).to.deep.equal(rows.filter((_, place) => begun[place]));
    });

    it('appends the next row with its head', async () => {
      const rows = [1, 2, 3].map((number) => sampleAuditRow(number));
      for (const row of rows) {
        expect(await append(row)).to.equal(true);
        expect(await store.head()).to.deep.equal(headAfter(row));
      }
      expect(await store.list(1, 10)).to.deep.equal(rows);
    });

    it('lists from a number on, as many as asked for', async () => {
      const rows = [1, 2, 3, 4].map((number) => sampleAuditRow(number));
      for (const row of rows) await append(row);
      expect(await store.list(2, 2)).to.deep.equal(rows.slice(1, 3));
      expect(await store.list(5, 2)).to.deep.equal([]);
    });

    it('lists from the least number that there is', async () => {
      const rows = [1, 2].map((number) => sampleAuditRow(number));
      for (const row of rows) await append(row);
      expect(await store.list(Number.NEGATIVE_INFINITY, 10)).to.deep.equal(rows);
      expect(await store.list(Number.NEGATIVE_INFINITY, 1)).to.deep.equal(rows.slice(0, 1));
    });

    it('refuses a row whose number is taken or not the next, and leaves the head', async () => {
      await append(sampleAuditRow(1));
      expect(await append(sampleAuditRow(1, { entryId: 'other' }))).to.equal(false);
      expect(await append(sampleAuditRow(3))).to.equal(false);
      expect(await append(sampleAuditRow(0))).to.equal(false);
      expect(await store.head()).to.deep.equal(headAfter(sampleAuditRow(1)));
      expect(await store.list(0, 10)).to.deep.equal([sampleAuditRow(1)]);
    });

    it('appends rows that follow one another with the head after the last', async () => {
      await append(sampleAuditRow(1));
      expect(await append(sampleAuditRow(2), sampleAuditRow(3), sampleAuditRow(4))).to.equal(true);
      expect(await store.head()).to.deep.equal(headAfter(sampleAuditRow(4)));
      expect((await store.list(1, 10)).map(({ number }) => number)).to.deep.equal([1, 2, 3, 4]);
    });

    it('appends none of several rows when one is not the next or in the log already', async () => {
      await append(sampleAuditRow(1));
      expect(await append(sampleAuditRow(2), sampleAuditRow(4))).to.equal(false);
      expect(await append(sampleAuditRow(2), sampleAuditRow(3, { entryId: 'entry 1' }))).to.equal(false);
      expect(await append(sampleAuditRow(1))).to.equal(false);
      expect(await store.head()).to.deep.equal(headAfter(sampleAuditRow(1)));
      expect(await store.list(0, 10)).to.deep.equal([sampleAuditRow(1)]);
    });

    it('knows the entries that are in the log', async () => {
      await append(sampleAuditRow(1), sampleAuditRow(2));
      const asked = ['entry 2', 'entry "3"', 'entry 1'];
      expect([...(await store.listExisting(asked))].sort()).to.deep.equal(['entry 1', 'entry 2']);
      expect(await store.listExisting([])).to.deep.equal([]);
    });

    it('lists what is about a user or done by them, from a number on, as many as asked for', async () => {
      const about = [1, 3, 5].map((number) =>
        sampleAuditRow(number, { target: 'one', actor: number === 3 ? 'one' : 'system' }),
      );
      const by = sampleAuditRow(4, { target: 'other', actor: 'one' });
      const [first, second, third] = about as [AuditRow, AuditRow, AuditRow];
      await append(first, sampleAuditRow(2), second, by, third);
      expect(await store.listAbout('one', 1, 10)).to.deep.equal([first, second, by, third]);
      expect(await store.listAbout('one', 2, 2)).to.deep.equal([second, by]);
      expect(await store.listAbout('nobody', 1, 2)).to.deep.equal([]);
    });

    it('lists newest first, from below a number on, as many as asked for', async () => {
      const rows = Array.from({ length: 9 }, (_, place) => sampleAuditRow(place + 1));
      const [one, two, three, ...more] = rows as [AuditRow, AuditRow, AuditRow, AuditRow];
      await append(one);
      await append(two, three);
      await append(...more);
      const numbers = async (before: number, limit: number) =>
        (await store.listBack(before, limit)).map(({ number }) => number);
      expect(await store.listBack(Number.POSITIVE_INFINITY, 100)).to.deep.equal(rows.toReversed());
      expect(await numbers(Number.POSITIVE_INFINITY, 2)).to.deep.equal([9, 8]);
      expect(await numbers(8, 3)).to.deep.equal([7, 6, 5]);
      expect(await numbers(3, 10)).to.deep.equal([2, 1]);
      expect(await numbers(1, 10)).to.deep.equal([]);
    });

    it('lists newest first what is about somebody, what they did, or either', async () => {
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

    it('erases content and salt about a user and where the user acted, and keeps the rest', async () => {
      const about = sampleAuditRow(1, { target: 'gone' });
      const acted = sampleAuditRow(2, { actor: 'gone', target: 'other' });
      const neither = sampleAuditRow(3, { target: 'other' });
      for (const row of [about, acted, neither]) await append(row);
      expect(await store.eraseAbout('gone', [])).to.equal(2);
      expect(await store.eraseAbout('gone', [])).to.equal(0);
      const erased = { content: null, salt: null };
      expect(await store.list(1, 10)).to.deep.equal([
        { ...about, ...erased },
        { ...acted, ...erased },
        neither,
      ]);
      expect(await store.head()).to.deep.equal(headAfter(neither));
      expect(await append(sampleAuditRow(4))).to.equal(true);
    });

    it('keeps the rows that say that the user went', async () => {
      const rows = [1, 2, 3].map((number) => sampleAuditRow(number, { target: 'gone' }));
      for (const row of rows) await append(row);
      expect(await store.eraseAbout('gone', ['entry 2', 'entry 9'])).to.equal(2);
      const contents = (await store.list(1, 10)).map(({ content }) => content);
      expect(contents).to.deep.equal([null, rows[1]?.content, null]);
    });

    it('appends one of many parallel pairs of rows with the same numbers', () =>
      inRounds(async (round) => {
        const pairs = Array.from({ length: 50 }, (_, place) => {
          const rowOf = (number: number) =>
            sampleAuditRow(number, { entryId: `${number}-${place}`, value: `${place}` });
          return [rowOf(2 * round - 1), rowOf(2 * round)] as const;
        });
        const done = await Promise.all(pairs.map((pair) => append(...pair)));
        expect(done.filter(Boolean)).to.have.length(1);
        const [winner] = pairs.filter((_, place) => done[place]);
        expect(await store.list(2 * round - 1, 10)).to.deep.equal(winner);
        expect(await store.head()).to.deep.equal(winner && headAfter(winner[1]));
      }));

    it('adds an entry once, however many append it at once', () =>
      inRounds(async (number) => {
        const done = await race(50, () => append(sampleAuditRow(number, { entryId: `one of ${number}` })));
        expect(done.filter(Boolean)).to.have.length(1);
        expect(await store.list(number, 10)).to.have.length(1);
      }));

    it('refuses anything but text and numbers in what it looks for', async () => {
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
