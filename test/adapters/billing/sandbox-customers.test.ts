import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCustomerRecords } from '../../../adapters/billing/sandbox-customers.ts';
import { NOW } from '../../contracts/samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const USER = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('The customer records of the sandbox', () => {
  const folder = useTempFolder();

  it('ignore a change if the record is missing or deleted meanwhile', async () => {
    const records = makeCustomerRecords(folder());
    expect(await records.change(USER, (record) => record)).to.equal(undefined);
    await records.open({ userId: USER, email: 'ada@example.com', name: null }, NOW);
    const changed = await records.change(USER, (record) => {
      rmSync(join(folder(), `${USER}.json`));
      return { ...record, told: true };
    });
    expect(changed).to.equal(undefined);
    expect(await records.find(USER)).to.equal(undefined);
  });
});
