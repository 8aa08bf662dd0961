import { useTempFolder } from '../../../support/temp-folder.ts';
import { openPorts } from '../open-core.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { operatorsRace } from './races.ts';

describe('Two operators at once, in memory', () => {
  operatorsRace(async () => {
    const { store } = openPorts();
    return [openPorts(store).ports, openPorts(store).ports];
  });
});

describe('Two operators at once, in two processes on SQLite', () => {
  const folder = useTempFolder('suite');
  const stores: { close(): Promise<unknown> }[] = [];
  operatorsRace(async () => {
    const both = [openSqlitePorts(folder()), openSqlitePorts(folder())];
    stores.push(...both);
    return both.map(({ ports }) => ports);
  });
  after(async () => {
    for (const { close } of stores) await close();
  });
});
