/** One item of a request header that lists what the client would take (RFC 9110 section 12.4.2). */
export interface Preference {
  /** 0 to 1; 0: not wanted. */
  readonly weight: number;
  /** The position in the header: of equal weights the first counts. */
  readonly place: number;
}

export const NOT_WANTED: Preference = { weight: 0, place: 0 };

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** A malformed weight counts as 0. */
const weightOf = (parameters: readonly string[]): number => {
  const given = parameters.map((one) => one.trim()).find((one) => /^q=/i.test(one));
  return given === undefined ? 1 : Number(WEIGHT.exec(given)?.[1] ?? 0);
};

/** The best preference for each of the names that are known. `nameOf` makes a name of an item in lower case. */
export const readPreferences = (
  header: string,
  known: ReadonlySet<string>,
  nameOf: (item: string) => string = (item) => item,
): ReadonlyMap<string, Preference> => {
  const found = new Map<string, Preference>();
  header.split(',').forEach((item, place) => {
    const [first = '', ...parameters] = item.split(';');
    const name = nameOf(first.trim().toLowerCase());
    const weight = weightOf(parameters);
    const earlier = found.get(name);
    if (known.has(name) && (earlier === undefined || earlier.weight < weight))
      found.set(name, { weight, place });
  });
  return found;
};
