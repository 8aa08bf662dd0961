import { makeSqlLeases } from '../../../adapters/sql/leases.ts';
import { leasesContract, makeSettableClock } from '../../contracts/leases.ts';
import { openedStore } from './opened.ts';

leasesContract('SQLite', async () => {
  const clock = makeSettableClock();
  return { clock, ...(await openedStore((database) => makeSqlLeases(database, clock))()) };
});
