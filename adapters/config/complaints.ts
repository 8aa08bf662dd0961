import type { RawSettings } from './environment.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

const all: Readonly<Record<string, Setting<unknown>>> = settings;

/** Collects what is wrong, one line a setting, in the order of the table of settings. */
export interface Complaints {
  /** `must` completes "NAME must …"; the first complaint about a setting stands. */
  add(name: SettingName, must: string): void;
  /** The value, or an empty text and a complaint when there is none. */
  need<T>(name: SettingName, value: T | undefined, when: string): T | '';
  readonly lines: readonly string[];
}

export const makeComplaints = (raw: RawSettings, wrong: readonly string[]): Complaints => {
  const byName = new Map<string, string>();
  const add = (name: string, must: string) => {
    if (!byName.has(name)) byName.set(name, `${raw.labels[name] ?? name} must ${must}.`);
  };
  for (const name of wrong) add(name, `be ${all[name]?.must}`);
  const order = Object.keys(all);
  return {
    add,
    need: (name, value, when) => {
      if (value === undefined) add(name, `be set ${when}`);
      return value ?? '';
    },
    get lines() {
      const sorted = [...byName].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
      return [...raw.problems, ...sorted.map(([, line]) => line)];
    },
  };
};
