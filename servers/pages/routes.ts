import { chooseLanguage, languages } from '../../core/accounts/mail/languages.ts';
import type { Language } from '../../core/index.ts';
import type { PageConfig } from '../client/page-config.ts';
import { unknownRoute } from '../http/http-error.ts';
import { type AnyRoute, route } from '../http/route.ts';
import type { Brand } from './brand.ts';
import { fileParams, pageQuery } from './fields.ts';
import { type Front, makeFiles, readManifest } from './files.ts';
import { shell } from './shell.ts';
import { checkWayBack } from './way-back.ts';

/** What the pages are told, and how the product looks. */
export interface PagesParts extends Pick<PageConfig, 'product' | 'links'> {
  readonly brand: Pick<Brand, 'theme' | 'logo' | 'icon'>;
  /** Where apps may have people sent back to. */
  readonly returnAddresses: readonly string[];
  /** The ways to sign in beside a password. */
  readonly signIn: () => Pick<PageConfig, 'providers' | 'passkeys'>;
  /** What only a start for trying out shows. */
  readonly trial: {
    readonly mails: string | null;
    /** Known once the service listens. */
    readonly origin: () => string;
    /** Null where there is none. */
    readonly console: () => string | null;
  } | null;
}

/** The same for the operators' console. */
export interface ConsolePagesParts extends Pick<PagesParts, 'product' | 'links' | 'brand'> {
  /** Whether passkeys are taken at its origin. */
  readonly passkeys: () => boolean;
  readonly console: Omit<Told, 'accounts'> & {
    /** Known once the account service listens. */
    readonly accounts: () => Told['accounts'];
  };
}

type Told = NonNullable<PageConfig['console']>;

/** `ui_locales` as OpenID Connect has it: tags separated by blanks, the best first. */
const askedLanguage = (tags = ''): Language | undefined =>
  tags
    .split(' ')
    .map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '')
    .find((tag): tag is Language => Object.hasOwn(languages, tag));

const open = { method: 'GET', access: 'open', bucket: 'pages' } as const;

const FORM = { types: ['text/html'] } as const;

/** The shells and files of a front, without any use case. */
const frontRoutes = (
  front: Front,
  brand: PagesParts['brand'],
  configOf: () => Omit<PageConfig, 'logo'>,
  /** Null where nobody comes from an app: `state` of the address is then the page's own. */
  returnAddresses: readonly string[] | null = null,
): readonly AnyRoute[] => {
  const manifest = readManifest(front);
  const fileOf = makeFiles(front, manifest);

  const pageAt = (path: string): AnyRoute =>
    route({
      ...open,
      path,
      summary: manifest.titles.en[path] ?? path,
      query: pageQuery,
      answers: {
        200: { description: 'The page.', ...FORM },
        400: {
          description: 'An app sent somebody here, but not as an app of ours does.',
          errors: ['invalid_return_to', 'invalid_state', 'invalid_challenge'],
        },
      },
      run: async ({ query, headers }) => {
        if (returnAddresses !== null) checkWayBack(path, query, returnAddresses);
        return shell({
          front,
          manifest,
          config: { ...configOf(), logo: brand.logo },
          path,
          language: askedLanguage(query.ui_locales) ?? chooseLanguage(headers['accept-language'] ?? null),
          theme: brand.theme(),
          icon: brand.icon ?? 'data:,',
        });
      },
    });

  return [
    ...Object.keys(manifest.paths).map(pageAt),
    route({
      ...open,
      path: `/${front}/files/{file}`,
      summary: 'What the pages are made of',
      params: fileParams,
      answers: {
        200: { description: 'Script or style.', types: ['text/javascript', 'text/css'] },
        404: { description: 'There is no such file.', errors: ['not_found'] },
      },
      run: async ({ params: { file }, headers }) => {
        const found = await fileOf(file, headers['accept-encoding']?.toString());
        if (found === undefined) throw unknownRoute();
        return found;
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
  ...given
}: PagesParts): readonly AnyRoute[] => {
  const configOf = () => ({
    ...given,
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
  ...given
}: ConsolePagesParts): readonly AnyRoute[] =>
  frontRoutes('console', brand, () => ({
    ...given,
    passkeys: passkeys(),
    console: { ...console, accounts: console.accounts() },
    providers: [],
    trial: null,
  }));
