import type { Config } from '../config/config-types.ts';
import { inDataDir } from '../data-dir.ts';
import { readOrMakeSecret } from '../files/create-or-replace-secret-file.ts';

/** The origin of the account service, and the issuer of its tokens. */
export interface Origin {
  /** The host of the origin. Empty before the service listens if `HOST` is an IPv6 address and there is no `PUBLIC_URL`. */
  host(): string;
  /** The origin of the account service, once it listens. */
  origin(): string;
  issuer(): string;
  /** Sets the origin and the issuer. If `publicUrl` is null, this is called once the service listens. */
  listensAt(origin: string): Promise<void>;
}

/**
 * `PUBLIC_URL`, or else the address of the process. Without `PUBLIC_URL` the issuer is the first origin that was used with
 * the data folder, whatever the port of each process, so that all of them accept each other's tokens.
 */
export const openOrigin = async (
  config: Pick<Config, 'publicUrl' | 'host' | 'issuerFile'>,
): Promise<Origin> => {
  const { publicUrl, issuerFile } = config;
  // With `PUBLIC_URL` there is no issuer file. The issuer is no secret, but its file is created in the same way: once, by one of
  // several processes.
  const origin = makeOrigin(config, async (ownOrigin) =>
    issuerFile === null ? ownOrigin : inDataDir(readOrMakeSecret(issuerFile, () => ownOrigin)),
  );
  if (publicUrl !== null) await origin.listensAt(publicUrl);
  return origin;
};

/** `issuerAt` returns the issuer for a service that listens at an origin. */
export const makeOrigin = (
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  issuerAt: (origin: string) => Promise<string>,
): Origin => {
  let serviceOrigin = publicUrl ?? `http://${host}`;
  let issuer = serviceOrigin;
  return {
    host: () => (URL.canParse(serviceOrigin) ? new URL(serviceOrigin).hostname : ''),
    origin: () => serviceOrigin,
    issuer: () => issuer,
    listensAt: async (origin) => {
      serviceOrigin = origin;
      issuer = await issuerAt(origin);
    },
  };
};
