/** The package's version. The build writes it here (`cli/build/build.mjs`), so that no program reads package.json. */
export const version: string = '0';
