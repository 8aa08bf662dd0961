/** An item of a request header with weighted preferences (RFC 9110 section 12.4.2). */
export interface Preference {
  /** 0 to 1; 0: not acceptable. */
  readonly weight: number;
  /** The position in the header. Among equal weights, the first item counts. */
  readonly index: number;
}

export const NOT_WANTED: Preference = { weight: 0, index: 0 };

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** A malformed weight counts as 0. */
const weightOf = (parameters: readonly string[]): number => {
  const weight = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q=/i.test(parameter));
  return weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1] ?? 0);
};

/** The best preference for each of the `names`. `nameOf` derives a name from an item in lower case. */
export const readPreferences = (
  header: string,
  names: ReadonlySet<string>,
  nameOf: (item: string) => string = (item) => item,
): ReadonlyMap<string, Preference> => {
  const preferences = new Map<string, Preference>();
  header.split(',').forEach((item, index) => {
    const [value = '', ...parameters] = item.split(';');
    const name = nameOf(value.trim().toLowerCase());
    const weight = weightOf(parameters);
    const earlier = preferences.get(name);
    if (names.has(name) && (earlier === undefined || earlier.weight < weight))
      preferences.set(name, { weight, index });
  });
  return preferences;
};
