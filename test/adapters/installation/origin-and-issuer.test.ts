import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { openOrigin } from '../../../adapters/installation/origin-and-issuer.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('The issuer of tokens', () => {
  const folder = useTempFolder();
  const open = (settings: Readonly<Record<string, string>>) => openOrigin(readConfig(settings, folder()));

  it('is the first origin of the data folder, even if the port changes later', async () => {
    expect((await open({ ACCOUNTS_PORT: '3100' })).issuer()).to.equal('http://127.0.0.1:3100');
    const later = await open({ ACCOUNTS_PORT: '3200', HOST: 'localhost' });
    expect([later.issuer(), later.host()]).to.deep.equal(['http://127.0.0.1:3100', 'localhost']);
    const picked = await open({ ACCOUNTS_PORT: '0' });
    await picked.listensAt('http://127.0.0.1:45678');
    expect(picked.issuer()).to.equal('http://127.0.0.1:3100');
  });

  it('is identical for concurrent starts', async () => {
    const ports = Array.from({ length: 10 }, (_, place) => `${3100 + place}`);
    const origins = await Promise.all(ports.map((ACCOUNTS_PORT) => open({ ACCOUNTS_PORT })));
    expect(new Set(origins.map(({ issuer }) => issuer()))).to.have.property('size', 1);
  });

  it('is PUBLIC_URL if set, which is not stored', async () => {
    const set = { PUBLIC_URL: 'https://accounts.example.com' };
    expect((await open(set)).issuer()).to.equal('https://accounts.example.com');
    expect(existsSync(readConfig(set, folder()).dataDir)).to.equal(false);
    await open({});
    const again = await open(set);
    expect([again.issuer(), again.host()]).to.deep.equal([
      'https://accounts.example.com',
      'accounts.example.com',
    ]);
  });
});
