import { chooseLanguage } from '../../core/accounts/mail/languages.ts';
import type { PageConfig } from '../client/page-config.ts';
import { unknownRoute } from '../http/http-error.ts';
import { addressLanguage } from '../http/page/page.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';
import { checkAuthorizationQuery } from './authorization-query.ts';
import type { Brand } from './branding.ts';
import { type Front, makeFiles, readManifest } from './built-files.ts';
import { fileParams, MALFORMED_REQUEST, pageQuery } from './page-params.ts';
import { shell } from './shell.ts';

/** What the pages of a front are made of. */
export interface PagesParts {
  readonly brand: Pick<Brand, 'theme' | 'icon'>;
  /** Called for each page: the services know their addresses only once they listen. */
  readonly config: () => PageConfig;
  /** The redirect URIs of apps; null for a front without authorization requests. */
  readonly returnAddresses: readonly string[] | null;
}

/** The shells and files of a front, without any use case. */
export const pagesRoutes = (
  front: Front,
  { brand, config, returnAddresses }: PagesParts,
): readonly AnyRoute[] => {
  const manifest = readManifest(front);
  const fileOf = makeFiles(front, manifest);

  const pageAt = (path: string): AnyRoute =>
    openRoute({
      method: 'GET',
      bucket: 'pages',
      path,
      summary: manifest.titles.en[path] ?? path,
      query: pageQuery,
      answers: {
        200: { description: 'The page.', types: ['text/html'] },
        400: MALFORMED_REQUEST,
      },
      run: async ({ query, headers }) => {
        if (returnAddresses !== null) checkAuthorizationQuery(path, query, returnAddresses);
        const requested = addressLanguage(query.ui_locales);
        return shell({
          front,
          manifest,
          config: config(),
          path,
          language: requested ?? chooseLanguage(headers['accept-language'] ?? null),
          isLanguageInAddress: requested !== undefined,
          theme: brand.theme(),
          // An empty icon: otherwise browsers would request `/favicon.ico`.
          icon: brand.icon ?? 'data:,',
        });
      },
    });

  return [
    ...Object.keys(manifest.paths).map(pageAt),
    openRoute({
      method: 'GET',
      bucket: 'pages',
      path: `/${front}/files/{file}`,
      summary: 'A script or style of the pages',
      params: fileParams,
      answers: {
        200: { description: 'Script or style.', types: ['text/javascript', 'text/css'] },
        404: { description: 'There is no such file.', errors: ['not_found'] },
      },
      run: async ({ params: { file }, headers }) => {
        const response = await fileOf(file, headers['accept-encoding']?.toString());
        if (response === undefined) throw unknownRoute();
        return response;
      },
    }),
  ];
};
