/** A package that only some installations need is not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
  readonly packageName: string;

  constructor(packageName: string) {
    super(`The package ${packageName} is not installed.`);
    this.packageName = packageName;
  }
}

/**
 * What an `import` of an optional package fails with: `MissingPackage`, or whatever kept it from loading. To be passed to
 * its `catch`, by which bundlers know that the package may be absent.
 */
export const orMissing =
  (packageName: string) =>
  (error: unknown): never => {
    const isAbsent =
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes(packageName);
    throw isAbsent ? new MissingPackage(packageName) : error;
  };
