import { WrongFile } from './watched-file.ts';

/** Throws `WrongFile`, which unlike the parser's own error quotes nothing of the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongFile('is not JSON');
  }
};

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
