/** What the default or the check of a setting may use besides its own value. */
export interface SettingContext {
  readonly production: boolean;
  /** Outside production, on a host that only this machine reaches: careless defaults are allowed here. */
  readonly trial: boolean;
  readonly host: string;
  readonly accountsPort: number;
  readonly dataDir: string;
  /** Every setting as text, by its name in the environment. Its static default replaces a missing or wrong value. */
  readonly texts: Readonly<Record<string, string | undefined>>;
}

/** A kind of value: how it is parsed, described and shown. */
export interface Kind<T> {
  /** Parses the text. Relative paths start from `cwd`. Returns undefined for text that is not of this kind. */
  read(text: string, cwd: string): T | undefined;
  /** Completes "NAME must be …". */
  readonly must: string;
  /** May come as `NAME_FILE`, the path of a file that holds it. `config check` does not show it. */
  readonly secret?: true;
  /** An empty text is wrong. A setting of any other kind counts as not set if its text is empty. */
  readonly neverEmpty?: true;
  /** The text in `config check`, for values other than texts, numbers and lists. */
  show?(value: T): string;
}

/** What a setting has beside its name and its kind. */
interface Facts<T> {
  /** The default, written as in the environment. */
  readonly default?: string;
  /** The value when the setting is not set. */
  orElse?(context: SettingContext): T;
  /** The default in words, in Markdown, where `default` does not say it. */
  readonly byDefault?: string;
  /** The setting without which this one has no effect: `config check` then leaves it out. */
  readonly usedWith?: string;
  /** Completes "NAME must …" for a value that is not allowed in this context. Anything falsy: it is allowed. */
  check?(value: T, context: SettingContext): string | false | null | undefined;
}

/** One setting, with everything that servers, commands and documents need. */
export interface Setting<T> extends Kind<T>, Facts<T> {
  /** Its name in the environment. */
  readonly name: string;
}

interface Needed {
  /** What requires the setting, such as `KMS=vault`, in the words of the error. */
  readonly neededWith: string;
}

/** What gives a setting a value in any case. */
type Ensured<T> = { readonly default: string } | { orElse(context: SettingContext): T } | Needed;

/** An unset value without default is null; with `neededWith` it is rejected, where the setting's `Section` applies. */
export function setting<T>(name: string, kind: Kind<T>, facts: Facts<T> & Ensured<T>): Setting<T>;
export function setting<T>(name: string, kind: Kind<T>, facts?: Facts<T | null>): Setting<T | null>;
export function setting<T>(
  name: string,
  kind: Kind<T>,
  { neededWith, ...facts }: Facts<T> & Partial<Needed> = {},
): Setting<T> {
  if (neededWith === undefined) return { name, ...kind, ...facts };
  // Runs only where the setting's `Section` applies.
  const check = (value: T, context: SettingContext) =>
    value === null ? `be set with ${neededWith}` : facts.check?.(value, context);
  return { name, ...kind, ...facts, check };
}

/** Settings by their key in the code. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The values of settings, by the same keys. */
export type ValuesOf<S extends Settings> = {
  readonly [Key in keyof S]: S[Key] extends Setting<infer T> ? T : never;
};
