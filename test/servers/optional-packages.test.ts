import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { orMissing } from '../../adapters/calls/optional-package.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';

const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** A module for `--import` that hides a package from `import` and `require`. */
const hide = (name: string): string => {
  const hook = `export const resolve = (name, context, next) =>
    next(name === "${name}" ? "${name}-hidden" : name, context);`;
  return asModule(`import Module, { register } from 'node:module';
    register(${JSON.stringify(asModule(hook))});
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => resolve(name === "${name}" ? "${name}-hidden" : name, ...rest);`);
};

describe('A start without a package that its settings need', () => {
  const folder = useTempFolder();
  const start = (settings: Readonly<Record<string, string>>, hidden: string) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', hide(hidden), join(root, 'dist/servers/all.js')],
      {
        cwd: folder(),
        env: { PATH: process.env.PATH, ACCOUNTS_PORT: '0', METADATA_PORT: '0', ...settings },
        encoding: 'utf8',
      },
    );
    return { status, lastLine: stderr.trim().split('\n').at(-1) };
  };

  for (const WORKERS of ['1', '2']) {
    it(`ends with 78 and the install command for metrics, with WORKERS=${WORKERS}`, () => {
      expect(start({ METRICS_PORT: '0', WORKERS }, 'prom-client')).to.deep.equal({
        status: 78,
        lastLine:
          'METRICS_PORT: metrics need a package, which is not installed: npm install --save-prod prom-client',
      });
    });
  }

  it('ends with 78 and the install command for AWS KMS', () => {
    const settings = { KMS: 'aws', AWS_KMS_KEY_ID: 'alias/gatehouse', AWS_REGION: 'eu-central-1' };
    expect(start(settings, '@aws-sdk/client-kms')).to.deep.equal({
      status: 78,
      lastLine:
        'KMS: aws needs a package, which is not installed: npm install --save-prod @aws-sdk/client-kms',
    });
  });

  it('ends with 78 and the install command for passkeys, which load the package only on use', () => {
    const settings = { PASSKEYS: 'on', PUBLIC_URL: 'https://accounts.example.com' };
    expect(start(settings, '@simplewebauthn/server')).to.deep.equal({
      status: 78,
      lastLine:
        'PASSKEYS: passkeys need a package, which is not installed: npm install --save-prod @simplewebauthn/server',
    });
  });

  it('ends with 78 and the install command for an S3 bucket', () => {
    const settings = { OBJECTS_URL: 's3://example-avatars', S3_REGION: 'eu-central-1' };
    expect(start(settings, '@aws-sdk/client-s3')).to.deep.equal({
      status: 78,
      lastLine:
        'OBJECTS_URL: S3 needs a package, which is not installed: npm install --save-prod @aws-sdk/client-s3',
    });
  });

  it('fails with the original error if an installed package does not load', async () => {
    const failure = Object.assign(new Error("Cannot find package 'tslib'"), { code: 'ERR_MODULE_NOT_FOUND' });
    const load = () => Promise.reject(failure).catch(orMissing('@aws-sdk/client-kms'));
    expect(await rejectionOf(load)).to.equal(failure);
  });
});
