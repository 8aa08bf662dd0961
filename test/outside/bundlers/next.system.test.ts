import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { type App, makeApp } from './app.ts';
import type { Image } from './image.ts';
import { useBundles } from './programs.ts';

describe('An app of Next.js', function () {
  this.timeout(600_000);
  const { serve } = useBundles();
  let app: App;
  let image: Image;
  before(async () => {
    app = await makeApp(['react', 'react-dom'], ['next']);
    image = await app.build('Next.js in an image');
  });
  after(() => app?.remove());

  const data = () => join(app.folder, 'data');
  const settings = async () => ({
    PORT: String(await freePort()),
    DATA_DIR: data(),
    NEXT_TELEMETRY_DISABLED: '1',
  });

  it('registers a user', async () => {
    const built = join(image.folder, '../../0/app');
    const args = ['node_modules/.bin/next', 'start'];
    // No variable of Next.js's own, so that the keys of a first start are made.
    const given = { ...(await settings()), NODE_ENV: 'development' };
    await (await serve(built, args, given))('/register');
  });

  it('registers a user in an image, in production', async () => {
    const given = {
      ...(await settings()),
      PUBLIC_URL: 'https://accounts.example.com',
      BILLING: 'none',
      SCRYPT: 'ln=15,r=8,p=3',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Example <no-reply@example.com>',
      INTERNAL_SECRET_FILE: join(data(), 'internal-secret'),
      HASH_KEY_FILE: join(data(), 'keys/hash-key'),
      SIGNING_KEYS_FILE: join(data(), 'keys/signing.json'),
      MASTER_KEYS_FILE: join(data(), 'keys/master.json'),
    };
    await (await serve(image.folder, image.args, given))('/register');
  });
});
