/** The texts of pages that are useful without scripts, by path. */
const noscriptTexts = ({ landing }) => ({
  '/billing/success': landing.bought,
  '/billing/return': landing.back,
});

/**
 * The fronts for browsers, by name. Paths start from `servers/web/`. `shared`: the modules that all parts need, which are
 * bundled into one file. `texts`: the folder of the texts, with a module and a folder for each language.
 */
export const fronts = {
  account: {
    main: 'main.js',
    texts: 'text',
    paths: 'paths.js',
    styles: ['tokens', 'base', 'frame', 'kit', 'parts'],
    shared:
      /\/client\/base64url|\/web\/(?:kit|frame|main|load-passkeys|parts\.|auth\/(?:carried|challenge|load-second-step|shell)|account\/account-page)/,
    noscriptTexts: async (load) => {
      const [en, pl] = await Promise.all([load('text/en/landing.js'), load('text/pl/landing.js')]);
      return { en: noscriptTexts(en), pl: noscriptTexts(pl) };
    },
  },
  console: {
    main: 'console/main.js',
    texts: 'console/text',
    paths: 'console/paths.js',
    styles: ['tokens', 'base', 'frame', 'kit', 'parts', 'console', 'charts'],
    shared:
      /\/web\/(?:kit\/(?!chart)|router|config|api|parts|console\/(?:main|frame|session|api|text|paths|page|parts|list|tiers|stalled|reason|user\/role)\.)|node_modules|\/client\//,
    noscriptTexts: async () => ({ en: {}, pl: {} }),
  },
};
