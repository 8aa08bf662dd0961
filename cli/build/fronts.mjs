/** What pages say that have a use without scripts, by their paths. */
const saidWithoutScript = ({ ends }) => ({ '/billing/success': ends.bought, '/billing/return': ends.back });

/**
 * The fronts that are built for browsers, by name. Paths start from `servers/web/`. `shared`: the modules of the one file
 * that all parts need, which are packed best together. `first`: the part that people meet first.
 */
export const fronts = {
  account: {
    main: 'main.js',
    texts: { en: 'text/en.js', pl: 'text/pl.js' },
    paths: 'paths.js',
    first: 'start',
    styles: ['tokens', 'base', 'frame', 'kit', 'parts'],
    shared:
      /\/web\/(?:kit|frame|main|ways|start\/(?:carried|shell|second-step)|settings\/(?:texts|account-page|proof))/,
    said: async (load) => {
      const [en, pl] = await Promise.all([load('text/more-en.js'), load('text/more-pl.js')]);
      return { en: saidWithoutScript(en.more), pl: saidWithoutScript(pl.more) };
    },
  },
  console: {
    main: 'console/main.js',
    texts: { en: 'console/text/en.js', pl: 'console/text/pl.js' },
    paths: 'console/paths.js',
    first: 'sign-in',
    styles: ['tokens', 'base', 'frame', 'kit', 'parts', 'console', 'charts'],
    shared:
      /\/web\/(?:kit\/(?!chart)|router|config|api|console\/(?:main|frame|proof|session|api|text|paths|page|parts|list|tiers|stalled|reason|user\/role)\.)|node_modules|\/client\//,
    said: async () => ({ en: {}, pl: {} }),
  },
};
