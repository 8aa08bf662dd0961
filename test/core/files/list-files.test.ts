import { expect } from 'chai';
import sinon from 'sinon';
import type { FilePage } from '../../../core/files/list-files.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { respellings } from '../../support/spellings.ts';
import { type FilesCore, openFilesCore as open, upload } from './open-files-core.ts';

const idsOf = (files: readonly { readonly id: string }[]) => files.map(({ id }) => id);

describe('The list of files', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 4 } });
  });

  /** Creates files, each two with the same time, and returns their ids in the order of the list. */
  const uploadSome = async (count: number, user = 'user') => {
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      if (number % 2 === 0) core.world.pass(1);
      ids.push((await core.files.create(upload({ user, size: number }))).id);
    }
    const records = await core.ports.files.list(user, null, count);
    expect(idsOf(records)).to.have.members(ids);
    return idsOf(records);
  };
  const listAllPages = async (userId: string, cursor?: string) => {
    const pages: string[][] = [];
    const input = cursor === undefined ? { userId } : { userId, cursor };
    for await (const page of core.files.listAll(input)) pages.push(idsOf(page));
    return pages;
  };
  const page = (limit: number, cursor?: string, userId = 'user'): Promise<FilePage> =>
    core.files.list(cursor === undefined ? { userId, limit } : { userId, limit, cursor });
  const expectRefusal = async (call: () => Promise<unknown>, message?: string) => {
    const error = await rejectionOf(call);
    expect(error).to.include({ kind: 'invalid', code: 'invalid_request' });
    if (message !== undefined) expect(error).to.have.property('message', message);
  };

  it('has the newest files first, and of equal times the greatest id first', async () => {
    const ids = await uploadSome(7);
    const dates = (await page(10)).files.map(({ uploadedDate, id }) => `${uploadedDate} ${id}`);
    expect(dates).to.deep.equal(dates.toSorted().toReversed());
    expect(idsOf((await page(10)).files)).to.deep.equal(ids);
  });

  it('is returned in pages, each with a cursor while more files follow', async () => {
    const ids = await uploadSome(7);
    for (const limit of [1, 2, 3, 6]) {
      const listedIds: string[] = [];
      let { files, cursor } = await page(limit);
      for (; cursor !== undefined; { files, cursor } = await page(limit, cursor)) {
        expect(files).to.have.length(limit);
        listedIds.push(...idsOf(files));
      }
      expect(files.length).to.be.within(1, limit);
      expect([...listedIds, ...idsOf(files)]).to.deep.equal(ids);
    }
    for (const limit of [7, 8, 1_000]) expect(await page(limit)).to.not.have.property('cursor');
  });

  it("refuses the cursor of a user whose name starts with another user's name and a colon", async () => {
    for (const rest of ['b', '%zz', '1.0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f']) {
      const longer = `user:${rest}`;
      await uploadSome(2, longer);
      const { cursor = '' } = await page(1, undefined, longer);
      expect(cursor).to.not.equal('');
      await expectRefusal(() => page(1, `${rest}:${cursor}`));
    }
  });

  it('is returned in small, non-empty pages if all files are requested', async () => {
    for (const count of [1, 4, 5, 8]) {
      const user = `user of ${count}`;
      const ids = await uploadSome(count, user);
      const pages = await listAllPages(user);
      expect(pages.flat()).to.deep.equal(ids);
      expect(pages.every(({ length }) => length > 0 && length <= 4)).to.equal(true);
    }
    expect(await listAllPages('nobody')).to.deep.equal([]);
  });

  it('is returned in smaller pages if records are long, so that no page takes much memory', async () => {
    const long = 'ż'.repeat(4_096);
    const { files } = open({ policy: { page: 250 } });
    for (let count = 0; count < 60; count += 1)
      await files.create(upload({ user: 'long', filenameEnc: long }));
    const sizes: number[] = [];
    for await (const page of files.listAll({ userId: 'long' })) sizes.push(page.length);
    // 30 items of 4,300 characters each take at most 131,072 characters.
    expect(sizes).to.deep.equal([25, 30, 5]);
  });

  it('is returned as stored text, too, without a query after a page that is not full', async () => {
    await uploadSome(3);
    const records = await core.ports.files.list('user', null, 3);
    const list = sinon.spy(core.ports.files, 'list');
    const pages: (readonly string[])[] = [];
    for await (const page of core.files.listAllText({ userId: 'user' })) pages.push(page);
    expect(pages).to.deep.equal([records.map(({ item }) => item)]);
    sinon.assert.calledOnce(list);
    expect(() => core.files.listAllText({ userId: '\ud800' })).to.throw("'userId' must be");
  });

  it('returns all files after a cursor', async () => {
    const ids = await uploadSome(9);
    const { cursor = '' } = await page(2);
    expect((await listAllPages('user', cursor)).flat()).to.deep.equal(ids.slice(2));
  });

  it('continues at its position if files are added or deleted between pages', async () => {
    const ids = await uploadSome(6);
    const { cursor } = await page(2);
    await uploadSome(1);
    await core.files.delete(ids[1] ?? '');
    await core.files.delete(ids[2] ?? '');
    expect(idsOf((await page(9, cursor)).files)).to.deep.equal(ids.slice(3));
  });

  it('is empty for a user without files, with or without an account', async () => {
    core.world.owners.set('ada', 'account');
    for (const user of ['ada', 'nobody']) expect(await page(5, undefined, user)).to.deep.equal({ files: [] });
  });

  it("contains no other user's files, and accepts no other user's cursor", async () => {
    const ownIds = await uploadSome(5, 'user');
    await uploadSome(5, 'user:2');
    const { cursor = '' } = await page(2, undefined, 'user:2');
    expect(idsOf((await page(99)).files)).to.deep.equal(ownIds);
    await expectRefusal(() => page(2, cursor), "'cursor' is not from this list.");
    await expectRefusal(() => listAllPages('user', cursor));
  });

  it('accepts only the exact cursors that it returned', async () => {
    await uploadSome(5);
    const { cursor = '' } = await page(2);
    const [time = '', id = '', mark = ''] = cursor.split('.');
    const changed = [
      `${Number(time) + 1}.${id}.${mark}`,
      `${time}.${id.slice(0, -1)}${id.endsWith('0') ? 1 : 0}.${mark}`,
    ];
    const other = core.ports.digest.keyed('cursor', `users:${time}.${id}`);
    const forged = [
      '',
      'x',
      '..',
      `${time}.${id}`,
      `${time}.${id}.`,
      `0${cursor}`,
      `-${cursor}`,
      `${time}.${id}.${other}`,
    ];
    for (const invalid of [
      ...changed,
      ...forged,
      ...respellings(mark).map((spelling) => `${time}.${id}.${spelling}`),
    ]) {
      await expectRefusal(() => page(2, invalid));
    }
    expect((await page(2, cursor)).files).to.have.length(2);
  });

  it('has 1 to 1,000 files per page, and a user of 1 to 128 characters', async () => {
    for (const limit of [0, -1, 1.5, 1_001, Number.NaN, Number.POSITIVE_INFINITY])
      await expectRefusal(() => page(limit));
    await expectRefusal(() => page(1_001), "'limit' must be from 1 to 1000.");
    await expectRefusal(() => page(1, undefined, ''), "'userId' must have 1 to 128 characters.");
    for (const user of ['', 'a'.repeat(129), '\ud800']) {
      await expectRefusal(() => page(1, undefined, user));
      await expectRefusal(() => listAllPages(user));
    }
    expect(await page(1_000, undefined, 'a'.repeat(128))).to.deep.equal({ files: [] });
  });
});
