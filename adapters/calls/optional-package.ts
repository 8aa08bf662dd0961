import { isError } from './is-error.ts';
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
 * Whether an import or a `require` failed because the package is absent, not because it is broken. In the message only the
 * missing module stands in quotation marks. It may be a subpath of the package.
 */
export const isAbsent = (error: unknown, packageName: string): boolean =>
  isError(error) &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
  error.message.includes(`'${packageName}`);

/**
 * Makes the error handler for the `import` of an optional package: throws `MissingPackage` if the package is absent, else the
 * original error. Pass it to `catch` on the import itself, by which bundlers see that the package may be absent.
 */
export const orMissing =
  (packageName: string) =>
  (error: unknown): never => {
    throw isAbsent(error, packageName) ? new MissingPackage(packageName) : error;
  };
