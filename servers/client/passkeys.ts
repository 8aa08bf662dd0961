import type { components } from './accounts.generated.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

type Schemas = components['schemas'];
export type PasskeyCreationOptions = Schemas['PasskeyCreationOptions'];
export type PasskeyRequestOptions = Schemas['PasskeyRequestOptions'];

/** The member `credential` of requests to the service: JSON of WebAuthn Level 3. */
export type PasskeyCredential = Schemas['PasskeyAnswer']['credential'];

/** The passkey APIs of browsers. The members that end in `JSON` are missing in browsers from before 2025. */
interface PasskeyGlobals {
  readonly PublicKeyCredential?: {
    parseCreationOptionsFromJSON?(options: PasskeyCreationOptions): object;
    parseRequestOptionsFromJSON?(options: PasskeyRequestOptions): object;
  };
  readonly navigator?: {
    readonly credentials?: {
      create(options: object): Promise<Credential | null>;
      get(options: object): Promise<Credential | null>;
    };
  };
}

interface Credential {
  readonly id: string;
  readonly rawId: ArrayBuffer;
  readonly type: string;
  readonly authenticatorAttachment?: string | null;
  readonly response: Readonly<Record<string, unknown>> & { getTransports?(): readonly string[] };
  getClientExtensionResults(): object;
  toJSON?(): PasskeyCredential;
}

const withDecodedIds = (credentials: readonly Schemas['NamedCredential'][]) =>
  credentials.map((credential) => ({ ...credential, id: fromBase64Url(credential.id) }));

const decodeCreationOptions = (options: PasskeyCreationOptions): object => ({
  ...options,
  challenge: fromBase64Url(options.challenge),
  user: { ...options.user, id: fromBase64Url(options.user.id) },
  excludeCredentials: withDecodedIds(options.excludeCredentials),
});

const decodeRequestOptions = (options: PasskeyRequestOptions): object => ({
  ...options,
  challenge: fromBase64Url(options.challenge),
  allowCredentials: withDecodedIds(options.allowCredentials),
});

/** The members of an authenticator's response that hold bytes. A response has some of them, depending on its kind. */
const BYTE_MEMBERS = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];

const toJson = (credential: Credential): PasskeyCredential => {
  if (typeof credential.toJSON === 'function') return credential.toJSON();
  const { id, rawId, type, authenticatorAttachment, response } = credential;
  // The members of `response` are getters of its prototype, so a spread would not copy them.
  const bytes = BYTE_MEMBERS.map((name) => [name, response[name]] as const).filter(
    (member): member is readonly [string, ArrayBuffer] => member[1] instanceof ArrayBuffer,
  );
  const texts = bytes.map(([name, value]) => [name, toBase64Url(new Uint8Array(value))]);
  const transports = response.getTransports?.();
  return {
    id,
    type,
    rawId: toBase64Url(new Uint8Array(rawId)),
    response: { ...Object.fromEntries(texts), ...(transports && { transports }) },
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: credential.getClientExtensionResults(),
  };
};

const findPasskeyApis = () => {
  // `Object` changes only the type: not every platform declares these globals.
  const { PublicKeyCredential, navigator }: PasskeyGlobals = Object(globalThis);
  const credentials = navigator?.credentials;
  return PublicKeyCredential && credentials && { PublicKeyCredential, credentials };
};

const requirePasskeyApis = () => {
  const passkeyApis = findPasskeyApis();
  if (passkeyApis === undefined) throw new Error('This browser or page cannot use passkeys.');
  return passkeyApis;
};

const requireCredential = (credential: Credential | null): PasskeyCredential => {
  if (credential === null) throw new Error('The browser returned no passkey.');
  return toJson(credential);
};

/** Whether the browser can use passkeys. Old browsers cannot, nor can pages over http, except on `localhost`. */
export const hasPasskeys = (): boolean => findPasskeyApis() !== undefined;

/** `createPasskey` of `checked-passkeys.ts` without the check of its argument. */
export const createPasskey = async (options: PasskeyCreationOptions): Promise<PasskeyCredential> => {
  const { PublicKeyCredential, credentials } = requirePasskeyApis();
  const publicKey =
    PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? decodeCreationOptions(options);
  return requireCredential(await credentials.create({ publicKey }));
};

/** `askPasskey` of `checked-passkeys.ts` without the check of its arguments. */
export const askPasskey = async (
  options: PasskeyRequestOptions,
  more: object = {},
): Promise<PasskeyCredential> => {
  const { PublicKeyCredential, credentials } = requirePasskeyApis();
  const publicKey =
    PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? decodeRequestOptions(options);
  return requireCredential(await credentials.get({ ...more, publicKey }));
};
