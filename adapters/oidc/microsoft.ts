import type { Dialect } from './dialect.ts';
import { invalidAnswer } from './refusal.ts';
import type { MicrosoftSettings } from './settings.ts';
import { bySecret } from './token-request.ts';

/** The tenant of all personal accounts. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The words by which Microsoft lets people of several tenants in, and the issuer of what it says of itself there. */
const authorityOf = ({ tenant, tenants }: MicrosoftSettings): string => {
  const all = [...new Set([tenant, ...tenants])];
  if (all.length === 1 || tenant === 'common') return tenant;
  const isPersonal = (one: string) => one === 'consumers' || one === PERSONAL;
  return all.some(isPersonal) ? 'common' : 'organizations';
};

const issuerOfTenant = (place: string, tenant: string): string => `${place}/${tenant}/v2.0`;

const lets = ({ tenant, tenants }: MicrosoftSettings, id: string): boolean =>
  tenants.includes(id) ||
  tenant === id ||
  tenant === 'common' ||
  (tenant === 'organizations' && id !== PERSONAL) ||
  (tenant === 'consumers' && id === PERSONAL);

/**
 * Microsoft Entra. Each tenant is an issuer of its own, and anybody can have a tenant where people have any email: so the
 * tenant is checked before all else, the subject is an account in its tenant, and an email is verified only where a
 * tenant of the settings says that it owns the domain.
 */
export const microsoft = (settings: MicrosoftSettings, place: string): Dialect => {
  const authority = authorityOf(settings);
  const named: Readonly<Record<string, string>> = {
    common: '{tenantid}',
    organizations: '{tenantid}',
    consumers: PERSONAL,
  };
  const letIn = (tenant: unknown): string => {
    if (typeof tenant === 'string' && GUID.test(tenant) && lets(settings, tenant)) return tenant;
    throw invalidAnswer('tid');
  };
  return {
    issuer: issuerOfTenant(place, named[authority] ?? authority),
    place: issuerOfTenant(place, authority),
    formPost: false,
    proof: { prompt: 'login' },
    asksUserInfo: false,
    clientAuth: () => bySecret(settings.auth ?? 'basic', settings.clientId, settings.clientSecret),
    issuerOf: ({ tid }) => issuerOfTenant(place, letIn(tid)),
    issuerOfSubject: (subject) => {
      const [tenant = '', account = '', ...more] = subject.split('.');
      const isSubject = GUID.test(tenant) && GUID.test(account) && more.length === 0;
      return isSubject && lets(settings, tenant) ? issuerOfTenant(place, tenant) : undefined;
    },
    isIssuer: (given) => {
      const tenant = given.slice(place.length + 1, -'/v2.0'.length);
      return GUID.test(tenant) && lets(settings, tenant) && given === issuerOfTenant(place, tenant);
    },
    personOf: ({ tid, oid, xms_edov: owned }) => {
      if (typeof oid !== 'string' || !GUID.test(oid)) throw invalidAnswer('oid');
      const tenant = letIn(tid);
      const isOwned = owned === true || owned === 1 || owned === '1';
      return { subject: `${tenant}.${oid}`, emailVerified: isOwned && settings.tenants.includes(tenant) };
    },
  };
};
