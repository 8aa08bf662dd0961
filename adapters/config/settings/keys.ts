import { setting } from '../declare-setting.ts';
import { SECRET_RULES } from '../strong-secrets.ts';
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
} from '../value-kinds.ts';
import * as read from '../value-parsers.ts';

export const keys = {
  /**
   * Internal callers send it as `x-internal-secret`. One value, or two separated by a comma while you replace one.
   * Each has at least 32 random bytes of printable ASCII. `openssl rand -base64 33` makes one.
   */
  internalSecrets: setting(
    'INTERNAL_SECRET',
    secretsOrMade(SECRET_RULES.INTERNAL_SECRET),
    madeSecret('internal-secret'),
  ),
  /**
   * A separate secret for the metadata service. Same rules; it must differ from `INTERNAL_SECRET`. `openssl rand
   * -base64 33` makes one.
   *
   * Null: `internalSecrets` are valid there.
   */
  metadataSecrets: setting('METADATA_SECRET', secrets(SECRET_RULES.METADATA_SECRET), {
    byDefault: 'as `INTERNAL_SECRET`',
    check: (values, { texts }) => {
      const internal = texts.INTERNAL_SECRET?.split(',').map((part) => part.trim());
      return values?.some((secret) => internal?.includes(secret)) && 'differ from INTERNAL_SECRET';
    },
  }),
  /**
   * One or two values, as for `INTERNAL_SECRET`. The keys for codes, tokens, rate limits, the audit chain and short-lived
   * encrypted data are derived from it. The first value is used; data made under the second is still recognised.
   * [Changing it](#changing-hash_key).
   * `openssl rand -base64 33` makes one.
   */
  hashKeys: setting('HASH_KEY', secretsOrMade(SECRET_RULES.HASH_KEY), madeSecret('keys/hash-key')),
  /**
   * Private keys (EC, P-256) that sign access tokens, as a JWK set or a single JWK. The file is read again within a
   * second of a change; [see below](#signing-keys). Example: `/etc/gatehouse/signing.json`.
   */
  signingKeys: setting('SIGNING_KEYS_FILE', keysFile, madeKeysFile('signing.json')),
};

const local = {
  /**
   * Key file of the `local` KMS, which encrypts second factors and data keys. It is read again within a second of a
   * change. Example: `/etc/gatehouse/master.json`.
   */
  keys: setting('MASTER_KEYS_FILE', keysFile, madeKeysFile('master.json')),
};

const aws = {
  /**
   * The symmetric key that encrypts, as key id, ARN or alias. This text is stored beside what the key encrypted: after a
   * change, data under the earlier key stays readable as long as the credentials may use that key. So never point an
   * alias at another key. Example: `arn:aws:kms:eu-central-1:111122223333:key/…`.
   */
  keyId: setting('AWS_KMS_KEY_ID', text('a key id, key ARN or alias', /^[A-Za-z0-9:/_-]{1,2048}$/), {
    neededWith: 'KMS=aws',
  }),
  /** Another base address of KMS. Example: `https://vpce-0a1b.kms.eu-central-1.vpce.amazonaws.com`. */
  endpoint: setting('AWS_ENDPOINT_URL_KMS', baseAddress, {
    byDefault: '`AWS_ENDPOINT_URL`, or the public one of the region',
    orElse: ({ texts }) => read.baseAddress(texts.AWS_ENDPOINT_URL ?? '') ?? null,
  }),
};

const vault = {
  /** Base address, without `/v1`. Example: `https://vault.example.com:8200`. */
  address: setting('VAULT_ADDR', baseAddress, { neededWith: 'KMS=vault' }),
  /**
   * Read once, at the start. Use a periodic token that another program renews. If `VAULT_ADDR` is a Vault Agent that
   * puts in its own token (`use_auto_auth_token = "force"`), any word will do.
   */
  token: setting('VAULT_TOKEN', token('a token of printable ASCII'), { neededWith: 'KMS=vault' }),
  /**
   * Name of a key of the engine mounted at `transit`. Its type must support associated data (`aes256-gcm96`,
   * `aes128-gcm96` or `chacha20-poly1305`); neither derived nor convergent.
   */
  transitKey: setting('VAULT_TRANSIT_KEY', text('the name of a transit key', /^\w(?:[\w.-]{0,254}\w)?$/), {
    neededWith: 'KMS=vault',
  }),
};

/** The key management services by their name in `KMS`, each with its settings. */
export const kmsProviders = { local, aws, vault };

export type KmsKind = keyof typeof kmsProviders;

export const kms = {
  /**
   * Key management service that encrypts second factors and data keys: `local` (a key file), `aws` (AWS KMS) or
   * `vault` (transit engine of Vault or OpenBao). One cannot decrypt what another encrypted, so choose before you
   * store data.
   */
  kms: setting('KMS', oneOf(...(Object.keys(kmsProviders) as KmsKind[])), { default: 'local' }),
};
