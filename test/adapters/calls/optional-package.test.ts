import { expect } from 'chai';
import { MissingPackage, orMissing } from '../../../adapters/calls/optional-package.ts';

const PACKAGE = '@aws-sdk/client-kms';
const handle = orMissing(PACKAGE);
const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('An optional package', () => {
  it('is reported as missing if the error names the package itself', () => {
    const imported = `Cannot find package '${PACKAGE}' imported from /app/node_modules/gatehouse/dist/adapters/kms/aws.js`;
    const required = `Cannot find module '${PACKAGE}'\nRequire stack:\n- /app/main.cjs`;
    expect(() => handle(errorOf('ERR_MODULE_NOT_FOUND', imported))).to.throw(MissingPackage);
    expect(() => handle(errorOf('MODULE_NOT_FOUND', required))).to.throw(MissingPackage);
  });

  it('keeps the original error if one of its files or dependencies was not found', () => {
    const file = `/app/node_modules/${PACKAGE}/dist/index.js`;
    for (const error of [
      errorOf('ERR_MODULE_NOT_FOUND', `Cannot find package 'tslib' imported from ${file}`),
      errorOf('MODULE_NOT_FOUND', `Cannot find module 'tslib'\nRequire stack:\n- ${file}`),
      errorOf('ERR_MODULE_NOT_FOUND', `Cannot find module '${file}' imported from /app/main.js`),
    ])
      expect(() => handle(error)).to.throw(error.message);
  });
});
