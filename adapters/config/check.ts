import { type Setting, settings, type Values } from './settings.ts';

const all: Readonly<Record<string, Setting<unknown>>> = settings;

/**
 * Turns texts into values by the table of settings. A wrong one is named in `wrong`; its default stands in `values`
 * then, so that what depends on it can be judged too.
 */
export const checkSettings = (
  texts: Readonly<Record<string, string>>,
): { readonly values: Values; readonly wrong: readonly string[] } => {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, setting] of Object.entries(all)) {
    const text = texts[name];
    const value = text === undefined ? undefined : setting.read(text);
    if (text !== undefined && value === undefined) wrong.push(name);
    values[name] = value ?? (setting.default === undefined ? undefined : setting.read(setting.default));
  }
  return { values: values as Values, wrong };
};
