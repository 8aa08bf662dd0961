import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExportFlags, openExport } from '../../../cli/import-from/open-export.ts';
import { products } from '../../../cli/import-from/products.ts';
import type { Fields } from '../../../core/import-lines.ts';
import { FILES_BESIDE } from './samples.ts';

const productNamed = (name: string) => {
  const product = products[name];
  if (product === undefined) throw new Error(`There is no product ${name}.`);
  return product;
};

/** Writes an export into a folder, with the files beside it, and opens it. */
export const openSample = (
  folder: string,
  name: string,
  text: string | Buffer,
  {
    flags = {},
    beside = FILES_BESIDE[name] ?? {},
  }: { flags?: ExportFlags; beside?: Record<string, string> } = {},
) => {
  const write = (file: string, content: string | Buffer): string => {
    writeFileSync(join(folder, file), content);
    return join(folder, file);
  };
  const files = Object.entries(beside).map(([flag, content]) => [flag, write(flag, content)]);
  return openExport(write('export', text), productNamed(name), { ...Object.fromEntries(files), ...flags });
};

export interface ReadSample {
  /** For each user an object with the fields of its line, or with the problem. */
  readonly lines: readonly Fields[];
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Writes an export, opens it and reads all its users. */
export const readSample = async (...args: Parameters<typeof openSample>): Promise<ReadSample> => {
  const source = await openSample(...args);
  const lines: Fields[] = [];
  try {
    for await (const line of source.lines(() => undefined))
      if (line !== '') lines.push(typeof line === 'string' ? JSON.parse(line) : { ...line });
  } finally {
    source.close();
  }
  return { lines, leftOut: source.leftOut() };
};
