import { CoreError } from '../errors.ts';
import type { Digest, Kms } from '../ports.ts';
import { object, optional, type TypeOf, text } from '../schema.ts';
import { acceptText } from './accept-text.ts';
import { invalidDek, invalidEncDek } from './errors.ts';
import type { FilesPolicy } from './policy.ts';

export const WRAPPED_KEY_EXAMPLE = 'gd1.47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU.c2VhbGVk';

export const DEK_ENC = text({
  minLength: 1,
  maxLength: 2_048,
  description: 'The wrapped data key',
  examples: [WRAPPED_KEY_EXAMPLE],
});

export const DEK_EXAMPLE = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const CONTEXT = optional(
  text({
    minLength: 1,
    maxLength: 256,
    description: 'What the wrapped key is bound to; unwrapping needs the same text',
    examples: ['file-1'],
  }),
);

export const wrapKeyInput = object({
  dek: text({
    minLength: 32,
    maxLength: 64,
    description:
      '32 bytes: base64 or base64url of them, 64 hex digits, or 32 printable ASCII characters (space included)',
    examples: [DEK_EXAMPLE],
  }),
  context: CONTEXT,
});
export type WrapKeyInput = TypeOf<typeof wrapKeyInput>;

export const unwrapKeyInput = object({ dekEnc: DEK_ENC, context: CONTEXT });
export type UnwrapKeyInput = TypeOf<typeof unwrapKeyInput>;

export const wrappedKey = object({ dekEnc: DEK_ENC }, { title: 'WrappedKey' });
export const dataKey = object(
  { dek: text({ description: 'Exactly the text that was wrapped', examples: [DEK_EXAMPLE] }) },
  { title: 'DataKey' },
);

/** The accepted forms of 32 bytes. In base64 the lower two bits of the 43rd character encode nothing, and must be zero. */
const FORMS = [
  /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$/,
  /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]=?$/,
  /^[0-9a-fA-F]{64}$/,
  /^[\x20-\x7e]{32}$/,
];

/** `gd1.<SHA-256 of the context, base64url>.<what the KMS sealed>`: with the digest, rotation does not need the context. */
const WRAPPED = /^gd1\.([A-Za-z0-9_-]{43})\.(.+)$/s;

const parseWrapped = (dekEnc: string) => {
  const [, digest, sealed] = WRAPPED.exec(dekEnc) ?? [];
  return digest === undefined || sealed === undefined ? undefined : { digest, sealed };
};

/** The id of the master key that wrapped a data key; null if this product did not wrap it. */
export const dataKeyId = (dekEnc: string, kms: Pick<Kms, 'keyOf'>): string | null => {
  const wrapped = parseWrapped(dekEnc);
  return wrapped === undefined ? null : (kms.keyOf(wrapped.sealed) ?? null);
};

interface DataKeyDeps {
  readonly kms: Kms;
  readonly digest: Pick<Digest, 'sha256'>;
  readonly policy: FilesPolicy;
}

/** What binds wrapped keys to a context: their prefix, and the associated data of the KMS. */
const bindingOf = (contextDigest: string) => ({
  prefix: `gd1.${contextDigest}.`,
  associatedData: `dek:${contextDigest}`,
});

/**
 * Wraps and unwraps data keys under the master key, so that a wrapped key can be stored anywhere. Throws `unavailable`
 * while the KMS is down.
 */
export const makeDataKeys = ({ kms, digest, policy }: DataKeyDeps) => {
  // A context has at least one character, so the empty text stands for no context.
  const bindingWithoutContext = bindingOf(digest.sha256(''));

  const bindingTo = (context: string | undefined) => {
    if (context === undefined) return bindingWithoutContext;
    acceptText('context', context, policy.contextLongest);
    return bindingOf(digest.sha256(context));
  };

  const open = (sealed: string, associatedData: string): Promise<Uint8Array> =>
    kms.open(sealed, associatedData).catch((error: unknown) => {
      throw error instanceof CoreError && error.kind === 'invalid' ? invalidEncDek() : error;
    });

  const wrap = async ({ dek, context }: WrapKeyInput): Promise<{ readonly dekEnc: string }> => {
    if (!FORMS.some((form) => form.test(dek))) throw invalidDek();
    const { prefix, associatedData } = bindingTo(context);
    return { dekEnc: prefix + (await kms.seal(new TextEncoder().encode(dek), associatedData)) };
  };

  const unwrap = async ({ dekEnc, context }: UnwrapKeyInput): Promise<{ readonly dek: string }> => {
    const { prefix, associatedData } = bindingTo(context);
    if (dekEnc.length > policy.wrappedKeyLongest || !dekEnc.startsWith(prefix)) throw invalidEncDek();
    return { dek: new TextDecoder().decode(await open(dekEnc.slice(prefix.length), associatedData)) };
  };

  /** The same data key under the current master key, still bound to its context. Throws `invalid` (`invalid_enc_dek`). */
  const rewrap = async (dekEnc: string): Promise<string> => {
    const wrapped = parseWrapped(dekEnc);
    if (wrapped === undefined) throw invalidEncDek();
    const { prefix, associatedData } = bindingOf(wrapped.digest);
    const plain = await open(wrapped.sealed, associatedData);
    return prefix + (await kms.seal(plain, associatedData));
  };

  return { wrap, unwrap, rewrap };
};

export type DataKeys = ReturnType<typeof makeDataKeys>;
