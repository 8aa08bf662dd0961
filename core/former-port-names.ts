/** Names that ports had before: apps may use them until 1.0, and the metrics keep them as labels. */
export const FORMER_PORT_NAMES = {
  sessionCache: 'presences',
  attempts: 'tries',
  jobResults: 'findings',
  cacheGeneration: 'epoch',
} as const;

/** The ports that an app passes, under their present names. */
export const withPresentNames = <Ports extends object>(ports: Ports): Ports => {
  const renamed: Record<string, unknown> = Object.fromEntries(Object.entries(ports));
  for (const [name, formerName] of Object.entries(FORMER_PORT_NAMES)) {
    if (!(formerName in renamed)) continue;
    // The former name wins: our sets of ports use present names alone, so an app that passes both overrides a port of such a set.
    renamed[name] = renamed[formerName] ?? renamed[name];
    delete renamed[formerName];
  }
  return renamed as Ports;
};
