import { expect } from 'chai';
import { openIdentityProviders } from '../../../adapters/oidc/identity-providers.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { COMMON, openIdOf, REDIRECT_URI } from './provider-flows.ts';

const TENANT = '0f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const OID = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const MICROSOFT = 'https://login.microsoftonline.com';

describe('The issuer of an identity', () => {
  const { issuerOf } = openIdentityProviders(
    [
      openIdOf({ id: 'staff', issuer: 'https://id.example' }),
      { ...COMMON, id: 'google', preset: 'google' },
      {
        ...{ ...COMMON, id: 'github', preset: 'github' },
        ...{ url: 'https://github.com', apiUrl: 'https://api.github.com' },
      },
      { ...COMMON, id: 'microsoft', preset: 'microsoft', tenant: TENANT, tenants: [] },
    ],
    { clock: { now: () => Date.now() }, log: makeRecordingLog(), redirectUri: () => REDIRECT_URI },
  );

  it('is the issuer of its provider for any subject', () => {
    expect(issuerOf('staff', 'anything')).to.equal('https://id.example');
    expect(issuerOf('google', '10769150350006150715113082367')).to.equal('https://accounts.google.com');
  });

  it('is undefined for a GitHub subject that is not a number', () => {
    expect(issuerOf('github', '583231')).to.equal('https://github.com/login/oauth');
    for (const login of ['octocat', '0583231', '', '-1', '1e5'])
      expect(issuerOf('github', login), login).to.equal(undefined);
  });

  it('is the issuer of an allowed tenant at Microsoft', () => {
    expect(issuerOf('microsoft', `${TENANT}.${OID}`)).to.equal(`${MICROSOFT}/${TENANT}/v2.0`);
    for (const subject of [OID, `${OTHER}.${OID}`, `${TENANT}.`, `${TENANT}.${OID}.${OID}`, 'common.x'])
      expect(issuerOf('microsoft', subject), subject).to.equal(undefined);
  });

  it('is undefined for a provider that is not configured', () => {
    expect(issuerOf('gitlab', '1')).to.equal(undefined);
  });
});
