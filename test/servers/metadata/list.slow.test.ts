import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { idsOf, itemsOf, useClient } from './client.ts';
import { seedFiles } from './seed.ts';

const MANY = 5_000;
/** Records of one page: what is longer is streamed. */
const PAGE = 500;

describe('The list of a user’s files', () => {
  const service = useService();
  const client = useClient(service);
  let ids: readonly string[];
  before(async () => {
    // Three of each millisecond.
    ids = await seedFiles(service().folder, 'many', MANY, (place) => Math.floor(place / 3));
    await seedFiles(service().folder, 'page', PAGE);
    await seedFiles(service().folder, 'pages', 2 * PAGE);
  });

  it('is empty for a user nobody knows', async () => {
    const { status, body, headers } = await client().list('nobody');
    expect([status, body]).to.deep.equal([200, { files: [] }]);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
  });

  it('has the newest first, and of one moment the greatest id', async () => {
    const reply = await client().list('many');
    const items = itemsOf(reply).map(({ id, uploadedDate }) => `${uploadedDate} ${id}`);
    expect(items).to.deep.equal(items.toSorted().toReversed());
    expect(idsOf(reply)).to.have.members([...ids]);
  });

  for (const [user, count] of [
    ['page', PAGE],
    ['pages', 2 * PAGE],
    ['many', MANY],
  ] as const) {
    it(`is whole with ${count} files`, async () => {
      const reply = await client().list(user);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.body).to.have.all.keys('files');
      expect(new Set(idsOf(reply)).size).to.equal(count);
    });
  }

  for (const limit of [1, 7, PAGE, 1_000]) {
    it(`comes in pages of ${limit}, none left out and none twice`, async () => {
      const whole = idsOf(await client().list('pages'));
      const paged: string[] = [];
      let query = '';
      do {
        const reply = await client().list('pages', `&limit=${limit}${query}`);
        expect(itemsOf(reply).length).to.be.within(1, limit);
        paged.push(...idsOf(reply));
        query = reply.body.cursor === undefined ? '' : `&cursor=${reply.body.cursor}`;
      } while (query !== '' && paged.length < 50);
      expect(paged).to.deep.equal(whole.slice(0, query === '' ? whole.length : paged.length));
      if (query !== '') {
        // The rest at once, from where the pages were left.
        const rest = await client().list('pages', query);
        expect([...paged, ...idsOf(rest)]).to.deep.equal(whole);
      }
    });
  }

  it('has no cursor with its last page', async () => {
    expect((await client().list('page', `&limit=${PAGE}`)).body).to.have.all.keys('files');
    expect((await client().list('page', `&limit=${PAGE - 1}`)).body).to.have.all.keys('files', 'cursor');
  });

  it('takes a cursor of no other user’s list, and none that was changed', async () => {
    const cursor = String((await client().list('pages', '&limit=10')).body.cursor);
    for (const [user, given] of [
      ['many', cursor],
      ['pages', `${cursor}A`],
      ['pages', `1${cursor}`],
    ] as const) {
      const { status, body } = await client().list(user, `&limit=10&cursor=${given}`);
      expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    }
  });

  it('goes on behind a cursor though its record was deleted, and shows nothing newer', async () => {
    const user = 'moving';
    await client().createSome(user, 6);
    const whole = idsOf(await client().list(user));
    const { body } = await client().list(user, '&limit=3');
    await client().remove(whole[2] ?? '');
    await client().remove(whole[3] ?? '');
    await client().createSome(user, 2);
    const rest = await client().list(user, `&limit=3&cursor=${body.cursor}`);
    expect(idsOf(rest)).to.deep.equal(whole.slice(4));
    expect(rest.body).to.have.all.keys('files');
  });
});
