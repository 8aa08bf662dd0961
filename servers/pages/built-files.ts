import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Language } from '../../core/index.ts';
import { makePackedFiles } from '../http/packed-files.ts';
import type { ResponseBody } from '../http/response-body.ts';

/** The texts of a page while its scripts are blocked. `provider` has the placeholder `{name}`. */
type PlainTexts = Readonly<
  Record<'noScript' | 'api' | 'methods' | 'password' | 'passkey' | 'provider', string>
>;

/** The build's manifest of the pages' files. */
export interface Manifest {
  readonly files: readonly string[];
  /** The scripts that every page begins with. */
  readonly entry: readonly string[];
  /** The script that runs before the first paint. */
  readonly early: string;
  readonly styles: string;
  /** The further scripts that each area of the pages needs before it is shown, by language. */
  readonly areas: Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>>;
  /** The area of each page, by its path. */
  readonly paths: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<Language, Readonly<Record<string, string>>>>;
  readonly plain: Readonly<Record<Language, PlainTexts>>;
  /** The texts of pages that are useful without scripts, by path. */
  readonly saidWithoutScript: Readonly<Record<Language, Readonly<Record<string, string>>>>;
}

/** A front that is built for browsers, with its own files. */
export type Front = 'account' | 'console';

const folderOf = (front: Front) => new URL(`files/${front}/`, import.meta.url);

/** Throws when the pages were not built. */
export const readManifest = (front: Front): Manifest =>
  JSON.parse(readFileSync(new URL('manifest.json', folderOf(front)), 'utf8'));

/** The styles of a front, as the build joined them. */
export const readStyles = (front: Front): Buffer =>
  gunzipSync(readFileSync(new URL(`${readManifest(front).styles}.gz`, folderOf(front))));

/** Other sites must not embed the files of a front. */
export const OWN_ORIGIN = { 'Cross-Origin-Resource-Policy': 'same-origin' } as const;

/** Returns the files as the build compressed them; undefined for names that the manifest does not have. */
export const makeFiles = (front: Front, manifest: Manifest) => {
  const names = new Set(manifest.files);
  const fileOf = makePackedFiles(folderOf(front), ['br', 'gzip']);

  return async (name: string, acceptEncoding?: string): Promise<ResponseBody<never> | undefined> => {
    if (!names.has(name)) return undefined;
    const response = await fileOf(name, acceptEncoding);
    return { ...response, headers: { ...response.headers, ...OWN_ORIGIN } };
  };
};
