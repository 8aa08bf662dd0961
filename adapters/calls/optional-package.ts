/** A package that only some installations need is not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
  readonly packageName: string;

  constructor(packageName: string) {
    super(`The package ${packageName} is not installed.`);
    this.packageName = packageName;
  }
}

/** Loads an optional package by an `import` that names it. Throws `MissingPackage`, and whatever keeps it from loading. */
export const loadOptional = async <T>(packageName: string, load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    const isAbsent =
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes(packageName);
    throw isAbsent ? new MissingPackage(packageName) : error;
  }
};
