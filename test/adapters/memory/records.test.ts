import { expect } from 'chai';
import { openMemoryStore } from '../../../adapters/choose-store.ts';
import { NOW, sampleAccount, sampleAuditEntry } from '../../contracts/samples.ts';

describe('Records in memory', () => {
  const { ports, close } = openMemoryStore({ now: () => NOW });
  const { accounts, objects } = ports;
  after(close);

  it('are copies, so that neither writers nor readers change what is stored', async () => {
    const account = { ...sampleAccount('a'), pending: [sampleAuditEntry('1')] };
    const stored = structuredClone(account);
    await accounts.add(account);
    account.pending.pop();
    const read = await accounts.find('a');
    Reflect.set(read ?? {}, 'displayName', 'changed');
    expect(await accounts.find('a')).to.deep.equal(stored);
  });

  it('contain copies of bytes', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    await objects.put('a/name.png', bytes);
    bytes.fill(0);
    (await objects.find('a/name.png'))?.fill(0);
    expect(await objects.find('a/name.png')).to.deep.equal(Uint8Array.of(1, 2, 3));
  });
});
