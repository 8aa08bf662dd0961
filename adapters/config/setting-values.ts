/** Secrets that are set, or the file in `DATA_DIR` in which the first start generates one. */
export type Secrets = { readonly values: readonly string[] } | { readonly madeIn: string };

/** A key file. `made`: no file was named, so the first start generates this one. */
export interface KeysFile {
  readonly path: string;
  readonly made: boolean;
}

/** The provider's product ids by tier and billing cycle. */
export type Products = Readonly<Record<string, { readonly monthly?: string; readonly yearly?: string }>>;

/** scrypt: N = 2^ln, block size r, parallelisation p (RFC 7914). */
export interface ScryptConfig {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** An address that receives events, with its secrets: each signs every delivery. */
export interface WebhookTarget {
  readonly url: string;
  readonly secrets: readonly string[];
}
