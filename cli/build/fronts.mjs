/** What pages say that have a use without scripts, by their paths. */
const saidWithoutScript = ({ ends }) => ({ '/billing/success': ends.bought, '/billing/return': ends.back });

/**
 * The fronts that are built for browsers, by name. Paths start from `servers/web/`. `shared`: the modules of the one file
 * that all parts need, which are packed best together. `texts`: the folder of the texts, with a module and a folder for each
 * language.
 */
export const fronts = {
  account: {
    main: 'main.js',
    texts: 'text',
    paths: 'paths.js',
    styles: ['tokens', 'base', 'frame', 'kit', 'parts'],
    shared:
      /\/client\/base64url|\/web\/(?:kit|frame|main|ways|parts\.|start\/(?:carried|shell|second-step)|settings\/(?:account-page|proof))/,
    said: async (load) => {
      const [en, pl] = await Promise.all([load('text/en/ends.js'), load('text/pl/ends.js')]);
      return { en: saidWithoutScript(en), pl: saidWithoutScript(pl) };
    },
  },
  console: {
    main: 'console/main.js',
    texts: 'console/text',
    paths: 'console/paths.js',
    styles: ['tokens', 'base', 'frame', 'kit', 'parts', 'console', 'charts'],
    shared:
      /\/web\/(?:kit\/(?!chart)|router|config|api|parts|console\/(?:main|frame|session|api|text|paths|page|parts|list|tiers|stalled|reason|user\/role)\.)|node_modules|\/client\//,
    said: async () => ({ en: {}, pl: {} }),
  },
};
