import { expect } from 'chai';
import { makeMemoryStore } from '../../../adapters/memory/store.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleAuditEntry } from '../../contracts/samples.ts';

const change = (account: Account | undefined, name: string) =>
  Reflect.set(account ?? {}, 'displayName', name);

describe('Records in memory', () => {
  const { accounts, objects } = makeMemoryStore({ now: () => NOW });

  it('are copies: no caller changes what is stored, whether it gave the record or was given it', async () => {
    const given = { ...sampleAccount('a'), pending: [sampleAuditEntry('1')] };
    await accounts.add(given);
    given.pending.pop();
    expect(change(given, 'changed')).to.equal(true);

    const found = await accounts.find('a');
    expect(change(found, 'changed')).to.equal(false);
    const emptied = await rejectionOf(async () => Reflect.apply(Array.prototype.pop, found?.pending, []));
    expect(emptied).to.be.instanceOf(TypeError);
    expect(await accounts.find('a')).to.deep.equal(sampleAccount('a', { pending: [sampleAuditEntry('1')] }));
  });

  it('are copies of bytes, too', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    await objects.put('a/name.png', bytes);
    bytes.fill(0);
    (await objects.find('a/name.png'))?.fill(0);
    expect(await objects.find('a/name.png')).to.deep.equal(Uint8Array.of(1, 2, 3));
  });

  it('have no member that is undefined, as in a store that writes JSON', async () => {
    const without: object = { keptSession: undefined };
    await accounts.add({ ...sampleAccount('b'), ...without });
    expect(await accounts.find('b')).to.not.have.property('keptSession');
  });
});
