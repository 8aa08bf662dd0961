import { expect } from 'chai';
import { isRedirect, withQuery } from '../../../../core/accounts/providers/redirects.ts';

const ENTRIES = [
  'https://app.example/signed-in',
  'com.example.app:/done',
  'http://127.0.0.1/done',
  'http://[::1]/done',
];

describe('The redirect address of a sign-in with a provider', () => {
  it('is accepted if it equals an address of the settings', () => {
    for (const entry of ENTRIES) expect(isRedirect(ENTRIES, entry), entry).to.equal(true);
  });

  it('is accepted up to 1024 characters', () => {
    for (const length of [1_024, 1_025]) {
      const address = `https://app.example/${'x'.repeat(length - 20)}`;
      expect(isRedirect([address], address), address).to.equal(length === 1_024);
    }
  });

  it('is accepted with any port if the settings have its loopback address without a port', () => {
    for (const address of [
      'http://127.0.0.1:1/done',
      'http://127.0.0.1:65535/done',
      'http://[::1]:8080/done',
    ])
      expect(isRedirect(ENTRIES, address), address).to.equal(true);
  });

  it('is refused in any other spelling (A10)', () => {
    const refusedAddresses = [
      'https://app.example/signed-in/',
      'https://app.example/signed-in?x=1',
      'https://app.example/signed-in#x',
      'https://app.example/Signed-in',
      'https://APP.example/signed-in',
      'https://app.example:443/signed-in',
      'https://app.example/./signed-in',
      'https://app.example//signed-in',
      'https://app.example/%73igned-in',
      'https://app.example@evil.example/signed-in',
      'https://app.example.evil.example/signed-in',
      'https://evil.example/https://app.example/signed-in',
      'http://app.example/signed-in',
      '//app.example/signed-in',
      ' https://app.example/signed-in',
      'https://app.example\\@evil.example/signed-in',
      'javascript:alert(1)',
      'com.example.app://done',
      'com.example.app:/done/x',
      '',
    ];
    for (const address of refusedAddresses) expect(isRedirect(ENTRIES, address), address).to.equal(false);
  });

  it('is refused with another loopback host, scheme or path, or with an invalid port (A10)', () => {
    const refusedAddresses = [
      'http://localhost:8080/done',
      'http://127.0.0.1:0/done',
      'http://127.0.0.1:65536/done',
      'http://127.0.0.1:080/done',
      'http://127.0.0.1:80:80/done',
      'http://127.0.0.1:8080@evil.example/done',
      'http://127.0.0.1:8080/x/done',
      'http://127.0.0.1.evil.example/done',
      'http://127.0.0.1:/done',
      'http://127.0.0.2:8080/done',
      'https://127.0.0.1:8080/done',
    ];
    for (const address of refusedAddresses) expect(isRedirect(ENTRIES, address), address).to.equal(false);
  });

  it('gets parameters appended to its query', () => {
    expect(withQuery('https://app.example/', { code: 'a b', state: '&' })).to.equal(
      'https://app.example/?code=a%20b&state=%26',
    );
    expect(withQuery('https://app.example/?from=us', { code: 'x' })).to.equal(
      'https://app.example/?from=us&code=x',
    );
  });
});
