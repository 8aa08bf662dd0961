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

describe('AWS KMS on moto (an independent implementation of its wire format)', () => {
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

  // A ciphertext of moto begins with the key id. For another id moto answers AccessDeniedException, where KMS answers
  // IncorrectKeyException, and a missing right does not make a text invalid.
  const places = (sealed: string) => {
    const body = sealed.lastIndexOf('.') + 1;
    return somePlaces(60)(sealed).filter((place) => place < body || place >= body + 48);
  };
  testKms('aws on moto', async () => open((await makeKey()).id), places);

  it('opens texts of an older key after another key is configured, by id and by ARN', async () => {
    const [first, second] = [await makeKey(), await makeKey()];
    for (const name of [first.id, first.arn]) {
      const sealed = await (await open(name)).seal(SECRET, 'c');
      const kms = await open(second.id);
      expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
      expect([kms.keyOf(sealed), kms.keyOf(await kms.seal(SECRET, 'c'))]).to.deep.equal([name, second.id]);
    }
  });

  it('refuses a text with an unknown key id', async () => {
    const { id } = await makeKey();
    const kms = await open(id);
    const [form, , body] = (await kms.seal(SECRET, 'c')).split('.');
    const otherId = Buffer.from(id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))).toString(
      'base64url',
    );
    await expectInvalidSealed(kms.open([form, otherId, body].join('.'), 'c'));
  });
});
