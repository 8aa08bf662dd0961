import { expect } from 'chai';
import { identityKey, passkeyKey } from '../../../../core/accounts/ways-in/login-key.ts';
import { samplePasskey } from '../../../contracts/moved-samples.ts';
import { useOwner } from './opened.ts';

const HOUR = 3_600_000;

describe('A change of email that is taken back', () => {
  const owner = useOwner();

  it('takes passkeys and identities with it that were added since, and frees their keys', async () => {
    const { account, change, undo, ports, id, settle } = await owner();
    const { digest, loginKeys } = ports;
    const code = await change();
    const found = await account();
    if (found === undefined) throw new Error('The account is gone.');
    const { askedAt = 0 } = found.formerEmails[0] ?? {};
    const ways = [
      { name: 'before', at: askedAt - HOUR },
      { name: 'since', at: askedAt },
    ].map(({ name, at }) => ({
      passkey: { ...samplePasskey, id: name, credentialId: name, createdAt: at },
      identity: {
        provider: 'idp',
        providerAccountId: name,
        email: null,
        createdAt: new Date(at).toISOString(),
        key: identityKey(digest, 'https://idp.example.com', name),
      },
    }));
    const keys = ways.flatMap(({ passkey, identity }) => [
      passkeyKey(digest, passkey.credentialId),
      identity.key,
    ]);
    for (const key of keys) await loginKeys.add({ key, userId: id, mark: 'mark' });
    await ports.accounts.save({
      ...found,
      passkeys: ways.map(({ passkey }) => passkey),
      oauthAccounts: ways.map(({ identity }) => identity),
      loginKeys: keys.map((key) => ({ key, mark: 'mark' })),
    });

    await undo(code);
    await settle();
    const after = await account();
    expect(after?.passkeys.map((one) => one.id)).to.deep.equal(['before']);
    expect(after?.oauthAccounts.map((one) => one.providerAccountId)).to.deep.equal(['before']);
    expect(after?.loginKeys.map(({ key }) => key)).to.deep.equal(keys.slice(0, 2));
    const left = await Promise.all(keys.map((key) => loginKeys.find(key)));
    expect(left.map((record) => record?.userId)).to.deep.equal([id, id, undefined, undefined]);
  });
});
