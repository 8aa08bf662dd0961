/** The texts of pages that are useful without scripts, by path. */
const landingTexts = ({ landing }) => ({
  '/billing/success': landing.bought,
  '/billing/return': landing.back,
});

/**
 * The fronts for browsers, by name. Paths start from `servers/web/`. `areas`: the folder with a module for each area.
 * `shared`: the modules that most areas need, which are bundled with `main`. `texts`: the folder of the texts, with a
 * module and a folder for each language. `paths`: the module that names the area of each path. `noscriptTexts` returns what
 * the server writes into pages for browsers without scripts.
 */
export const fronts = {
  account: {
    main: 'account/main.tsx',
    texts: 'text',
    paths: 'account/paths.ts',
    areas: 'account/areas',
    shared:
      /\/servers\/web\/(?:kit\/(?!copy-icon|download)|base\/(?!proof|second-step|passkey|device|keep-)|auth\/(?:passed-to-next-page|load-)|account\/account-page)/,
    noscriptTexts: async (load) => {
      const [en, pl] = await Promise.all([load('text/en/landing.ts'), load('text/pl/landing.ts')]);
      return { en: landingTexts(en), pl: landingTexts(pl) };
    },
  },
  console: {
    main: 'console/main.tsx',
    texts: 'console/text',
    paths: 'console/paths.ts',
    areas: 'console',
    shared:
      /\/servers\/web\/(?:kit\/|base\/(?!proof|second-step|passkey|device|keep-|refused-fields|form-page|load-)|console\/(?:api|empty-list|folded-text|console-page|job-state|query-parameters|state-signs|tiers|user-link|user\/operator-role)\.)/,
    noscriptTexts: async () => ({ en: {}, pl: {} }),
  },
};

/** Limits in bytes of gzip: a page's scripts before its first paint, all scripts of a front in one language, and its styles. */
export const limits = { first: 24 * 1024, all: 48 * 1024, styles: 8 * 1024 };
