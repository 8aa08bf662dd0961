type RemoteStoreSetting = 'MONGODB_URL' | 'POSTGRES_URL';

/** Which of the settings, given as texts, names a store behind a network; undefined for the embedded store. */
export const remoteStoreIn = (
  texts: Readonly<Record<string, string | undefined>>,
): RemoteStoreSetting | undefined => {
  if (texts.MONGODB_URL !== undefined) return 'MONGODB_URL';
  return texts.POSTGRES_URL === undefined ? undefined : 'POSTGRES_URL';
};

/** The same for parsed settings, where one that is not set is null. */
export const remoteStoreSetting = ({
  mongodbUrl,
  postgresUrl,
}: {
  readonly mongodbUrl: string | null;
  readonly postgresUrl: string | null;
}): RemoteStoreSetting | undefined =>
  remoteStoreIn({ MONGODB_URL: mongodbUrl ?? undefined, POSTGRES_URL: postgresUrl ?? undefined });
