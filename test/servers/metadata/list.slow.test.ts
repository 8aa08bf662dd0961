import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { idsOf, itemsOf, useClient } from './client.ts';
import { seedFiles } from './seed.ts';

const MANY = 5_000;
/** Records of one page; longer lists are streamed. */
const PAGE = 500;

describe('The list of a user’s files', () => {
  const service = useService();
  const client = useClient(service);
  let ids: readonly string[];
  before(async () => {
    // Three files share each millisecond.
    ids = await seedFiles(service().folder, 'many', MANY, (place) => Math.floor(place / 3));
    await seedFiles(service().folder, 'page', PAGE);
    await seedFiles(service().folder, 'pages', 2 * PAGE);
  });

  it('is empty for an unknown user', async () => {
    const { status, body, headers } = await client().list('nobody');
    expect([status, body]).to.deep.equal([200, { files: [] }]);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
  });

  it('has the newest file first, and of equal times the greatest id', async () => {
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
    it(`is complete with ${count} files`, async () => {
      const reply = await client().list(user);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.body).to.have.all.keys('files');
      expect(new Set(idsOf(reply)).size).to.equal(count);
    });
  }

  it('has a cursor while more files follow, and returns all remaining files after a cursor', async () => {
    const allIds = idsOf(await client().list('page'));
    const first = await client().list('page', `&limit=${PAGE - 1}`);
    expect(first.body).to.have.all.keys('files', 'cursor');
    for (const limit of ['', '&limit=1000']) {
      const rest = await client().list('page', `${limit}&cursor=${first.body.cursor}`);
      expect(rest.body).to.have.all.keys('files');
      expect([...idsOf(first), ...idsOf(rest)]).to.deep.equal(allIds);
    }
  });

  it('is refused without a user, with an invalid limit or with a cursor that the service did not issue', async () => {
    for (const [query, hint] of [
      ['', "'userId'"],
      ['?userId[]=x', "'userId'"],
      ['?userId=a&limit=1001', "'limit'"],
      ['?userId=a&cursor=x', "'cursor'"],
      ['?userId=a&limit=5&cursor=', "'cursor'"],
      ['?userId=a&userId=a', 'more than once'],
      ['?userId=%ff', 'UTF-8'],
    ] as const) {
      const { status, body } = await client().call('GET', `/api/v1/meta${query}`);
      expect([status, body.error], query).to.deep.equal([400, 'invalid_request']);
      expect(body.message, query).to.include(hint);
    }
  });
});
