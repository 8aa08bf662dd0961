import { path, search } from '../base/router.ts';

/** The address of this page with changed parameters; empty ones are removed. Without a new cursor, the list begins again. */
export const withQuery = (changes: Readonly<Record<string, string | null>>): string => {
  const parameters = new URLSearchParams(search.value);
  parameters.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? path.value : `${path.value}?${text}`;
};

export const parameter = (name: string): string => new URLSearchParams(search.value).get(name) ?? '';

/** Parameters of the address, for the query of a list. */
export const parameters = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, parameter(name)]));
