/** Earlier names of ports: apps may use them until 1.0, and the metrics keep them as labels. */
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
    // The sets of ports that we export have present names alone. An app that passes both names has spread such a set and replaced
    // one port under its former name, so the former name wins.
    renamed[name] = renamed[formerName] ?? renamed[name];
    delete renamed[formerName];
  }
  return renamed as Ports;
};
