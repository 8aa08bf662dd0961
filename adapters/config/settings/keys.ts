import {
  baseAddress,
  keysFile,
  madeKeysFile,
  madeSecret,
  oneOf,
  secrets,
  secretsOrMade,
  text,
  token,
} from '../kinds.ts';
import * as read from '../readers.ts';
import { setting } from '../setting.ts';

const EXAMPLE = '`openssl rand -base64 33` makes one';

export const keys = {
  /**
   * Internal callers send it as `x-internal-secret`. One value, or two separated by a comma while you replace one.
   * Each has at least 32 random bytes of printable ASCII.
   */
  internalSecrets: setting('INTERNAL_SECRET', secretsOrMade(2, 32), {
    ...madeSecret('internal-secret'),
    example: EXAMPLE,
  }),
  /**
   * A separate secret for the metadata service. Same rules; it must differ from `INTERNAL_SECRET`.
   *
   * Null: it takes `internalSecrets`.
   */
  metadataSecrets: setting('METADATA_SECRET', secrets(2, 32), {
    byDefault: 'as `INTERNAL_SECRET`',
    check: (own, { texts }) => {
      const internal = texts.INTERNAL_SECRET?.split(',').map((part) => part.trim());
      return own?.some((secret) => internal?.includes(secret)) && 'differ from INTERNAL_SECRET';
    },
    example: EXAMPLE,
  }),
  /**
   * One or two values, as for `INTERNAL_SECRET`. The keys for codes, rate limits and the audit chain are derived from
   * it. The first value is used; data made under the second is still recognised. [Changing it](#changing-hash_key).
   */
  hashKeys: setting('HASH_KEY', secretsOrMade(2, 32), { ...madeSecret('keys/hash-key'), example: EXAMPLE }),
  /**
   * Private keys (EC, P-256) that sign access tokens, as a JWK set or a single JWK. The file is read again within a
   * second of a change; [see below](#signing-keys).
   */
  signingKeys: setting('SIGNING_KEYS_FILE', keysFile, {
    ...madeKeysFile('signing.json'),
    example: '/etc/gatehouse/signing.json',
  }),
};

export const kms = {
  /**
   * Key management service that encrypts second factors and data keys: `local` (a key file), `aws` (AWS KMS) or
   * `vault` (transit engine of Vault or OpenBao). One cannot decrypt what another encrypted, so choose before you
   * store data.
   */
  kms: setting('KMS', oneOf('local', 'aws', 'vault'), { default: 'local', example: 'aws' }),
};

export const localKms = {
  /**
   * Key file of the `local` KMS, which encrypts second factors and data keys. It is read again within a second of a
   * change.
   */
  masterKeys: setting('MASTER_KEYS_FILE', keysFile, {
    ...madeKeysFile('master.json'),
    example: '/etc/gatehouse/master.json',
  }),
};

const REGION = 'a region such as eu-central-1';
const region = text(REGION, /^[a-z0-9-]+$/u);

export const aws = {
  /**
   * The symmetric key that encrypts, as key id, ARN or alias. It is stored beside what it encrypted: after a change,
   * data under the earlier key stays readable as long as the credentials may use that key. So never point an alias at
   * another key.
   */
  awsKeyId: setting('AWS_KMS_KEY_ID', text('a key id, key ARN or alias', /^[A-Za-z0-9:/_-]{1,2048}$/), {
    check: (id) => id === null && 'be set with KMS=aws',
    example: 'arn:aws:kms:eu-central-1:111122223333:key/…',
  }),
  /** Region of the key. */
  awsRegion: setting('AWS_REGION', region, {
    byDefault: "that of the key's ARN, or of the AWS configuration file",
    orElse: ({ texts }) => texts.AWS_DEFAULT_REGION ?? null,
    example: 'eu-central-1',
  }),
  /** The same; used when `AWS_REGION` is not set. */
  awsDefaultRegion: setting('AWS_DEFAULT_REGION', region, { example: 'eu-central-1' }),
  /** Another base address of KMS. */
  awsKmsEndpoint: setting('AWS_ENDPOINT_URL_KMS', baseAddress, {
    byDefault: 'the public one of the region',
    orElse: ({ texts }) => read.baseAddress(texts.AWS_ENDPOINT_URL ?? '') ?? null,
    example: 'https://vpce-0a1b.kms.eu-central-1.vpce.amazonaws.com',
  }),
  /** The same; used when `AWS_ENDPOINT_URL_KMS` is not set. */
  awsEndpoint: setting('AWS_ENDPOINT_URL', baseAddress, { example: 'http://localhost:4566' }),
  /** Needs `AWS_SECRET_ACCESS_KEY` beside it. */
  awsAccessKeyId: setting('AWS_ACCESS_KEY_ID', token('printable ASCII'), {
    byDefault: 'found where AWS clients look: profile, container, machine',
    check: (id, { texts }) =>
      id === null && texts.AWS_SECRET_ACCESS_KEY && 'be set beside AWS_SECRET_ACCESS_KEY',
    example: 'AKIA…',
  }),
  /** Needs `AWS_ACCESS_KEY_ID` beside it. */
  awsSecretAccessKey: setting('AWS_SECRET_ACCESS_KEY', token('printable ASCII'), {
    check: (key, { texts }) => key === null && texts.AWS_ACCESS_KEY_ID && 'be set beside AWS_ACCESS_KEY_ID',
  }),
  /** For temporary credentials. They expire: prefer a profile or the machine role, which renew them. */
  awsSessionToken: setting('AWS_SESSION_TOKEN', token('printable ASCII'), {}),
};

const needed = (value: string | null) => value === null && 'be set with KMS=vault';

export const vault = {
  /** Base address, without `/v1`. */
  vaultAddress: setting('VAULT_ADDR', baseAddress, {
    check: needed,
    example: 'https://vault.example.com:8200',
  }),
  /**
   * Read once, at the start. Use a periodic token that another program renews. If `VAULT_ADDR` is a Vault Agent that
   * puts in its own token (`use_auto_auth_token = "force"`), any word will do.
   */
  vaultToken: setting('VAULT_TOKEN', token('a token of printable ASCII'), {
    check: needed,
    example: 'hvs.…',
  }),
  /**
   * Name of a key of the engine mounted at `transit`. Its type must support associated data (`aes256-gcm96`,
   * `aes128-gcm96` or `chacha20-poly1305`); neither derived nor convergent.
   */
  vaultTransitKey: setting(
    'VAULT_TRANSIT_KEY',
    text('the name of a transit key', /^\w(?:[\w.-]{0,254}\w)?$/),
    { check: needed, example: 'drop' },
  ),
};
