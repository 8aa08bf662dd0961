import { expect } from 'chai';
import { openTestService, type TestService } from '../../support/service.ts';
import { takeCached } from './cached.ts';
import { type Client, idsOf, makeClient, SAMPLE } from './client.ts';

/** What an entry of SAMPLE takes: its answer and the 41 bytes of its key. */
const ENTRY =
  41 +
  Buffer.byteLength(
    JSON.stringify({
      id: '0199a0a0-0000-7000-8000-000000000000',
      filenameEnc: SAMPLE.filenameEnc,
      size: SAMPLE.size,
      mimeType: SAMPLE.mimeType,
      dekEnc: SAMPLE.dekEnc,
      thumbs: { mobile: true, web: true, webPre: true },
      uploadedDate: '2026-01-01T00:00:00.000Z',
    }),
  );
const FIT = 5;

for (const [what, limit] of [
  ['exactly', FIT * ENTRY],
  ['but for a byte the next one as well', (FIT + 1) * ENTRY - 1],
] as const) {
  describe(`A sync into which ${what} ${FIT} entries fit`, () => {
    let service: TestService;
    let client: Client;
    before(async () => {
      service = await openTestService({ SYNC_LIMIT_BYTES: String(limit) });
      client = makeClient(service.metadataUrl);
    });
    after(() => service.close());
    const sync = (user: string, type: string) => client.post('/api/v1/e/meta/sync', { user, type });
    const entries = async () => (await service.composition.files.operate.cacheStats()).entries;
    const clear = () => service.composition.files.operate.clearCache();
    const createSome = async (user: string, count: number) => {
      const ids: string[] = [];
      while (ids.length < count) ids.push(String((await client.create({ user })).body.id));
      return ids;
    };

    for (const kind of ['all', 'most']) {
      it(`takes ${FIT} by ${kind}One and ${kind}Two`, async () => {
        const user = `fits-${kind}`;
        for (const id of await createSome(user, FIT)) await client.read(id);
        for (const type of [`${kind}One`, `${kind}Two`]) {
          await clear();
          expect((await sync(user, type)).body).to.deep.equal({ user, synced: FIT, skipped: 0 });
          expect(await entries()).to.equal(FIT);
        }
      });

      it(`takes by ${kind}One nothing of ${FIT + 1}`, async () => {
        const user = `over-${kind}-one`;
        for (const id of await createSome(user, FIT + 1)) await client.read(id);
        await clear();
        const { status, body } = await sync(user, `${kind}One`);
        expect([status, body.error]).to.deep.equal([400, 'limit_exceeded']);
        expect(body).to.have.all.keys('error', 'message');
        expect(await entries()).to.equal(0);
      });

      it(`takes by ${kind}Two the first ${FIT} of ${FIT + 3}`, async () => {
        const user = `over-${kind}-two`;
        const ids = await createSome(user, FIT + 3);
        // The oldest is the most active, the newest the least.
        for (const [place, id] of ids.entries()) {
          for (let time = place; time < ids.length; time += 1) await client.read(id);
        }
        await clear();
        expect((await sync(user, `${kind}Two`)).body).to.deep.equal({ user, synced: FIT, skipped: 3 });
        const expected = kind === 'all' ? idsOf(await client.list(user)).slice(0, FIT) : ids.slice(0, FIT);
        expect(await takeCached(service, ids)).to.have.members([...expected]);
      });
    }

    it('takes nothing behind the first entry that does not fit, be it small enough itself', async () => {
      const user = 'big-in-the-middle';
      await createSome(user, 1);
      await client.create({ user, filenameEnc: 'x'.repeat(4_096) });
      await createSome(user, 2);
      await clear();
      expect((await sync(user, 'allTwo')).body).to.deep.equal({ user, synced: 2, skipped: 2 });
    });
  });
}
