/** Settings are missing or wrong. Each has one line, which names the setting and never shows its value. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/**
 * The error of a setting that needs optional packages which are not installed, with the command that installs them. These
 * packages are among our devDependencies: without `--save-prod`, npm would keep them there, and production would lack them.
 */
export const missingPackages = (setting: string, need: string, names: readonly string[]): ConfigError =>
  new ConfigError([
    `${setting}: ${need}, which ${names.length === 1 ? 'is' : 'are'} not installed: npm install --save-prod ${names.join(' ')}`,
  ]);
