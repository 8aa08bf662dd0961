import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findEmbeddedStore, openForServer, openMemoryStore } from '../../../../adapters/choose-store.ts';
import { checkExport } from '../../../../adapters/installation/transfer/check-export.ts';
import { withFileLock } from '../../../../adapters/installation/transfer/export-store.ts';
import { importStore, takeStore } from '../../../../adapters/installation/transfer/import-store.ts';
import type { OpenedStore } from '../../../../adapters/store.ts';
import { takeImportLease, takeStartLease } from '../../../../adapters/transfer/store-lease.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { comparable, makeTransfer } from '../../../support/transferred-installation.ts';
import { until } from '../../../support/until.ts';

const tools = { clock: { now: () => Date.now() }, log: makeRecordingLog() };

describe('The locks of export and import', () => {
  const folder = useTempFolder();
  const moverOf = (name: string) => makeTransfer(folder(), { DATA_DIR: name });
  const file = () => join(folder(), 'house.jsonl');
  const nameOf = async (call: () => Promise<unknown>) =>
    Reflect.get((await rejectionOf(call)) as object, 'name');
  const namesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.name] : []));

  const withPlace = async <T>(
    name: string,
    use: (place: ReturnType<typeof findEmbeddedStore>) => Promise<T>,
  ): Promise<T> => {
    mkdirSync(join(folder(), name), { recursive: true });
    const place = findEmbeddedStore(join(folder(), name), { ...tools, isServer: true });
    try {
      return await use(place);
    } finally {
      await place.close();
    }
  };
  const withStore = <T>(name: string, use: (store: OpenedStore) => Promise<T>): Promise<T> =>
    withPlace(name, async (place) => use(await place.open()));

  beforeEach(() =>
    withStore('here', async ({ transfer }) => {
      const users = Array.from({ length: 600 }, (_, number) => sampleAccount(`user-${number}`));
      await transfer().sections.accounts.write(users, 0);
    }),
  );

  it('allow one export to a file, refuse another and leave no other files', async () => {
    const outcomes = await Promise.allSettled([
      moverOf('here').exportTo(file()),
      moverOf('here').exportTo(file()),
    ]);
    expect(namesOf(outcomes)).to.deep.equal(['ExportUnderWay']);
    expect(readdirSync(folder()).sort()).to.deep.equal(['here', 'house.jsonl']);
    await checkExport(file());

    const otherFile = join(folder(), 'other.jsonl');
    const failureName = await withFileLock(otherFile, () =>
      nameOf(() => moverOf('here').exportTo(otherFile)),
    );
    expect(failureName).to.equal('ExportUnderWay');
    await moverOf('here').exportTo(otherFile);
    expect(comparable(otherFile)).to.deep.equal(comparable(file()));
  });

  it('allow one import into a store', async () => {
    await moverOf('here').exportTo(file());
    const outcomes = await Promise.allSettled([
      moverOf('there').importFrom(file()),
      moverOf('there').importFrom(file()),
    ]);
    const [name, ...others] = namesOf(outcomes);
    // The second import waits up to four seconds for the first.
    expect(name).to.be.oneOf(['StoreNotFresh', 'StoreTaken']);
    expect(others).to.deep.equal([]);
    await moverOf('there').exportTo(`${file()}.2`);
    expect(comparable(`${file()}.2`)).to.deep.equal(comparable(file()));
  });

  it('exclude other imports and servers during an import, which stops if its lock is lost', async () => {
    await moverOf('here').exportTo(file());
    const checked = await checkExport(file());
    await withStore('there', async ({ transfer, ports }) => {
      const hold = await takeStore(ports.leases);
      expect(await nameOf(() => takeStore(ports.leases, { patience: 100 }))).to.equal('StoreTaken');
      await withPlace('there', async (place) => {
        const refusal = await rejectionOf(() => openForServer(place));
        expect(String(refusal)).to.include('an import into it is under way');
      });

      const store = transfer();
      let renewals = 0;
      const keep = async () => {
        renewals += 1;
        return renewals < 2 && hold.renew();
      };
      const input = { store, checked, onProgress: () => undefined };
      expect(await nameOf(() => importStore({ ...input, lease: { renew: keep } }))).to.equal('StoreTaken');
      expect(await store.sections.accounts.count()).to.equal(200);
      expect(await store.unfinishedImport()).to.deep.equal({ id: checked.sha256, lines: 201 });
      await hold.release();
    });
    await moverOf('there').importFrom(file());
    await moverOf('there').exportTo(`${file()}.2`);
    expect(comparable(`${file()}.2`)).to.deep.equal(comparable(file()));
  });

  it('are renewed while an import runs', async () => {
    let takes = 0;
    const hold = await takeStore(
      {
        take: async (name) => {
          takes += 1;
          return { name, fence: 1 };
        },
        release: async () => undefined,
      },
      { every: 2 },
    );
    await until(async () => takes > 3);
    await hold.release();
    expect(takes).to.be.greaterThan(3);
  });

  it('do not fail an import that cannot release them', async () => {
    let releases = 0;
    const hold = await takeStore({
      take: async (name) => ({ name, fence: 1 }),
      release: async () => {
        releases += 1;
        throw new Error('not released');
      },
    });
    await hold.release();
    expect(releases).to.equal(1);
  });

  it('survive a pause of the import, unless a server has started meanwhile', async () => {
    const clock = makeSettableClock();
    const { ports, close } = openMemoryStore(clock);
    const pause = () => clock.set(clock.now() + 60_000);
    const hold = await takeImportLease(ports.leases, 'import');
    for (const time of [1, 2]) {
      pause();
      expect(await hold?.renew(), `pause ${time}`).to.equal(true);
    }
    pause();
    await takeStartLease(ports.leases);
    pause();
    expect(await hold?.renew()).to.equal(false);
    await close();
  });

  it('are shared by starting servers, and refuse an import meanwhile', async () => {
    await withPlace('there', async (place) => {
      const { ports } = await openForServer(place);
      await withPlace('there', async (another) => openForServer(another));
      expect(await nameOf(() => takeStore(ports.leases, { patience: 100 }))).to.equal('StoreTaken');
    });
  });

  it('are acquired by a starting server at its second attempt, after another server', async () => {
    const answers = [undefined, { name: 'use', fence: 1 }];
    const leases = { take: async () => answers.shift(), release: async () => undefined };
    expect(await takeStartLease(leases)).to.equal(true);
    expect(await takeStartLease(leases)).to.equal(false);
  });
});
