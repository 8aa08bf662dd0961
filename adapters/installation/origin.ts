import type { Config } from '../config/types.ts';
import { inDataDir } from '../data-dir.ts';
import { readOrMakeSecret } from '../files/secret-file.ts';

/** Where the account service is known to be, and who its tokens are issued by. */
export interface Origin {
  /** Nothing while an address of IPv6 stands there without its brackets, before the port is known. */
  host(): string;
  /** Of the account service, once it listens. */
  origin(): string;
  issuer(): string;
  /** To be told where the service listens when the settings leave the port to the start. */
  listensAt(origin: string): Promise<void>;
}

/**
 * `PUBLIC_URL`, or else what a process listens at; then tokens are issued by the first origin that was used with the
 * data folder, whatever the port of each process, so that all of them take each other's tokens.
 */
export const openOrigin = async ({
  publicUrl,
  host,
  issuerFile,
}: Pick<Config, 'publicUrl' | 'host' | 'issuerFile'>): Promise<Origin> => {
  let own = publicUrl ?? `http://${host}`;
  let issuer = own;
  const listensAt = async (origin: string) => {
    own = origin;
    issuer = issuerFile === null ? origin : await inDataDir(readOrMakeSecret(issuerFile, () => origin));
  };
  if (publicUrl !== null) await listensAt(publicUrl);
  return {
    host: () => (URL.canParse(own) ? new URL(own).hostname : ''),
    origin: () => own,
    issuer: () => issuer,
    listensAt,
  };
};
