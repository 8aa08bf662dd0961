/** The setting that names a store behind a network; undefined for the embedded store. */
export const remoteStoreSetting = ({
  mongodbUrl,
  postgresUrl,
}: {
  readonly mongodbUrl: string | null;
  readonly postgresUrl: string | null;
}): 'MONGODB_URL' | 'POSTGRES_URL' | undefined => {
  if (mongodbUrl !== null) return 'MONGODB_URL';
  return postgresUrl === null ? undefined : 'POSTGRES_URL';
};

/** Whether these texts of settings name a store behind a network. */
export const nameRemoteStore = (texts: Readonly<Record<string, string | undefined>>): boolean =>
  texts.MONGODB_URL !== undefined || texts.POSTGRES_URL !== undefined;
