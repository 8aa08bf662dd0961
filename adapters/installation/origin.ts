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
export const openOrigin = async (
  config: Pick<Config, 'publicUrl' | 'host' | 'issuerFile'>,
): Promise<Origin> => {
  const { publicUrl, issuerFile } = config;
  const origin = makeOrigin(config, async (first) =>
    issuerFile === null ? first : inDataDir(readOrMakeSecret(issuerFile, () => first)),
  );
  if (publicUrl !== null) await origin.listensAt(publicUrl);
  return origin;
};

/** `issuerAt` gives who issues the tokens of a service that listens at an origin. */
export const makeOrigin = (
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  issuerAt: (origin: string) => Promise<string>,
): Origin => {
  let own = publicUrl ?? `http://${host}`;
  let issuer = own;
  return {
    host: () => (URL.canParse(own) ? new URL(own).hostname : ''),
    origin: () => own,
    issuer: () => issuer,
    listensAt: async (origin) => {
      own = origin;
      issuer = await issuerAt(origin);
    },
  };
};
