import type { Dialect } from './openid-dialect.ts';
import type { MicrosoftSettings } from './provider-settings.ts';
import { invalidAnswer } from './refusal.ts';
import { bySecret } from './token-request.ts';

/** The tenant of all personal accounts. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The authority that covers all admitted tenants: a tenant, or Microsoft's name for several. */
const authorityOf = ({ tenant, tenants }: MicrosoftSettings): string => {
  const admitted = [...new Set([tenant, ...tenants])];
  if (admitted.length === 1 || tenant === 'common') return tenant;
  const isPersonal = (name: string) => name === 'consumers' || name === PERSONAL;
  return admitted.some(isPersonal) ? 'common' : 'organizations';
};

const issuerOfTenant = (base: string, tenant: string): string => `${base}/${tenant}/v2.0`;

const admits = ({ tenant, tenants }: MicrosoftSettings, id: string): boolean =>
  tenants.includes(id) ||
  tenant === id ||
  tenant === 'common' ||
  (tenant === 'organizations' && id !== PERSONAL) ||
  (tenant === 'consumers' && id === PERSONAL);

/**
 * Microsoft Entra. Each tenant is an issuer, and anybody can make a tenant with arbitrary emails: so the tenant is checked first,
 * a subject names tenant and account, and an email counts as verified only if a tenant of `tenants` owns its domain.
 */
export const microsoft = (settings: MicrosoftSettings, base: string): Dialect => {
  const authority = authorityOf(settings);
  // What stands for the tenant in the `issuer` of the discovery document, by Microsoft's names of authorities.
  const issuerTenants: Readonly<Record<string, string>> = {
    common: '{tenantid}',
    organizations: '{tenantid}',
    consumers: PERSONAL,
  };
  const requireAdmitted = (tenant: unknown): string => {
    if (typeof tenant === 'string' && GUID.test(tenant) && admits(settings, tenant)) return tenant;
    throw invalidAnswer('tid');
  };
  return {
    issuer: issuerOfTenant(base, issuerTenants[authority] ?? authority),
    baseUrl: issuerOfTenant(base, authority),
    formPost: false,
    proofParams: { prompt: 'login', max_age: '0' },
    asksUserInfo: false,
    clientAuth: () => bySecret(settings.auth ?? 'basic', settings.clientId, settings.clientSecret),
    issuerOf: ({ tid }) => issuerOfTenant(base, requireAdmitted(tid)),
    issuerOfSubject: (subject) => {
      const [tenant = '', account = '', ...more] = subject.split('.');
      const isSubject = GUID.test(tenant) && GUID.test(account) && more.length === 0;
      return isSubject && admits(settings, tenant) ? issuerOfTenant(base, tenant) : undefined;
    },
    isIssuer: (candidate) => {
      const tenant = candidate.slice(base.length + 1, -'/v2.0'.length);
      return GUID.test(tenant) && admits(settings, tenant) && candidate === issuerOfTenant(base, tenant);
    },
    personOf: ({ tid, oid, xms_edov: owned }) => {
      if (typeof oid !== 'string' || !GUID.test(oid)) throw invalidAnswer('oid');
      const tenant = requireAdmitted(tid);
      // `xms_edov` says whether the tenant owns the domain of the email, as a boolean, a number or a text.
      const isOwned = owned === true || owned === 1 || owned === '1';
      return { subject: `${tenant}.${oid}`, emailVerified: isOwned && settings.tenants.includes(tenant) };
    },
  };
};
