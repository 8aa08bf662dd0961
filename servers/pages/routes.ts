import type { PageConfig } from '../client/page-config.ts';
import { unknownRoute } from '../http/http-error.ts';
import { addressLanguage, pageLanguage } from '../http/page/page.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';
import { checkAuthorizationQuery } from './authorization-query.ts';
import type { Brand } from './branding.ts';
import { type Front, makeFiles, readManifest } from './built-files.ts';
import { fileParams, pageQuery } from './page-params.ts';
import { shell } from './shell.ts';

/** The configuration and branding of the pages. */
export interface PagesParts extends Pick<PageConfig, 'product' | 'links'> {
  readonly brand: Pick<Brand, 'theme' | 'logo' | 'icon'>;
  /** The redirect URIs of apps. */
  readonly returnAddresses: readonly string[];
  /** The sign-in methods beside a password. */
  readonly signIn: () => Pick<PageConfig, 'providers' | 'passkeys'>;
  /** Shown only outside production. */
  readonly trial: {
    readonly mails: string | null;
    /** Known once the service listens. */
    readonly origin: () => string;
    /** Null where there is none. */
    readonly console: () => string | null;
  } | null;
}

/** The configuration of the operators' console. */
export interface ConsolePagesParts extends Pick<PagesParts, 'product' | 'links' | 'brand'> {
  /** Whether passkeys work at its origin. */
  readonly passkeys: () => boolean;
  readonly console: Omit<ConsoleConfig, 'accounts'> & {
    /** Known once the account service listens. */
    readonly accounts: () => ConsoleConfig['accounts'];
  };
}

type ConsoleConfig = NonNullable<PageConfig['console']>;

/** The shells and files of a front, without any use case. */
const frontRoutes = (
  front: Front,
  brand: PagesParts['brand'],
  configOf: () => Omit<PageConfig, 'logo'>,
  /** Null for a front without authorization requests of apps. */
  returnAddresses: readonly string[] | null = null,
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
        400: {
          description: 'The app’s authorization request is malformed.',
          errors: ['invalid_return_to', 'invalid_state', 'invalid_challenge'],
        },
      },
      run: async ({ query, headers }) => {
        if (returnAddresses !== null) checkAuthorizationQuery(path, query, returnAddresses);
        const requested = addressLanguage(query.ui_locales);
        return shell({
          front,
          manifest,
          config: { ...configOf(), logo: brand.logo },
          path,
          language: requested ?? pageLanguage(headers['accept-language']),
          isLanguageInAddress: requested !== undefined,
          theme: brand.theme(),
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

/** The pages at which people look after their account. */
export const pagesRoutes = ({
  trial,
  brand,
  signIn,
  returnAddresses,
  ...config
}: PagesParts): readonly AnyRoute[] => {
  const configOf = () => ({
    ...config,
    ...signIn(),
    trial: trial && { ...trial, origin: trial.origin(), console: trial.console() },
  });
  return frontRoutes('account', brand, configOf, returnAddresses);
};

/** The pages at which operators work. */
export const consolePagesRoutes = ({
  brand,
  console,
  passkeys,
  ...config
}: ConsolePagesParts): readonly AnyRoute[] =>
  frontRoutes('console', brand, () => ({
    ...config,
    passkeys: passkeys(),
    console: { ...console, accounts: console.accounts() },
    providers: [],
    trial: null,
  }));
