import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { problemsOf } from './bad-settings.ts';

describe('The settings of sessions in cookies', () => {
  it('are off by default, without origins', () => {
    const { cookieSessions, cookieOrigins, warnings } = readConfig({}, '/tmp');
    expect([cookieSessions, cookieOrigins]).to.deep.equal([false, null]);
    expect(warnings.join()).not.to.contain('COOKIE');
  });

  it('accept https, and accept http on a loopback host with a warning', () => {
    const https = readConfig({ COOKIE_SESSIONS: 'on', PUBLIC_URL: 'https://app.example.com' }, '/tmp');
    expect(https.cookieSessions).to.equal(true);
    expect(https.warnings.join()).not.to.contain('COOKIE');
    for (const more of [
      {},
      { PUBLIC_URL: 'http://localhost:8080', HOST: '0.0.0.0' },
      { PUBLIC_URL: 'http://127.0.0.1:3000' },
      { PUBLIC_URL: 'http://[::1]:3000' },
    ]) {
      const { warnings } = readConfig({ COOKIE_SESSIONS: 'on', ...more }, '/tmp');
      expect(warnings.join(), JSON.stringify(more)).to.contain('COOKIE_SESSIONS is on without https');
    }
  });

  it('refuse http on other hosts or in production, and values other than on and off', () => {
    const LINE = /^COOKIE_SESSIONS must be off unless PUBLIC_URL is https/;
    for (const more of [{ PUBLIC_URL: 'http://app.example.com' }, { HOST: '0.0.0.0' }]) {
      const problems = problemsOf({ COOKIE_SESSIONS: 'on', ...more });
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(LINE);
    }
    const inProduction = problemsOf({ NODE_ENV: 'production', COOKIE_SESSIONS: 'on' });
    expect(inProduction.some((line) => line.startsWith('PUBLIC_URL must'))).to.equal(true);
    expect(problemsOf({ COOKIE_SESSIONS: 'yes' })).to.deep.equal(['COOKIE_SESSIONS must be on or off.']);
  });

  it('accept only exact origins', () => {
    const origins = 'https://a.example.com, https://b.example.com:8443';
    const { cookieOrigins } = readConfig({ COOKIE_SESSIONS: 'on', COOKIE_ORIGINS: origins }, '/tmp');
    expect(cookieOrigins).to.deep.equal(['https://a.example.com', 'https://b.example.com:8443']);
    for (const origin of ['*', 'https://*.example.com', 'https://a.example.com/', 'null', 'a.example.com'])
      expect(problemsOf({ COOKIE_ORIGINS: origin })[0], origin).to.match(
        /^COOKIE_ORIGINS must be exact origins/,
      );
  });
});
