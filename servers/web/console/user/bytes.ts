import { parseBytes } from '../../../../core/byte-size.ts';

/** The bytes of a size, as commands take it; NaN where it is none. A comma before three digits may be one of thousands. */
export const bytesOf = (text: string): number =>
  /,\d{3}/.test(text) ? Number.NaN : (parseBytes(text.trim().replace(',', '.')) ?? Number.NaN);
