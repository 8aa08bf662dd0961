import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { unknownRoute } from '../http/http-error.ts';
import { CACHE_FOREVER, chooseEncoding, type Encoding } from '../http/packed-files.ts';
import { BRAND_FILE_POLICY } from '../http/page/content-security-policy.ts';
import type { BrandAssets } from '../http/page/page.ts';
import { themeCss } from '../http/page/style.ts';
import type { ResponseBody } from '../http/response-body.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';
import { type Front, OWN_ORIGIN, readStyles } from './built-files.ts';
import { fileParams } from './page-params.ts';

interface BrandFile {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly bytes: Uint8Array;
}

/** The operator's own branding files; null where the operator has none. */
export interface BrandFiles {
  readonly logo: BrandFile | null;
  readonly logoDark: BrandFile | null;
  readonly icon: BrandFile | null;
  /** The text of `theme.css`; empty without this file. */
  readonly themeCss: string;
}

interface ServedFile {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
  /** The compressed body of the style sheet; pictures are sent as they are. */
  readonly packed?: Readonly<Record<Encoding, Buffer>>;
}

/** The branding, and the addresses of its files. */
export interface Brand extends BrandAssets {
  /** Gives the address of the style sheet: the pages' styles and the colours of the brand in one file. */
  readonly theme: () => string;
  readonly routes: readonly AnyRoute[];
}

const EXTENSIONS = { 'image/svg+xml': 'svg', 'image/png': 'png' } as const;

const fileOf = (folder: string, name: string, extension: string, type: string, body: Buffer): ServedFile => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 8);
  return { path: `${folder}/${name}.${digest}.${extension}`, type, body };
};

const picture = (folder: string, name: string, file: BrandFile | null): ServedFile | null =>
  file && fileOf(folder, name, EXTENSIONS[file.type], file.type, Buffer.from(file.bytes));

/** The path of a file without digest and extension. */
const kindOf = (path: string): string => path.split('.')[0] ?? '';

/**
 * The files of the brand as the pages load them. A name has a digest of the content, so the content under a name never changes.
 * While workers are renewed, a worker may be asked for a name that another worker gave. It then answers with its own file of
 * the same kind, which must not be cached under that name.
 */
export const makeBrand = (front: Front, files: BrandFiles, colour: string): Brand => {
  const folder = `/${front}/brand`;
  const logo = picture(folder, 'logo', files.logo);
  const dark = picture(folder, 'logo-dark', files.logoDark);
  const icon = picture(folder, 'icon', files.icon);
  // Computed for the first page: at the start it would cause a delay.
  let themeFile: ServedFile | undefined;
  const makeTheme = (): ServedFile => {
    const css = Buffer.concat([readStyles(front), Buffer.from(themeCss(colour, files.themeCss))]);
    return {
      ...fileOf(folder, 'theme', 'css', 'text/css; charset=utf-8', css),
      packed: { br: brotliCompressSync(css), gzip: gzipSync(css) },
    };
  };
  const theme = (): ServedFile => {
    themeFile ??= makeTheme();
    return themeFile;
  };

  const answer = (path: string, accepted = ''): ResponseBody<never> => {
    const served = [kindOf(path) === `${folder}/theme` ? theme() : null, logo, dark, icon].filter(
      (file) => file !== null,
    );
    const exact = served.find((file) => file.path === path);
    const chosen = exact ?? served.find((file) => kindOf(file.path) === kindOf(path));
    if (chosen === undefined) throw unknownRoute();
    const encoding = chooseEncoding(accepted, ['br', 'gzip']);
    const packed = encoding && chosen.packed?.[encoding];
    return {
      status: 200,
      body: packed ?? chosen.body,
      headers: {
        ...OWN_ORIGIN,
        // Replaces the `Vary: Origin` of the CORS answer, which `allowOrigins` has set.
        ...(chosen.packed && { Vary: 'Accept-Encoding, Origin' }),
        ...(packed && { 'Content-Encoding': encoding }),
        'Cache-Control': exact === undefined ? 'no-store' : CACHE_FOREVER,
        'Content-Type': chosen.type,
        'Content-Security-Policy': BRAND_FILE_POLICY,
      },
    };
  };

  return {
    theme: () => theme().path,
    themeCss: files.themeCss,
    logo: logo && { light: logo.path, dark: dark?.path ?? null },
    icon: icon?.path ?? null,
    routes: [
      openRoute({
        method: 'GET',
        bucket: 'pages',
        path: `${folder}/{file}`,
        summary: 'Colours, logo and icon of the brand',
        params: fileParams,
        answers: {
          200: { description: 'Style or picture.', types: ['text/css', ...Object.keys(EXTENSIONS)] },
          404: { description: 'There is no such file.', errors: ['not_found'] },
        },
        run: async ({ params: { file }, headers }) =>
          answer(`${folder}/${file}`, headers['accept-encoding']?.toString()),
      }),
    ],
  };
};
