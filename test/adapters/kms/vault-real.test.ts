import { expect } from 'chai';
import { openVaultKms } from '../../../adapters/kms/vault.ts';
import { somePlaces, testKms } from '../../contracts/kms.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

/** A Vault or OpenBao, a token with rights to any transit key, and a test key of type aes256-gcm96. */
const {
  GATEHOUSE_TEST_VAULT_ADDR: address = '',
  GATEHOUSE_TEST_VAULT_TOKEN: token = '',
  GATEHOUSE_TEST_VAULT_TRANSIT_KEY: transitKey = 'gatehouse-test',
} = process.env;

(address === '' ? describe.skip : describe)('The real Vault', () => {
  const open = () => openVaultKms({ address, token, transitKey, log: makeRecordingLog() });

  testKms('vault itself', async () => open(), somePlaces(40));

  it('opens a text of the previous key version after a rotation', async () => {
    const kms = open();
    const secret = new TextEncoder().encode('secret');
    const sealed = await kms.seal(secret, 'c');
    const next = await kms.rotate();
    expect(next).to.not.equal(kms.keyOf(sealed));
    expect(kms.keyOf(await kms.seal(secret, 'c'))).to.equal(next);
    expect(await kms.open(sealed, 'c')).to.deep.equal(secret);
  });
});
