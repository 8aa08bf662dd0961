import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { expect } from 'chai';
import { openAwsKms } from '../../../adapters/kms/aws.ts';
import type { RemoteKms } from '../../../adapters/kms/remote.ts';
import { expectInvalidSealed, somePlaces, testKms } from '../../contracts/kms.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { startMoto } from '../../support/servers/aws/moto.ts';

const SECRET = new TextEncoder().encode('secret');
const PLACE = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test', sessionToken: null },
};

describe("AWS KMS as moto has it (its wire form, written by others than this product's authors)", () => {
  let moto: Awaited<ReturnType<typeof startMoto>>;
  let client: KMSClient;
  const services: RemoteKms[] = [];

  const makeKey = async () => {
    const { accessKeyId, secretAccessKey } = PLACE.credentials;
    client ??= new KMSClient({
      region: PLACE.region,
      endpoint: moto.url,
      credentials: { accessKeyId, secretAccessKey },
    });
    const { KeyMetadata: metadata } = await client.send(new CreateKeyCommand({}));
    return { id: String(metadata?.KeyId), arn: String(metadata?.Arn) };
  };
  const open = async (keyId: string) => {
    const kms = await openAwsKms({ ...PLACE, keyId, endpoint: moto.url, log: makeRecordingLog() });
    services.push(kms);
    return kms;
  };

  before(async () => {
    moto = await startMoto();
  });
  after(async () => {
    for (const kms of services) kms.close();
    client?.destroy();
    await moto?.close();
  });

  // Its ciphertext begins with the key's id. Where KMS says IncorrectKeyException over another one there, moto says
  // AccessDeniedException, and a missing right makes no text invalid.
  const places = (sealed: string) => {
    const body = sealed.lastIndexOf('.') + 1;
    return somePlaces(60)(sealed).filter((place) => place < body || place >= body + 48);
  };
  testKms('aws on moto', async () => open((await makeKey()).id), places);

  it('opens what an older key sealed after another one is set, by id and by ARN', async () => {
    const [first, second] = [await makeKey(), await makeKey()];
    for (const name of [first.id, first.arn]) {
      const sealed = await (await open(name)).seal(SECRET, 'c');
      const kms = await open(second.id);
      expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
      expect([kms.keyOf(sealed), kms.keyOf(await kms.seal(SECRET, 'c'))]).to.deep.equal([name, second.id]);
    }
  });

  it('opens nothing that names a key that is not there', async () => {
    const { id } = await makeKey();
    const kms = await open(id);
    const [form, , body] = (await kms.seal(SECRET, 'c')).split('.');
    const otherId = Buffer.from(id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))).toString(
      'base64url',
    );
    await expectInvalidSealed(kms.open([form, otherId, body].join('.'), 'c'));
  });
});
