import { FailedAttempt } from '../calls/failed-attempt.ts';
import { readText } from '../calls/read-text.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { isRecord } from '../files/json.ts';

/** More than any response of Vault has. */
const MOST_RESPONSE_BYTES = 65_536;

type Data = Readonly<Record<string, unknown>>;

const garbled = () => new FailedAttempt('passing', 'garbled');
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const readData = (text: string): Data => {
  try {
    const { data } = JSON.parse(text);
    if (isRecord(data)) return data;
  } catch {
    // The parser's message would quote the response.
  }
  throw garbled();
};

const failureOf = (status: number): FailedAttempt => {
  if (status === 429) return new FailedAttempt('passing', 'throttled');
  // 412: a node has not yet received a write of another node (eventual consistency).
  if (status === 412 || status >= 500) return new FailedAttempt('passing', 'failed');
  if (status === 400) return new FailedAttempt('lasting', 'rejected');
  if (status === 403) return new FailedAttempt('lasting', 'denied');
  return new FailedAttempt('lasting', status === 404 ? 'key_unusable' : 'unexpected');
};

/**
 * Speaks to the transit engine at its usual mount (https://developer.hashicorp.com/vault/api-docs/secret/transit). Each call
 * throws `FailedAttempt`, with reason `rejected` for status 400.
 */
export const makeTransitApi = (settings: { readonly address: string; readonly token: string }) => {
  const vaultHeaders = { 'X-Vault-Token': settings.token, 'X-Vault-Request': 'true' };

  /** The text of a successful response. */
  const ask = async (
    method: string,
    path: string,
    body: Data | null,
    signal: AbortSignal,
  ): Promise<string> => {
    const address = `${settings.address}/v1/transit/${path}`;
    const headers = { ...traceHeaders(), ...vaultHeaders };
    const init =
      body === null
        ? { headers }
        : { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    try {
      // Redirects are not followed: fetch would send the token to the new address.
      const response = await fetch(address, { method, redirect: 'manual', signal, ...init });
      const text = await readText(response, MOST_RESPONSE_BYTES, garbled);
      if (!response.ok) throw failureOf(response.status);
      return text;
    } catch (error) {
      throw error instanceof FailedAttempt ? error : new FailedAttempt('passing', 'unreachable');
    }
  };

  return {
    /** Returns `vault:v<version>:<base64>`. */
    encrypt: async (
      key: string,
      plain: Uint8Array,
      associated: Uint8Array,
      signal: AbortSignal,
    ): Promise<string> => {
      const body = { plaintext: base64(plain), associated_data: base64(associated) };
      const { ciphertext } = readData(await ask('POST', `encrypt/${key}`, body, signal));
      if (typeof ciphertext !== 'string') throw garbled();
      return ciphertext;
    },
    decrypt: async (
      key: string,
      ciphertext: string,
      associated: Uint8Array,
      signal: AbortSignal,
    ): Promise<Buffer> => {
      const body = { ciphertext, associated_data: base64(associated) };
      const { plaintext } = readData(await ask('POST', `decrypt/${key}`, body, signal));
      if (typeof plaintext !== 'string') throw garbled();
      return Buffer.from(plaintext, 'base64');
    },
    readLatestVersion: async (key: string, signal: AbortSignal): Promise<number> => {
      const { latest_version: latest } = readData(await ask('GET', `keys/${key}`, null, signal));
      if (typeof latest !== 'number' || !Number.isSafeInteger(latest) || latest < 1) throw garbled();
      return latest;
    },
    // Does not read the response: some versions respond with the key, others with an empty body.
    rotate: async (key: string, signal: AbortSignal): Promise<void> => {
      await ask('POST', `keys/${key}/rotate`, {}, signal);
    },
  };
};
